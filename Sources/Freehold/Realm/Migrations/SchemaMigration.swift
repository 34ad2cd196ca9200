import Foundation
import FreeholdStorage

/// Brings a file to a higher version of the declared classes, inside of a write transaction.
/// The caller commits the transaction, or cancels it if this throws.
///
/// The order: add tables; add and retire columns; convert values of changed types; run the
/// program's block; verify primary keys and owners. A table's columns must be added before its
/// rows change. Retired columns can be read, and renamed, until the end.
///
/// The block has two realms: one of the version before, whose classes are made from its catalog
/// (``StoredClasses``), and one of the write set. The classes of the latter have no primary keys
/// until the block has ended, so that the block can set these.
final class SchemaMigration {
    let coordinator: RealmCoordinator
    let set: SchemaSet
    let configuration: Realm.Configuration
    let writeSet: WriteSet
    let confinement: Confinement

    var store: Store { coordinator.store }
    private var conversions: [(className: String, property: String, ColumnConversion)] = []
    /// New tables, and tables whose primary key is removed while the block runs.
    private var unkeyed: Set<String> = []

    init(
        _ coordinator: RealmCoordinator, _ set: SchemaSet, _ configuration: Realm.Configuration,
        _ writeSet: WriteSet
    ) throws {
        self.coordinator = coordinator
        self.set = set
        self.configuration = configuration
        self.writeSet = writeSet
        confinement = try .here(queue: nil, fileID: "Migration", line: 0)
    }

    private var oldVersion: UInt64 { writeSet.base.catalog.schemaVersion ?? 0 }

    func run() throws {
        // A snapshot is migrated for all machines.
        let isForAll = !writeSet.isShared || writeSet.catalog.isSharedSnapshot
        if !isForAll { try verifySharedChanges() }
        changeTables()
        convert()
        if let block = configuration.migrationBlock { try run(block) }
        for declared in set.classOfEachTable { try settle(declared) }
        if !isForAll { try verifySharedObjects() }
        try mappingStorageErrors(writeSet.deleteRowsOfRetiredColumns())
        writeSet.setSchemaVersion(configuration.schemaVersion)
    }

    private func error(_ message: String) -> Realm.Error {
        Realm.Error(.schemaMismatch, message, fileURL: URL(fileURLWithPath: store.path))
    }

    /// Other machines have values of the properties as they were. So a shared file's classes and
    /// properties are added only.
    private func verifySharedChanges() throws {
        let comparison = SchemaComparison(set.classOfEachTable, with: writeSet.catalog)
        if comparison.mismatches.isEmpty { return }
        throw sharedError(
            "its classes change:\n"
                + comparison.mismatches.map { "- \($0)" }.joined(separator: "\n"))
    }

    /// Each machine would change the objects in its way, from what it happens to have.
    private func verifySharedObjects() throws {
        if try mappingStorageErrors(SharedCapture(writeSet).capture(path: store.path)) == nil {
            return
        }
        throw sharedError("the migration block changes objects.")
    }

    private func sharedError(_ reason: String) -> Realm.Error {
        error(
            """
            The realm is shared, and a migration of all machines is needed: \(reason)
            Open it with SharedRealm, while its upstream can be reached: that migrates the realm \
            once, and other machines get the result.
            """)
    }

    // MARK: Tables and columns

    private func changeTables() {
        let positions = writeSet.catalog.positionsByName
        for declared in set.classOfEachTable where positions[declared.tableName] == nil {
            _ = writeSet.createTable(named: declared.tableName, isOwned: declared.isEmbedded)
        }
        for declared in set.classOfEachTable {
            guard let table = writeSet.catalog[declared.tableName] else {
                preconditionFailure("The class was found or added before.")
            }
            // A class that becomes embedded needs owners first, which exist only after the
            // block.
            if table.isOwned, !declared.isEmbedded { writeSet.setOwned(false, table.id) }
            let key = table.primaryKey.flatMap { table[$0]?.name }
            let declaredKey = declared.primaryKeyProperty?.columnName
            if configuration.migrationBlock != nil || key != declaredKey
                || changesType(of: declared.primaryKeyProperty, table)
            {
                unkeyed.insert(declared.tableName)
                if key != nil { writeSet.releasePrimaryKey(of: table.id) }
            }
            changeColumns(of: table, declared)
        }
    }

    /// Retires a property that is not declared, and was kept because other programs may declare
    /// it. Nil for one that is not there, and in a file that is migrated for itself.
    func retireKeptColumn(named name: String, of table: TableID) -> ColumnDefinition? {
        guard writeSet.catalog.isSharedSnapshot, let column = writeSet.catalog[table]?[name]
        else { return nil }
        writeSet.retireColumn(column.id, of: table)
        return column
    }

    private func changesType(of property: PropertyDescriptor?, _ table: TableDefinition) -> Bool {
        guard let property, let column = table[property.columnName] else { return false }
        return !isSame(property, column)
    }

    /// Whether a column can stay unchanged.
    private func isSame(_ property: PropertyDescriptor, _ column: ColumnDefinition) -> Bool {
        column.isNullable == property.isNullableColumn
            && column.typeName(in: writeSet.catalog) == property.typeName
    }

    private func changeColumns(of table: TableDefinition, _ declared: ClassSchema) {
        let names = Set(declared.properties.map(\.columnName))
        for column in table.columns where !names.contains(column.name) && !writeSet.isShared {
            writeSet.retireColumn(column.id, of: table.id)
        }
        let columns = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, $0) })
        for property in declared.properties {
            let old = columns[property.columnName]
            if let old, isSame(property, old) {
                setIndexes(of: property, old.id, table.id)
                continue
            }
            if let old { writeSet.retireColumn(old.id, of: table.id) }
            let added = SchemaPreparation.addColumn(for: property, to: table.id, in: writeSet)
            guard let old, let column = writeSet.catalog[table.id]?[added],
                let conversion = ColumnConversion(old, to: column, of: table.id)
            else { continue }
            conversions.append((declared.className, property.name, conversion))
        }
    }

    /// Gives a column the indexes that its property declares. A primary key gets its index when
    /// it becomes one.
    func setIndexes(of property: PropertyDescriptor, _ column: ColumnID, _ table: TableID) {
        guard let definition = writeSet.catalog[table]?[column], !property.isPrimaryKey else {
            return
        }
        if definition.isIndexed != property.isIndexedColumn {
            writeSet.setIndexed(property.isIndexedColumn, column: column, of: table)
        }
        if definition.isFullText != property.isFullText {
            writeSet.setFullText(property.isFullText, column: column, of: table)
        }
    }

    private func convert() {
        for (className, property, conversion) in conversions {
            var progress = MigrationProgressCounter(
                configuration, className, .converting(property: property),
                total: writeSet.table(conversion.table).count)
            conversion.carryOut(in: writeSet, &progress)
            progress.finish()
        }
    }

    // MARK: The block

    private func run(_ block: MigrationBlock) throws {
        let migration = Migration(self)
        let result = Result { try block(migration, oldVersion) }
        migration.end()
        try result.get()
        if let failure = migration.failure { throw failure }
    }

    /// Makes a realm of the open transaction, whose classes have no primary keys.
    func makeCore() -> RealmCore {
        let classes = set.classes.map { declared -> ClassSchema in
            let table = writeSet.base.catalog[declared.tableName]
            let isEmpty = table.map { writeSet.base.table($0.id).count == 0 } ?? true
            let wasKey = table.map { table in
                table.usesPrimaryKeyAsRowKey
                    && table.primaryKey
                        == declared.primaryKeyProperty.flatMap {
                            writeSet.catalog[table.id]?[$0.columnName]?.id
                        }
            }
            return declared.withoutPrimaryKey(takesRowKeys: isEmpty || wasKey ?? false)
        }
        let core = RealmCore(
            coordinator: coordinator, confinement: confinement, configuration: configuration,
            schema: BoundSchema(SchemaSet(unchecked: classes), in: writeSet.catalog),
            snapshot: writeSet.base)
        core.beginMigrating(writeSet)
        return core
    }

    // MARK: What has to hold afterwards

    private func settle(_ declared: ClassSchema) throws {
        guard let table = writeSet.catalog[declared.tableName] else {
            preconditionFailure("The class was found or added before.")
        }
        if unkeyed.contains(declared.tableName) { try settlePrimaryKey(of: declared, table) }
        guard let old = writeSet.base.catalog[table.id], old.isOwned != declared.isEmbedded else {
            return
        }
        if !declared.isEmbedded { return }
        try verifyOwners(of: declared, table)
        writeSet.setOwned(true, table.id)
    }

    private func settlePrimaryKey(of declared: ClassSchema, _ table: TableDefinition) throws {
        let property = declared.primaryKeyProperty
        let column = property.flatMap { table[$0.columnName]?.id }
        switch writeSet.adoptPrimaryKey(
            column, of: table.id, takesRowKeys: property?.isAutoIncremented ?? false)
        {
        case nil: break
        case .duplicates:
            throw error(
                """
                Primary key property '\(declared.tableName).\(property?.name ?? "")' has \
                duplicate values after migration.
                """)
        case .keysTooGreat:
            throw error(
                """
                The primary key of class '\(declared.tableName)' cannot be changed or removed, \
                because it had values of 2^62 - 1 or more. Create the objects anew in a class \
                with another name, and delete these with deleteData(forType:).
                """)
        }
        if let property, property.isAutoIncremented, let column,
            !(writeSet.catalog[table.id]?.usesPrimaryKeyAsRowKey ?? true)
        {
            writeSet.mutableTable(table.id).raiseNextKey(aboveValuesOf: column)
        }
    }

    /// Each embedded object belongs to exactly one other object.
    private func verifyOwners(of declared: ClassSchema, _ table: TableDefinition) throws {
        let ownership = try mappingStorageErrors(writeSet.ownership(of: table.id))
        switch ownership {
        case .single: return
        case .none:
            throw error(
                """
                Cannot convert '\(declared.tableName)' to embedded: at least one object \
                has no incoming links and would be deleted.
                """)
        case .several:
            throw error(
                """
                Cannot convert '\(declared.tableName)' to embedded: at least one object \
                has more than one incoming link.
                """)
        case .mixed(let source, let column):
            throw error(
                """
                Cannot convert '\(declared.tableName)' to embedded: there is an incoming link \
                from the Mixed property '\(source).\(column)', which does not support linking \
                to embedded objects.
                """)
        }
    }
}
