import FreeholdStorage

extension RealmCore {
    /// Deletes rows of a class; links to them become nil. Keys without a row are ignored.
    ///
    /// The realm must be in a write transaction; objects of other realms must have been refused before.
    func delete(keys: [Int64], of binding: ClassBinding) {
        let writeSet = requireWrite("Realm.delete")
        do throws(StorageError) {
            try binding.mutableTable(in: writeSet).deleteRows(keys)
        } catch {
            violation(.storageFailed(self, operation: "Realm.delete", error))
        }
        noteLayoutChanges()
    }

    /// Deletes one object. Nothing happens if it was deleted before.
    func delete(_ object: ObjectBase) {
        _ = requireWrite("Realm.delete")
        guard object._isManaged, object.core === self, let binding = object.binding?.takeUnretainedValue() else {
            violation(.deletedFromForeignRealm(object, self))
        }
        if isInvalidated(since: object.generation) { return }
        delete(keys: [object.key], of: binding)
    }

    /// Deletes all objects of a sequence, which is read to its end first: it may be a collection that the deletion changes.
    func delete(contentsOf objects: some Sequence<ObjectBase>) {
        _ = requireWrite("Realm.delete")
        var keys: [ObjectIdentifier: (binding: ClassBinding, keys: [Int64])] = [:]
        for object in objects {
            guard object._isManaged, object.core === self, let binding = object.binding?.takeUnretainedValue() else {
                violation(.deletedSeveralFromForeignRealm(object, self))
            }
            if isInvalidated(since: object.generation) { continue }
            keys[ObjectIdentifier(binding), default: (binding, [])].keys.append(object.key)
        }
        for group in keys.values { delete(keys: group.keys, of: group.binding) }
    }

    /// Deletes all objects of the classes that the realm manages.
    func deleteAll() {
        let writeSet = requireWrite("Realm.deleteAll()")
        for bound in schema.classes {
            do throws(StorageError) {
                try writeSet.mutableTable(bound.table).deleteAllRows()
            } catch {
                violation(.storageFailed(self, operation: "Realm.deleteAll()", error))
            }
        }
        noteLayoutChanges()
    }
}
