/// A pattern with wildcards: `*` matches any bytes, including none, and `?` one scalar, or one
/// byte in a column of bytes. Every other byte matches itself; there is no escape.
struct LikePattern: Sendable {
    let pattern: [UInt8]
    /// Whether `?` matches one scalar of UTF-8.
    let countsScalars: Bool

    /// Whether the whole text matches the pattern. O(text × pattern) at worst, O(text +
    /// pattern) with one `*`.
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
        // The state after the last star: the next byte of the pattern, and the first byte of
        // text that the star does not cover.
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

    /// The number of bytes of the scalar with this first byte; 1 for an invalid first byte.
    @inline(__always)
    private func width(of lead: UInt8, remaining: Int) -> Int {
        guard countsScalars, lead >= 0xC0 else { return 1 }
        return min(remaining, lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2)
    }
}
