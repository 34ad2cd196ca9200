/// One entry of the index database: a value and some of the rows that have it.
///
///     key:    table (UInt32), column (UInt16), value (`IndexKey`), bound (Int64, sign flipped); big-endian
///     value:  count (UInt16, little-endian), then for each row key its distance to the one before it, as LEB128;
///             the first one's distance is to the bound and may be 0
///
/// The row keys of one value are cut into entries of at most `keysPerIndexEntry`. An entry's row keys are at or above its bound
/// and below the next entry's bound. A bound outlives the row it was made for, so that removing an entry's first row rewrites
/// the entry in its place.
enum IndexEntry {
    static let prefixSize = 6
    static let suffixSize = 8

    static func prefix(_ table: TableID, _ column: ColumnID, _ value: UnsafeRawBufferPointer) -> ContiguousArray<UInt8> {
        var bytes = ContiguousArray<UInt8>()
        bytes.reserveCapacity(prefixSize + value.count + suffixSize)
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue >> 24))
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue >> 16))
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue >> 8))
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue))
        bytes.append(UInt8(truncatingIfNeeded: column.rawValue >> 8))
        bytes.append(UInt8(truncatingIfNeeded: column.rawValue))
        bytes.append(contentsOf: value)
        return bytes
    }

    static func prefix(_ table: TableID, _ column: ColumnID, _ value: ContiguousArray<UInt8> = []) -> ContiguousArray<UInt8> {
        value.withUnsafeBytes { prefix(table, column, $0) }
    }

    static func append(bound: Int64, to bytes: inout ContiguousArray<UInt8>) {
        withUnsafeBytes(of: (UInt64(bitPattern: bound) ^ (1 << 63)).bigEndian) { bytes.append(contentsOf: $0) }
    }

    static func bound(in key: UnsafeRawBufferPointer) -> Int64 { StorageKey.rowKey(in: key, at: key.count - suffixSize) }

    /// How many row keys an entry has; 0 where the bytes are too short.
    static func count(_ value: UnsafeRawBufferPointer) -> Int {
        value.count >= 2 ? Int(value.loadUnaligned(as: UInt16.self)) : 0
    }

    /// Appends an entry's row keys; false where the bytes are impossible.
    static func appendKeys(_ value: UnsafeRawBufferPointer, bound: Int64, to keys: inout some RangeReplaceableCollection<Int64>) -> Bool {
        let count = count(value)
        guard count > 0 else { return false }
        var key = bound
        var offset = 2
        for index in 0..<count {
            var distance: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                guard offset < value.count, shift < 64 else { return false }
                let byte = value[offset]
                offset += 1
                distance |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 {
                    // One number has one spelling: no zero at the end, and no bit beyond the 64th.
                    guard shift == 0 || byte != 0, shift < 63 || byte <= 1 else { return false }
                    break
                }
                shift += 7
            }
            let next = key &+ Int64(bitPattern: distance)
            guard next > key || (index == 0 && distance == 0) else { return false }
            key = next
            keys.append(key)
        }
        return offset == value.count
    }

    /// The value bytes for ascending row keys, none below the bound.
    static func encode(_ keys: ArraySlice<Int64>, bound: Int64, into bytes: inout ContiguousArray<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        let count = UInt16(keys.count)
        bytes.append(UInt8(truncatingIfNeeded: count))
        bytes.append(UInt8(truncatingIfNeeded: count >> 8))
        var previous = bound
        for key in keys {
            var distance = UInt64(bitPattern: key &- previous)
            while distance >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: distance) | 0x80)
                distance >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: distance))
            previous = key
        }
    }
}
