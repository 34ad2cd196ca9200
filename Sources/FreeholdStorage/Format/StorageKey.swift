/// A key of one of the databases, built on the stack: integers are big-endian, so that the
/// bytes sort like them.
///
/// Row keys and first keys are signed, so their sign bit is flipped.
struct StorageKey {
    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private(set) var count = 0

    mutating func append(_ value: UInt8) {
        withUnsafeMutableBytes(of: &words) { $0[count] = value }
        count += 1
    }

    mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
        withUnsafeMutableBytes(of: &words) {
            $0.storeBytes(of: value.bigEndian, toByteOffset: count, as: Value.self)
        }
        count += MemoryLayout<Value>.size
    }

    mutating func append(rowKey: Int64) {
        append(bigEndian: UInt64(bitPattern: rowKey) ^ (1 << 63))
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result)
        throws(StorageError) -> Result
    {
        var words = words
        // `withUnsafeBytes(of:)` does not carry through typed errors of this form, so the
        // result is passed explicitly.
        var result: Swift.Result<Result, StorageError>?
        withUnsafeBytes(of: &words) { bytes in
            do throws(StorageError) {
                result = .success(try body(UnsafeRawBufferPointer(rebasing: bytes[..<count])))
            } catch {
                result = .failure(error)
            }
        }
        return try result.unsafelyUnwrapped.get()
    }

    // MARK: The keys of the format

    /// Directory: table, first key.
    static func directory(_ table: TableID, firstKey: Int64) -> StorageKey {
        var key = StorageKey()
        key.append(bigEndian: table.rawValue)
        key.append(rowKey: firstKey)
        return key
    }

    /// Clusters: table, first key, column.
    static func column(_ table: TableID, firstKey: Int64, _ column: ColumnID) -> StorageKey {
        var key = directory(table, firstKey: firstKey)
        key.append(bigEndian: column.rawValue)
        return key
    }

    /// Blobs: table, column, row key, chunk.
    static func blob(_ table: TableID, _ column: ColumnID, rowKey: Int64, chunk: UInt32)
        -> StorageKey
    {
        var key = StorageKey()
        key.append(bigEndian: table.rawValue)
        key.append(bigEndian: column.rawValue)
        key.append(rowKey: rowKey)
        key.append(bigEndian: chunk)
        return key
    }

    /// Elements: table, column, row key, node.
    static func node(_ table: TableID, _ column: ColumnID, rowKey: Int64, _ node: UInt32)
        -> StorageKey
    { blob(table, column, rowKey: rowKey, chunk: node) }

    /// The first 14 bytes of the keys of all nodes of one collection.
    static func nodes(_ table: TableID, _ column: ColumnID, rowKey: Int64) -> StorageKey {
        var key = prefix(table, column)
        key.append(rowKey: rowKey)
        return key
    }

    /// Meta: the facts of one table.
    static func tableFacts(_ table: TableID) -> StorageKey {
        var key = StorageKey()
        key.append(UInt8(ascii: "t"))
        key.append(bigEndian: table.rawValue)
        return key
    }

    /// The first 4 bytes of all keys of a table, or the first 6 of a column's index.
    static func prefix(_ table: TableID, _ column: ColumnID? = nil) -> StorageKey {
        var key = StorageKey()
        key.append(bigEndian: table.rawValue)
        if let column { key.append(bigEndian: column.rawValue) }
        return key
    }

    static func column(in bytes: UnsafeRawBufferPointer, at offset: Int) -> ColumnID {
        ColumnID(
            rawValue: UInt16(
                bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    static func rowKey(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int64 {
        Int64(
            bitPattern: UInt64(
                bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ (1 << 63)
        )
    }
}
