/// A pattern with wildcards: `*` stands for any bytes, none included, and `?` for one scalar,
/// or for one byte where the column holds bytes. Every other byte stands for itself; there is
/// no escape.
struct LikePattern: Sendable {
    let pattern: [UInt8]
    /// Whether `?` is one scalar of UTF-8.
    let countsScalars: Bool

    /// Whether the whole text fits the pattern. O(text × pattern) at worst, O(text + pattern)
    /// with one `*`.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        pattern.withUnsafeBufferPointer { matches(text, $0) }
    }

    private func matches(_ text: UnsafeRawBufferPointer, _ pattern: UnsafeBufferPointer<UInt8>)
        -> Bool
    {
        let star = UInt8(ascii: "*")
        let one = UInt8(ascii: "?")
        var position = 0
        var next = 0
        // After the last star: where the pattern goes on, and where the text that the star does
        // not cover begins.
        var resumeNext = -1
        var resumePosition = 0
        while position < text.count {
            if next < pattern.count {
                let expected = pattern[next]
                if expected == star {
                    next &+= 1
                    resumeNext = next
                    resumePosition = position
                    continue
                }
                if expected == one {
                    position &+= width(of: text[position], remaining: text.count &- position)
                    next &+= 1
                    continue
                }
                if expected == text[position] {
                    position &+= 1
                    next &+= 1
                    continue
                }
            }
            if resumeNext < 0 { return false }
            resumePosition &+= width(
                of: text[resumePosition], remaining: text.count &- resumePosition)
            position = resumePosition
            next = resumeNext
        }
        while next < pattern.count && pattern[next] == star { next &+= 1 }
        return next == pattern.count
    }

    /// A pattern whose only wildcards are stars at its ends as another operator, which is much
    /// faster; nil of other patterns.
    static func simplified(_ pattern: [UInt8]) -> (ScanTextOperator, literal: [UInt8])? {
        let star = UInt8(ascii: "*")
        let literal = Array(pattern.drop { $0 == star }.reversed().drop { $0 == star }.reversed())
        if literal.isEmpty || literal.contains(star) || literal.contains(UInt8(ascii: "?")) {
            return nil
        }
        return switch (pattern.first == star, pattern.last == star) {
        case (true, true): (.contains, literal)
        case (false, true): (.beginsWith, literal)
        case (true, false): (.endsWith, literal)
        case (false, false): (.equal, literal)
        }
    }

    /// How many bytes the scalar with this first byte has; 1 for a byte that begins none.
    @inline(__always)
    private func width(of lead: UInt8, remaining: Int) -> Int {
        guard countsScalars, lead >= 0xC0 else { return 1 }
        return min(remaining, lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2)
    }
}
