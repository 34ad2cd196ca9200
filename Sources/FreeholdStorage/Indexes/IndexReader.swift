import Glibc

/// Reads one ordered index at one version.
///
/// Values are compared in their index encoding (``IndexKey``), whose byte order is the values' order; null comes first.
/// Row keys come in ascending order inside one value.
package struct IndexReader {
    package let transaction: ReadTransaction
    package let table: TableID
    package let column: ColumnID

    package init(transaction: ReadTransaction, table: TableID, column: ColumnID) {
        self.transaction = transaction
        self.table = table
        self.column = column
    }

    /// How many rows have this value. One descent, plus one step for every 400 rows.
    package func count(equalTo value: IndexKey) throws(StorageError) -> Int {
        var count = 0
        try forEachEntry(equalTo: value) { _, entry throws(StorageError) in
            count += IndexEntry.count(entry)
            return true
        }
        return count
    }

    /// Appends the row keys that have this value, ascending.
    package func appendKeys(equalTo value: IndexKey, to keys: inout [Int64]) throws(StorageError) {
        var result = keys
        keys = []
        defer { keys = result }
        try forEachEntry(equalTo: value) { first, entry throws(StorageError) in
            guard IndexEntry.appendKeys(entry, first: first, to: &result) else { throw damaged }
            return true
        }
    }

    /// A bound of a range of values.
    package enum Bound: Sendable {
        case unbounded
        case including(IndexKey)
        case excluding(IndexKey)
        /// As an upper bound: every value that begins with these bytes is inside.
        case beginningWith(IndexKey)
    }

    /// Appends the row keys whose value lies in a range: by value, ascending inside each. Nulls are below every value.
    package func appendKeys(from lower: Bound, to upper: Bound, to keys: inout [Int64]) throws(StorageError) {
        var result = keys
        keys = []
        defer { keys = result }
        try forEachEntry(from: lower, to: upper) { first, entry throws(StorageError) in
            guard IndexEntry.appendKeys(entry, first: first, to: &result) else { throw damaged }
            return true
        }
    }

    /// How many rows have a value in the range, counted up to `limit` only.
    package func count(from lower: Bound, to upper: Bound, limit: Int = .max) throws(StorageError) -> Int {
        var count = 0
        try forEachEntry(from: lower, to: upper) { _, entry throws(StorageError) in
            count += IndexEntry.count(entry)
            return count < limit
        }
        return count
    }

    // MARK: Walking

    private var damaged: StorageError {
        StorageError(
            .corrupted, "An index entry of table \(table.rawValue), column \(column.rawValue) is damaged. Restore the file from a backup.",
            path: transaction.environment.path)
    }

    private func forEachEntry(
        equalTo value: IndexKey, _ body: (Int64, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let prefix = IndexEntry.prefix(table, column, value.bytes)
        var cursor = try transaction.cursor(.indexes)
        var entry = try prefix.withBytes { bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) }
        while let current = entry {
            guard current.key.count == prefix.count + IndexEntry.suffixSize, prefix.matches(current.key) else { return }
            guard try body(StorageKey.rowKey(in: current.key, at: prefix.count), current.value) else { return }
            entry = try cursor.next()
        }
    }

    private func forEachEntry(
        from lower: Bound, to upper: Bound, _ body: (Int64, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let all = IndexEntry.prefix(table, column, [])
        var start = all
        var skipped: ContiguousArray<UInt8>?
        switch lower {
        case .unbounded: break
        case .including(let value), .beginningWith(let value): start.append(contentsOf: value.bytes)
        case .excluding(let value):
            start.append(contentsOf: value.bytes)
            skipped = start
        }
        var cursor = try transaction.cursor(.indexes)
        var entry = try start.withBytes { bytes throws(StorageError) in try cursor.seek(atOrAfter: bytes) }
        while let current = entry {
            guard all.matches(current.key), current.key.count > all.count + IndexEntry.suffixSize else { return }
            let value = UnsafeRawBufferPointer(rebasing: current.key[all.count..<(current.key.count - IndexEntry.suffixSize)])
            switch upper {
            case .unbounded: break
            case .including(let bound): if compare(value, bound.bytes) > 0 { return }
            case .excluding(let bound): if compare(value, bound.bytes) >= 0 { return }
            case .beginningWith(let bound): if !bound.bytes.matches(value), compare(value, bound.bytes) > 0 { return }
            }
            if let skipped, skipped.count == all.count + value.count, skipped.matches(current.key) {
                entry = try cursor.next()
                continue
            }
            guard try body(StorageKey.rowKey(in: current.key, at: current.key.count - IndexEntry.suffixSize), current.value) else { return }
            entry = try cursor.next()
        }
    }

    private func compare(_ a: UnsafeRawBufferPointer, _ b: ContiguousArray<UInt8>) -> Int {
        b.withUnsafeBytes { b in
            let order = memcmp(a.baseAddress.unsafelyUnwrapped, b.baseAddress.unsafelyUnwrapped, min(a.count, b.count))
            return order != 0 ? Int(order) : a.count - b.count
        }
    }
}

extension ContiguousArray<UInt8> {
    /// Whether `bytes` begins with these bytes.
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= count, let start = bytes.baseAddress else { return isEmpty }
        return withUnsafeBytes { memcmp($0.baseAddress ?? start, start, count) == 0 }
    }

    /// `withUnsafeBytes` with a typed error.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result) throws(StorageError) -> Result {
        var result: Swift.Result<Result, StorageError>?
        withUnsafeBytes { bytes in
            do throws(StorageError) { result = .success(try body(bytes)) } catch { result = .failure(error) }
        }
        return try result.unsafelyUnwrapped.get()
    }
}
