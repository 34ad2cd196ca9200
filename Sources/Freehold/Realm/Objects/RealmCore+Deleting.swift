import Foundation
import FreeholdStorage

/// Rows of one class.
typealias RowsOfClass = (binding: ClassBinding, keys: [Int64])

extension RealmCore {
    // MARK: What to delete

    /// The row of an object that is to be deleted; nil if it was deleted before.
    func rowsToDelete(_ object: ObjectBase) -> RowsOfClass? {
        guard object._isManaged, object.core === self,
            let binding = object.binding?.takeUnretainedValue()
        else {
            violation(.deletedFromForeignRealm(object, self))
        }
        return isInvalidated(since: object.generation) ? nil : (binding, [object.key])
    }

    /// The rows of all objects of a sequence, which is read to its end first: it may be a
    /// collection that the deletion changes.
    func rowsToDelete(contentsOf objects: some Sequence<ObjectBase>) -> [RowsOfClass] {
        var keys: [ObjectIdentifier: RowsOfClass] = [:]
        for object in objects {
            guard object._isManaged, object.core === self,
                let binding = object.binding?.takeUnretainedValue()
            else {
                violation(.deletedSeveralFromForeignRealm(object, self))
            }
            if isInvalidated(since: object.generation) { continue }
            keys[ObjectIdentifier(binding), default: (binding, [])].keys.append(object.key)
        }
        return Array(keys.values)
    }

    // MARK: Deleting

    /// Deletes rows with all that goes with them; links to them become nil. Keys without a row
    /// are ignored. Nothing is deleted if a relationship denies it.
    ///
    /// The realm must be in a write transaction; objects of other realms must have been refused
    /// before.
    ///
    /// - Returns: Why nothing was deleted; nil if it was.
    func tryDelete(_ rows: [RowsOfClass], _ operation: String) -> DeletionDenial? {
        let writeSet = requireWrite(operation)
        do throws(StorageError) {
            if rows.allSatisfy({ $0.binding.schema.relationships.isEmpty }) {
                for group in rows {
                    try group.binding.mutableTable(in: writeSet).deleteRows(group.keys)
                }
            } else {
                var plan = DeletionPlan(self, writeSet)
                for group in rows { plan.add(group.keys, of: group.binding) }
                if let denial = plan.denial() { return denial }
                try plan.carryOut()
            }
        } catch {
            // The transaction cannot be committed any more.
            store.noteDamage(error)
        }
        noteLayoutChanges()
        return nil
    }

    /// As ``tryDelete(_:_:)``, where nothing can be thrown: ends the process if a relationship
    /// denies it.
    func delete(_ rows: [RowsOfClass], _ operation: String = "Realm.delete") {
        if let denial = tryDelete(rows, operation) {
            violation(.deletionDenied(self, operation: operation, denial))
        }
    }

    /// As ``tryDelete(_:_:)``, but throws.
    func deleteChecked(_ rows: [RowsOfClass]) throws(Realm.Error) {
        guard let denial = tryDelete(rows, "Realm.deleteChecked") else { return }
        throw Realm.Error(
            .deletionDenied, denial.message, fileURL: URL(fileURLWithPath: store.path))
    }

    /// Deletes embedded objects that nothing links to any more, because another one or nil took
    /// their place.
    func deleteOwned(_ keys: [Int64], of binding: ClassBinding) {
        let writeSet = requireWrite("Replacing an embedded object")
        do throws(StorageError) {
            if binding.schema.relationships.isEmpty {
                try binding.mutableTable(in: writeSet).deleteRows(keys, areUnlinked: true)
            } else {
                var plan = DeletionPlan(self, writeSet)
                plan.add(keys, of: binding, areLinked: false)
                if let denial = plan.denial() {
                    violation(
                        .deletionDenied(self, operation: "Replacing an embedded object", denial))
                }
                try plan.carryOut()
            }
        } catch {
            store.noteDamage(error)
        }
        noteLayoutChanges()
    }

    /// Deletes all objects of the classes that the realm manages, embedded ones last: then most
    /// have no owner left whose link would have to be found.
    func deleteAll() {
        let writeSet = requireWrite("Realm.deleteAll()")
        for isEmbedded in [false, true] {
            for bound in schema.classOfEachTable where bound.schema.isEmbedded == isEmbedded {
                do throws(StorageError) {
                    try writeSet.mutableTable(bound.table).deleteAllRows()
                } catch {
                    store.noteDamage(error)
                }
            }
        }
        noteLayoutChanges()
    }
}
