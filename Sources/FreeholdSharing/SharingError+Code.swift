// Codes as patterns: an enumeration's case matches no error.
extension SharingError {
    /// The code ``Code/unreachable``.
    public static let unreachable = Code.unreachable
    /// The code ``Code/authenticationFailed``.
    public static let authenticationFailed = Code.authenticationFailed
    /// The code ``Code/permissionDenied``.
    public static let permissionDenied = Code.permissionDenied
    /// The code ``Code/notPrepared``.
    public static let notPrepared = Code.notPrepared
    /// The code ``Code/unsupportedVersion``.
    public static let unsupportedVersion = Code.unsupportedVersion
    /// The code ``Code/unfitName``.
    public static let unfitName = Code.unfitName
    /// The code ``Code/unknownRealm``.
    public static let unknownRealm = Code.unknownRealm
    /// The code ``Code/nameTaken``.
    public static let nameTaken = Code.nameTaken
    /// The code ``Code/logGone``.
    public static let logGone = Code.logGone
    /// The code ``Code/newEpoch``.
    public static let newEpoch = Code.newEpoch
    /// The code ``Code/copiedClient``.
    public static let copiedClient = Code.copiedClient
    /// The code ``Code/unfitClass``.
    public static let unfitClass = Code.unfitClass
    /// The code ``Code/damagedPayload``.
    public static let damagedPayload = Code.damagedPayload
    /// The code ``Code/alreadyShared``.
    public static let alreadyShared = Code.alreadyShared
    /// The code ``Code/fileFailed``.
    public static let fileFailed = Code.fileFailed
    /// The code ``Code/serverFull``.
    public static let serverFull = Code.serverFull
    /// The code ``Code/serverFailed``.
    public static let serverFailed = Code.serverFailed
    /// The code ``Code/tooManyConflicts``.
    public static let tooManyConflicts = Code.tooManyConflicts
    /// The code ``Code/outcomeUnknown``.
    public static let outcomeUnknown = Code.outcomeUnknown
    /// The code ``Code/closed``.
    public static let closed = Code.closed
}

/// Matches an error by its code: `catch SharingError.unreachable`.
public func ~= (code: SharingError.Code, error: any Error) -> Bool {
    (error as? SharingError)?.code == code
}
