/// What differs between two versions, as a value: rows, columns, elements, with the values of
/// both.
///
/// Needs neither version afterwards. Any thread may use it. Its size is that of the changes, and
/// of the rows that were added and deleted.
package struct ChangeSet: Sendable {
    package internal(set) var tables: [TableID: Table] = [:]

    package init() {}

    package init(tables: [TableID: Table]) { self.tables = tables.filter { !$0.value.isEmpty } }

    package var isEmpty: Bool { tables.isEmpty }

    /// The changes of one table.
    package struct Table: Sendable {
        /// As of the new version, or of the old one if the new one lacks the table.
        package var definition: TableDefinition
        /// The key that the table would have given to the next row before the changes.
        package var nextRowKey: Int64
        /// The rows that only the new version has.
        package var inserted: Rows
        /// The rows that only the old version has.
        package var deleted: Rows
        /// The changes of rows that both versions have.
        package var columns: [ColumnID: Cells]

        package init(
            _ definition: TableDefinition, nextRowKey: Int64, inserted: Rows = Rows(),
            deleted: Rows = Rows(), columns: [ColumnID: Cells] = [:]
        ) {
            self.definition = definition
            self.nextRowKey = nextRowKey
            self.inserted = inserted
            self.deleted = deleted
            self.columns = columns
        }

        package var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && columns.isEmpty }
    }

    /// Rows with all their values.
    package struct Rows: Sendable {
        /// Ascending.
        package private(set) var keys: ContiguousArray<Int64> = []
        /// For each column the values of all rows. Not of a primary key that is the row key.
        package private(set) var columns: [ColumnID: ContiguousArray<StoredValue>] = [:]

        package init() {}

        /// - Parameters:
        ///   - keys: Ascending.
        ///   - columns: As many values as keys in each column.
        package init(
            keys: ContiguousArray<Int64>, columns: [ColumnID: ContiguousArray<StoredValue>]
        ) {
            precondition(
                columns.values.allSatisfy { $0.count == keys.count },
                "each row has a value in each column")
            self.keys = keys
            self.columns = columns
        }

        package var isEmpty: Bool { keys.isEmpty }

        package func contains(_ key: Int64) -> Bool {
            !keys.isEmpty && keys.containsSorted(key)
        }

        /// The index of a row. O(log n).
        package func index(of key: Int64) -> Int? {
            let index = keys.lowerBound(of: key)
            return index < keys.count && keys[index] == key ? index : nil
        }
    }

    /// Changes of one column.
    package struct Cells: Sendable {
        /// Ascending.
        package private(set) var rows: ContiguousArray<Int64> = []
        package private(set) var changes: ContiguousArray<CellChange> = []

        package init() {}

        /// The change of a row; nil if it has none. O(log n).
        package subscript(row: Int64) -> CellChange? {
            let index = rows.lowerBound(of: row)
            return index < rows.count && rows[index] == row ? changes[index] : nil
        }

        /// - Parameter row: Greater than all others.
        package mutating func append(_ change: CellChange, of row: Int64) {
            precondition(rows.last.map { $0 < row } ?? true, "rows ascend")
            rows.append(row)
            changes.append(change)
        }

        mutating func reserveCapacity(_ count: Int) {
            rows.reserveCapacity(count)
            changes.reserveCapacity(count)
        }
    }
}

extension ChangeSet {
    /// The changes that lead back from the new version to the old one.
    ///
    /// - Parameter nextRowKey: The key that the new version would give to a table's next row.
    package func inverse(nextRowKey: (TableID) -> Int64) -> ChangeSet {
        ChangeSet(
            tables: Dictionary(
                uniqueKeysWithValues: tables.map { id, table in
                    (
                        id,
                        Table(
                            table.definition, nextRowKey: nextRowKey(id), inserted: table.deleted,
                            deleted: table.inserted,
                            columns: table.columns.mapValues { $0.map(\.inverse) })
                    )
                }))
    }
}

extension ChangeSet.Cells {
    init(_ cells: [Int64: CellChange]) {
        for row in cells.keys.sorted() {
            if let change = cells[row] { append(change, of: row) }
        }
    }

    func map(_ transform: (CellChange) -> CellChange) -> ChangeSet.Cells {
        var mapped = ChangeSet.Cells()
        mapped.rows = rows
        mapped.changes = ContiguousArray(changes.map(transform))
        return mapped
    }

    /// The cells without those for which `transform` returns nil.
    func compactMap(_ transform: (Int64, CellChange) -> CellChange?) -> ChangeSet.Cells {
        var kept = ChangeSet.Cells()
        for (row, change) in zip(rows, changes) {
            if let change = transform(row, change) { kept.append(change, of: row) }
        }
        return kept
    }
}

extension ChangeSet.Rows {
    /// The values of one row.
    subscript(index: Int) -> [ColumnID: StoredValue] { columns.mapValues { $0[index] } }

    /// One value of a row; nil if the row or the column is not here. O(log n).
    func value(of column: ColumnID, in row: Int64) -> StoredValue? {
        index(of: row).flatMap { columns[column]?[$0] }
    }

    /// - Parameter rows: The values of rows by their keys; all with the same columns.
    init(_ rows: [Int64: [ColumnID: StoredValue]], columns ids: some Sequence<ColumnID>) {
        let keys = ContiguousArray(rows.keys.sorted())
        var columns: [ColumnID: ContiguousArray<StoredValue>] = [:]
        for id in ids {
            columns[id] = ContiguousArray(keys.map { rows[$0]?[id] ?? .null })
        }
        self.init(keys: keys, columns: columns)
    }

    func filter(_ isKept: (Int64) -> Bool) -> ChangeSet.Rows {
        let kept = keys.indices.filter { isKept(keys[$0]) }
        if kept.count == keys.count { return self }
        return ChangeSet.Rows(
            keys: ContiguousArray(kept.map { keys[$0] }),
            columns: columns.mapValues { values in ContiguousArray(kept.map { values[$0] }) })
    }
}
