import Foundation

/// A failure to read a whole index. An unreadable stanza is a `MalformedStanza` instead.
public struct IndexError: Error, CustomStringConvertible {
    /// The kind of failure. Values are never reused for another kind.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        /// The file or directory cannot be opened or read.
        public static let unreadable = Code(description: "unreadable")
        /// A compressed file cannot be decompressed: it is damaged, or the decompressor is missing.
        public static let decompressionFailed = Code(description: "decompressionFailed")
    }

    public let code: Code
    /// A description of the failure, and the remedy.
    public let message: String
    public let path: String
    public let cause: (any Error)?

    public init(code: Code, message: String, path: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.cause = cause
    }

    public var description: String {
        let cause = cause.map { " (\($0.localizedDescription))" } ?? ""
        return "\(path): \(message)\(cause)"
    }
}
