/// The changes that a merge makes to their version.
struct MergeOutput {
    /// Changes of one column, in any order.
    struct Column {
        var rows: ContiguousArray<Int64> = []
        var changes: ContiguousArray<CellChange> = []
    }

    private(set) var inserted: [TableID: [ChangeSet.Rows]] = [:]
    private(set) var deleted: [TableID: Set<Int64>] = [:]
    var columns: [TableID: [ColumnID: Column]] = [:]

    mutating func insert(_ rows: ChangeSet.Rows, into table: TableID) {
        if !rows.isEmpty { inserted[table, default: []].append(rows) }
    }

    mutating func delete(_ row: LinkTarget) {
        deleted[row.table, default: []].insert(row.key)
    }

    mutating func change(_ column: ColumnID, of row: Int64, in table: TableID, _ change: CellChange)
    {
        columns[table, default: [:]][column, default: Column()].append(change, of: row)
    }

    /// Removes inserted rows.
    mutating func drop(_ rows: Set<LinkTarget>) {
        for (id, parts) in inserted {
            inserted[id] = parts.map { part in
                part.filter { !rows.contains(LinkTarget(table: id, key: $0)) }
            }
        }
    }

    // MARK: Single cells

    func change(at place: Conflict.Place) -> CellChange? {
        guard let cells = columns[place.table]?[place.column] else { return nil }
        return cells.rows.firstIndex(of: place.row).map { cells.changes[$0] }
    }

    mutating func setChange(_ change: CellChange?, at place: Conflict.Place) {
        if let index = columns[place.table]?[place.column]?.rows.firstIndex(of: place.row) {
            columns[place.table]?[place.column]?.rows.remove(at: index)
            columns[place.table]?[place.column]?.changes.remove(at: index)
        }
        if let change { self.change(place.column, of: place.row, in: place.table, change) }
    }

    /// Removes a link of an inserted row. Returns false if the row is not inserted.
    mutating func removeLink(
        to target: LinkTarget, fromInserted place: Conflict.Place, _ column: ColumnDefinition
    ) -> Bool {
        guard let part = inserted[place.table]?.firstIndex(where: { $0.contains(place.row) }) else {
            return false
        }
        inserted[place.table]?[part].mapValues(of: place.column) { value in
            value.mappingLinks(of: column) { $0 == target ? nil : $0 }
        }
        return true
    }

    func changeSet(in target: WriteSet) -> ChangeSet {
        var tables: [TableID: ChangeSet.Table] = [:]
        for id in Set(inserted.keys).union(deleted.keys).union(columns.keys) {
            guard let definition = target.catalog[id] else { continue }
            tables[id] = ChangeSet.Table(
                definition, nextRowKey: target.nextRowKey(of: id),
                inserted: ChangeSet.Rows(union: inserted[id] ?? []),
                deleted: ChangeSet.Rows(keys: ContiguousArray((deleted[id] ?? []).sorted())),
                columns: (columns[id] ?? [:]).compactMapValues {
                    $0.rows.isEmpty ? nil : $0.cells
                })
        }
        return ChangeSet(tables: tables)
    }
}

extension MergeOutput.Column {
    mutating func append(_ change: CellChange, of row: Int64) {
        rows.append(row)
        changes.append(change)
    }

    fileprivate var cells: ChangeSet.Cells {
        var cells = ChangeSet.Cells()
        var isAscending = true
        for index in rows.indices.dropFirst() where rows[index - 1] >= rows[index] {
            isAscending = false
        }
        let order = isAscending ? nil : rows.indices.sorted { rows[$0] < rows[$1] }
        cells.reserveCapacity(rows.count)
        for place in rows.indices {
            let index = order?[place] ?? place
            cells.append(changes[index], of: rows[index])
        }
        return cells
    }
}

extension ChangeSet.Rows {
    /// Rows without values.
    fileprivate init(keys: ContiguousArray<Int64>) { self.init(keys: keys, columns: [:]) }

    /// All rows of some groups, which have no row in common.
    fileprivate init(union parts: [ChangeSet.Rows]) {
        if parts.count == 1 {
            self = parts[0]
            return
        }
        var places: [(key: Int64, part: Int, index: Int)] = []
        for (part, rows) in parts.enumerated() {
            for (index, key) in rows.keys.enumerated() { places.append((key, part, index)) }
        }
        places.sort { $0.key < $1.key }
        let ids = Set(parts.flatMap { $0.columns.keys })
        var columns: [ColumnID: ContiguousArray<StoredValue>] = [:]
        for id in ids where parts.allSatisfy({ $0.isEmpty || $0.columns[id] != nil }) {
            columns[id] = ContiguousArray(
                places.map { parts[$0.part].columns[id]?[$0.index] ?? .null })
        }
        self.init(keys: ContiguousArray(places.map(\.key)), columns: columns)
    }
}
