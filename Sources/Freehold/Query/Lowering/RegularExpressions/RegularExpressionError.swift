/// What is wrong with a regular expression.
struct RegularExpressionError: Error, Hashable {
    /// Where in the pattern, counted in Unicode scalars from 1.
    let position: Int
    /// One sentence without its period.
    let reason: String
    let remedy: String

    init(
        at offset: Int, _ reason: String,
        remedy: String = "Put \\ before a character that stands for itself."
    ) {
        position = offset + 1
        self.reason = reason
        self.remedy = remedy
    }
}

/// Bounds of regular expressions. The DocC page "Limits" has the table.
enum RegularExpressionLimits {
    /// How many steps a compiled expression may have. Matching takes at most a constant time for
    /// each of them and each scalar of the text.
    static let maximumSize = 10_000
    /// How deep groups and sets may be nested in each other.
    static let maximumDepth = 100
}
