/// Writes what ``ArchiveReader`` reads.
struct ArchiveWriter {
    private(set) var bytes: ContiguousArray<UInt8> = []

    mutating func put<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(count: Int) { put(UInt32(count)) }

    mutating func put(part: some Collection<UInt8>) {
        put(count: part.count)
        bytes.append(contentsOf: part)
    }

    mutating func put(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

    mutating func put(keys: ContiguousArray<Int64>) {
        put(count: keys.count)
        for key in keys { put(key) }
    }

    // MARK: Values

    mutating func put(_ value: StoredValue) {
        switch value {
        case .list(let elements), .set(let elements): put(elements)
        case .map(let entries):
            put(count: entries.count)
            for entry in entries {
                put(part: entry.key)
                put(entry.value)
            }
        case .mixed(let value):
            put(1 as UInt8)
            put(part: value.encoded)
        case .plain(.null): put(0 as UInt8)
        case .plain(let value):
            put(1 as UInt8)
            put(value)
        }
    }

    mutating func put(_ elements: some Collection<StoredValue>) {
        put(count: elements.count)
        for element in elements { put(element) }
    }

    mutating func put(_ value: ScanValue) {
        switch value {
        case .integer(let value): put(value)
        case .boolean(let value): put(UInt8(value ? 1 : 0))
        case .float(let value): put(value.bitPattern)
        case .double(let value), .timestamp(let value): put(value.bitPattern)
        case .text(let value), .bytes(let value): put(part: value)
        case .decimal(let low, let high):
            put(low)
            put(high)
        case .link(let key): put(key.rawValue)
        case .fixed(let value):
            if value.kind == .fixed12 {
                put(value.fixed12.0)
                put(value.fixed12.1)
            } else {
                put(value.fixed16.0)
                put(value.fixed16.1)
            }
        case .null, .object, .nested: preconditionFailure("A column of one type has no such value.")
        }
    }
}
