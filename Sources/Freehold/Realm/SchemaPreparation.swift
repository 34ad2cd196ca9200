import Foundation
import FreeholdStorage

/// Brings a file's catalog in line with the declared classes when a realm is opened.
///
/// Added classes and properties, and added or removed indexes, are applied without a migration and without touching a row: rows
/// that are older than a property read its zero, its empty value or nil. All else requires a migration and throws.
///
/// Nothing is written, and the write lock is not taken, unless something differs. What differs is found again under the lock,
/// because another thread or process may be opening the file at the same time.
struct SchemaPreparation {
    let store: Store
    let set: SchemaSet
    let configuration: Realm.Configuration

    /// The newest version whose catalog has all declared classes.
    ///
    /// - Parameter newest: The version that the file was at a moment ago.
    func prepare(_ newest: Snapshot) throws(Realm.Error) -> Snapshot {
        if try changes(to: newest.catalog).isEmpty, !mustSetVersion(in: newest.catalog) { return newest }
        if configuration.readOnly {
            try verifyReadOnly(newest.catalog)
            return newest
        }
        let writeSet = try mappingStorageErrors { () throws(StorageError) in try store.beginWrite() }
        let changes: [SchemaComparison.Change]
        do throws(Realm.Error) {
            changes = try self.changes(to: writeSet.catalog)
        } catch {
            store.cancel(writeSet)
            throw error
        }
        if changes.isEmpty, !mustSetVersion(in: writeSet.catalog) {
            let base = writeSet.base
            store.cancel(writeSet)
            return base
        }
        apply(changes, to: writeSet)
        return try mappingStorageErrors { () throws(StorageError) in try store.commit(writeSet) }
    }

    private func mustSetVersion(in catalog: Catalog) -> Bool { catalog.schemaVersion != configuration.schemaVersion }

    /// What to do to a file with this catalog.
    private func changes(to catalog: Catalog) throws(Realm.Error) -> [SchemaComparison.Change] {
        let url = URL(fileURLWithPath: store.path)
        if let stored = catalog.schemaVersion, stored > configuration.schemaVersion {
            throw Realm.Error(
                .schemaMismatch, "Provided schema version \(configuration.schemaVersion) is less than last set version \(stored).", fileURL: url)
        }
        let comparison = SchemaComparison(set.classes, with: catalog)
        if !comparison.mismatches.isEmpty {
            throw Realm.Error(
                .schemaMismatch,
                "Migration is required due to the following errors:\n" + comparison.mismatches.map { "- \($0)" }.joined(separator: "\n"),
                fileURL: url)
        }
        return comparison.changes
    }

    /// A file that cannot be changed may lack classes (they cannot be used then) and indexes, but no property of a class that it has.
    private func verifyReadOnly(_ catalog: Catalog) throws(Realm.Error) {
        var missing: [String] = []
        for change in SchemaComparison(set.classes, with: catalog).changes {
            guard case .addColumn(let name, let ordinal) = change, catalog[name] != nil else { continue }
            guard let declared = set.classes.first(where: { $0.className == name }) else { continue }
            missing.append("- Property '\(name).\(declared.properties[ordinal].name)' has been added.")
        }
        if missing.isEmpty { return }
        throw Realm.Error(
            .schemaMismatch,
            "Migration is required due to the following errors:\n" + missing.joined(separator: "\n")
                + "\nA read-only realm cannot be changed: open it once with readOnly = false.",
            fileURL: URL(fileURLWithPath: store.path))
    }

    private func apply(_ changes: [SchemaComparison.Change], to writeSet: WriteSet) {
        func column(_ name: String, _ ordinal: Int) -> (table: TableID, column: ColumnID) {
            guard let table = writeSet.catalog[name], let column = table[property(name, ordinal).columnName] else {
                preconditionFailure("The class '\(name)' and its columns were found or added before.")
            }
            return (table.id, column.id)
        }
        for change in changes {
            switch change {
            case .addTable(let name):
                let isEmbedded = set.classes.contains { $0.className == name && $0.isEmbedded }
                _ = writeSet.createTable(named: name, isOwned: isEmbedded)
            case .addColumn(let name, let ordinal):
                guard let table = writeSet.catalog[name] else { preconditionFailure("The class '\(name)' was found or added before.") }
                let property = property(name, ordinal)
                let target = property.objectType.flatMap { writeSet.catalog[$0.className()]?.id }
                if let elements = property.elementKind {
                    _ = writeSet.addColumn(to: table.id, named: property.columnName, elements: elements, target: target)
                    continue
                }
                let added = writeSet.addColumn(
                    to: table.id, named: property.columnName, type: property.columnType, isNullable: property.isNullableColumn,
                    isIndexed: property.isIndexedColumn && !property.isPrimaryKey,
                    target: target)
                if property.isFullText { writeSet.setFullText(true, column: added, of: table.id) }
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

    private func property(_ className: String, _ ordinal: Int) -> PropertyDescriptor {
        guard let declared = set.classes.first(where: { $0.className == className }) else {
            preconditionFailure("The change was made from the class '\(className)'.")
        }
        return declared.properties[ordinal]
    }
}
