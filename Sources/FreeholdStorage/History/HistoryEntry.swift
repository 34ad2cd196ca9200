/// What one commit changed, by names and keys, so that later schemas can read it.
package struct HistoryEntry: Sendable {
    /// Where an entry stands, and how to tell it from the entry of another history at that place.
    package struct Head: Hashable, Sendable {
        /// Counts the file's entries, from 1.
        package var sequence: Int64
        /// A random number.
        package var mark: UInt64
        /// The mark of the entry before; the lower half of the lineage for the first one.
        package var previousMark: UInt64
        /// Seconds since 2001-01-01.
        package var time: Double

        package init(sequence: Int64, mark: UInt64, previousMark: UInt64, time: Double) {
            self.sequence = sequence
            self.mark = mark
            self.previousMark = previousMark
            self.time = time
        }
    }

    package var head: Head
    package var author: String?
    /// The name of the process that committed, and its id.
    package var processName: String
    package var processID: Int32
    /// In the order of the tables' ids. Only tables with changes.
    package var tables: [Table]
    /// The tables that owners and links refer to, by id.
    package var targets: [TableID: Target]

    /// A column, as it was at the commit.
    package struct Column: Sendable {
        /// Its id is its place in ``Table/columns``; its target is one of ``targets``.
        package var definition: ColumnDefinition
    }

    package struct Owner: Hashable, Sendable {
        package var table: TableID
        package var row: Int64

        package init(table: TableID, row: Int64) {
            self.table = table
            self.row = row
        }
    }

    /// What must be known of a table to identify its rows.
    package struct Target: Sendable {
        package var name: String
        package var usesPrimaryKeyAsRowKey: Bool
        /// The primary keys of rows, where the primary key is another column than the row key.
        package var primaryKeys: [Int64: StoredValue]

        package init(
            name: String, usesPrimaryKeyAsRowKey: Bool, primaryKeys: [Int64: StoredValue] = [:]
        ) {
            self.name = name
            self.usesPrimaryKeyAsRowKey = usesPrimaryKeyAsRowKey
            self.primaryKeys = primaryKeys
        }
    }

    /// The changes of one table. *All rows* are the deleted, the inserted and the modified ones,
    /// in this order.
    package struct Table: Sendable {
        package var name: String
        package var isOwned = false
        package var usesPrimaryKeyAsRowKey = false
        package var columns: [Column] = []
        package var deleted = HistoryKeys()
        package var inserted = HistoryKeys()
        package var modified: [Cells] = []
        /// The keys of ``modified``, each once.
        package var modifiedRows = HistoryKeys()
        /// The column of the primary key, where that is not the row key.
        package var primaryKey: Int?
        /// Of all rows, with ``primaryKey``.
        package var primaryKeys: ContiguousArray<StoredValue> = []
        /// Of all rows of an owned table; nil where there was none.
        package var owners: ContiguousArray<Owner?> = []
        /// Values of the deleted rows: of preserved columns, or of all.
        package var deletedValues: [Values] = []
        /// All values of the inserted rows, where values are kept.
        package var insertedValues: [Values] = []

        package init(name: String) { self.name = name }

        package var changeCount: Int { deleted.count + inserted.count + modifiedRows.count }
    }

    /// The rows that changed in one column, with their values where these are kept.
    package struct Cells: Sendable {
        package var column: Int
        package var keys: HistoryKeys
        /// The column of the old values, if a migration replaced it: one of the same name and
        /// another type.
        package var oldColumn: Int?
        package var old: ContiguousArray<StoredValue> = []
        package var new: ContiguousArray<StoredValue> = []
    }

    /// Values of one column.
    package struct Values: Sendable {
        package var column: Int
        package var values: ContiguousArray<StoredValue>
    }
}
