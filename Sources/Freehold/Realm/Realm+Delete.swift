import FreeholdStorage

extension Realm {
    /// Deletes an object. Links to it become nil; the object becomes invalid. Nothing happens if it was deleted before.
    ///
    /// - Precondition: The realm is in a write transaction, and the object belongs to it.
    public func delete(_ object: ObjectBase) {
        core.delete(object)
    }

    /// Deletes all objects of a sequence; see ``delete(_:)``.
    public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
        core.delete(contentsOf: objects.lazy.map { $0 as ObjectBase })
    }

    /// Deletes all objects that are values of a map; see ``delete(_:)``.
    public func delete<Key: _MapKey, Value: Object>(_ map: Map<Key, Value?>) {
        delete(map.values.compactMap { $0 })
    }

    /// Deletes all objects of the classes that the realm manages.
    ///
    /// - Precondition: The realm is in a write transaction.
    public func deleteAll() {
        core.deleteAll()
    }
}
