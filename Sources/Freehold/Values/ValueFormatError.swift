public import Foundation

/// A string, or a decoded value, that does not have the form that a value type requires.
///
/// The message names the text and the expected form, so it can be shown to users as it is.
///
/// Thread rule: a plain value; may be sent anywhere.
public struct ValueFormatError: Error, Hashable, Sendable {
    /// The text that does not have the form.
    public let text: String
    /// One sentence that names the text and the expected form.
    public let message: String
}

extension ValueFormatError: CustomStringConvertible {
    /// The same as ``message``.
    public var description: String { message }
}

extension ValueFormatError: LocalizedError {
    /// The same as ``message``.
    public var errorDescription: String? { message }
}
