/// Remembers the first damage found while reading, where nothing can be thrown: reading a property cannot fail.
///
/// The damaged values read as zero or null, and from then on every operation of the store that can throw does: nothing
/// computed from them is ever committed.
package final class CorruptionLog: Sendable {
    private let first = Locked<StorageError?>(nil)

    package init() {}

    package func note(_ error: StorageError) {
        first.withLock { if $0 == nil { $0 = error } }
    }

    var isDamaged: Bool { first.withLock { $0 != nil } }

    /// Throws the damage that was found, if any.
    package func check() throws(StorageError) {
        if let error = first.withLock({ $0 }) { throw error }
    }
}
