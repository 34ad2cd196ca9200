import Foundation

/// How a client of sharing behaves.
///
/// Each value has a range. One that is set below or above it, or that is not a number, becomes the
/// nearest value of the range, so options may come from a file of settings.
public struct SharingOptions: Sendable {
    /// For people: the program and the machine. Zero bytes are left out.
    public var clientName: String {
        didSet { clientName = Self.withoutZeroBytes(clientName) }
    }
    /// After how many bytes of log a client without pending commits makes a snapshot. At least 1:
    /// after each commit.
    public var snapshotBytes: Int64 = 64 << 20 {
        didSet { snapshotBytes = max(snapshotBytes, 1) }
    }
    /// How long the log below a snapshot is kept, in seconds. At least 0: no longer than the
    /// snapshot takes. At most 10,000,000,000, which is more than 300 years.
    public var retention = 7 * 86_400.0 {
        didSet { retention = min(Self.atLeast(0, retention), 1e10) }
    }
    /// The most commits of one push. At least 1.
    public var pushCount = 1000 { didSet { pushCount = max(pushCount, 1) } }
    /// About the most bytes of one push. At least 1: a push has at least one commit. At most
    /// 100,000,000: with the longest commit a push is then as long as PostgreSQL takes.
    public var pushBytes = 1 << 20 {
        didSet { pushBytes = min(max(pushBytes, 1), 100_000_000) }
    }
    /// The most bytes of the push of a shared write, with what is pending before it.
    var mostPushedBytes = 1_000_000_000
    /// About the most bytes of log that are read, and applied as one transaction. At least 1: one
    /// commit is read at least.
    public var pullBytes = 4 << 20 { didSet { pullBytes = max(pullBytes, 1) } }
    /// The wait before the first attempt to connect again, or to push again what the server did
    /// not permit, in seconds. Each wait is twice the one before, less a random part of up to a
    /// half. At least 0.001.
    public var shortestRetry = 0.2 { didSet { shortestRetry = Self.atLeast(0.001, shortestRetry) } }
    /// The longest wait before such an attempt, in seconds. At least 0.001. It counts where
    /// ``shortestRetry`` is longer.
    public var longestRetry = 30.0 { didSet { longestRetry = Self.atLeast(0.001, longestRetry) } }
    /// How often the block of a `writeShared` is run again after others, or other writes of the
    /// file, have committed. At least 0: it is run at least once.
    public var mostConflicts = 100 { didSet { mostConflicts = max(mostConflicts, 0) } }
    /// How many numbers of commits a shared write reserves in the local file at a time.
    var reservedCount: Int64 = 64
    /// How often this client tries to begin an epoch together with its snapshot, before it begins
    /// one that gets its snapshot later.
    var seededEpochAttempts = 3
    /// How long an epoch may be without a snapshot before this client makes one of its own state,
    /// in seconds: as long as another client may need to write it. To this comes a second for each
    /// 4 MB of the file. At least 0.
    public var snapshotPatience = 20.0 {
        didSet { snapshotPatience = Self.atLeast(0, snapshotPatience) }
    }

    /// The patience for a file of a size.
    func snapshotPatience(for byteCount: Int) -> Double {
        snapshotPatience + Double(byteCount) / 4e6
    }

    /// Called while the snapshot arrives that a new file begins with, before there is a
    /// ``SharedRealm`` with a status. On any thread.
    public var onFirstSnapshot: (@Sendable (SharedStatus.Progress) -> Void)?

    /// Whether the program has no classes of its own, as tools: any schema version will do.
    package var usesStoredClasses = false

    /// The defaults.
    public init() { clientName = Self.withoutZeroBytes(ProcessInfo.processInfo.processName) }

    /// The lowest value also for one that is not a number.
    private static func atLeast(_ lowest: Double, _ value: Double) -> Double {
        value > lowest ? value : lowest
    }

    /// Servers refuse texts with zero bytes.
    private static func withoutZeroBytes(_ text: String) -> String {
        text.replacing("\0", with: "")
    }
}
