/// Remembers the first damage found while reading, where nothing can be thrown: reading a property cannot fail.
///
/// The damaged values read as zero or null, and from then on every operation of the store that can throw does: nothing
/// computed from them is ever committed.
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
        if let error = first.withLock({ $0 }) { throw error }
    }
}
