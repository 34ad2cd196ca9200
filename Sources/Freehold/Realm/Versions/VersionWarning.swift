import Dispatch
import FreeholdStorage
import Synchronization

/// Warns when a version that somebody keeps makes the file grow: looks now and then, after
/// commits and beside them.
final class VersionWarning: @unchecked Sendable {
    // @unchecked: `report` is set before anyone else knows of the instance; the others are
    // atomic or protected by their lock.

    /// How many commits pass between two looks, at most.
    static let commitsBetweenLooks = 64

    /// Makes the report. Any thread.
    var report: (@Sendable () throws -> Realm.VersionReport?)?

    private let store: Store
    private let commitCount = Atomic<Int>(0)
    private let bytesAtLastLook = Atomic<Int>(0)
    private let queue = DispatchQueue(label: "io.freehold.versions", qos: .utility)
    /// The version that was warned of last. It is not spoken of again.
    private let warnedOf = Locked<UInt64>(0)

    init(_ store: Store) { self.store = store }

    /// After each commit. Atomics, unless it is time for a look.
    func noteCommit() {
        guard let threshold = Realm.pinnedByteWarningThreshold, EventLog.isWanted(.warning) else {
            return
        }
        let count = commitCount.wrappingAdd(1, ordering: .relaxed).newValue
        let written = store.environment.counters.bytesWritten.load(ordering: .relaxed)
        let isDue =
            count % VersionWarning.commitsBetweenLooks == 0
            || written - bytesAtLastLook.load(ordering: .relaxed) >= threshold / 2
        guard isDue else { return }
        bytesAtLastLook.store(written, ordering: .relaxed)
        queue.async { [weak self] in self?.look(threshold) }
    }

    private func look(_ threshold: Int) {
        guard let pinned = try? store.environment.pinnedVersions(),
            let oldest = pinned.oldestVersion, oldest < pinned.newestVersion,
            pinned.pinnedByteCount >= threshold
        else { return }
        let isNew = warnedOf.withLock { known in
            defer { known = oldest }
            return known != oldest
        }
        guard isNew, let report = try? report?() else { return }
        EventLog.say(
            .warning,
            """
            Old versions keep a file from using its space again. Let go of what keeps \
            them, or refresh it.\n\(report)
            """
        )
    }
}

extension Realm {
    private static let threshold = Locked<Int?>(processWide: 256 << 20)

    /// How many bytes of a file old versions may keep from being used again before ``Logger``
    /// is given a warning, with the report of who keeps them; nil for no warnings. At first 256
    /// MiB.
    ///
    /// It is looked at now and then, when realms of this process commit; there is one warning
    /// for each version that is the oldest one then.
    ///
    /// Any thread.
    public static var pinnedByteWarningThreshold: Int? {
        get { threshold.withLock { $0 } }
        set { threshold.withLock { $0 = newValue } }
    }
}
