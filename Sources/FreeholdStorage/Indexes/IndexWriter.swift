import Glibc

/// Applies gathered changes to one index, on the writer thread.
struct IndexWriter {
    let transaction: WriteTransaction
    let table: TableID
    let column: ColumnID
    let keysPerEntry: Int
    let path: String

    /// Writes all changes, in key order. O(values log entries).
    func apply(_ changes: inout IndexChanges) throws(StorageError) {
        let isNew = try !hasEntries()
        var buffer = ContiguousArray<UInt8>()
        try changes.forEachValue { value, removed, added throws(StorageError) in
            let prefix = IndexEntry.prefix(table, column, value)
            if isNew {
                try put(added[...], prefix, &buffer)
            } else {
                try merge(removed, added, prefix, &buffer)
            }
        }
    }

    /// Deletes every entry of the index.
    func deleteAll() throws(StorageError) {
        let prefix = IndexEntry.prefix(table, column, [])
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

    private func hasEntries() throws(StorageError) -> Bool {
        let prefix = IndexEntry.prefix(table, column, [])
        var cursor = try transaction.cursor(.indexes)
        guard let entry = try prefix.withBytes({ bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) }) else { return false }
        return prefix.matches(entry.key)
    }

    /// Writes row keys as entries of full size.
    private func put(
        _ keys: ArraySlice<Int64>, _ prefix: ContiguousArray<UInt8>, _ buffer: inout ContiguousArray<UInt8>
    ) throws(StorageError) {
        var rest = keys
        while let first = rest.first {
            let part = rest.prefix(keysPerEntry)
            rest = rest.dropFirst(keysPerEntry)
            IndexEntry.encode(part, into: &buffer)
            var key = prefix
            IndexEntry.append(rowKey: first, to: &key)
            let encoded = buffer
            try key.withBytes { key throws(StorageError) in
                try encoded.withBytes { value throws(StorageError) in try transaction.put(.indexes, key: key, value: value) }
            }
        }
    }

    /// Merges changes of one value, entry by entry: only entries that a change falls into are rewritten.
    private func merge(
        _ removed: ContiguousArray<Int64>, _ added: ContiguousArray<Int64>, _ prefix: ContiguousArray<UInt8>,
        _ buffer: inout ContiguousArray<UInt8>
    ) throws(StorageError) {
        var removed = removed[...]
        var added = added[...]
        while let next = [removed.first, added.first].compactMap({ $0 }).min() {
            let (old, end) = try entry(for: next, prefix)
            let newKeys: ContiguousArray<Int64>
            if old.isEmpty {
                let upTo = added.prefix { end == nil || $0 < end.unsafelyUnwrapped }
                guard removed.first.map({ end != nil && $0 >= end.unsafelyUnwrapped }) ?? true else { throw damaged }
                newKeys = ContiguousArray(upTo)
                added = added.dropFirst(upTo.count)
            } else {
                let addedHere = added.prefix { end == nil || $0 < end.unsafelyUnwrapped }
                let removedHere = removed.prefix { end == nil || $0 < end.unsafelyUnwrapped }
                added = added.dropFirst(addedHere.count)
                removed = removed.dropFirst(removedHere.count)
                guard let combined = combine(old, removing: removedHere, adding: addedHere) else { throw damaged }
                newKeys = combined
            }
            if let first = old.first, newKeys.isEmpty || first != newKeys.first || newKeys.count > keysPerEntry {
                var key = prefix
                IndexEntry.append(rowKey: first, to: &key)
                try key.withBytes { key throws(StorageError) in _ = try transaction.delete(.indexes, key: key) }
            }
            try put(newKeys[...], prefix, &buffer)
        }
    }

    /// The row keys of the entry that a row key belongs to (empty where the value has none), and the first key of the entry behind it.
    private func entry(for rowKey: Int64, _ prefix: ContiguousArray<UInt8>) throws(StorageError) -> (ContiguousArray<Int64>, Int64?) {
        var sought = prefix
        IndexEntry.append(rowKey: rowKey, to: &sought)
        var cursor = try transaction.cursor(.indexes)
        func belongs(_ entry: Entry?) -> Entry? {
            guard let entry, entry.key.count == prefix.count + IndexEntry.suffixSize, prefix.matches(entry.key) else { return nil }
            return entry
        }
        func keys(_ entry: Entry) throws(StorageError) -> ContiguousArray<Int64> {
            var keys = ContiguousArray<Int64>()
            guard IndexEntry.appendKeys(entry.value, first: StorageKey.rowKey(in: entry.key, at: prefix.count), to: &keys) else { throw damaged }
            return keys
        }
        let after = belongs(try sought.withBytes { bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) })
        if let after, StorageKey.rowKey(in: after.key, at: prefix.count) == rowKey {
            let found = try keys(after)
            let next = belongs(try cursor.next())
            return (found, next.map { StorageKey.rowKey(in: $0.key, at: prefix.count) })
        }
        let afterKey = after.map { StorageKey.rowKey(in: $0.key, at: prefix.count) }
        // Where the seek ran off the end the cursor stands nowhere, and the last entry is the one before.
        let before: Entry? = if after == nil { try entryBefore(sought) } else { belongs(try cursor.previous()) }
        if let before = belongs(before) { return (try keys(before), afterKey) }
        if after != nil {
            // In front of all: the first entry takes it.
            guard let first = belongs(try sought.withBytes({ bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) })) else { throw damaged }
            let found = try keys(first)
            let next = belongs(try cursor.next())
            return (found, next.map { StorageKey.rowKey(in: $0.key, at: prefix.count) })
        }
        return ([], nil)
    }

    private func entryBefore(_ key: ContiguousArray<UInt8>) throws(StorageError) -> Entry? {
        var cursor = try transaction.cursor(.indexes)
        return try key.withBytes { bytes throws(StorageError) in try cursor.seek(atOrBefore: bytes) }
    }

    /// Nil where a removed key is not there or an added one is: the index does not describe the rows.
    private func combine(
        _ old: ContiguousArray<Int64>, removing: ArraySlice<Int64>, adding: ArraySlice<Int64>
    ) -> ContiguousArray<Int64>? {
        var result = ContiguousArray<Int64>()
        result.reserveCapacity(old.count + adding.count)
        var removing = removing
        var adding = adding
        for key in old {
            while let new = adding.first, new < key {
                result.append(new)
                adding.removeFirst()
            }
            if removing.first == key {
                removing.removeFirst()
                continue
            }
            if adding.first == key { return nil }
            result.append(key)
        }
        guard removing.isEmpty else { return nil }
        result.append(contentsOf: adding)
        return result
    }

    private var damaged: StorageError {
        StorageError(
            .corrupted, "The index of table \(table.rawValue), column \(column.rawValue) does not describe its rows. Restore the file from a backup.",
            path: path)
    }
}
