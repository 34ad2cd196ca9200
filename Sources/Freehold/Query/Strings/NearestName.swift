/// Finds what somebody may have meant.
enum NearestName {
    /// Names that are longer are not compared: the effort grows with the square of the length.
    private static let maximumLength = 64

    /// The candidate that differs least from a name, in few enough letters to be a slip; nil if
    /// there is none. Upper and lower case do not differ.
    static func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased())
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
        let allowed = wanted.count <= 2 ? 1 : wanted.count <= 5 ? 2 : 3
        var best: (distance: Int, name: String)?
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            if other.count > maximumLength || abs(other.count - wanted.count) > allowed { continue }
            let distance = distance(wanted, other)
            // As many slips as letters leave nothing of the word.
            guard distance <= allowed, distance < max(wanted.count, other.count) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
        }
        return best?.name
    }

    /// How many letters have to be inserted, removed, replaced, or exchanged with their neighbour.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var older: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var current = [i + 1]
            for j in b.indices {
                var cost = min(
                    previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, older[j - 1] + 1)
                }
                current.append(cost)
            }
            older = previous
            previous = current
        }
        return previous[b.count]
    }
}
