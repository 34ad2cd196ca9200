import FreeholdStorage

/// Which object one is: a managed one is told apart from others by where it is, not by its
/// accessor.
enum ObjectIdentity: Hashable {
    /// As long as the object is kept.
    case unmanaged(ObjectIdentifier)
    case managed(ObjectIdentifier, TableID, Int64)

    init(_ object: ObjectBase) {
        if object._isManaged, let core = object.core,
            let binding = object.binding?.takeUnretainedValue()
        {
            self = .managed(ObjectIdentifier(core), binding.table, object.key)
        } else {
            self = .unmanaged(ObjectIdentifier(object))
        }
    }
}

/// The managed embedded objects that a copy came by. Each belongs to one object, so that a copy
/// comes by it once: in a damaged file one may belong to itself, or to two.
final class CopiedEmbeddedObjects {
    private var objects: Set<ObjectIdentity> = []

    /// Whether an object is copied for the first time, as it must be. If not, damage is remembered.
    @discardableResult
    func insert(_ object: ObjectBase) -> Bool {
        guard object._isManaged, let core = object.core else { return true }
        if objects.insert(ObjectIdentity(object)).inserted { return true }
        core.noteSecondOwner(of: object)
        return false
    }
}

extension RealmCore {
    fileprivate func noteSecondOwner(of object: ObjectBase) {
        store.noteDamage(
            StorageError(
                .corrupted,
                """
                Two objects own row \(object.key) of '\(object.classOfRow.className())', which \
                can belong to one only. Restore the file "\(store.path)" from a backup.
                """, path: store.path))
    }
}
