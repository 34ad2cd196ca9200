import Foundation
import FreeholdStorage

/// Updates a file's catalog to the declared classes when a realm is opened.
///
/// Added classes and properties, and added or removed indexes, need no migration and change no
/// row. Rows that are older than a property read its zero, its empty value or nil. Everything
/// else requires a higher schema version (``SchemaMigration``), or throws.
///
/// Writes nothing, and does not take the write lock, unless something differs. The differences
/// are then computed again under the lock, because another thread or process may be opening the
/// file at the same time.
struct SchemaPreparation {
    let coordinator: RealmCoordinator
    let set: SchemaSet
    let configuration: Realm.Configuration
    /// Where the program opens the realm.
    let site: CreationSite

    private var store: Store { coordinator.store }

    /// The newest version whose catalog has all declared classes.
    ///
    /// - Parameter newest: The newest version a moment ago.
    /// - Throws: ``Realm/Error``, and what a migration block throws.
    func prepare(_ newest: Snapshot) throws -> Snapshot {
        let history = HistorySetting(configuration, set, path: store.path)
        if try isUpToDate(newest.catalog), try history?.isUpToDate(newest) ?? true {
            return newest
        }
        if configuration.readOnly {
            try verifyReadOnly(newest.catalog)
            return newest
        }
        return try MigrationRegistry.withMigration(of: store) {
            let writeSet = try mappingStorageErrors(
                store.beginWrite(
                    as: WriterIdentity(
                        fileID: site.fileID, line: site.line, thread: site.thread.systemID)))
            do {
                if try isUpToDate(writeSet.catalog),
                    try history?.isUpToDate(writeSet.base) ?? true
                {
                    let base = writeSet.base
                    store.cancel(writeSet)
                    return base
                }
                let migrates = needsMigration(writeSet.catalog)
                try SchemaLimits.check(
                    set.classOfEachTable, in: writeSet.catalog, isMigrating: migrates,
                    path: store.path)
                if migrates {
                    try SchemaMigration(coordinator, set, configuration, writeSet).run()
                } else {
                    apply(try changes(to: writeSet.catalog), to: writeSet)
                }
                try verifySharedKeys(in: writeSet)
                try history?.apply(to: writeSet)
            } catch {
                store.cancel(writeSet)
                throw error
            }
            return try mappingStorageErrors(store.commit(writeSet))
        }
    }

    /// Whether the file needs no change.
    private func isUpToDate(_ catalog: Catalog) throws(Realm.Error) -> Bool {
        try verifyVersion(of: catalog)
        if needsMigration(catalog), !configuration.readOnly { return false }
        return try changes(to: catalog).isEmpty
            && (catalog.schemaVersion == configuration.schemaVersion || configuration.readOnly)
    }

    /// Whether the file has an older version of the classes. A file without classes has none.
    private func needsMigration(_ catalog: Catalog) -> Bool {
        catalog.schemaVersion.map { $0 < configuration.schemaVersion } ?? false
    }

    private func verifyVersion(of catalog: Catalog) throws(Realm.Error) {
        guard let stored = catalog.schemaVersion else { return }
        if stored > configuration.schemaVersion {
            throw mismatch(
                """
                Provided schema version \(configuration.schemaVersion) is less than last \
                set version \(stored).
                """)
        }
        if needsMigration(catalog), configuration.deleteRealmIfMigrationNeeded {
            // The caller deletes the file after this error.
            throw mismatch(
                """
                Migration is required because the schema version has been raised from \
                \(stored) to \(configuration.schemaVersion).
                """)
        }
    }

    private func mismatch(_ message: String) -> Realm.Error {
        Realm.Error(.schemaMismatch, message, fileURL: URL(fileURLWithPath: store.path))
    }

    /// The changes to make to a file with this catalog.
    private func changes(to catalog: Catalog) throws(Realm.Error) -> [SchemaComparison.Change] {
        let comparison = SchemaComparison(set.classOfEachTable, with: catalog)
        if !comparison.mismatches.isEmpty {
            throw mismatch(
                "Migration is required due to the following errors:\n"
                    + comparison.mismatches.map { "- \($0)" }.joined(separator: "\n"))
        }
        return comparison.changes
    }

    /// Other machines find an object by its primary key. With a class that has none, no program
    /// could share the file any more.
    private func verifySharedKeys(in writeSet: WriteSet) throws(Realm.Error) {
        guard writeSet.catalog[TableDefinition.sharingName] != nil else { return }
        for table in writeSet.catalog.classTables
        where !table.isOwned && table.sharedKey == nil && writeSet.base.catalog[table.id] == nil {
            throw Realm.Error(
                .invalidInput,
                """
                The class '\(table.name)' can't be added to '\(store.path)': the file is shared \
                with other machines, and the class has no primary key by which they find its \
                objects. Declare one that is unique everywhere and not optional, or keep the class \
                in another file.
                """, fileURL: URL(fileURLWithPath: store.path))
        }
        for declared in set.classOfEachTable
        where declared.primaryKeyProperty?.isAutoIncremented == true {
            guard let table = writeSet.catalog[declared.tableName],
                writeSet.base.catalog[table.id] == nil
            else { continue }
            throw Realm.Error(
                .invalidInput,
                """
                The class '\(table.name)' can't be added to '\(store.path)': the file is shared \
                with other machines, and each would assign the same primary keys to its own \
                objects. Declare a key that is unique everywhere, or keep the class in another file.
                """, fileURL: URL(fileURLWithPath: store.path))
        }
    }

    /// A read-only file may lack classes, which then cannot be used, and indexes. It may not
    /// lack a property of a class that it has.
    private func verifyReadOnly(_ catalog: Catalog) throws(Realm.Error) {
        var missing: [String] = []
        for change in SchemaComparison(set.classOfEachTable, with: catalog).changes {
            guard case .addColumn(let name, let ordinal) = change, catalog[name] != nil else {
                continue
            }
            missing.append("- Property '\(name).\(property(name, ordinal).name)' has been added.")
        }
        if missing.isEmpty { return }
        throw mismatch(
            "Migration is required due to the following errors:\n" + missing.joined(separator: "\n")
                + "\nA read-only realm cannot be changed: open it once with readOnly = false.")
    }

    private func apply(_ changes: [SchemaComparison.Change], to writeSet: WriteSet) {
        func column(_ name: String, _ ordinal: Int) -> (table: TableID, column: ColumnID) {
            guard let table = writeSet.catalog[name],
                let column = table[property(name, ordinal).columnName]
            else {
                preconditionFailure(
                    "The class '\(name)' and its columns were found or added before.")
            }
            return (table.id, column.id)
        }
        for change in changes {
            switch change {
            case .addTable(let name):
                let isEmbedded = set.classOfEachTable.contains {
                    $0.tableName == name && $0.isEmbedded
                }
                _ = writeSet.createTable(named: name, isOwned: isEmbedded)
            case .addColumn(let name, let ordinal):
                guard let table = writeSet.catalog[name] else {
                    preconditionFailure("The class '\(name)' was found or added before.")
                }
                _ = Self.addColumn(for: property(name, ordinal), to: table.id, in: writeSet)
            case .setPrimaryKey(let name, let ordinal):
                let place = column(name, ordinal)
                writeSet.setPrimaryKey(place.column, of: place.table)
            case .setIndexed(let isIndexed, let name, let ordinal):
                let place = column(name, ordinal)
                writeSet.setIndexed(isIndexed, column: place.column, of: place.table)
            case .setFullText(let isFullText, let name, let ordinal):
                let place = column(name, ordinal)
                writeSet.setFullText(isFullText, column: place.column, of: place.table)
            }
        }
        writeSet.setSchemaVersion(configuration.schemaVersion)
    }

    /// Adds the column of a property, with its indexes. The class that it links to must already
    /// have its table. O(1).
    static func addColumn(
        for property: PropertyDescriptor, to table: TableID, in writeSet: WriteSet
    ) -> ColumnID {
        let target = property.objectType.flatMap { writeSet.catalog[$0.tableName]?.id }
        if let elements = property.elementKind {
            return writeSet.addColumn(
                to: table, named: property.columnName, collection: elements, target: target)
        }
        let added = writeSet.addColumn(
            to: table, named: property.columnName, type: property.columnType,
            isNullable: property.isNullableColumn,
            isIndexed: property.isIndexedColumn && !property.isPrimaryKey, target: target)
        if property.isFullText { writeSet.setFullText(true, column: added, of: table) }
        return added
    }

    private func property(_ tableName: String, _ ordinal: Int) -> PropertyDescriptor {
        guard let declared = set.classOfEachTable.first(where: { $0.tableName == tableName }) else {
            preconditionFailure("The change was made from the class '\(tableName)'.")
        }
        return declared.properties[ordinal]
    }
}
