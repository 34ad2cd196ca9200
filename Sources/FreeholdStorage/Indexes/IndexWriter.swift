/// Applies gathered changes to one index, on the writer thread.
struct IndexWriter: ~Copyable {
    private let transaction: WriteTransaction
    private let table: TableID
    private let column: ColumnID
    private let keysPerEntry: Int
    private let path: String
    // Reused from value to value.
    private var key = ContiguousArray<UInt8>()
    private var value = ContiguousArray<UInt8>()
    private var old = ContiguousArray<Int64>()
    private var new = ContiguousArray<Int64>()

    init(_ transaction: WriteTransaction, _ table: TableID, _ column: ColumnID, keysPerEntry: Int, path: String) {
        self.transaction = transaction
        self.table = table
        self.column = column
        self.keysPerEntry = keysPerEntry
        self.path = path
    }

    /// Writes all changes, in key order. O(values log entries).
    mutating func apply(_ changes: IndexChanges) throws(StorageError) {
        let prefix = IndexEntry.prefix(table, column)
        var cursor = try transaction.cursor(.indexes)
        let isNew = try !prefix.withBytes { bytes throws(StorageError) in
            try cursor.seek(atOrAfter: bytes).map { prefix.matches($0.key) } ?? false
        }
        try changes.forEachValue { value, removed, added throws(StorageError) in
            let prefix = IndexEntry.prefix(table, column, value)
            if isNew {
                try put(added, bound: nil, prefix)
            } else {
                try merge(removed, added, prefix, &cursor)
            }
        }
    }

    /// Deletes every entry of the index. O(entries).
    func deleteAll() throws(StorageError) {
        let prefix = IndexEntry.prefix(table, column)
        while true {
            var doomed: [ContiguousArray<UInt8>] = []
            do {
                var cursor = try transaction.cursor(.indexes)
                var entry = try prefix.withBytes { bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) }
                while let current = entry, prefix.matches(current.key), doomed.count < 10_000 {
                    doomed.append(ContiguousArray(current.key))
                    entry = try cursor.next()
                }
            }
            if doomed.isEmpty { return }
            for key in doomed { try key.withBytes { bytes throws(StorageError) in _ = try transaction.delete(.indexes, key: bytes) } }
        }
    }

    /// Writes row keys as entries of full size; the first keeps the bound that it has, if any.
    private mutating func put(_ keys: ArraySlice<Int64>, bound: Int64?, _ prefix: ContiguousArray<UInt8>) throws(StorageError) {
        var rest = keys
        var bound = bound
        while let first = rest.first {
            let part = rest.prefix(keysPerEntry)
            rest = rest.dropFirst(keysPerEntry)
            IndexEntry.encode(part, bound: bound ?? first, into: &value)
            setKey(prefix, bound: bound ?? first)
            try key.withBytes { key throws(StorageError) in
                try value.withBytes { value throws(StorageError) in try transaction.put(.indexes, key: key, value: value) }
            }
            bound = nil
        }
    }

    private mutating func setKey(_ prefix: ContiguousArray<UInt8>, bound: Int64) {
        key.removeAll(keepingCapacity: true)
        key.append(contentsOf: prefix)
        IndexEntry.append(bound: bound, to: &key)
    }

    /// Merges changes of one value, entry by entry: only entries that a change falls into are rewritten.
    private mutating func merge(
        _ removed: ArraySlice<Int64>, _ added: ArraySlice<Int64>, _ prefix: ContiguousArray<UInt8>, _ cursor: inout Cursor
    ) throws(StorageError) {
        var removed = removed
        var added = added
        while !removed.isEmpty || !added.isEmpty {
            let next = min(removed.first ?? .max, added.first ?? .max)
            let (bound, end) = try load(entryFor: next, prefix, &cursor)
            let removedHere = removed.prefix { end == nil || $0 < end.unsafelyUnwrapped }
            let addedHere = added.prefix { end == nil || $0 < end.unsafelyUnwrapped }
            removed = removed.dropFirst(removedHere.count)
            added = added.dropFirst(addedHere.count)
            try combine(removing: removedHere, adding: addedHere)
            if let bound, new.isEmpty || new[0] < bound {
                setKey(prefix, bound: bound)
                try key.withBytes { key throws(StorageError) in _ = try transaction.delete(.indexes, key: key) }
            }
            let kept = new[...]
            try put(kept, bound: bound.flatMap { bound in kept.first.map { $0 < bound ? $0 : bound } }, prefix)
        }
    }

    /// Loads into `old` the row keys of the entry that a row key belongs to: the last one whose bound is not above it, or the first
    /// one. Answers its bound, nil where the value has no entry, and the bound of the entry behind it.
    private mutating func load(
        entryFor rowKey: Int64, _ prefix: ContiguousArray<UInt8>, _ cursor: inout Cursor
    ) throws(StorageError) -> (bound: Int64?, end: Int64?) {
        old.removeAll(keepingCapacity: true)
        // Most values have one entry: the first is found first, and the one behind it tells whether there are more.
        guard var entry = try belonging(to: prefix, prefix.withBytes { bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) })
        else { return (nil, nil) }
        var bound = IndexEntry.bound(in: entry.key)
        var following = try belonging(to: prefix, cursor.next())
        if let second = following, IndexEntry.bound(in: second.key) <= rowKey {
            setKey(prefix, bound: rowKey)
            let sought = key
            var found = try belonging(to: prefix, sought.withBytes { bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) })
            if found.map({ IndexEntry.bound(in: $0.key) != rowKey }) ?? true {
                found = try belonging(to: prefix, sought.withBytes { bytes throws(StorageError) in try cursor.seek(atOrBefore: bytes) })
            }
            guard let found else { throw damaged }
            entry = found
            bound = IndexEntry.bound(in: found.key)
            guard IndexEntry.appendKeys(entry.value, bound: bound, to: &old) else { throw damaged }
            following = try belonging(to: prefix, cursor.next())
        } else {
            guard IndexEntry.appendKeys(entry.value, bound: bound, to: &old) else { throw damaged }
        }
        return (bound, following.map { IndexEntry.bound(in: $0.key) })
    }

    private func belonging(to prefix: ContiguousArray<UInt8>, _ entry: Entry?) -> Entry? {
        guard let entry, entry.key.count == prefix.count + IndexEntry.suffixSize, prefix.matches(entry.key) else { return nil }
        return entry
    }

    /// Makes `new` from `old`. Throws where a removed key is not there or an added one is: then the index does not describe the rows.
    private mutating func combine(removing: ArraySlice<Int64>, adding: ArraySlice<Int64>) throws(StorageError) {
        new.removeAll(keepingCapacity: true)
        var removed = removing.startIndex
        var added = adding.startIndex
        for key in old {
            while added < adding.endIndex, adding[added] < key {
                new.append(adding[added])
                added += 1
            }
            if removed < removing.endIndex, removing[removed] == key {
                removed += 1
                continue
            }
            if added < adding.endIndex, adding[added] == key { throw damaged }
            new.append(key)
        }
        guard removed == removing.endIndex else { throw damaged }
        new.append(contentsOf: adding[added...])
    }

    private var damaged: StorageError {
        StorageError(
            .corrupted, "The index of table \(table.rawValue), column \(column.rawValue) does not describe its rows. Restore the file from a backup.",
            path: path)
    }
}
