/// Remembers the first damage found while reading, where nothing can be thrown: reading a
/// property cannot fail.
///
/// The damaged values read as zero or null, and from then on every operation of the store that
/// can throw does: nothing computed from them is ever committed.
///
/// A read that failed for lack of memory is remembered in the same way, because what it read as
/// absent may have been kept. That is no damage of the file, so the error says so: `poisoned`,
/// until the file is opened again.
package final class CorruptionLog: Sendable {
    private let first = Locked<StorageError?>(nil)

    package init() {}

    package func note(_ error: StorageError) {
        let isFirst = first.withLock { first in
            defer { if first == nil { first = error } }
            return first == nil
        }
        // Damage is found under the locks of whoever reads.
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
            """, path: error.path, systemError: error.systemError,
            underlying: error)
    }
}
