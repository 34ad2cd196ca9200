/// The syntax tree of a regular expression. ``RegularExpressionLimits/maximumDepth`` limits its
/// depth, because it is processed by recursion.
indirect enum RegularExpressionNode: Sendable {
    case empty
    /// One scalar. If `isFolded`, every scalar whose simple case folding is this one.
    case scalar(UInt32, isFolded: Bool)
    case set(ScalarSet)
    /// `.`: any scalar that does not end a line; with `(?s)` any scalar, CR and LF together.
    case anyScalar(crossesLines: Bool)
    /// `\R`: the end of a line, CR and LF together.
    case lineEnd
    case assertion(RegularExpressionAssertion)
    case sequence([RegularExpressionNode])
    case alternatives([RegularExpressionNode])
    /// - Parameter maximum: Nil for any number.
    case repetition(RegularExpressionNode, minimum: Int, maximum: Int?)
}

/// A condition between two scalars.
enum RegularExpressionAssertion: Int32 {
    /// `\A`, and `^` without `(?m)`.
    case textStart
    /// `\z`
    case textEnd
    /// `\Z`, and `$` without `(?m)`: the end, or before a line end that ends the text.
    case lastLineEnd
    /// `^` with `(?m)`.
    case lineStart
    /// `$` with `(?m)`.
    case beforeLineEnd
    case wordBoundary
    case noWordBoundary
    /// False between a CR and the LF after it.
    case noLineFeed
}
