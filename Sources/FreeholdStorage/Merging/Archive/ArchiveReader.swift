/// The bytes are not those of an archive.
struct ArchiveDamage: Error {}

/// Reads an archive's bytes in order. Takes memory only for what it has read.
struct ArchiveReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    /// Bytes whose number is known.
    mutating func raw(_ count: Int) throws(ArchiveDamage) -> UnsafeRawBufferPointer {
        guard count >= 0, bytes.count - offset >= count else { throw ArchiveDamage() }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    mutating func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _: Value.Type = Value.self
    ) throws(ArchiveDamage) -> Value {
        guard bytes.count - offset >= MemoryLayout<Value>.size else { throw ArchiveDamage() }
        defer { offset += MemoryLayout<Value>.size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    mutating func count() throws(ArchiveDamage) -> Int { Int(try integer(UInt32.self)) }

    mutating func flag() throws(ArchiveDamage) -> Bool {
        let value = try integer(UInt8.self)
        guard value < 2 else { throw ArchiveDamage() }
        return value == 1
    }

    /// Bytes that are preceded by their count.
    mutating func part() throws(ArchiveDamage) -> UnsafeRawBufferPointer {
        let count = try count()
        guard bytes.count - offset >= count else { throw ArchiveDamage() }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    mutating func text() throws(ArchiveDamage) -> UnsafeRawBufferPointer {
        let part = try part()
        guard String(validating: part, as: UTF8.self) != nil else { throw ArchiveDamage() }
        return part
    }

    /// Keys that ascend.
    mutating func keys() throws(ArchiveDamage) -> ContiguousArray<Int64> {
        var keys: ContiguousArray<Int64> = []
        for _ in 0..<(try count()) {
            let key = try integer(Int64.self)
            if let last = keys.last, last >= key { throw ArchiveDamage() }
            keys.append(key)
        }
        return keys
    }

    // MARK: Values

    mutating func value(of column: ColumnDefinition) throws(ArchiveDamage) -> StoredValue {
        guard let kind = column.collection else {
            return try element(column.type, isNullable: column.isNullable)
        }
        switch kind.shape {
        case .list: return .list(try elements(kind))
        case .set:
            let elements = try elements(kind)
            guard Set(elements).count == elements.count else { throw ArchiveDamage() }
            return .set(elements)
        case .map:
            var entries: ContiguousArray<StoredValue.MapEntry> = []
            var known: Set<ContiguousArray<UInt8>> = []
            for _ in 0..<(try count()) {
                let key = ContiguousArray(try text())
                guard known.insert(key).inserted else { throw ArchiveDamage() }
                let value = try element(kind.type, isNullable: kind.isNullable)
                entries.append(StoredValue.MapEntry(key: key, value: value))
            }
            return .map(entries)
        }
    }

    mutating func elements(_ kind: StoredCollectionKind) throws(ArchiveDamage)
        -> ContiguousArray<StoredValue>
    {
        var elements: ContiguousArray<StoredValue> = []
        for _ in 0..<(try count()) {
            elements.append(try element(kind.type, isNullable: kind.isNullable))
        }
        return elements
    }

    private mutating func element(_ type: ColumnType, isNullable: Bool) throws(ArchiveDamage)
        -> StoredValue
    {
        guard try flag() else {
            guard isNullable || type == .mixed else { throw ArchiveDamage() }
            return .null
        }
        if type == .mixed {
            guard let value = MixedValue(decoding: try part()), value.hasValidTexts else {
                throw ArchiveDamage()
            }
            return .mixed(value)
        }
        return .plain(try plain(type))
    }

    mutating func plain(_ type: ColumnType) throws(ArchiveDamage) -> ScanValue {
        switch type {
        case .integer: return .integer(try integer())
        case .boolean: return .boolean(try flag())
        case .float: return .float(Float(bitPattern: try integer()))
        case .double, .timestamp: return .double(Double(bitPattern: try integer()))
        case .text: return .text([UInt8](try text()))
        case .bytes: return .bytes([UInt8](try part()))
        case .fixed12: return .fixed(FixedValue((try integer(), try integer()) as (UInt64, UInt32)))
        case .fixed16: return .fixed(FixedValue((try integer(), try integer()) as (UInt64, UInt64)))
        case .decimal: return .decimal(try integer(), try integer())
        case .link: return .link(RowKey(rawValue: try integer()))
        case .mixed: throw ArchiveDamage()
        }
    }
}

extension MixedValue {
    /// Whether all texts are UTF-8.
    fileprivate var hasValidTexts: Bool {
        switch self {
        case .text(let bytes): String(validating: bytes, as: UTF8.self) != nil
        case .list(let values, _): values.allSatisfy { $0?.hasValidTexts ?? true }
        case .map(let entries, _):
            entries.allSatisfy {
                String(validating: $0.key, as: UTF8.self) != nil && $0.value?.hasValidTexts ?? true
            }
        default: true
        }
    }
}
