import Foundation
package import FreeholdImport
package import FreeholdStorage

/// Fills a file with objects from JSON, as a dump has them, or as people write them.
///
/// In a new file, links are taken by their row keys, which the objects keep. In others, objects
/// with the primary key of an existing one change it, all others are added.
///
/// In many transactions, memory does not grow with the input: the only list is that of links to
/// objects that have not come yet.
package final class Loader {
    /// What was loaded.
    package struct Report: Codable, Hashable, Sendable {
        package var added = 0
        package var changed = 0
        /// Links to objects that are neither in the input nor in the file, which became null.
        package var lostLinks = 0
        package var counts: [String: Int] = [:]
    }

    private static let rowsPerTransaction = 20_000

    private let store: Store
    /// Whether nothing was in the file.
    private let isNew: Bool
    private let isOneTransaction: Bool
    /// Whether the rows keep their keys.
    private var keepsKeys = false
    private var writer: RowWriter
    private var pending = 0
    private var report = Report()
    /// Not of rows that keep their keys.
    private var keys: [TableID: InputKeys] = [:]
    /// Rows that links lead to and whose objects have not come yet, with the number of such links.
    private var awaited: [LinkTarget: Int] = [:]
    private var tables: [String: TableDefinition] = [:]

    /// - Parameter isOneTransaction: Whether everything is loaded or nothing is, in the memory that
    ///   this takes. A new file is always filled in many transactions.
    package init(_ store: Store, isOneTransaction: Bool) throws {
        self.store = store
        self.isOneTransaction = isOneTransaction
        let writeSet = try store.beginCommandWrite()
        isNew = writeSet.base.catalog.classTables.isEmpty
        writer = RowWriter(writeSet) { _, _, _ in nil }
        writer = makeWriter(writeSet)
    }

    private func makeWriter(_ writeSet: WriteSet) -> RowWriter {
        RowWriter(writeSet) { [unowned self] table, primaryKey, key in
            try self.target(table, primaryKey, key)
        }
    }

    // MARK: Schema

    /// Adds the classes of a dump that the file lacks.
    package func addClasses(of schema: SchemaDescription, keepsKeys: Bool) throws {
        try writer.writeSet.addClasses(of: schema)
        self.keepsKeys = keepsKeys && isNew
        tables = [:]
        writer = makeWriter(writer.writeSet)
    }

    private func table(_ name: String) throws -> TableDefinition {
        if let known = tables[name] { return known }
        let found = try writer.writeSet.catalog.inspected(name)
        tables[name] = found
        return found
    }

    // MARK: Objects

    /// Adds an object, or changes the one with its primary key.
    ///
    /// - Parameter className: The class, if the object does not name it.
    /// - Returns: Whether everything up to this object is committed.
    @discardableResult
    package func load(_ document: JSONDocument, className: String?) throws -> Bool {
        guard case .object(let members) = document[document.root] else {
            throw InspectionError(
                "A line must be a JSON object, and is "
                    + "\(document.shown(document.root)).")
        }
        var name = className
        if let id = document.member(of: members, named: "$class") {
            guard case .string(let text) = document[id] else {
                throw InspectionError("\"$class\" must be the name of a class.")
            }
            name = text
        }
        guard let name else {
            throw InspectionError(
                "The object does not say its class.",
                remedy: "Give it with --class, or \"$class\" in each object.")
        }
        let table = try table(name)
        if table.isOwned {
            throw InspectionError(
                "\(name) is embedded: its objects stand inside of their owners.")
        }
        var key: Int64?
        if let id = document.member(of: members, named: "$key") {
            guard case .integer(let value) = document[id] else {
                throw InspectionError("\"$key\" must be an integer.")
            }
            key = Int64(value)
        }
        let row = try row(members, document, table, key)
        try writer.set(members, document, row: row, of: table)
        report.counts[name, default: 0] += 1
        pending += 1
        guard isNew || !isOneTransaction, pending >= Self.rowsPerTransaction else { return false }
        try commit()
        return true
    }

    /// The row for an object of the input.
    private func row(
        _ members: Range<Int>, _ document: JSONDocument, _ table: TableDefinition, _ key: Int64?
    ) throws -> Int64 {
        let primaryKey = try writer.primaryKey(of: members, document, table)
        if let primaryKey, let known = try writer.row(withPrimaryKey: primaryKey, in: table) {
            // It was awaited, or it is changed.
            if awaited.removeValue(forKey: LinkTarget(table: table.id, key: known)) == nil {
                report.changed += 1
            } else {
                report.added += 1
            }
            return known
        }
        if table.primaryKey != nil, primaryKey == nil, key == nil,
            table.usesPrimaryKeyAsRowKey
                || table.primaryKey.flatMap({ table[$0] })?.isNullable
                    == false
        {
            throw InspectionError(
                "An object of \(table.name) lacks its primary key "
                    + "'\(table.primaryKey.flatMap { table[$0]?.name } ?? "")'.")
        }
        report.added += 1
        if table.primaryKey == nil, !keepsKeys {
            guard let key else {
                let added = try writer.addRow(primaryKey: nil, in: table)
                keys[table.id, default: InputKeys(rows(of: table))].take(added)
                return added
            }
            if let known = knownRow(key, of: table) {
                awaited[LinkTarget(table: table.id, key: known)] = nil
                return known
            }
            return try addRow(for: key, of: table)
        }
        let kept = keepsKeys ? key : nil
        let added = try writer.addRow(primaryKey: primaryKey, in: table, key: kept)
        if let kept, !table.usesPrimaryKeyAsRowKey, added != kept {
            throw InspectionError(
                "Two objects of \(table.name) have the \"$key\" \(kept).",
                remedy: "Leave \"$key\" out of objects that were added by hand.")
        }
        return added
    }

    private func rows(of table: TableDefinition) -> MutableTable {
        writer.writeSet.mutableTable(table.id)
    }

    /// The row that was added for a `"$key"` of the input.
    private func knownRow(_ key: Int64, of table: TableDefinition) -> Int64? {
        keys[table.id]?.row(of: key).flatMap {
            rows(of: table).hasRow(RowKey(rawValue: $0)) ? $0 : nil
        }
    }

    /// Adds a row for a `"$key"` of the input.
    private func addRow(for key: Int64, of table: TableDefinition) throws -> Int64 {
        let known = keys[table.id] ?? InputKeys(rows(of: table))
        keys[table.id] = known
        let wanted = known.row(of: key)
        let added = try writer.addRow(primaryKey: nil, in: table, key: wanted)
        if added != wanted { keys[table.id]?.note(key, at: added) }
        return added
    }

    // MARK: Links

    private func target(_ table: TableDefinition, _ primaryKey: ScanValue?, _ key: Int64?) throws
        -> Int64?
    {
        if table.usesPrimaryKeyAsRowKey, case .integer(let value)? = primaryKey {
            // May be dangling until the row comes.
            if isNew { return value }
        } else if keepsKeys, let key {
            return key
        }
        if let primaryKey {
            if let known = try writer.row(withPrimaryKey: primaryKey, in: table) {
                let place = LinkTarget(table: table.id, key: known)
                if let count = awaited[place] { awaited[place] = count + 1 }
                return known
            }
            return waiting(for: try writer.addRow(primaryKey: primaryKey, in: table), table)
        }
        guard let key else { return nil }
        // An object without a value for its primary key cannot be told from others.
        if table.primaryKey != nil { return nil }
        if let known = knownRow(key, of: table) {
            let place = LinkTarget(table: table.id, key: known)
            if let count = awaited[place] { awaited[place] = count + 1 }
            return known
        }
        return waiting(for: try addRow(for: key, of: table), table)
    }

    private func waiting(for row: Int64, _ table: TableDefinition) -> Int64 {
        awaited[LinkTarget(table: table.id, key: row)] = 1
        return row
    }

    /// The transaction that is filled.
    var writeSet: WriteSet { writer.writeSet }

    // MARK: The end

    private func commit() throws {
        let catalog = writer.writeSet.catalog
        for table in keys.keys { keys[table]?.endTransaction(writer.writeSet.mutableTable(table)) }
        _ = try store.commit(writer.writeSet)
        pending = 0
        writer = makeWriter(try store.beginCommandWrite())
        guard writer.writeSet.catalog == catalog else {
            throw InspectionError("Another process changed the classes of the file meanwhile.")
        }
        for table in keys.keys {
            keys[table]?.beginTransaction(writer.writeSet.mutableTable(table))
        }
    }

    /// Commits what was loaded. Links that lead nowhere become null.
    package func finish() throws -> Report {
        for (target, count) in awaited.sorted(by: { $0.key.key < $1.key.key }) {
            report.lostLinks += count
            let rows = writer.writeSet.mutableTable(target.table)
            guard rows.hasRow(RowKey(rawValue: target.key)) else { continue }
            try writer.writeSet.deleteRows([target.key], of: target.table)
        }
        if isNew {
            try commit()
            try removeDanglingLinks()
        }
        _ = try store.commit(writer.writeSet)
        return report
    }

    /// Drops everything that was not committed.
    package func cancel() { store.cancel(writer.writeSet) }

    /// Finds links whose rows never came. Such a row is added and deleted, which removes the links.
    private func removeDanglingLinks() throws {
        let snapshot = writer.writeSet.base
        var missing: [TableID: Set<Int64>] = [:]
        for definition in snapshot.catalog.classTables {
            let columns = definition.columns.filter { column in
                if column.type == .mixed || column.collection?.type == .mixed { return true }
                return column.target.flatMap { snapshot.catalog[$0] }.map { !$0.isOwned } ?? false
            }
            if columns.isEmpty { continue }
            try RowWalk(snapshot, definition.id, options: RowEncoder.Options()).forEach {
                row, encoder in
                for column in columns {
                    StoredValue(column, row.cluster, row: row.row, of: row.table)
                        .forEachLink(of: column) { target in
                            let rows = encoder.source.table(target.table)
                            if rows.contains(RowKey(rawValue: target.key)) { return }
                            report.lostLinks += 1
                            missing[target.table, default: []].insert(target.key)
                        }
                }
                return true
            }
        }
        for (table, keys) in missing.sorted(by: { $0.key < $1.key }) {
            let rows = writer.writeSet.mutableTable(table)
            for key in keys.sorted() { _ = rows.insertRow(RowKey(rawValue: key)) }
            try writer.writeSet.deleteRows(keys.sorted(), of: table)
        }
    }
}
