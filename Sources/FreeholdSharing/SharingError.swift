public import Foundation

/// Why sharing did not work. The local file is intact and usable, and keeps what waits to be
/// pushed.
///
/// ```swift
/// do {
///     try await shared.synchronize()
/// } catch SharingError.unreachable {
///     print("offline")
/// } catch let error as SharingError {
///     print(error.message, error.remedy)
/// }
/// ```
public struct SharingError: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable, Codable {
        /// No server answers, or the connection broke. ``SharedRealm`` tries again by itself.
        case unreachable
        /// The server refuses the user, the password or the certificate.
        case authenticationFailed
        /// The user may not read or write this realm.
        case permissionDenied
        /// The server has no tables for sharing.
        case notPrepared
        /// The server's tables, a payload, or the realm's classes are of a version that this
        /// program does not know.
        case unsupportedVersion
        /// No realm can have the name: it is empty, has a zero byte, or is too long.
        case unfitName
        /// The server has no realm of the name.
        case unknownRealm
        /// The server has a realm of the name.
        case nameTaken
        /// The log no longer has what the client needs, and there is no snapshot.
        case logGone
        /// The realm began a new epoch.
        case newEpoch
        /// Two files have one client id: one is a copy of the other.
        case copiedClient
        /// A class cannot be shared as it is declared; in a status also: other programs of the
        /// realm declare it differently, and what does not fit is left out of the file.
        case unfitClass
        /// A snapshot cannot be decoded, or does not fit the file; in a status also: a commit of
        /// another machine cannot be decoded, and is left out. Its author is told by
        /// ``SharedRealm/rejections``.
        case damagedPayload
        /// The file is shared by another process or another `SharedRealm`, or as another realm.
        case alreadyShared
        /// This machine's file, or a snapshot beside it, cannot be written or read: the disk is
        /// full, or fails. ``SharedRealm`` tries again by itself.
        case fileFailed
        /// The server has no room, or refuses the size.
        case serverFull
        /// The server answered with an error that has no code here: see ``message``.
        case serverFailed
        /// The block of `writeShared` met commits of other machines, or of this file, too many
        /// times.
        case tooManyConflicts
        /// The connection broke while a `writeShared` was pushed, and the call ended before it was
        /// known whether the commit arrived. If it did, it comes back like a commit of others.
        case outcomeUnknown
        /// The shared realm was closed.
        case closed
    }

    /// What went wrong.
    public let code: Code
    /// What happened, as a sentence.
    public let message: String
    /// What to do, as a sentence.
    public let remedy: String
    /// What the server, the network or the file said; empty if nothing.
    public let cause: String
    /// The file of the shared realm; nil in errors that no ``SharedRealm`` told.
    public internal(set) var fileURL: URL?

    /// Makes an error; for implementations of ``Upstream``.
    public init(_ code: Code, _ message: String, remedy: String, cause: String = "") {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.cause = cause
    }
}

extension SharingError {
    func about(_ file: URL?) -> SharingError {
        var error = self
        error.fileURL = fileURL ?? file
        return error
    }

    package static let copiedClientRemedy = """
        If this file is a copy, give it an identity of its own (SharedRealm.takeNewIdentity()). If \
        it is not, the server lost what it knew of the file: begin an epoch (freehold share \
        rotate-epoch).
        """
}

extension SharingError: CustomStringConvertible, LocalizedError {
    /// The message, the cause, the file and the remedy.
    public var description: String {
        var text = message + (cause.isEmpty ? "" : " (\(cause))")
        if let path = fileURL?.path, !text.contains(path) { text += " (file: \(path))" }
        return text + " " + remedy
    }

    /// ``message``.
    public var errorDescription: String? { message }
    /// ``cause``; nil if it is empty.
    public var failureReason: String? { cause.isEmpty ? nil : cause }
    /// ``remedy``.
    public var recoverySuggestion: String? { remedy }
}
