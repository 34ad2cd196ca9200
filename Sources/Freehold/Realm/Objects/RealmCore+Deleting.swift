import Foundation
import FreeholdStorage

/// Rows of one class.
typealias RowsOfClass = (binding: ClassBinding, keys: [Int64])

extension RealmCore {
    // MARK: What to delete

    /// The row of an object to delete; nil if it is already deleted.
    func rowsToDelete(_ object: ObjectBase) -> RowsOfClass? {
        guard object._isManaged, object.core === self,
            let binding = object.binding?.takeUnretainedValue()
        else { violation(.deletedFromForeignRealm(object, self)) }
        return isInvalidated(since: object.generation) ? nil : (binding, [object.key])
    }

    /// The rows of all objects of a sequence. Reads the whole sequence first: it may be a
    /// collection that the deletion changes.
    func rowsToDelete(contentsOf objects: some Sequence<ObjectBase>) -> [RowsOfClass] {
        var keys: [ObjectIdentifier: RowsOfClass] = [:]
        for object in objects {
            guard object._isManaged, object.core === self,
                let binding = object.binding?.takeUnretainedValue()
            else { violation(.deletedSeveralFromForeignRealm(object, self)) }
            if isInvalidated(since: object.generation) { continue }
            keys[ObjectIdentifier(binding), default: (binding, [])].keys.append(object.key)
        }
        return Array(keys.values)
    }

    // MARK: Deleting

    /// Deletes rows and everything that is deleted with them; links to them become nil. Ignores
    /// keys without a row. Deletes nothing if a relationship denies it.
    ///
    /// The realm must be in a write transaction; the caller has already rejected objects of
    /// other realms.
    ///
    /// - Returns: Why nothing was deleted; nil if the rows were deleted.
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

    /// Deletes rows like ``tryDelete(_:_:)``; traps if a relationship denies it.
    func delete(_ rows: [RowsOfClass], _ operation: String = "Realm.delete") {
        if let denial = tryDelete(rows, operation) {
            violation(.deletionDenied(self, operation: operation, denial))
        }
    }

    /// Deletes rows like ``tryDelete(_:_:)``; throws if a relationship denies it.
    func deleteChecked(_ rows: [RowsOfClass]) throws(Realm.Error) {
        guard let denial = tryDelete(rows, "Realm.deleteChecked") else { return }
        throw Realm.Error(
            .deletionDenied, denial.message, fileURL: URL(fileURLWithPath: store.path))
    }

    /// Deletes embedded objects that were replaced by another object or nil, so that nothing
    /// links to them.
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

    /// Deletes all objects of the classes that the realm manages, embedded ones last: most then
    /// have no owner whose link must be found.
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
