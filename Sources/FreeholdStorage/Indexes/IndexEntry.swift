/// One entry of the index database: a value and some of the rows that have it.
///
///     key:    table (UInt32), column (UInt16), value (`IndexKey`), first row key (Int64, sign flipped); big-endian
///     value:  count (UInt16, little-endian), then for each further row key its distance to the one before, as LEB128
///
/// The row keys of one value are cut into entries of at most `keysPerIndexEntry`; each entry's keys are below the next one's.
enum IndexEntry {
    static let prefixSize = 6
    static let suffixSize = 8

    static func prefix(_ table: TableID, _ column: ColumnID, _ value: some Sequence<UInt8>) -> ContiguousArray<UInt8> {
        var bytes = ContiguousArray<UInt8>()
        bytes.reserveCapacity(64)
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue >> 24))
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue >> 16))
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue >> 8))
        bytes.append(UInt8(truncatingIfNeeded: table.rawValue))
        bytes.append(UInt8(truncatingIfNeeded: column.rawValue >> 8))
        bytes.append(UInt8(truncatingIfNeeded: column.rawValue))
        bytes.append(contentsOf: value)
        return bytes
    }

    static func append(rowKey: Int64, to bytes: inout ContiguousArray<UInt8>) {
        withUnsafeBytes(of: (UInt64(bitPattern: rowKey) ^ (1 << 63)).bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// How many row keys an entry has; 0 where the bytes are too short.
    static func count(_ value: UnsafeRawBufferPointer) -> Int {
        value.count >= 2 ? Int(value.loadUnaligned(as: UInt16.self)) : 0
    }

    /// Appends an entry's row keys; false where the bytes are impossible.
    static func appendKeys(_ value: UnsafeRawBufferPointer, first: Int64, to keys: inout some RangeReplaceableCollection<Int64>) -> Bool {
        let count = count(value)
        guard count > 0 else { return false }
        var key = first
        keys.append(key)
        var offset = 2
        for _ in 1..<count {
            var distance: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                guard offset < value.count, shift < 64 else { return false }
                let byte = value[offset]
                offset += 1
                distance |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 { break }
                shift += 7
            }
            guard distance > 0 else { return false }
            let (next, overflow) = UInt64(bitPattern: key).addingReportingOverflow(distance)
            let signed = Int64(bitPattern: next)
            guard signed > key, !overflow || key < 0 else { return false }
            key = signed
            keys.append(key)
        }
        return offset == value.count
    }

    /// The value bytes for ascending row keys.
    static func encode(_ keys: some BidirectionalCollection<Int64>, into bytes: inout ContiguousArray<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        let count = UInt16(keys.count)
        bytes.append(UInt8(truncatingIfNeeded: count))
        bytes.append(UInt8(truncatingIfNeeded: count >> 8))
        var previous = keys.first ?? 0
        for key in keys.dropFirst() {
            var distance = UInt64(bitPattern: key) &- UInt64(bitPattern: previous)
            while distance >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: distance) | 0x80)
                distance >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: distance))
            previous = key
        }
    }
}
