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
        precondition(1...IndexEntry.maximumCount ~= keysPerEntry, "An index entry has 1 to \(IndexEntry.maximumCount) row keys.")
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
                try put(added, at: .first, isFollowed: false, prefix)
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

    /// Where an entry stands among those of its value.
    private enum Place {
        case first
        case later(bound: Int64)

        var bound: Int64? {
            switch self {
            case .first: nil
            case .later(let bound): bound
            }
        }
    }

    /// Writes row keys as entries of full size, of which the first one stands at a place.
    ///
    /// - Parameter isFollowed: Whether entries of the value follow behind these.
    private mutating func put(
        _ keys: ArraySlice<Int64>, at place: Place, isFollowed: Bool, _ prefix: ContiguousArray<UInt8>
    ) throws(StorageError) {
        var rest = keys
        var place = place
        while !rest.isEmpty {
            let part = rest.prefix(keysPerEntry)
            rest = rest.dropFirst(keysPerEntry)
            let isFirst = place.bound == nil
            IndexEntry.encode(part, bound: place.bound, isFollowed: isFirst && (isFollowed || !rest.isEmpty), into: &value)
            setKey(prefix, place)
            try key.withBytes { key throws(StorageError) in
                try value.withBytes { value throws(StorageError) in try transaction.put(.indexes, key: key, value: value) }
            }
            if let next = rest.first { place = .later(bound: next) }
        }
    }

    private mutating func setKey(_ prefix: ContiguousArray<UInt8>, _ place: Place) {
        key.removeAll(keepingCapacity: true)
        key.append(contentsOf: prefix)
        if let bound = place.bound { IndexEntry.append(bound: bound, to: &key) }
    }

    private mutating func delete(_ place: Place, _ prefix: ContiguousArray<UInt8>) throws(StorageError) {
        setKey(prefix, place)
        try key.withBytes { key throws(StorageError) in _ = try transaction.delete(.indexes, key: key) }
    }

    /// Merges changes of one value, entry by entry: only entries that a change falls into are rewritten, and the first one where
    /// it gets its first follower or loses its last.
    private mutating func merge(
        _ removed: ArraySlice<Int64>, _ added: ArraySlice<Int64>, _ prefix: ContiguousArray<UInt8>, _ cursor: inout Cursor
    ) throws(StorageError) {
        var removed = removed
        var added = added
        while !removed.isEmpty || !added.isEmpty {
            let next = min(removed.first ?? .max, added.first ?? .max)
            let loaded = try load(entryFor: next, prefix, &cursor)
            let place = loaded.place
            var end = loaded.end
            try combine(&removed, &added, below: end)
            if case .first = place {
                let isStored = !old.isEmpty
                // Where the first entry has no rows left, the one behind it becomes the first.
                while new.isEmpty, let bound = end {
                    end = try load(at: bound, prefix, &cursor)
                    try delete(.later(bound: bound), prefix)
                    try combine(&removed, &added, below: end)
                }
                if new.isEmpty, isStored { try delete(.first, prefix) }
            } else if new.isEmpty {
                try delete(place, prefix)
                if end == nil { try endFirst(before: place, prefix, &cursor) }
            }
            try put(new[...], at: place, isFollowed: end != nil, prefix)
        }
    }

    /// Loads into `old` the row keys of the entry that a row key belongs to: the last one whose bound is not above it, or the first
    /// one. Answers its place, and the bound of the entry behind it. A value without entries has an empty first one.
    private mutating func load(
        entryFor rowKey: Int64, _ prefix: ContiguousArray<UInt8>, _ cursor: inout Cursor
    ) throws(StorageError) -> (place: Place, end: Int64?) {
        old.removeAll(keepingCapacity: true)
        guard let first = try prefix.withBytes({ bytes throws(StorageError) in try cursor.seek(exactly: bytes) }) else { return (.first, nil) }
        guard IndexEntry.isFollowed(first.value) else {
            guard IndexEntry.appendKeys(first.value, bound: nil, to: &old) else { throw damaged }
            return (.first, nil)
        }
        guard let second = try bound(of: cursor.next(), prefix) else { throw damaged }
        if rowKey < second {
            guard IndexEntry.appendKeys(first.value, bound: nil, to: &old) else { throw damaged }
            return (.first, second)
        }
        setKey(prefix, .later(bound: rowKey))
        guard let found = try bound(of: key.withBytes { bytes throws(StorageError) in try cursor.seek(atOrBefore: bytes) }, prefix) else { throw damaged }
        return (.later(bound: found), try load(at: found, prefix, &cursor))
    }

    /// Loads into `old` the row keys of a later entry, and answers the bound of the entry behind it.
    private mutating func load(at bound: Int64, _ prefix: ContiguousArray<UInt8>, _ cursor: inout Cursor) throws(StorageError) -> Int64? {
        old.removeAll(keepingCapacity: true)
        setKey(prefix, .later(bound: bound))
        guard let entry = try key.withBytes({ bytes throws(StorageError) in try cursor.seek(exactly: bytes) }),
            IndexEntry.appendKeys(entry.value, bound: bound, to: &old)
        else { throw damaged }
        return try self.bound(of: cursor.next(), prefix)
    }

    /// The bound of a later entry of the value; nil for any other entry.
    private func bound(of entry: Entry?, _ prefix: ContiguousArray<UInt8>) -> Int64? {
        guard let entry, prefix.withUnsafeBytes({ IndexEntry.isLater(entry.key, than: $0) }) else { return nil }
        return IndexEntry.bound(in: entry.key)
    }

    /// After the last entry of a value was deleted: where only the first one is left, it must say so.
    private mutating func endFirst(before place: Place, _ prefix: ContiguousArray<UInt8>, _ cursor: inout Cursor) throws(StorageError) {
        setKey(prefix, place)
        guard let last = try key.withBytes({ bytes throws(StorageError) in try cursor.seek(atOrBefore: bytes) }) else { throw damaged }
        if bound(of: last, prefix) != nil { return }
        guard last.key.count == prefix.count, prefix.matches(last.key), last.value.count > 2 else { throw damaged }
        value.removeAll(keepingCapacity: true)
        value.append(contentsOf: last.value)
        IndexEntry.setFollowed(false, in: &value)
        try prefix.withBytes { key throws(StorageError) in
            try value.withBytes { value throws(StorageError) in try transaction.put(.indexes, key: key, value: value) }
        }
    }

    /// Makes `new` from `old` and the changes below `end`, which it takes. Throws where a removed key is not there or an added one is:
    /// then the index does not describe the rows.
    private mutating func combine(
        _ allRemoved: inout ArraySlice<Int64>, _ allAdded: inout ArraySlice<Int64>, below end: Int64?
    ) throws(StorageError) {
        let removing = end.map { end in allRemoved.prefix { $0 < end } } ?? allRemoved
        let adding = end.map { end in allAdded.prefix { $0 < end } } ?? allAdded
        allRemoved = allRemoved.dropFirst(removing.count)
        allAdded = allAdded.dropFirst(adding.count)
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
