/// The newest snapshot of a store, shared by all readers of the newest version, which are its
/// only owners.
///
/// A snapshot removes itself in its `deinit`, under the same lock. It is not a weak reference,
/// which would slow down each retain of the snapshot, as in every iteration and query.
final class NewestSnapshot: Sendable {
    private struct Reference: @unchecked Sendable {
        // Sendable: used under the lock only.
        var snapshot: Unmanaged<Snapshot>?
    }

    private let reference = Locked(Reference())

    /// The newest snapshot, if it is in use.
    func get() -> Snapshot? { reference.withLock { $0.snapshot.flatMap { unsafeTryRetain($0) } } }

    /// Makes a snapshot the newest one, unless an equally new one exists; returns that one if
    /// it shows the same version.
    func publish(_ candidate: Snapshot) -> Snapshot {
        let known = reference.withLock { reference -> Snapshot? in
            let known = reference.snapshot.flatMap { unsafeTryRetain($0) }
            if known.map({ $0.version < candidate.version || !$0.isSameFile(as: candidate) })
                ?? true
            {
                reference.snapshot = .passUnretained(candidate)
            }
            // Returned even if it is older: this may be its last reference, and its `deinit`
            // takes the lock.
            return known
        }
        guard let known, known.version == candidate.version, known.isSameFile(as: candidate) else {
            return candidate
        }
        return known
    }

    func forget(_ snapshot: Unmanaged<Snapshot>) {
        reference.withLock {
            if $0.snapshot?.toOpaque() == snapshot.toOpaque() { $0.snapshot = nil }
        }
    }
}
