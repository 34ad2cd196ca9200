/// Applies collected changes to one index, on the committing thread.
struct IndexWriter: ~Copyable {
    private let transaction: WriteTransaction
    private let table: TableID
    private let column: ColumnID
    private let keysPerEntry: Int
    private let path: String
    private var cursor: Cursor
    /// Whether the cursor is at an entry, so that the next one may be the sought one.
    private var isAtEntry = false
    // Reused from value to value.
    /// The key of the current value's first entry, with room for a bound after it.
    private var key = ScratchBuffer<UInt8>(capacity: 512)
    private var firstKeyLength = 0
    /// The current value's number of row keys, including the changes merged so far.
    private var total = 0
    private var value = ScratchBuffer<UInt8>(capacity: 4096)
    private var old = ScratchBuffer<Int64>(capacity: 1024)
    private var new = ScratchBuffer<Int64>(capacity: 1024)

    init(
        _ transaction: WriteTransaction, _ table: TableID, _ column: ColumnID, keysPerEntry: Int,
        path: String
    ) throws(StorageError) {
        precondition(
            1...IndexEntry.maximumCount ~= keysPerEntry,
            "An index entry has 1 to \(IndexEntry.maximumCount) row keys.")
        self.transaction = transaction
        self.table = table
        self.column = column
        self.keysPerEntry = keysPerEntry
        self.path = path
        cursor = try transaction.cursor(.indexes)
        IndexEntry.prefix(table, column).withUnsafeBytes { key.append(contentsOf: $0) }
    }

    /// Writes all changes, in key order. O(values log entries), or O(values) if the values are
    /// adjacent.
    mutating func apply(_ changes: borrowing IndexChanges) throws(StorageError) {
        let prefix = IndexEntry.prefix(table, column)
        let isNew = try !prefix.withBytes { bytes throws(StorageError) in
            try cursor.seek(atOrAfter: bytes).map { prefix.matches($0.key) } ?? false
        }
        try changes.forEachValue { value, removed, added throws(StorageError) in
            key.truncate(to: IndexEntry.prefixSize)
            key.append(contentsOf: value)
            firstKeyLength = key.count
            if isNew {
                total = added.count
                try put(added, at: .first, isFollowed: false)
            } else {
                try merge(removed, added)
            }
        }
    }

    /// The place of an entry among those of its value.
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

    /// The key of the current value's first entry. Valid until the next key is made.
    private var unsafeFirstKey: UnsafeRawBufferPointer {
        @inline(__always) get {
            UnsafeRawBufferPointer(rebasing: key.unsafeBytes[..<firstKeyLength])
        }
    }

    /// The key of the current value's entry at a place. Valid until the next key is made.
    @inline(__always)
    private mutating func unsafeKey(of place: Place) -> UnsafeRawBufferPointer {
        key.truncate(to: firstKeyLength)
        if let bound = place.bound { IndexEntry.append(bound: bound, to: &key) }
        return key.unsafeBytes
    }

    /// Finds the first entry of the current value. It costs one step if that directly follows
    /// the last written entry, else a descent.
    @inline(__always)
    private mutating func findFirst() throws(StorageError) -> Entry? {
        if isAtEntry, let next = try cursor.next(),
            ByteComparison.areEqual(next.key, unsafeFirstKey)
        {
            return next
        }
        let found = try cursor.seek(exactly: unsafeFirstKey)
        isAtEntry = found != nil
        return found
    }

    /// Writes row keys as full entries, the first of them at a place.
    ///
    /// - Parameter isFollowed: Whether more entries of the value follow.
    private mutating func put(_ keys: UnsafeBufferPointer<Int64>, at place: Place, isFollowed: Bool)
        throws(StorageError)
    {
        var start = 0
        var place = place
        while start < keys.count {
            let end = min(start + keysPerEntry, keys.count)
            let part = UnsafeBufferPointer(rebasing: keys[start..<end])
            let isFirst = place.bound == nil
            let saysTotal = isFirst && (isFollowed || end < keys.count)
            if saysTotal, total <= part.count { throw damaged }
            IndexEntry.encode(
                part, bound: place.bound, total: saysTotal ? total : nil, into: &value)
            try cursor.put(key: unsafeKey(of: place), value: value.unsafeBytes)
            isAtEntry = true
            start = end
            if end < keys.count { place = .later(bound: keys[end]) }
        }
    }

    private mutating func delete(_ place: Place) throws(StorageError) {
        isAtEntry = false
        try transaction.delete(.indexes, key: unsafeKey(of: place))
    }

    /// Merges changes of one value, which nearly always has only a first entry.
    @inline(__always)
    private mutating func merge(
        _ removed: UnsafeBufferPointer<Int64>, _ added: UnsafeBufferPointer<Int64>
    ) throws(StorageError) {
        let first = try findFirst()
        if let first, IndexEntry.isFollowed(first.value) {
            guard let stored = IndexEntry.totalCount(ofFirst: first.value) else { throw damaged }
            total = stored
            try mergeEntries(removed[...], added[...])
            return try updateTotal()
        }
        old.removeAll()
        if let first, !IndexEntry.appendKeys(first.value, bound: nil, to: &old) { throw damaged }
        try combine(removed, added)
        total = new.count
        if !new.isEmpty { return try put(new.unsafeElements, at: .first, isFollowed: false) }
        if first != nil {
            isAtEntry = false
            try cursor.deleteFound()
        }
    }

    /// Merges changes of one value, entry by entry. It rewrites only the entries that contain
    /// changes, and the first one if the number of row keys changes.
    private mutating func mergeEntries(
        _ removed: Slice<UnsafeBufferPointer<Int64>>, _ added: Slice<UnsafeBufferPointer<Int64>>
    ) throws(StorageError) {
        var removed = removed
        var added = added
        while !removed.isEmpty || !added.isEmpty {
            let next = min(removed.first ?? .max, added.first ?? .max)
            let loaded = try load(entryFor: next)
            let place = loaded.place
            var end = loaded.end
            try combine(&removed, &added, below: end)
            if case .first = place {
                let isStored = !old.isEmpty
                // If the first entry has no rows left, the next one becomes the first.
                while new.isEmpty, let bound = end {
                    end = try load(at: bound)
                    try delete(.later(bound: bound))
                    try combine(&removed, &added, below: end)
                }
                if new.isEmpty, isStored { try delete(.first) }
            } else if new.isEmpty {
                try delete(place)
                if end == nil { try endFirst(before: place) }
            }
            try put(new.unsafeElements, at: place, isFollowed: end != nil)
        }
    }

    /// Loads into `old` the row keys of the entry for a row key: the last one whose bound is
    /// not above it, or the first one. Returns its place, and the bound of the next entry. A
    /// value without entries counts as an empty first one.
    private mutating func load(entryFor rowKey: Int64) throws(StorageError) -> (
        place: Place, end: Int64?
    ) {
        old.removeAll()
        guard let first = try cursor.seek(exactly: unsafeFirstKey) else { return (.first, nil) }
        guard IndexEntry.isFollowed(first.value) else {
            guard IndexEntry.appendKeys(first.value, bound: nil, to: &old) else { throw damaged }
            return (.first, nil)
        }
        guard let second = try bound(of: cursor.next()) else { throw damaged }
        if rowKey < second {
            guard IndexEntry.appendKeys(first.value, bound: nil, to: &old) else { throw damaged }
            return (.first, second)
        }
        guard
            let found = try bound(of: cursor.seek(atOrBefore: unsafeKey(of: .later(bound: rowKey))))
        else { throw damaged }
        return (.later(bound: found), try load(at: found))
    }

    /// Loads into `old` the row keys of a later entry, and returns the bound of the entry after
    /// it.
    private mutating func load(at bound: Int64) throws(StorageError) -> Int64? {
        old.removeAll()
        guard let entry = try cursor.seek(exactly: unsafeKey(of: .later(bound: bound))),
            IndexEntry.appendKeys(entry.value, bound: bound, to: &old)
        else { throw damaged }
        return try self.bound(of: cursor.next())
    }

    /// The bound of a later entry of the value; nil for any other entry.
    private func bound(of entry: Entry?) -> Int64? {
        guard let entry, IndexEntry.isLater(entry.key, than: unsafeFirstKey) else { return nil }
        return IndexEntry.bound(in: entry.key)
    }

    /// After the last entry of a value was deleted: updates the first entry if it is the only
    /// one left.
    private mutating func endFirst(before place: Place) throws(StorageError) {
        guard let last = try cursor.seek(atOrBefore: unsafeKey(of: place)) else { throw damaged }
        if bound(of: last) != nil { return }
        guard ByteComparison.areEqual(last.key, unsafeFirstKey) else { throw damaged }
        guard IndexEntry.totalCount(ofFirst: last.value) != nil else { throw damaged }
        IndexEntry.encode(ending: last.value, into: &value)
        try cursor.put(key: unsafeFirstKey, value: value.unsafeBytes)
    }

    /// After changes to a value of several entries: corrects the total in the first entry, if
    /// it exists.
    private mutating func updateTotal() throws(StorageError) {
        guard let first = try cursor.seek(exactly: unsafeFirstKey) else {
            if total == 0 { return }
            throw damaged
        }
        guard let written = IndexEntry.totalCount(ofFirst: first.value) else { throw damaged }
        if written == total { return }
        guard IndexEntry.isFollowed(first.value), total > IndexEntry.count(first.value) else {
            throw damaged
        }
        value.removeAll()
        value.append(contentsOf: first.value)
        IndexEntry.setTotalCount(total, in: value)
        try cursor.put(key: unsafeFirstKey, value: value.unsafeBytes)
    }

    /// As ``combine(_:_:)``, for the changes below `end`, which it consumes and counts.
    private mutating func combine(
        _ removed: inout Slice<UnsafeBufferPointer<Int64>>,
        _ added: inout Slice<UnsafeBufferPointer<Int64>>, below end: Int64?
    ) throws(StorageError) {
        let removing = end.map { end in removed.prefix { $0 < end } } ?? removed
        let adding = end.map { end in added.prefix { $0 < end } } ?? added
        removed = removed.dropFirst(removing.count)
        added = added.dropFirst(adding.count)
        try combine(UnsafeBufferPointer(rebasing: removing), UnsafeBufferPointer(rebasing: adding))
        total += new.count - old.count
    }

    /// Makes `new` from `old` and changes. Throws if a removed key is missing or an added one
    /// exists: then the index does not match the rows.
    @inline(__always)
    private mutating func combine(
        _ removed: UnsafeBufferPointer<Int64>, _ added: UnsafeBufferPointer<Int64>
    ) throws(StorageError) {
        new.removeAll()
        new.reserve(old.count + added.count)
        var nextRemoved = 0
        var nextAdded = 0
        var end = new.unsafeStart
        for key in old.unsafeElements {
            while nextAdded < added.count, added[nextAdded] < key {
                end.pointee = added[nextAdded]
                end += 1
                nextAdded &+= 1
            }
            if nextRemoved < removed.count, removed[nextRemoved] == key {
                nextRemoved &+= 1
                continue
            }
            if nextAdded < added.count, added[nextAdded] == key { throw damaged }
            end.pointee = key
            end += 1
        }
        guard nextRemoved == removed.count else { throw damaged }
        new.unsafeTake(end - new.unsafeStart)
        new.append(contentsOf: UnsafeBufferPointer(rebasing: added[nextAdded...]))
    }

    private var damaged: StorageError {
        StorageError.damaged(
            """
            The index of table \(table.rawValue), column \(column.rawValue) does not \
            describe its rows.
            """, path: path)
    }
}
