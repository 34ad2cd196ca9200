public import Foundation

extension Realm {
    /// A failure at run time: of the file, the disk, the configuration or the schema.
    ///
    /// Misuse by the programmer is not an error: it ends the process with a message. In functions
    /// that throw, wrong confinement is a ``ConfinementViolation``. Match codes like this:
    ///
    /// ```swift
    /// do {
    ///     let realm = try Realm(configuration: configuration)
    /// } catch Realm.Error.fileNotFound {
    ///     …
    /// } catch let error as Realm.Error {
    ///     print(error.code, error.message)
    /// }
    /// ```
    public struct Error: Swift.Error, Sendable {
        /// The kind of the failure.
        public let code: Code
        /// What happened, and what to do about it.
        public let message: String
        /// The end of the message, if that says what to do.
        public let recoverySuggestion: String?
        /// The file concerned.
        public let fileURL: URL?
        /// The failure that caused this one.
        public let underlying: (any Swift.Error)?

        /// Makes an error, for tests of an application's error handling.
        ///
        /// - Parameters:
        ///   - code: The kind of the failure.
        ///   - message: What happened.
        ///   - fileURL: The file concerned, if any.
        ///   - underlying: The failure that caused this one, if any.
        public init(
            _ code: Code, _ message: String = "", fileURL: URL? = nil,
            underlying: (any Swift.Error)? = nil
        ) {
            self.code = code
            self.message = message
            recoverySuggestion = nil
            self.fileURL = fileURL
            self.underlying = underlying
        }

        /// Makes an error of two parts. `localizedDescription` has only the first one.
        init(
            _ code: Code, _ text: String, remedy: String, fileURL: URL, underlying: any Swift.Error
        ) {
            self.code = code
            message = text + "\n" + remedy
            recoverySuggestion = remedy
            self.fileURL = fileURL
            self.underlying = underlying
        }

        /// Makes an error from the user info of an `NSError`.
        ///
        /// - Parameters:
        ///   - code: The kind of the failure.
        ///   - userInfo: The message, the file's path and the cause under the keys
        ///     `NSLocalizedDescriptionKey`, `NSFilePathErrorKey` and `NSUnderlyingErrorKey`. All
        ///     may be missing; other keys are ignored.
        public init(_ code: Code, userInfo: [String: Any]) {
            self.init(
                code, userInfo[NSLocalizedDescriptionKey] as? String ?? "",
                fileURL: (userInfo[NSFilePathErrorKey] as? String).map { URL(fileURLWithPath: $0) },
                underlying: userInfo[NSUnderlyingErrorKey] as? any Swift.Error)
        }
    }
}

extension Realm.Error: Equatable {
    /// Whether code, message and file are the same; causes are not compared.
    public static func == (a: Realm.Error, b: Realm.Error) -> Bool {
        a.code == b.code && a.message == b.message && a.fileURL == b.fileURL
    }
}

extension Realm.Error: CustomStringConvertible, LocalizedError {
    /// The code's name, the message and the path.
    public var description: String {
        var text = "\(code): \(message)"
        if let path = fileURL?.path, !message.contains(path) { text += " (path: \(path))" }
        return text
    }

    /// The message, without the recovery suggestion.
    public var errorDescription: String? { text }

    private var text: String {
        recoverySuggestion.map { String(message.dropLast($0.count + 1)) } ?? message
    }
}

extension Realm.Error: CustomNSError {
    /// "io.realm", as in Realm Swift.
    public static var errorDomain: String { "io.realm" }
    /// The raw value of ``code``, for `NSError`.
    public var errorCode: Int { code.rawValue }
    /// The message, the suggestion, the file's path and the cause, under Foundation's keys.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: text]
        if let recoverySuggestion {
            info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        }
        if let fileURL { info[NSFilePathErrorKey] = fileURL.path }
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        return info
    }

    /// The same as ``errorUserInfo``.
    public var userInfo: [String: Any] { errorUserInfo }
}

/// Matches an error by the code of another error.
public func ~= (pattern: Realm.Error, error: any Swift.Error) -> Bool { pattern.code ~= error }

/// Matches an error by its code: `catch Realm.Error.fileNotFound`.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
    (error as? Realm.Error)?.code == code
}
