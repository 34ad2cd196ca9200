import FreeholdStorage

extension Migration {
    /// Calls `block` with each object of a class in the file: the old object and the new object.
    ///
    /// - Parameters:
    ///   - typeName: The class. Does nothing if neither the file nor the program has it.
    ///   - block: Called with the old object, nil if only the new version has the class; and
    ///     with the new one, nil if only the old version has it. Skips objects that are deleted
    ///     meanwhile. Objects that the migration created are visited only if the class is new
    ///     and they exist at the beginning of the call.
    ///
    /// O(objects). Reports its progress to ``Realm/Configuration/migrationProgress``.
    public func enumerateObjects(
        ofType typeName: String,
        _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void
    ) {
        check("Migration.enumerateObjects")
        let declared = run.set.declared(typeName)
        let tableName = declared?.tableName ?? typeName
        let oldTable = run.writeSet.base.catalog[tableName].map { run.writeSet.base.table($0.id) }
        let newTable = declared.flatMap { run.writeSet.catalog[$0.tableName] }.map {
            run.writeSet.table($0.id)
        }
        guard let visited = oldTable ?? newTable else { return }
        // Visits only the existing objects of a new class: the block may add objects.
        let keys = oldTable == nil ? visited.allKeys : nil
        var progress = MigrationProgressCounter(
            run.configuration, typeName, .enumerating, total: visited.count)
        // The new class, looked up again after the block renames a property.
        var known: (core: RealmCore, binding: ClassBinding?)?
        func visit(_ key: Int64, _ old: MigrationObject?) {
            var next: MigrationObject?
            if known?.core !== new {
                known = (new, declared.map { new.dynamicBinding(for: $0.type) })
            }
            if let binding = known?.binding {
                guard let object = new.accessor(key, of: binding) else { return }
                next = unsafeDowncast(object, to: MigrationObject.self)
            }
            block(old, next)
        }
        if let keys {
            for key in keys {
                visit(key, nil)
                progress.add(1)
            }
        } else {
            let binding = old.dynamicBinding(named: tableName)
            for cluster in visited.allClusters {
                for row in 0..<cluster.count {
                    let key = cluster.key(at: row).rawValue
                    visit(
                        key,
                        unsafeDowncast(
                            binding.makeAccessor(key: key, cluster: cluster, row: row),
                            to: MigrationObject.self))
                    progress.add(1)
                }
            }
        }
        progress.finish()
    }

    /// Creates an object of a new class, like ``Realm/create(_:value:update:)``.
    ///
    /// - Parameters:
    ///   - typeName: A class that the program declares. Traps for any other class and for a
    ///     class of embedded objects.
    ///   - value: A dictionary, an array in the order of the properties, or an object, which may
    ///     be an old one. Properties that the value lacks get their defaults.
    /// - Returns: The managed object.
    @discardableResult
    public func create(_ typeName: String, value: Any = [String: Any]()) -> MigrationObject {
        check("Migration.create")
        guard let declared = run.set.declared(typeName) else {
            violation(.classNotInSchema(className: typeName))
        }
        guard let created = new.create(declared.type, from: value, update: .error).dynamic else {
            preconditionFailure("A created object is managed.")
        }
        return created
    }

    /// Deletes a new object and everything embedded in it, like
    /// ``Realm/delete(_:)-(ObjectBase)``. Traps for an old object.
    public func delete(_ object: MigrationObject) {
        check("Migration.delete")
        if object.core === old {
            misuse(
                "Can only delete an object from the Realm it belongs to.",
                remedy: """
                    This is the object as it was, which can only be read: delete the \
                    new object, the second one that enumerateObjects gives.
                    """)
        }
        guard let rows = new.rowsToDelete(object) else { return }
        new.delete([rows], "Migration.delete")
    }

    /// Deletes all objects of a class, and everything embedded in them. Removes the class from
    /// the file if the program does not declare it any more.
    ///
    /// - Returns: Whether the file has the class.
    ///
    /// Links to the objects become nil. Delete rules are ignored. O(objects).
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
        check("Migration.deleteData")
        let writeSet = run.writeSet
        let declared = run.set.declared(typeName)
        guard let table = writeSet.catalog[declared?.tableName ?? typeName] else { return false }
        do throws(StorageError) {
            try writeSet.deleteRows(writeSet.table(table.id).allKeys, of: table.id)
        } catch {
            // The migration cannot be committed any more.
            new.store.noteDamage(error)
        }
        if declared == nil, writeSet.table(table.id).count == 0 {
            _ = writeSet.removeTable(table.id)
        }
        new.noteLayoutChanges()
        return true
    }
}
