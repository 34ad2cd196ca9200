/// A value as stored in an ordered index: bytes that sort like the values.
///
///     null                        00
///     integer, link               01, 8 bytes big-endian, sign flipped
///     counted link                01, the table's 4 bytes where it may be any, 8 bytes as of an
///                                 integer, the occurrence's 4 bytes, big-endian
///     boolean                     01, 0 or 1
///     double, timestamp           01, 8 bytes big-endian, made monotone (NaN below all numbers,
///                                 -0 equal to 0)
///     FixedValue, decimal         01, the bytes
///     text, bytes                 01, the bytes with 00 written as 00 FF, 00 00
///     text, bytes over 200 bytes  01, the first 200 bytes written likewise, 00 01, their XXH64
///
/// No encoding is a prefix of another one of the same column, so an entry's key may continue
/// after it. The escaping is that of FoundationDB's tuple layer.
package struct IndexKey: Hashable, Sendable {
    package private(set) var bytes: ContiguousArray<UInt8>
    /// The whole of a long text, of which `bytes` holds a part and a hash. Index results for
    /// such bytes must be compared with it.
    package private(set) var longText: ContiguousArray<UInt8>?

    /// Whether equal `bytes` mean equal values.
    package var isExact: Bool { longText == nil }

    /// Longer values are truncated in the index, because LMDB's keys have at most 511 bytes.
    package static let longestWholeValue = 200

    private init(tag: UInt8, capacity: Int = 17) {
        bytes = []
        bytes.reserveCapacity(capacity)
        bytes.append(tag)
    }

    package static let null = IndexKey(tag: 0)

    package static func integer(_ value: Int64) -> IndexKey {
        var key = IndexKey(tag: 1)
        key.append(UInt64(bitPattern: value) ^ (1 << 63))
        return key
    }

    /// The integer of a key made by ``integer(_:)``; nil for null.
    package var integer: Int64? {
        guard bytes.count == 9 else { return nil }
        let word = bytes.withUnsafeBytes {
            UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        }
        return Int64(bitPattern: word ^ (1 << 63))
    }

    static func link(_ table: TableID?, _ key: Int64, occurrence: UInt32) -> IndexKey {
        var result = IndexKey(tag: 1)
        if let table {
            withUnsafeBytes(of: table.rawValue.bigEndian) { result.bytes.append(contentsOf: $0) }
        }
        result.append(UInt64(bitPattern: key) ^ (1 << 63))
        withUnsafeBytes(of: occurrence.bigEndian) { result.bytes.append(contentsOf: $0) }
        return result
    }

    package static func boolean(_ value: Bool) -> IndexKey {
        var key = IndexKey(tag: 1)
        key.bytes.append(value ? 1 : 0)
        return key
    }

    package static func double(_ value: Double) -> IndexKey {
        var key = IndexKey(tag: 1)
        key.append(monotoneBits(value))
        return key
    }

    package static func bytes(_ value: UnsafeRawBufferPointer) -> IndexKey {
        var key = IndexKey(tag: 1, capacity: value.count + 3)
        key.append(text: value)
        return key
    }

    package static func fixed(_ value: FixedValue) -> IndexKey {
        var key = IndexKey(tag: 1)
        value.withBytes { key.bytes.append(contentsOf: $0) }
        return key
    }

    /// Equal for the same words only: not in the order of decimals.
    package static func decimal(_ value: (UInt64, UInt64)) -> IndexKey {
        var key = IndexKey(tag: 1)
        withUnsafeBytes(of: value.0) { key.bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: value.1) { key.bytes.append(contentsOf: $0) }
        return key
    }

    private mutating func append(_ value: UInt64) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(text: UnsafeRawBufferPointer) {
        if text.count <= Self.longestWholeValue {
            append(escaped: text)
            bytes.append(0)
            bytes.append(0)
        } else {
            longText = ContiguousArray(text)
            append(escaped: UnsafeRawBufferPointer(rebasing: text.prefix(Self.longestWholeValue)))
            bytes.append(0)
            bytes.append(1)
            append(Checksum.xxh64(text))
        }
    }

    private mutating func append(escaped text: UnsafeRawBufferPointer) {
        if !text.contains(0) {
            bytes.append(contentsOf: text)
            return
        }
        for byte in text {
            bytes.append(byte)
            if byte == 0 { bytes.append(0xFF) }
        }
    }

    /// The bits of a double as an integer that sorts like the doubles.
    package static func monotoneBits(_ value: Double) -> UInt64 {
        if value.isNaN { return 0 }
        let bits = (value == 0 ? 0 : value).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }
}
