import Glibc

/// A bound of a range of values in an index.
package enum IndexBound: Sendable {
    case unbounded
    case including(IndexKey)
    case excluding(IndexKey)
}

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

    /// How many rows have this text; nil where an `IndexKey` must be made of it (long, or with zero bytes). As ``count(equalTo:)``,
    /// but the key is built on the stack: for one lookup that is a quarter of the time.
    package func count(equalToPlain text: [UInt8]) throws(StorageError) -> Int? {
        guard text.count <= IndexKey.longestWholeValue, !text.contains(0) else { return nil }
        let size = IndexEntry.prefixSize + text.count + 3
        var result = Result<Int, StorageError>.success(0)
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { sought in
            let start = sought.baseAddress.unsafelyUnwrapped
            start.storeBytes(of: table.rawValue.bigEndian, as: UInt32.self)
            start.storeBytes(of: column.rawValue.bigEndian, toByteOffset: 4, as: UInt16.self)
            start.storeBytes(of: 1, toByteOffset: 6, as: UInt8.self)
            text.withUnsafeBytes { (start + 7).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: text.count) }
            start.storeBytes(of: 0, toByteOffset: size - 2, as: UInt16.self)
            var count = 0
            do throws(StorageError) {
                try forEachEntry(ofKeyPrefix: UnsafeRawBufferPointer(sought)) { _, entry throws(StorageError) in
                    count += IndexEntry.count(entry)
                    return true
                }
                result = .success(count)
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// Appends the row keys that have this value, ascending.
    package func appendKeys(equalTo value: IndexKey, to keys: inout [Int64]) throws(StorageError) {
        var result = keys
        keys = []
        defer { keys = result }
        try forEachEntry(equalTo: value) { bound, entry throws(StorageError) in
            guard IndexEntry.appendKeys(entry, bound: bound, to: &result) else { throw damaged }
            return true
        }
    }

    /// Appends the row keys whose value lies in a range: by value, ascending inside each. Nulls are below every value.
    package func appendKeys(from lower: IndexBound, to upper: IndexBound, to keys: inout [Int64]) throws(StorageError) {
        var result = keys
        keys = []
        defer { keys = result }
        try forEachEntry(from: lower, to: upper) { bound, entry throws(StorageError) in
            guard IndexEntry.appendKeys(entry, bound: bound, to: &result) else { throw damaged }
            return true
        }
    }

    /// How many rows have a value in the range; stops counting behind `limit`.
    package func estimatedCount(from lower: IndexBound, to upper: IndexBound, limit: Int) throws(StorageError) -> Int {
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
        try prefix.withBytes { bytes throws(StorageError) in try forEachEntry(ofKeyPrefix: bytes, body) }
    }

    /// Calls `body` with the entries of one value, given as their keys begin: table, column, value.
    @inline(__always)
    private func forEachEntry(
        ofKeyPrefix bytes: UnsafeRawBufferPointer, _ body: (Int64, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try transaction.forEachEntry(.indexes, atOrAfter: bytes) { entry throws(StorageError) in
            guard entry.key.count == bytes.count + IndexEntry.suffixSize,
                memcmp(entry.key.baseAddress.unsafelyUnwrapped, bytes.baseAddress.unsafelyUnwrapped, bytes.count) == 0
            else { return false }
            return try body(IndexEntry.bound(in: entry.key), entry.value)
        }
    }

    private func forEachEntry(
        from lower: IndexBound, to upper: IndexBound, _ body: (Int64, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let all = IndexEntry.prefix(table, column)
        var start = all
        var skipped: ContiguousArray<UInt8>?
        switch lower {
        case .unbounded: break
        case .including(let value): start.append(contentsOf: value.bytes)
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
            }
            if let skipped, skipped.count == all.count + value.count, skipped.matches(current.key) {
                entry = try cursor.next()
                continue
            }
            guard try body(IndexEntry.bound(in: current.key), current.value) else { return }
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
    /// Whether `bytes` begins with these bytes. O(own count).
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= count, let start = bytes.baseAddress else { return isEmpty }
        return withUnsafeBytes { memcmp($0.baseAddress ?? start, start, count) == 0 }
    }
}
