/// One entry of the index database: a value and some of its row keys.
///
///     first entry of a value
///     key:    table (UInt32), column (UInt16), value (`IndexKey`); big-endian
///     value:  count (15 bits) and whether a later entry follows (top bit): UInt16, little-endian;
///             if one follows, the number of row keys in all entries of the value: UInt64,
///             little-endian; the first row key, as zigzag LEB128; then for each other row key its
///             distance to the one before it, as LEB128
///
///     later entries of the value
///     key:    as the first entry's, then bound (Int64, sign flipped); big-endian
///     value:  count (UInt16, little-endian), then the distances; the first one's is to the bound
///             and may be 0
///
/// The row keys of one value are divided into entries of at most `keysPerIndexEntry`. Every
/// value in use has a first entry, so a look-up is one look-up of a known key. For most values
/// nothing else is needed, and counting rows never needs more. A later entry's row keys are at
/// or above its bound, and the previous entry ends below it. A bound outlives the row that it
/// was made for, so that removing an entry's first row rewrites the entry in place.
///
/// Values are prefix-free. So a key that begins with a first entry's key and is 8 bytes longer
/// belongs to a later entry of that value.
enum IndexEntry {
    static let prefixSize = 6
    static let suffixSize = 8

    static func prefix(_ table: TableID, _ column: ColumnID, _ value: UnsafeRawBufferPointer)
        -> ContiguousArray<UInt8>
    {
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

    static func prefix(_ table: TableID, _ column: ColumnID, _ value: ContiguousArray<UInt8> = [])
        -> ContiguousArray<UInt8>
    { value.withUnsafeBytes { prefix(table, column, $0) } }

    static func append(bound: Int64, to bytes: inout ScratchBuffer<UInt8>) {
        withUnsafeBytes(of: self.bytes(ofBound: bound)) { bytes.append(contentsOf: $0) }
    }

    /// A bound as stored in keys, in memory order.
    static func bytes(ofBound bound: Int64) -> UInt64 {
        (UInt64(bitPattern: bound) ^ (1 << 63)).bigEndian
    }

    static func bound(in key: UnsafeRawBufferPointer) -> Int64 {
        StorageKey.rowKey(in: key, at: key.count - suffixSize)
    }

    /// Whether a key belongs to a later entry of the value whose first entry has the key
    /// `first`.
    static func isLater(_ key: UnsafeRawBufferPointer, than first: UnsafeRawBufferPointer) -> Bool {
        guard key.count == first.count + suffixSize, let start = key.baseAddress,
            let firstStart = first.baseAddress
        else { return false }
        return Memory.compare(start, firstStart, count: first.count) == 0
    }

    /// The greatest number of row keys in an entry.
    static let maximumCount = 0x7FFF
    private static let followedBit: UInt16 = 0x8000

    /// The number of row keys of an entry; 0 if the bytes are too short.
    @inline(__always)
    static func count(_ value: UnsafeRawBufferPointer) -> Int { Int(header(value) & ~followedBit) }

    /// The same, from the first two bytes as stored.
    @inline(__always)
    static func count(header: UInt16) -> Int { Int(UInt16(littleEndian: header) & ~followedBit) }

    /// Whether a later entry of the same value follows. Only first entries record it.
    @inline(__always)
    static func isFollowed(_ value: UnsafeRawBufferPointer) -> Bool {
        header(value) & followedBit != 0
    }

    /// The number of row keys in all entries of a value, from the first entry; nil if the bytes
    /// are impossible.
    @inline(__always)
    static func totalCount(ofFirst value: UnsafeRawBufferPointer) -> Int? {
        let count = count(value)
        guard isFollowed(value) else { return count > 0 ? count : nil }
        guard count > 0, value.count >= headerSize + totalSize else { return nil }
        let total = UInt64(
            littleEndian: value.loadUnaligned(fromByteOffset: headerSize, as: UInt64.self))
        return total > count && total <= maximumTotal ? Int(total) : nil
    }

    /// A greater total is checked against the table's row count, which costs a look-up.
    static let greatestUnquestionedTotal = 1 << 20

    /// More than any file has room for; sums of such totals do not overflow.
    private static let maximumTotal: UInt64 = 1 << 48
    private static let headerSize = 2
    private static let totalSize = 8

    @inline(__always)
    private static func header(_ value: UnsafeRawBufferPointer) -> UInt16 {
        value.count >= 2 ? UInt16(littleEndian: value.loadUnaligned(as: UInt16.self)) : 0
    }

    /// Sets the total count in the bytes of a followed first entry.
    static func setTotalCount(_ total: Int, in bytes: borrowing ScratchBuffer<UInt8>) {
        UnsafeMutableRawPointer(bytes.unsafeStart).storeBytes(
            of: UInt64(total).littleEndian, toByteOffset: headerSize, as: UInt64.self)
    }

    /// Encodes a followed first entry as one that has no later entries.
    static func encode(ending value: UnsafeRawBufferPointer, into bytes: inout ScratchBuffer<UInt8>)
    {
        bytes.removeAll()
        let header = UInt16(count(value))
        bytes.append(UInt8(truncatingIfNeeded: header))
        bytes.append(UInt8(truncatingIfNeeded: header >> 8))
        bytes.append(
            contentsOf: UnsafeRawBufferPointer(rebasing: value[(headerSize + totalSize)...]))
    }

    /// Appends an entry's row keys; false if the bytes are impossible. A first entry has no
    /// bound.
    static func appendKeys(
        _ value: UnsafeRawBufferPointer, bound: Int64?,
        to keys: inout some RangeReplaceableCollection<Int64>
    ) -> Bool { forEachKey(value, bound: bound) { keys.append($0) } }

    /// As ``appendKeys(_:bound:to:)``.
    static func appendKeys(
        _ value: UnsafeRawBufferPointer, bound: Int64?, to keys: inout ScratchBuffer<Int64>
    ) -> Bool {
        let count = count(value)
        keys.reserve(count)
        var next = keys.unsafeStart + keys.count
        let isPossible = forEachKey(value, bound: bound) { key in
            next.pointee = key
            next += 1
        }
        if isPossible { keys.unsafeTake(count) }
        return isPossible
    }

    /// Calls `body` with each of an entry's row keys; false if the bytes are impossible.
    @inline(__always)
    private static func forEachKey(
        _ value: UnsafeRawBufferPointer, bound: Int64?, _ body: (Int64) -> Void
    ) -> Bool {
        let count = count(value)
        guard count > 0 else { return false }
        var offset = headerSize
        if bound == nil, isFollowed(value) {
            guard totalCount(ofFirst: value) != nil else { return false }
            offset += totalSize
        }
        guard let start = number(in: value, at: &offset) else { return false }
        var key: Int64
        if let bound {
            key = bound &+ Int64(bitPattern: start)
            guard !isFollowed(value), key > bound || start == 0 else { return false }
        } else {
            key = Int64(bitPattern: start >> 1) ^ -Int64(bitPattern: start & 1)
        }
        body(key)
        for _ in 1..<count {
            guard let distance = number(in: value, at: &offset) else { return false }
            let next = key &+ Int64(bitPattern: distance)
            guard next > key else { return false }
            key = next
            body(key)
        }
        return offset == value.count
    }

    /// Reads one LEB128 number; nil if the bytes end, or if the number has a shorter spelling.
    @inline(__always)
    private static func number(in value: UnsafeRawBufferPointer, at offset: inout Int) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while offset < value.count, shift < 64 {
            let byte = value[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 {
                // Each number has one spelling: no trailing zero, and no bit beyond the 64th.
                return (shift == 0 || byte != 0) && (shift < 63 || byte <= 1) ? number : nil
            }
            shift += 7
        }
        return nil
    }

    /// The greatest number of bytes of a LEB128 number.
    private static let longestNumber = 10

    /// Encodes ascending row keys, none below the bound. A first entry has no bound, and only a
    /// first entry can be followed.
    ///
    /// - Parameter total: The number of row keys in all entries of the value, if this is the
    ///   first one and others follow; else nil.
    static func encode(
        _ keys: UnsafeBufferPointer<Int64>, bound: Int64?, total: Int? = nil,
        into bytes: inout ScratchBuffer<UInt8>
    ) {
        precondition(
            keys.count <= maximumCount, "An index entry has at most \(maximumCount) row keys.")
        bytes.removeAll()
        guard let first = keys.first else { return }
        bytes.reserve(headerSize + totalSize + keys.count * longestNumber)
        let start = bytes.unsafeStart
        let header = UInt16(keys.count) | (total == nil ? 0 : followedBit)
        start[0] = UInt8(truncatingIfNeeded: header)
        start[1] = UInt8(truncatingIfNeeded: header >> 8)
        var end = start + headerSize
        if let total {
            setTotalCount(total, in: bytes)
            end += totalSize
        }
        write(
            number: bound.map { UInt64(bitPattern: first &- $0) }
                ?? UInt64(bitPattern: first << 1 ^ first >> 63), at: &end)
        var previous = first
        for index in 1..<keys.count {
            let key = keys[index]
            write(number: UInt64(bitPattern: key &- previous), at: &end)
            previous = key
        }
        bytes.unsafeTake(end - start)
    }

    @inline(__always)
    private static func write(number: UInt64, at end: inout UnsafeMutablePointer<UInt8>) {
        var rest = number
        while rest >= 0x80 {
            end.pointee = UInt8(truncatingIfNeeded: rest) | 0x80
            end += 1
            rest >>= 7
        }
        end.pointee = UInt8(truncatingIfNeeded: rest)
        end += 1
    }
}
