/// A bound of a range of values in an index.
package enum IndexBound: Sendable {
    case unbounded
    case including(IndexKey)
    case excluding(IndexKey)
}

/// Reads one ordered index at one version.
///
/// Values are compared in their index encoding (``IndexKey``), whose bytes sort like the
/// values; null comes first. Row keys ascend inside one value.
package struct IndexReader {
    package let transaction: ReadTransaction
    package let table: TableID
    package let column: ColumnID

    package init(transaction: ReadTransaction, table: TableID, column: ColumnID) {
        self.transaction = transaction
        self.table = table
        self.column = column
    }

    /// The number of rows with this value. One look-up.
    package func count(equalTo value: IndexKey) throws(StorageError) -> Int {
        try IndexEntry.prefix(table, column, value.bytes).withBytes { key throws(StorageError) in
            try transaction.countOfIndexed(key)
        }
    }

    /// The number of rows with this text; nil if it needs an `IndexKey` (long, or with zero
    /// bytes). As ``count(equalTo:)``, but the key is built on the stack: a single look-up
    /// takes a quarter of the time.
    package func count(equalToPlain text: [UInt8]) throws(StorageError) -> Int? {
        try Self.count(equalToPlain: text, table, column, transaction)
    }

    /// As ``count(equalToPlain:)``, for callers without a reader, to avoid creating one and the
    /// retains that it costs.
    static func count(
        equalToPlain text: [UInt8], _ table: TableID, _ column: ColumnID,
        _ transaction: ReadTransaction
    ) throws(StorageError) -> Int? {
        var result: Result<Int?, StorageError> = .success(nil)
        // Raw bytes from here on: an array's iterator, or a closure that captures the array,
        // would retain it. The same is true of the transaction, which the caller retains.
        let unsafeTransaction = Unmanaged.passUnretained(transaction)
        text.withUnsafeBytes { text in
            guard text.count <= IndexKey.longestWholeValue else { return }
            if text.hasZero { return }
            withUnsafeTemporaryAllocation(
                byteCount: IndexEntry.prefixSize + text.count + 3, alignment: 8
            ) { sought in
                let start = sought.baseAddress.unsafelyUnwrapped
                start.storeBytes(of: table.rawValue.bigEndian, as: UInt32.self)
                start.storeBytes(of: column.rawValue.bigEndian, toByteOffset: 4, as: UInt16.self)
                start.storeBytes(of: 1, toByteOffset: 6, as: UInt8.self)
                if let bytes = text.baseAddress {
                    (start + 7).copyMemory(from: bytes, byteCount: text.count)
                }
                start.storeBytes(of: 0, toByteOffset: sought.count - 2, as: UInt16.self)
                result = unsafeTransaction._withUnsafeGuaranteedRef { transaction in
                    Result { () throws(StorageError) in
                        try transaction.countOfIndexed(UnsafeRawBufferPointer(sought))
                    }
                }
            }
        }
        return try result.get()
    }

    /// Whether a row has this value. O(log entries + the row keys of one entry).
    func contains(_ value: IndexKey, _ rowKey: Int64) throws(StorageError) -> Bool {
        let prefix = IndexEntry.prefix(table, column, value.bytes)
        var keys: [Int64] = []
        try prefix.withBytes { first throws(StorageError) in
            guard let entry = try transaction.value(.indexes, key: first) else { return }
            guard IndexEntry.appendKeys(entry, bound: nil, to: &keys) else { throw damaged }
            guard IndexEntry.isFollowed(entry), rowKey > keys[keys.count - 1] else { return }
            var sought = prefix
            withUnsafeBytes(of: IndexEntry.bytes(ofBound: rowKey)) { sought.append(contentsOf: $0) }
            var cursor = try transaction.cursor(.indexes)
            let later = try sought.withBytes { sought throws(StorageError) in
                try cursor.seek(atOrBefore: sought)
            }
            guard let later, IndexEntry.isLater(later.key, than: first) else { return }
            keys.removeAll(keepingCapacity: true)
            guard
                IndexEntry.appendKeys(
                    later.value, bound: IndexEntry.bound(in: later.key), to: &keys)
            else { throw damaged }
        }
        return keys.contains(rowKey)
    }

    /// Appends the row keys with this value, ascending.
    package func appendKeys(equalTo value: IndexKey, to keys: inout [Int64]) throws(StorageError) {
        var result = keys
        keys = []
        defer { keys = result }
        try forEachEntry(equalTo: value) { bound, entry throws(StorageError) in
            guard IndexEntry.appendKeys(entry, bound: bound, to: &result) else { throw damaged }
            return true
        }
    }

    /// Appends the row keys with a value in a range: in the order of values, ascending inside
    /// each value. Nulls are below every value.
    package func appendKeys(from lower: IndexBound, to upper: IndexBound, to keys: inout [Int64])
        throws(StorageError)
    {
        var result = keys
        keys = []
        defer { keys = result }
        try forEachEntry(from: lower, to: upper) { bound, entry throws(StorageError) in
            guard IndexEntry.appendKeys(entry, bound: bound, to: &result) else { throw damaged }
            return true
        }
    }

    // MARK: Walking

    private var damaged: StorageError { transaction.damagedIndex(table, column) }

    /// Calls `body` with the bound and the bytes of each entry of one value; the first entry
    /// has no bound.
    private func forEachEntry(
        equalTo value: IndexKey,
        _ body: (Int64?, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try IndexEntry.prefix(table, column, value.bytes).withBytes { key throws(StorageError) in
            guard let first = try transaction.value(.indexes, key: key) else { return }
            guard try body(nil, first), IndexEntry.isFollowed(first) else { return }
            try transaction.forEachLaterEntry(ofIndexed: key, body)
        }
    }

    /// As ``forEachEntry(equalTo:_:)``, for the values of a range. The walk begins at the first
    /// entry of a value.
    private func forEachEntry(
        from lower: IndexBound, to upper: IndexBound,
        _ body: (Int64?, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let all = IndexEntry.prefix(table, column)
        let (start, skipped) = start(of: lower)
        var cursor = try transaction.cursor(.indexes)
        var entry = try start.withBytes { bytes throws(StorageError) in
            try cursor.seek(atOrAfter: bytes)
        }
        // The key of the first entry of the current value. Its memory is stable while the
        // transaction lives.
        var first = UnsafeRawBufferPointer(start: nil, count: 0)
        var isFollowed = false
        var isSkipped = false
        // Whether the first entry announced a later one that has not been seen yet.
        var mustFollow = false
        while let current = entry, all.matches(current.key) {
            if IndexEntry.isLater(current.key, than: first) {
                guard isFollowed else { throw damaged }
                mustFollow = false
                if !isSkipped {
                    guard try body(IndexEntry.bound(in: current.key), current.value) else { return }
                }
            } else {
                if mustFollow { throw damaged }
                let value = UnsafeRawBufferPointer(rebasing: current.key[all.count...])
                switch upper {
                case .unbounded: break
                case .including(let bound): if compare(value, bound.bytes) > 0 { return }
                case .excluding(let bound): if compare(value, bound.bytes) >= 0 { return }
                }
                first = current.key
                isFollowed = IndexEntry.isFollowed(current.value)
                mustFollow = isFollowed
                isSkipped = skipped.map { $0.count == first.count && $0.matches(first) } ?? false
                if !isSkipped {
                    guard try body(nil, current.value) else { return }
                }
            }
            entry = try cursor.next()
        }
        if mustFollow { throw damaged }
    }

    /// The key where the entries of a range begin, and the key of an excluded value there.
    func start(of lower: IndexBound) -> (
        key: ContiguousArray<UInt8>, skipped: ContiguousArray<UInt8>?
    ) {
        var key = IndexEntry.prefix(table, column)
        switch lower {
        case .unbounded: return (key, nil)
        case .including(let value):
            key.append(contentsOf: value.bytes)
            return (key, nil)
        case .excluding(let value):
            key.append(contentsOf: value.bytes)
            return (key, key)
        }
    }

    private func compare(_ a: UnsafeRawBufferPointer, _ b: ContiguousArray<UInt8>) -> Int {
        b.withUnsafeBytes { b in
            let order = Memory.compare(
                a.baseAddress.unsafelyUnwrapped, b.baseAddress.unsafelyUnwrapped,
                count: min(a.count, b.count))
            return order != 0 ? order : a.count - b.count
        }
    }
}

extension ReadTransaction {
    /// The number of row keys in all entries of one value, from the key of the first. One
    /// look-up.
    @inline(__always)
    fileprivate func countOfIndexed(_ key: UnsafeRawBufferPointer) throws(StorageError) -> Int {
        guard let first = try value(.indexes, key: key) else { return 0 }
        guard let count = IndexEntry.totalCount(ofFirst: first) else {
            throw damagedIndex(ofKey: key)
        }
        if count > IndexEntry.greatestUnquestionedTotal, try !hasRows(count, ofIndexed: key) {
            throw damagedIndex(ofKey: key)
        }
        return count
    }

    /// Whether the table of an index has at least `count` rows. Loops rely on such counts.
    @inline(never)
    private func hasRows(_ count: Int, ofIndexed key: UnsafeRawBufferPointer) throws(StorageError)
        -> Bool
    {
        let table = TableID(rawValue: UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)))
        let facts = try StorageKey.tableFacts(table).withBytes { key throws(StorageError) in
            try value(.meta, key: key).flatMap { TableFacts(decoding: $0, of: table) }
        }
        return facts.map { count <= $0.rowCount } ?? false
    }

    /// Calls `body` with the bound and the bytes of each entry after the first of one value; at
    /// least one must exist.
    fileprivate func forEachLaterEntry(
        ofIndexed key: UnsafeRawBufferPointer,
        _ body: (Int64?, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        var cursor = try cursor(.indexes)
        var entry = try cursor.seek(exactly: key) == nil ? nil : cursor.next()
        guard let second = entry, IndexEntry.isLater(second.key, than: key) else {
            throw damagedIndex(ofKey: key)
        }
        while let current = entry, IndexEntry.isLater(current.key, than: key) {
            guard try body(IndexEntry.bound(in: current.key), current.value) else { return }
            entry = try cursor.next()
        }
    }

    private func damagedIndex(ofKey key: UnsafeRawBufferPointer) -> StorageError {
        damagedIndex(
            TableID(rawValue: UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))),
            StorageKey.column(in: key, at: 4))
    }

    fileprivate func damagedIndex(_ table: TableID, _ column: ColumnID) -> StorageError {
        StorageError.damaged(
            "An index entry of table \(table.rawValue), column \(column.rawValue) is damaged.",
            path: environment.path)
    }
}

extension ContiguousArray<UInt8> {
    /// Whether `bytes` begins with these bytes. O(own count).
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= count, let start = bytes.baseAddress else { return isEmpty }
        return withUnsafeBytes { Memory.compare($0.baseAddress ?? start, start, count: count) == 0 }
    }
}
