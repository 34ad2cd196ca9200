import Foundation
package import FreeholdImport
package import FreeholdStorage

/// Fills a file with objects from JSON, as a dump has them, or as people write them.
///
/// A new file is filled in many transactions, and links are taken by their row keys, which the
/// objects keep. Everything else is one transaction in memory: objects with the primary key of an
/// existing one change it, all others are added.
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
    /// Whether nothing was in the file, so that several transactions may fill it.
    private let isNew: Bool
    /// Whether the rows keep their keys.
    private var keepsKeys = false
    private var writer: RowWriter
    private var pending = 0
    private var report = Report()
    /// The new keys of rows by those of the input, by table. Not of rows that keep their keys.
    private var keys: [TableID: [Int64: Int64]] = [:]
    /// Rows that links lead to and whose objects have not come yet, with the number of such links.
    private var awaited: [LinkTarget: Int] = [:]
    private var tables: [String: TableDefinition] = [:]

    package init(_ store: Store) throws {
        self.store = store
        let writeSet = try store.beginCommandWrite()
        isNew = writeSet.base.catalog.tables.isEmpty
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
    package func load(_ document: JSONDocument, className: String?) throws {
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
        if isNew, pending >= Self.rowsPerTransaction { try commit() }
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
            note(key, known, table)
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
        if table.primaryKey == nil, let key, let known = keys[table.id]?[key] {
            awaited[LinkTarget(table: table.id, key: known)] = nil
            return known
        }
        let kept = keepsKeys ? key : nil
        let added = try writer.addRow(primaryKey: primaryKey, in: table, key: kept)
        if let kept, !table.usesPrimaryKeyAsRowKey, added != kept {
            throw InspectionError(
                "Two objects of \(table.name) have the \"$key\" \(kept).",
                remedy: "Leave \"$key\" out of objects that were added by hand.")
        }
        note(key, added, table)
        return added
    }

    private func note(_ key: Int64?, _ row: Int64, _ table: TableDefinition) {
        guard let key, !keepsKeys, table.primaryKey == nil else { return }
        keys[table.id, default: [:]][key] = row
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
        if table.primaryKey != nil {
            // By the row key alone, a link finds only objects without a value for the key.
            return keys[table.id]?[key]
        }
        if let known = keys[table.id]?[key] {
            let place = LinkTarget(table: table.id, key: known)
            if let count = awaited[place] { awaited[place] = count + 1 }
            return known
        }
        let added = try writer.addRow(primaryKey: nil, in: table)
        keys[table.id, default: [:]][key] = added
        return waiting(for: added, table)
    }

    private func waiting(for row: Int64, _ table: TableDefinition) -> Int64 {
        awaited[LinkTarget(table: table.id, key: row)] = 1
        return row
    }

    /// The transaction that is filled.
    var writeSet: WriteSet { writer.writeSet }

    // MARK: The end

    private func commit() throws {
        _ = try store.commit(writer.writeSet)
        pending = 0
        writer = makeWriter(try store.beginCommandWrite())
    }

    /// Commits what was loaded. Links that lead nowhere become null.
    package func finish() throws -> Report {
        for (target, count) in awaited.sorted(by: { $0.key.key < $1.key.key }) {
            report.lostLinks += count
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
        for definition in snapshot.catalog.tables {
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
