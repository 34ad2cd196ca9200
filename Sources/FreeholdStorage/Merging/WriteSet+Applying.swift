extension WriteSet {
    /// Applies changes to the version that they are changes of. O(changes).
    ///
    /// First adds rows, then sets values, at last deletes rows. Traps where the write set does not
    /// hold the version: a changed row is missing, or a new one exists.
    package func apply(_ changes: ChangeSet) throws(StorageError) {
        try apply(changes) { (writeSet, table, keys) throws(StorageError) in
            try writeSet.deleteRows(keys, of: table)
        }
    }

    /// - Parameter delete: Deletes rows of a table, with what their delete rules delete. Some of
    ///   them may be gone with their owners by then.
    package func apply<Failure: Error>(
        _ changes: ChangeSet,
        deletingRows delete: (WriteSet, TableID, [Int64]) throws(Failure) -> Void
    ) throws(Failure) {
        let tables = changes.tables.sorted { $0.key < $1.key }
        for (id, table) in tables { mutableTable(id).insert(table.inserted) }
        for (id, table) in tables {
            let target = mutableTable(id)
            target.setCollections(of: table.inserted)
            for (column, cells) in table.columns.sorted(by: { $0.key < $1.key }) {
                target.apply(cells, column)
            }
        }
        unlinkMovedRows(changes)
        for (id, table) in tables where !table.deleted.isEmpty {
            try delete(self, id, Array(table.deleted.keys))
        }
    }
}

extension WriteSet {
    /// Removes the links of rows about to be deleted to owned rows that have another owner now.
    /// Otherwise these would be deleted with them.
    private func unlinkMovedRows(_ changes: ChangeSet) {
        guard changes.hasDeletions else { return }
        let moved = changes.linkedRows { catalog[$0]?.isOwned ?? false }
        if moved.isEmpty { return }
        for (id, table) in changes.tables {
            for column in table.definition.columns {
                guard let target = column.target, let keys = moved[target] else { continue }
                mutableTable(id).removeLinks(of: column, in: table.deleted.keys, to: target, keys)
            }
        }
    }
}

extension ChangeSet {
    /// The rows of some tables to which changed and new rows link, ascending.
    fileprivate func linkedRows(of isOwned: (TableID) -> Bool) -> [TableID: [Int64]] {
        var rows: [TableID: Set<Int64>] = [:]
        for table in tables.values {
            for column in table.definition.columns {
                guard let target = column.target, isOwned(target) else { continue }
                table.forEachNewLink(of: column) { rows[target, default: []].insert($0.key) }
            }
        }
        return rows.mapValues { $0.sorted() }
    }
}

extension MutableTable {
    fileprivate func removeLinks(
        of column: ColumnDefinition, in rows: ContiguousArray<Int64>, to target: TableID,
        _ keys: [Int64]
    ) {
        for row in rows {
            var isLinked = false
            forEachLink(of: column.id, in: [row]) { if keys.containsSorted($0) { isLinked = true } }
            if !isLinked { continue }
            let key = RowKey(rawValue: row)
            if column.collection == nil {
                mutableRow(key)?.setNull(column.id)
            } else {
                mutableCollection(of: column.id, key: key)?.removeLinks(to: target, keys: keys)
            }
        }
    }

    /// Adds rows with their single values.
    fileprivate func insert(_ rows: ChangeSet.Rows) {
        if rows.isEmpty { return }
        let columns = definition.valueColumns.compactMap { column in
            column.collection == nil ? rows.columns[column.id].map { (column, $0) } : nil
        }
        for (index, key) in rows.keys.enumerated() {
            precondition(
                !hasRow(RowKey(rawValue: key)),
                "Table \(definition.name) has the row \(key), which the changes add.")
            let row = insertRow(RowKey(rawValue: key))
            for (column, values) in columns {
                let value = values[index]
                if !value.isNull || !column.isNullable {
                    row.set(column.id, of: column.type, to: value)
                }
                if column.id == definition.primaryKey { notePrimaryKey(value, of: key) }
            }
        }
    }

    private func notePrimaryKey(_ value: StoredValue, of key: Int64) {
        guard case .plain(let value) = value else { return }
        notePrimaryKey(value.indexKey, of: RowKey(rawValue: key))
        // The values of automatic keys are used once, as row keys are.
        if case .integer(let number) = value, definition.hasOwnKeys { raiseNextKey(above: number) }
    }

    fileprivate func setCollections(of rows: ChangeSet.Rows) {
        for column in definition.columns where column.collection != nil {
            guard let values = rows.columns[column.id] else { continue }
            for (index, key) in rows.keys.enumerated() where !values[index].isEmptyCollection {
                let row = RowKey(rawValue: key)
                guard let elements = mutableCollection(of: column.id, key: row) else { continue }
                elements.fill(values[index])
                settleSmallElements(of: column.id, key: row)
            }
        }
    }

    fileprivate func apply(_ cells: ChangeSet.Cells, _ column: ColumnID) {
        guard let definition = definition[column] else {
            preconditionFailure("Table \(definition.name) has no column \(column.rawValue).")
        }
        var (cluster, end) = (MutableCluster?.none, Int64.min)
        for (key, change) in zip(cells.rows, cells.changes) {
            guard case .value(_, let new) = change else {
                guard let elements = mutableCollection(of: column, key: RowKey(rawValue: key))
                else { missing(key) }
                elements.apply(change)
                continue
            }
            // The rows ascend, and no row is added: a cluster stays what it is.
            if cluster == nil || key >= end {
                guard let index = clusterIndex(covering: key) else { missing(key) }
                cluster = mutableCluster(at: index)
                end = index + 1 < clusterCount ? ownDirectory.firstKeys[index + 1] : .max
            }
            guard let cluster, let row = cluster.row(of: key) else { missing(key) }
            MutableRow(table: self, cluster: cluster, row: row).set(
                column, of: definition.type, to: new)
        }
    }

    private func missing(_ row: Int64) -> Never {
        preconditionFailure(
            "Table \(definition.name) has no row \(row), which the changes are about.")
    }
}

extension MutableStoredCollection {
    /// Adds the elements of a collection to this one, which has none.
    fileprivate func fill(_ value: StoredValue) {
        switch value {
        case .list(let elements):
            for element in elements { insert(element, at: count) }
        case .set(let elements): add(elements)
        case .map(let entries): for entry in entries { set(entry.value, forKey: entry.key) }
        case .plain, .mixed: preconditionFailure("A column of collections has collections.")
        }
    }

    func apply(_ change: CellChange) {
        switch change {
        case .list(let changes):
            precondition(
                changes.oldCount == count,
                "A list has \(count) elements, and the changes are those of \(changes.oldCount).")
            // From the end, so that the positions before stay right.
            for edit in changes.edits.reversed() { apply(edit) }
        case .set(let changes):
            for value in changes.removed {
                let place = find(value)
                if place.isFound { remove(place.index..<(place.index + 1)) }
            }
            add(changes.added)
        case .map(let changes):
            for entry in changes.entries { set(entry.new, forKey: entry.key) }
        case .value: preconditionFailure("A column of collections has collections.")
        }
    }

    private func apply(_ edit: ListChanges.Edit) {
        let common = min(edit.removed.count, edit.inserted.count)
        for offset in 0..<common { set(edit.inserted[offset], at: edit.position + offset) }
        let place = edit.position + common
        if edit.end > place { remove(place..<edit.end) }
        for (offset, value) in edit.inserted[common...].enumerated() {
            insert(value, at: place + offset)
        }
    }

    private func add(_ elements: ContiguousArray<StoredValue>) {
        for element in elements {
            let place = find(element)
            if !place.isFound { insert(element, at: place.index) }
        }
    }
}

extension StoredValue {
    fileprivate var isEmptyCollection: Bool {
        switch self {
        case .list(let elements), .set(let elements): elements.isEmpty
        case .map(let entries): entries.isEmpty
        case .plain, .mixed: false
        }
    }
}
