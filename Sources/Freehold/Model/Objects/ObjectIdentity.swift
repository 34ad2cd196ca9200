import FreeholdStorage

/// The identity of an object: a managed one is identified by its place, not by its accessor.
enum ObjectIdentity: Hashable {
    /// Valid while the object is kept.
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

/// The managed embedded objects that a copy has visited. Each belongs to one object, so a copy
/// visits it once. In a damaged file an object may belong to itself, or to two.
final class CopiedEmbeddedObjects {
    private var objects: Set<ObjectIdentity> = []

    /// Adds an object, and returns whether this is its first visit, as it must be. If not,
    /// records the damage.
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
            """
            Two objects own row \(object.key) of '\(object.classOfRow.className())', which can \
            belong to one only.
            """)
    }
}
