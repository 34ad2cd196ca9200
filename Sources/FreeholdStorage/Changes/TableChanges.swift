/// The rows of one table in which two versions differ.
package struct TableChanges: Sendable {
    /// The keys of rows that only the old version has, ascending.
    package let deletions: ContiguousArray<Int64>
    /// The keys of rows that only the new version has, ascending.
    package let insertions: ContiguousArray<Int64>
    /// For each column, the keys of the rows in both versions that have different values there,
    /// ascending; only columns with such rows.
    package let modifications: [ColumnID: ContiguousArray<Int64>]

    package init(
        deletions: ContiguousArray<Int64> = [], insertions: ContiguousArray<Int64> = [],
        modifications: [ColumnID: ContiguousArray<Int64>] = [:]
    ) {
        self.deletions = deletions
        self.insertions = insertions
        self.modifications = modifications
    }

    package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// The rows modified in at least one of the columns, ascending. O(n), or O(n log n) for
    /// several columns.
    ///
    /// - Parameter columns: Nil for all columns.
    package func modifiedRows(in columns: Set<ColumnID>?) -> ContiguousArray<Int64> {
        var rows: ContiguousArray<Int64> = []
        for (column, modified) in modifications where columns?.contains(column) ?? true {
            if rows.isEmpty { rows = modified } else { rows.append(contentsOf: modified) }
        }
        rows.sortAndRemoveDuplicates()
        return rows
    }

    /// Whether a row was modified in at least one of the columns. O(columns log n).
    ///
    /// - Parameter columns: Nil for all columns.
    package func isModified(_ key: Int64, in columns: Set<ColumnID>?) -> Bool {
        modifications.contains { column, modified in
            (columns?.contains(column) ?? true) && modified.containsSorted(key)
        }
    }
}
