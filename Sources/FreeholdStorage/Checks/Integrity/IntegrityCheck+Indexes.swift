/// Checks indexes and links.
extension IntegrityCheck {
    mutating func checkIndex(of column: ColumnDefinition, _ table: SnapshotTable)
        throws(StorageError)
    {
        var expected = IndexChanges()
        if column.isFullText {
            let indexer = FullTextIndexer(column)
            for cluster in table.allClusters {
                progress?.add(CheckWork.index)
                for row in 0..<cluster.count {
                    indexer.change(
                        from: nil, to: IndexedRow(cluster: cluster, row: row, table: table),
                        rowKey: cluster.key(at: row).rawValue, &expected)
                }
            }
            return try compareIndex(of: column, table, with: expected)
        }
        for cluster in table.allClusters {
            progress?.add(CheckWork.index)
            for row in 0..<cluster.count {
                expected.append(
                    IndexKey(column, in: cluster, row: row, of: table),
                    rowKey: cluster.key(at: row).rawValue, isRemoval: false)
            }
        }
        try compareIndex(of: column, table, with: expected)
    }

    /// Compares an index with its expected contents, entry by entry in key order.
    mutating func compareIndex(
        of column: ColumnDefinition, _ table: SnapshotTable, with expected: consuming IndexChanges
    ) throws(StorageError) {
        let name = "The index of \(table.definition.name).\(column.name)"
        expected.finish()
        let prefix = IndexEntry.prefix(table.id, column.id)
        var cursor = try snapshot.transaction.cursor(.indexes)
        var entry = try prefix.withBytes { key throws(StorageError) in
            try cursor.seek(atOrAfter: key)
        }
        var found: [String] = []
        try expected.forEachValue { value, _, keys throws(StorageError) in
            let first = IndexEntry.prefix(table.id, column.id, value)
            var rest = keys[...]
            // Whether the first entry announces later ones, and the last row key found.
            var isFollowed = false
            var last: Int64?
            while !rest.isEmpty {
                guard found.isEmpty else { return }
                guard let current = entry, prefix.matches(current.key) else {
                    return found.append("\(name) has no entry for row \(rest.first ?? 0).")
                }
                let isLater = first.withUnsafeBytes { IndexEntry.isLater(current.key, than: $0) }
                guard isLater || current.key.elementsEqual(first) else {
                    return found.append(
                        """
                        \(name) does not describe row \(rest.first ?? 0): its entry has \
                        another value.
                        """)
                }
                let bound = isLater ? IndexEntry.bound(in: current.key) : nil
                if let bound {
                    guard let last else {
                        return found.append(
                            "\(name) has no first entry for the value of row \(rest.first ?? 0).")
                    }
                    guard isFollowed else {
                        return found.append(
                            "\(name) does not announce the entry of row \(rest.first ?? 0).")
                    }
                    guard bound > last else {
                        return found.append(
                            """
                            \(name) has an entry that begins before row \(last), which is \
                            in the one before.
                            """)
                    }
                } else {
                    isFollowed = IndexEntry.isFollowed(current.value)
                    if isFollowed, let total = IndexEntry.totalCount(ofFirst: current.value),
                        total != keys.count
                    {
                        return found.append(
                            """
                            \(name) says that \(total) rows have the value of row \
                            \(keys.first ?? 0); there are \(keys.count).
                            """)
                    }
                }
                var storedKeys = ContiguousArray<Int64>()
                guard IndexEntry.appendKeys(current.value, bound: bound, to: &storedKeys) else {
                    return found.append("\(name) has a damaged entry.")
                }
                guard rest.starts(with: storedKeys) else {
                    return found.append(
                        """
                        \(name) does not describe row \(rest.first ?? 0): it says \
                        \(storedKeys.first ?? 0).
                        """)
                }
                last = storedKeys.last
                rest = rest.dropFirst(storedKeys.count)
                if isFollowed, bound == nil, rest.isEmpty {
                    found.append(
                        "\(name) announces an entry behind row \(last ?? 0) that is not there.")
                }
                entry = try cursor.next()
            }
        }
        if found.isEmpty, let current = entry, prefix.matches(current.key) {
            found.append("\(name) has entries of rows that do not exist.")
        }
        found.forEach { report($0) }
    }

    mutating func checkLinks(of column: ColumnDefinition, _ table: SnapshotTable) {
        guard let target = column.target, snapshot.catalog[target] != nil else {
            return report(
                """
                Property \(table.definition.name).\(column.name) links to a table that \
                does not exist.
                """)
        }
        let targets = snapshot.table(target)
        for cluster in table.allClusters {
            progress?.add(CheckWork.links)
            let links = cluster.columns[column.id.position]
            for row in 0..<cluster.count where !links.isNull(at: row) {
                let key = RowKey(rawValue: links.integer(at: row))
                if targets.contains(key) { continue }
                report(
                    """
                    Property \(table.definition.name).\(column.name) of row \
                    \(cluster.key(at: row).rawValue) links to row \(key.rawValue), which \
                    does not exist.
                    """)
            }
        }
    }
}
