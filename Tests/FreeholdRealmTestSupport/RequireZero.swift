public import Testing

/// Requires what a system call or a program returned to be 0.
///
/// `#require(call() == 0)` is enough for Swift 6.3; Swift 6.2 takes some of those for the
/// `#require` of an optional.
public func requireZero(
    _ status: CInt, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let isZero = status == 0
    try #require(isZero, comment, sourceLocation: sourceLocation)
}
