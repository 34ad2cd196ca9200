/// A regular expression that is matched in a time proportional to its size times the text's length,
/// whatever both are: all ways through the expression are followed at once, and none twice.
///
/// The syntax is a subset of ICU's, with the same meaning; what it lacks cannot be matched so
/// (back references), or is not worth it. Matches are of whole texts, scalar by scalar.
struct RegularExpression: Sendable {
    let program: RegularExpressionProgram

    /// O(pattern and program). Throws if the pattern is wrong, not supported or too large.
    init(_ pattern: String, ignoresCase: Bool) throws(RegularExpressionError) {
        program = try RegularExpressionCompiler.compile(
            try RegularExpressionParser.parse(pattern, ignoresCase: ignoresCase))
    }
}

/// What a regular expression is compiled to. It begins at the first step.
struct RegularExpressionProgram: Sendable {
    struct Step: Sendable {
        enum Operation: UInt8 {
            /// A scalar: `x`.
            case scalar
            /// A scalar whose folding is `x`.
            case folded
            /// A scalar of the set at `x`.
            case set
            /// A scalar that ends no line, or any.
            case anyInLine, any
            /// Goes on at `x` and at `y`.
            case split
            /// Goes on at `x`.
            case jump
            /// Goes on if the assertion `x` holds.
            case assertion
            /// The end.
            case end
        }

        var operation: Operation
        var x: Int32 = 0
        var y: Int32 = 0
    }

    var steps: [Step] = []
    /// Whether words matter.
    var hasWordBoundaries = false
    var sets: [ScalarSet] = []
}
