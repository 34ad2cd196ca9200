import Dispatch
import FreeholdStorage
import Synchronization

/// Warns when a pinned version makes the file grow. Checks now and then, after commits and outside
/// their thread.
final class VersionWarning: @unchecked Sendable {
    // @unchecked: `report` is set before the instance is shared; the others are atomic or
    // protected by their lock.

    /// The largest number of commits between two checks.
    static let commitsBetweenLooks = 64

    /// Makes the report. Any thread.
    var report: (@Sendable () throws -> Realm.VersionReport?)?

    private let store: Store
    private let commitCount = Atomic<Int>(0)
    private let bytesAtLastLook = Atomic<Int>(0)
    private let queue = DispatchQueue(label: "io.freehold.versions", qos: .utility)
    /// The version of the last warning. There is no second warning for it.
    private let warnedOf = Locked<UInt64>(0)

    init(_ store: Store) { self.store = store }

    /// Called after each commit. Reads only atomics unless a check is due.
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
            Old versions are pinned, so the file cannot reuse their space. Release or \
            refresh what pins them.\n\(report)
            """)
    }
}

extension Realm {
    private static let threshold = Locked<Int?>(processWide: 256 << 20)

    /// The number of bytes that old versions may keep from reuse before ``Logger`` receives a
    /// warning. Nil for no warnings; initially 256 MiB.
    ///
    /// The warning contains the report of the holders. The threshold is checked now and then
    /// when realms of this process commit, with one warning for each oldest version.
    ///
    /// Any thread.
    public static var pinnedByteWarningThreshold: Int? {
        get { threshold.withLock { $0 } }
        set { threshold.withLock { $0 = newValue } }
    }
}
