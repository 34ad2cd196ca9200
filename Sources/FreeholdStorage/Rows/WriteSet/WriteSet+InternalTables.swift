/// Tables that Freehold keeps for itself, as a change of the transaction.
extension WriteSet {
    /// Adds a table whose only column, ``TableDefinition/recordColumn``, has records of bytes.
    @discardableResult
    package func createRecordTable(named name: String) -> TableID {
        let id = createTable(named: name)
        let column = addColumn(
            to: id, named: "bytes", type: .bytes, isNullable: false, isIndexed: false)
        precondition(
            column == TableDefinition.recordColumn, "The first column of a table has the id 1.")
        return id
    }

    /// Removes records of a table whose rows the transaction does not read or change any more.
    ///
    /// Commits write records as clusters of their own (``RecordTable``), and such ones are removed
    /// without a look at them. O(records).
    package func removeRecords(_ keys: [Int64], of id: TableID) throws(StorageError) {
        if keys.isEmpty { return }
        guard tables[id]?.isChanged != true, try areClustersOfTheirOwn(keys, of: id) else {
            return try deleteRows(keys, of: id, areUnlinked: true)
        }
        removedRecords[id, default: []] += keys
    }

    private func areClustersOfTheirOwn(_ keys: [Int64], of id: TableID) throws(StorageError)
        -> Bool
    {
        for key in keys {
            let entry = try StorageKey.directory(id, firstKey: key).withBytes {
                bytes throws(StorageError) in
                try base.transaction.value(.directory, key: bytes).flatMap {
                    DirectoryEntry(decoding: $0, of: id, firstKey: key)
                }
            }
            guard let entry, entry.count == 1, entry.consecutiveFrom == key, entry.columnCount == 1
            else { return false }
        }
        return true
    }

    /// Drops a table with its rows, to which no class links.
    package func dropInternalTable(_ id: TableID) {
        catalog.tables.removeAll { $0.id == id }
        tables[id] = nil
        counters.layout &+= 1
    }
}
