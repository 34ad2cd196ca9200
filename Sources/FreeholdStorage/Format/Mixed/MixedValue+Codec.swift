/// The bytes of a mixed value: a tag and the payload, little-endian. An absent value has no
/// bytes; a cell without bytes is null.
///
///      1 boolean     UInt8
///      2 integer     Int64
///      3 float       4 bytes
///      4 double      8 bytes
///      5 decimal     16 bytes
///      6 text        UTF-8
///      7 bytes       the bytes
///      8 timestamp   8 bytes
///      9 fixed12     12 bytes
///     10 fixed16     16 bytes
///     11 link        table (UInt32), row key (Int64)
///     12 list        identity (UInt64), count (UInt32), then for each element its length
///                    (UInt32, 0 for none) and its bytes
///     13 map         identity (UInt64), count (UInt32), then for each entry the key's length
///                    (UInt32) and bytes, then the value as in a list
extension MixedValue {
    package var encoded: ContiguousArray<UInt8> {
        var out = ContiguousArray<UInt8>()
        append(to: &out)
        return out
    }

    private func append(to out: inout ContiguousArray<UInt8>) {
        func put(_ tag: UInt8) { out.append(tag) }
        func put<Value: BitwiseCopyable>(_ value: Value) {
            withUnsafeBytes(of: value) { out.append(contentsOf: $0) }
        }
        switch self {
        case .boolean(let value): out += [1, value ? 1 : 0]
        case .integer(let value):
            put(2 as UInt8)
            put(value.littleEndian)
        case .float(let value):
            put(3 as UInt8)
            put(value.bitPattern.littleEndian)
        case .double(let value):
            put(4 as UInt8)
            put(value.bitPattern.littleEndian)
        case .decimal(let low, let high):
            put(5 as UInt8)
            put(low.littleEndian)
            put(high.littleEndian)
        case .text(let bytes):
            put(6 as UInt8)
            out += bytes
        case .bytes(let bytes):
            put(7 as UInt8)
            out += bytes
        case .timestamp(let value):
            put(8 as UInt8)
            put(value.bitPattern.littleEndian)
        case .fixed(let value):
            if let tag = value.kind.mixedTag { put(tag) }
            value.withBytes { out.append(contentsOf: $0) }
        case .link(let target):
            put(11 as UInt8)
            put(target.table.rawValue.littleEndian)
            put(target.key.littleEndian)
        case .list(let values, let identity):
            put(12 as UInt8)
            put(identity.littleEndian)
            put(UInt32(values.count).littleEndian)
            for value in values { Self.append(value, to: &out) }
        case .map(let entries, let identity):
            put(13 as UInt8)
            put(identity.littleEndian)
            put(UInt32(entries.count).littleEndian)
            for (key, value) in entries {
                put(UInt32(key.count).littleEndian)
                out += key
                Self.append(value, to: &out)
            }
        }
    }

    /// Appends a value, preceded by its length.
    private static func append(_ value: MixedValue?, to out: inout ContiguousArray<UInt8>) {
        let place = out.count
        for _ in 0..<4 { out.append(0) }
        value?.append(to: &out)
        let length = UInt32(out.count - place - 4)
        for index in 0..<4 {
            out[place + index] = UInt8(truncatingIfNeeded: length >> UInt32(index * 8))
        }
    }

    /// Nil if the bytes are impossible, or nested too deeply.
    package init?(decoding bytes: UnsafeRawBufferPointer) { self.init(decoding: bytes, depth: 0) }

    private init?(decoding bytes: UnsafeRawBufferPointer, depth: Int) {
        guard let tag = bytes.first, depth <= Self.greatestDepth else { return nil }
        var reader = MixedReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[1...]))
        switch tag {
        case 1:
            guard let value = reader.value(UInt8.self), value < 2 else { return nil }
            self = .boolean(value == 1)
        case 2:
            guard let value = reader.value(Int64.self) else { return nil }
            self = .integer(Int64(littleEndian: value))
        case 3:
            guard let bits = reader.value(UInt32.self) else { return nil }
            self = .float(Float(bitPattern: UInt32(littleEndian: bits)))
        case 4, 8:
            guard let bits = reader.value(UInt64.self) else { return nil }
            let value = Double(bitPattern: UInt64(littleEndian: bits))
            self = tag == 4 ? .double(value) : .timestamp(value)
        case 5:
            guard let low = reader.value(UInt64.self), let high = reader.value(UInt64.self) else {
                return nil
            }
            self = .decimal(UInt64(littleEndian: low), UInt64(littleEndian: high))
        case 6: self = .text(ContiguousArray(reader.rest()))
        case 7: self = .bytes(ContiguousArray(reader.rest()))
        case 11:
            guard let target = reader.target() else { return nil }
            self = .link(target)
        case 12:
            guard let identity = reader.identity(), let count = reader.length() else { return nil }
            var values = ContiguousArray<MixedValue?>()
            for _ in 0..<count {
                guard let part = reader.part(), let value = Self.nested(part, depth) else {
                    return nil
                }
                values.append(value)
            }
            self = .list(values, identity: identity)
        case 13:
            guard let identity = reader.identity(), let count = reader.length() else { return nil }
            var entries = ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)>()
            for _ in 0..<count {
                guard let key = reader.part(), let part = reader.part(),
                    let value = Self.nested(part, depth)
                else { return nil }
                if let last = entries.last,
                    last.key.withUnsafeBytes({ ElementOrder.compare($0, key) }) >= 0
                {
                    return nil
                }
                entries.append((ContiguousArray(key), value))
            }
            self = .map(entries, identity: identity)
        default:
            guard let kind = ColumnType(mixedTag: tag), let value = FixedValue(&reader, kind) else {
                return nil
            }
            self = .fixed(value)
        }
        if !reader.isAtEnd { return nil }
    }

    /// `.some(nil)` for no bytes; nil if the bytes are impossible.
    private static func nested(_ bytes: UnsafeRawBufferPointer, _ depth: Int) -> MixedValue?? {
        if bytes.isEmpty { return .some(nil) }
        guard let value = MixedValue(decoding: bytes, depth: depth + 1) else { return nil }
        return .some(value)
    }
}

/// Reads the parts of a mixed value's bytes in order.
struct MixedReader {
    let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func value<Value: BitwiseCopyable>(_: Value.Type) -> Value? {
        guard bytes.count - offset >= MemoryLayout<Value>.size else { return nil }
        defer { offset += MemoryLayout<Value>.size }
        return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    mutating func identity() -> UInt64? { value(UInt64.self).map { UInt64(littleEndian: $0) } }

    mutating func length() -> Int? { value(UInt32.self).map { Int(UInt32(littleEndian: $0)) } }

    /// Reads bytes that are preceded by their length.
    mutating func part() -> UnsafeRawBufferPointer? { length().flatMap { bytes($0) } }

    mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
        guard bytes.count - offset >= count else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    mutating func rest() -> UnsafeRawBufferPointer {
        defer { offset = bytes.count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset...])
    }

    mutating func target() -> LinkTarget? {
        guard let table = value(UInt32.self), let key = value(Int64.self) else { return nil }
        return LinkTarget(
            table: TableID(rawValue: UInt32(littleEndian: table)), key: Int64(littleEndian: key))
    }
}
