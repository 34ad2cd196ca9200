import FreeholdStorage

extension Realm {
    /// Deletes an object with its embedded objects, and applies its delete rules
    /// (``DeleteRule``). Links to it become nil; the object becomes invalid. Does nothing if the
    /// object is already deleted.
    ///
    /// - Precondition: The realm is in a write transaction, the object belongs to it, and no
    ///   relationship denies the deletion (``deleteChecked(_:)-(ObjectBase)`` throws then).
    public func delete(_ object: ObjectBase) {
        _ = core.requireWrite("Realm.delete")
        if let row = core.rowsToDelete(object) { core.delete([row]) }
    }

    /// Deletes all objects of a sequence; see ``delete(_:)``.
    public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
        _ = core.requireWrite("Realm.delete")
        core.delete(core.rowsToDelete(contentsOf: objects.lazy.map { $0 as ObjectBase }))
    }

    /// Deletes all objects that a collection contains. Links to them become nil.
    ///
    /// O(objects). The collection is empty afterwards.
    ///
    /// - Precondition: The realm is in a write transaction, the collection belongs to it and is
    ///   not frozen, and no relationship denies the deletion.
    public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
        core.checkConfinement("Realm.delete(Results<\(Element.self)>)")
        core.delete([rows(of: objects)])
    }

    /// Deletes all objects that are values of a map; see ``delete(_:)``.
    public func delete<Key: _MapKey, Value: ObjectBase & _RealmCollectionValueInsideOptional>(
        _ map: Map<Key, Value?>
    ) { delete(map.values.compactMap { $0 }) }

    /// Deletes all objects of the classes that the realm manages. Ignores delete rules: deletes
    /// even objects that a rule would keep.
    ///
    /// - Precondition: The realm is in a write transaction.
    public func deleteAll() { core.deleteAll() }

    private func rows<Element: ObjectBase>(of objects: Results<Element>) -> RowsOfClass {
        guard objects.state.core === core else {
            misuse(
                "Can only delete objects from the Realm they belong to.",
                remedy: """
                    Pass the collection to the delete(_:) of its own realm \
                    (results.realm), or query this realm for it.
                    """)
        }
        objects.state.checkValid()
        return (objects.state.binding, Array(objects.state.keys()))
    }

    // MARK: Deleting what may be denied

    /// Deletes an object like ``delete(_:)-(ObjectBase)``, but throws if the rule `.deny`
    /// forbids it. A relationship with that rule forbids the deletion while its target stays,
    /// whether it belongs to the object or to one that would be deleted with it. Not in Realm.
    ///
    /// ```swift
    /// try realm.write {
    ///     do {
    ///         try realm.deleteChecked(order)
    ///     } catch Realm.Error.deletionDenied {
    ///         // Nothing was deleted, and the transaction goes on.
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: ``Realm/Error`` with the code `deletionDenied`, whose message names object and
    ///   property; ``ConfinementViolation`` on a wrong thread or queue.
    /// - Precondition: The realm is in a write transaction, and the object belongs to it.
    public func deleteChecked(_ object: ObjectBase) throws {
        try core.verifyConfinement(.operation("Realm.deleteChecked"))
        _ = core.requireWrite("Realm.deleteChecked")
        if let row = core.rowsToDelete(object) { try core.deleteChecked([row]) }
    }

    /// Deletes all objects of a sequence, or none; see ``deleteChecked(_:)-(ObjectBase)``.
    ///
    /// - Throws: The same errors; `deletionDenied` if a relationship of any of the objects
    ///   denies it.
    public func deleteChecked<S: Sequence>(_ objects: S) throws
    where S.Iterator.Element: ObjectBase {
        try core.verifyConfinement(.operation("Realm.deleteChecked"))
        _ = core.requireWrite("Realm.deleteChecked")
        try core.deleteChecked(core.rowsToDelete(contentsOf: objects.lazy.map { $0 as ObjectBase }))
    }

    /// Deletes all objects that a collection contains, or none; see
    /// ``deleteChecked(_:)-(ObjectBase)``.
    ///
    /// - Throws: The same errors; `deletionDenied` if a relationship of any of the objects
    ///   denies it.
    public func deleteChecked<Element: ObjectBase>(_ objects: Results<Element>) throws {
        try core.verifyConfinement(.operation("Realm.deleteChecked"))
        try core.deleteChecked([rows(of: objects)])
    }
}
