/// Remembers the first damage found by a read that cannot throw, such as a read of a property.
///
/// Damaged values read as zero or null. From then on, every operation of the store that can
/// throw throws the damage, so that nothing computed from such values is ever committed.
///
/// A read that failed for lack of memory is remembered in the same way, because values that it
/// returned as absent may have been kept. The file is not damaged then, so the error is
/// `poisoned`, until the file is opened again.
package final class CorruptionLog: Sendable {
    private let first = Locked<StorageError?>(nil)

    package init() {}

    package func note(_ error: StorageError) {
        let isFirst = first.withLock { first in
            defer { if first == nil { first = error } }
            return first == nil
        }
        // The thread that finds damage may hold locks.
        if isFirst { EventLog.sayLater(.error, "\(error)") }
    }

    var isDamaged: Bool { first.withLock { $0 != nil } }

    /// Throws the damage that was found, if any.
    package func check() throws(StorageError) {
        guard let error = first.withLock({ $0 }) else { return }
        if error.code != .outOfMemory { throw error }
        throw StorageError(
            .poisoned,
            """
            Reading "\(error.path ?? "")" failed earlier for lack of memory, so what was read \
            since may be incomplete. Release every use of it, free memory, and open it again.
            """, path: error.path, systemError: error.systemError, underlying: error)
    }
}
