/// A regular expression with matching time proportional to its size times the length of the text.
/// All paths through the expression are followed at once, and none twice.
///
/// The syntax is a subset of ICU's, with the same meaning. The missing parts cannot be matched in
/// this way (back references), or are rarely needed. Matches are of whole texts, scalar by
/// scalar.
struct RegularExpression: Sendable {
    let program: RegularExpressionProgram

    /// O(pattern and program). Throws if the pattern is wrong, not supported or too large.
    init(_ pattern: String, ignoresCase: Bool) throws(RegularExpressionError) {
        program = try RegularExpressionCompiler.compile(
            try RegularExpressionParser.parse(pattern, ignoresCase: ignoresCase))
    }
}

/// The compiled form of a regular expression. It begins at the first step.
struct RegularExpressionProgram: Sendable {
    struct Step: Sendable {
        enum Operation: UInt8 {
            /// Matches the scalar `x`.
            case scalar
            /// Matches a scalar whose folding is `x`.
            case folded
            /// Matches a scalar of the set at `x`.
            case set
            /// Matches a scalar that does not end a line, or any scalar.
            case anyInLine, any
            /// Continues at `x` and at `y`.
            case split
            /// Continues at `x`.
            case jump
            /// Continues if the assertion `x` holds.
            case assertion
            /// The end.
            case end
        }

        var operation: Operation
        var x: Int32 = 0
        var y: Int32 = 0
    }

    var steps: [Step] = []
    /// Whether the program tests word boundaries.
    var hasWordBoundaries = false
    var sets: [ScalarSet] = []
}
