/// Finds the name that was probably meant.
enum NearestName {
    /// Longer names are not compared: the effort grows with the square of the length.
    private static let maximumLength = 64

    /// Returns the candidate that differs least from a name, if few letters differ, as after a
    /// typing error; nil if there is none. Case is ignored.
    static func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased())
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
        let allowed = wanted.count <= 2 ? 1 : wanted.count <= 5 ? 2 : 3
        var best: (distance: Int, name: String)?
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            if other.count > maximumLength || abs(other.count - wanted.count) > allowed { continue }
            let distance = distance(wanted, other)
            // If all letters differ, the candidate is unrelated.
            guard distance <= allowed, distance < max(wanted.count, other.count) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
        }
        return best?.name
    }

    /// Returns how many letters must be inserted, removed, replaced, or exchanged with their
    /// neighbour.
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
