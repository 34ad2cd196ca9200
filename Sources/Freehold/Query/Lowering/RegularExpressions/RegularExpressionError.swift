/// A fault of a regular expression.
struct RegularExpressionError: Error, Hashable {
    /// The place in the pattern, counted in Unicode scalars from 1.
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
    /// The greatest number of steps of a compiled expression. Matching takes at most a constant
    /// time for each step and each scalar of the text.
    static let maximumSize = 10_000
    /// The greatest nesting depth of groups and sets.
    static let maximumDepth = 100
}
