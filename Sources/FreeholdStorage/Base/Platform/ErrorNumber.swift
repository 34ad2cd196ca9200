internal import Glibc

/// The `errno` of a failed system call.
package struct ErrorNumber: Error, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The thread's current `errno`. Read it right after the failed call.
    static var last: ErrorNumber { ErrorNumber(rawValue: errno) }

    /// For calls that return 0 or set `errno`; nil for 0.
    init?(ofCall result: Int32) {
        if result == 0 { return nil }
        self = .last
    }

    /// For calls that return their `errno`; nil for 0.
    init?(returned number: Int32) {
        if number == 0 { return nil }
        rawValue = number
    }

    package static let permissionDenied = ErrorNumber(rawValue: EACCES)
    package static let notPermitted = ErrorNumber(rawValue: EPERM)
    package static let readOnlyFileSystem = ErrorNumber(rawValue: EROFS)
    package static let noSuchFile = ErrorNumber(rawValue: ENOENT)
    package static let fileExists = ErrorNumber(rawValue: EEXIST)
    package static let isDirectory = ErrorNumber(rawValue: EISDIR)
    package static let notADirectory = ErrorNumber(rawValue: ENOTDIR)
    package static let tooManyLinks = ErrorNumber(rawValue: ELOOP)
    package static let nameTooLong = ErrorNumber(rawValue: ENAMETOOLONG)
    package static let noReader = ErrorNumber(rawValue: ENXIO)
    package static let diskFull = ErrorNumber(rawValue: ENOSPC)
    package static let quotaExceeded = ErrorNumber(rawValue: EDQUOT)
    package static let fileTooLarge = ErrorNumber(rawValue: EFBIG)
    package static let inputOutput = ErrorNumber(rawValue: EIO)
    package static let tooManyOpenFiles = ErrorNumber(rawValue: EMFILE)
    package static let tooManyOpenFilesInSystem = ErrorNumber(rawValue: ENFILE)
    package static let outOfMemory = ErrorNumber(rawValue: ENOMEM)
    package static let tryAgain = ErrorNumber(rawValue: EAGAIN)
    package static let interrupted = ErrorNumber(rawValue: EINTR)
    package static let invalidArgument = ErrorNumber(rawValue: EINVAL)
    package static let noSuchCall = ErrorNumber(rawValue: ENOSYS)
    package static let notSupported = ErrorNumber(rawValue: EOPNOTSUPP)
    package static let notRecoverable = ErrorNumber(rawValue: ENOTRECOVERABLE)

    /// Whether the requested lock is held elsewhere. POSIX allows both numbers.
    var meansLocked: Bool { self == .tryAgain || self == .permissionDenied }

    /// Whether the file system or the kernel does not support the call.
    var meansUnsupported: Bool { self == .notSupported || self == .noSuchCall }

    /// The system's text.
    package var message: String {
        guard let text = strerror(rawValue) else { return "errno \(rawValue)" }
        return String(cString: text)
    }
}

extension Result where Failure == ErrorNumber {
    /// Returns the value of a successful call.
    ///
    /// - Throws: The error for a failed call (``StorageError/system(_:_:path:)``).
    func get(_ action: String, path: @autoclosure () -> String) throws(StorageError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw .system(error, action, path: path())
        }
    }
}

extension ErrorNumber? {
    /// - Throws: The error for a failed call (``StorageError/system(_:_:path:)``).
    func check(_ action: String, path: @autoclosure () -> String) throws(StorageError) {
        if let error = self { throw .system(error, action, path: path()) }
    }
}

/// Repeats a call that a signal handler interrupted.
func repeatingInterrupted(_ call: () -> Int32) -> ErrorNumber? {
    while true {
        guard let error = ErrorNumber(returned: call()) else { return nil }
        if error != .interrupted { return error }
    }
}
