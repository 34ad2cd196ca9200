import Foundation

/// How a client of sharing behaves.
public struct SharingOptions: Sendable {
    /// For people: the program and the machine.
    public var clientName: String
    /// After how many bytes of log a client without pending commits makes a snapshot.
    public var snapshotBytes: Int64 = 64 << 20
    /// How long the log below a snapshot is kept, in seconds.
    public var retention = 7 * 86_400.0
    /// The most commits of one push.
    public var pushCount = 1000
    /// About the most bytes of one push: at least one commit.
    public var pushBytes = 1 << 20
    /// About the most bytes of log that are read, and applied as one transaction.
    public var pullBytes = 4 << 20
    /// The wait before the first attempt to connect again, in seconds. Each wait is twice the one
    /// before, less a random part of up to a half.
    public var shortestRetry = 0.2
    /// The longest wait before an attempt to connect again, in seconds.
    public var longestRetry = 30.0
    /// How often the block of a `writeShared` is run again after others have committed.
    public var mostConflicts = 100
    /// How many numbers of commits a shared write reserves in the local file at a time.
    var reservedCount: Int64 = 64
    /// How long an epoch may be without a snapshot before this client makes one of its own state,
    /// in seconds: as long as another client may need to write it. To this comes a second for each
    /// 4 MB of the file.
    public var snapshotPatience = 20.0

    /// The patience for a file of a size.
    func snapshotPatience(for byteCount: Int) -> Double {
        snapshotPatience + Double(byteCount) / 4e6
    }

    /// Whether the program has no classes of its own, as tools: any schema version will do.
    package var usesStoredClasses = false

    /// The defaults.
    public init() { clientName = ProcessInfo.processInfo.processName }
}
