import Foundation

/// A failure to read an index as a whole. A single stanza that cannot be read is a
/// `MalformedStanza` instead.
public struct IndexError: Error, CustomStringConvertible {
    /// What went wrong. Values are never reused for something else.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        /// The file or directory cannot be opened or read.
        public static let unreadable = Code(description: "unreadable")
        /// A compressed file cannot be decompressed: it is damaged, or the decompressor is missing.
        public static let decompressionFailed = Code(description: "decompressionFailed")
    }

    public let code: Code
    /// What went wrong and what to do about it.
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
