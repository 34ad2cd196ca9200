import FreeholdStorage

/// The changes of a transaction: ``HistoryTransaction/changes``.
///
/// Made one by one while they are iterated, so a transaction that changed a million objects costs
/// memory for none of them.
///
/// Thread rule: a plain value; use it anywhere.
public struct HistoryChanges: Sequence, Sendable {
    private let tables: [HistoryTableReader]

    init(_ entry: HistoryEntry, _ names: HistoryNames, only className: String?) {
        tables = entry.tables.compactMap { changes in
            if let className, names.className(changes.name) != className { return nil }
            return HistoryTableReader(changes, entry.targets, names)
        }
    }

    /// The number of changed objects. O(classes).
    public var count: Int { tables.reduce(0) { $0 + $1.changes.changeCount } }

    /// Whether there are none.
    public var isEmpty: Bool { tables.isEmpty }

    /// The number of changed objects; 65,536 for more, so that an array of them does not reserve
    /// memory for all at once.
    public var underestimatedCount: Int { Swift.min(count, 1 << 16) }

    /// Creates an iterator. O(1).
    public func makeIterator() -> Iterator { Iterator(tables) }

    /// Iterates over changes.
    public struct Iterator: IteratorProtocol {
        private let tables: [HistoryTableReader]
        private var nextTable = 0
        private var walk: Walk?

        fileprivate init(_ tables: [HistoryTableReader]) { self.tables = tables }

        /// The next change; nil after the last one.
        public mutating func next() -> HistoryChange? {
            while true {
                if let change = walk?.next() { return change }
                if nextTable == tables.count { return nil }
                walk = Walk(tables[nextTable])
                nextTable += 1
            }
        }
    }

    /// Walks the changes of one table.
    fileprivate struct Walk {
        private let table: HistoryTableReader
        private var index = 0
        private var deleted: HistoryKeys.Iterator
        private var inserted: HistoryKeys.Iterator
        private var columns: [Column]
        /// The columns of the last update, which the next one most likely has, too.
        private var lastColumns: [Int] = []

        private struct Column {
            let column: Int
            var keys: HistoryKeys.Iterator
            var key: Int64?
        }

        init(_ table: HistoryTableReader) {
            self.table = table
            deleted = table.changes.deleted.makeIterator()
            inserted = table.changes.inserted.makeIterator()
            columns = table.changes.modified.map { cells in
                var keys = cells.keys.makeIterator()
                let key = keys.next()
                return Column(column: cells.column, keys: keys, key: key)
            }
        }

        mutating func next() -> HistoryChange? {
            defer { index += 1 }
            if let row = deleted.next() {
                return HistoryChange(table, at: index, row: row, .deleted)
            }
            if let row = inserted.next() {
                return HistoryChange(table, at: index, row: row, .inserted)
            }
            var row: Int64?
            for column in columns {
                if let key = column.key, row.map({ key < $0 }) ?? true { row = key }
            }
            guard let row else { return nil }
            var count = 0
            var isSame = true
            for place in columns.indices where columns[place].key == row {
                if count >= lastColumns.count || lastColumns[count] != columns[place].column {
                    isSame = false
                }
                count += 1
            }
            if !isSame || count != lastColumns.count {
                lastColumns = columns.filter { $0.key == row }.map(\.column)
            }
            for place in columns.indices where columns[place].key == row {
                columns[place].key = columns[place].keys.next()
            }
            return HistoryChange(table, at: index, row: row, .updated(lastColumns))
        }
    }
}
