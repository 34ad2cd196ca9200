/// Determines the words that a row gains and loses in a full-text index. Confined to one
/// thread.
final class FullTextIndexer {
    private let column: ColumnDefinition
    private let old = TextWords()
    private let new = TextWords()

    init(_ column: ColumnDefinition) { self.column = column }

    /// Appends the index changes for replacing one row by another with the same key; nil means
    /// no row. A null text has no words. O(texts).
    func change(
        from before: IndexedRow?, to after: IndexedRow?, rowKey: Int64,
        _ changes: inout IndexChanges
    ) {
        find(old, before)
        find(new, after)
        var first = 0
        var second = 0
        while first < old.count || second < new.count {
            let order =
                first == old.count
                ? 1 : second == new.count ? -1 : ByteComparison.compare(old[first], new[second])
            if order < 0 {
                changes.append(plainText: old[first], rowKey: rowKey, isRemoval: true)
                first += 1
            } else if order > 0 {
                changes.append(plainText: new[second], rowKey: rowKey, isRemoval: false)
                second += 1
            } else {
                first += 1
                second += 1
            }
        }
    }

    private func find(_ words: TextWords, _ place: IndexedRow?) {
        guard let place, !place.cluster.columns[column.id.position].isNull(at: place.row) else {
            return words.find(in: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        place.table.withBytes(place.cluster, column.id, place.row) { words.find(in: $0) }
        words.sortAndRemoveDuplicates()
    }
}

/// A row of a table, at one version.
struct IndexedRow {
    let cluster: ClusterView
    let row: Int
    let table: TableView
}
