/// A value computed from a row. Text and bytes point into their storage, and are valid only
/// during the call that provides them.
enum OperandValue {
    case null
    case integer(Int64)
    case double(Double)
    /// Low word, high word.
    case decimal(UInt64, UInt64)
    case boolean(Bool)
    case text(UnsafeRawBufferPointer)
    case bytes(UnsafeRawBufferPointer)
    case timestamp(Double)
    case fixed(FixedValue)
    /// Without a table if the compared column implies it.
    case link(TableID?, Int64)
    /// The bytes of a list or a map inside a mixed value.
    case nested(UnsafeRawBufferPointer)

    /// The non-null value of a row, in a column that holds no text, bytes or mixed values.
    @inline(__always)
    init(_ type: ColumnType, _ view: ColumnView, _ row: Int, target: TableID?) {
        switch type {
        case .integer: self = .integer(view.integer(at: row))
        case .boolean: self = .boolean(view.boolean(at: row))
        case .float: self = .double(Double(view.float(at: row)))
        case .double: self = .double(view.double(at: row))
        case .timestamp: self = .timestamp(view.double(at: row))
        case .decimal:
            let (low, high) = view.fixed16(at: row)
            self = .decimal(low, high)
        case .link: self = .link(target, view.integer(at: row))
        case .text, .bytes, .mixed: self = .null
        default: self = .fixed(FixedValue(view, row, type))
        }
    }

    /// Decodes a mixed value; null for impossible bytes, which `check()` reports.
    init(mixed bytes: UnsafeRawBufferPointer) {
        self = .null
        guard let tag = bytes.first else { return }
        var reader = MixedReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[1...]))
        switch tag {
        case 1: if let value = reader.value(UInt8.self) { self = .boolean(value != 0) }
        case 2:
            if let value = reader.value(Int64.self) { self = .integer(Int64(littleEndian: value)) }
        case 3:
            if let bits = reader.value(UInt32.self) {
                self = .double(Double(Float(bitPattern: UInt32(littleEndian: bits))))
            }
        case 4:
            if let bits = reader.value(UInt64.self) {
                self = .double(Double(bitPattern: UInt64(littleEndian: bits)))
            }
        case 5:
            if let low = reader.value(UInt64.self), let high = reader.value(UInt64.self) {
                self = .decimal(UInt64(littleEndian: low), UInt64(littleEndian: high))
            }
        case 6: self = .text(reader.rest())
        case 7: self = .bytes(reader.rest())
        case 8:
            if let bits = reader.value(UInt64.self) {
                self = .timestamp(Double(bitPattern: UInt64(littleEndian: bits)))
            }
        case 11: if let target = reader.target() { self = .link(target.table, target.key) }
        case MixedValue.listTag, MixedValue.mapTag: self = .nested(bytes)
        default:
            if let value = ColumnType(mixedTag: tag).flatMap({ FixedValue(&reader, $0) }) {
                self = .fixed(value)
            }
        }
    }

    var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

extension ScanValue {
    /// Calls `body` with the value as an ``OperandValue``.
    @inline(__always)
    func withOperandValue<Result>(_ body: (OperandValue) -> Result) -> Result {
        switch self {
        case .null: body(.null)
        case .integer(let value): body(.integer(value))
        case .boolean(let value): body(.boolean(value))
        case .float(let value): body(.double(Double(value)))
        case .double(let value): body(.double(value))
        case .text(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
        case .bytes(let bytes): bytes.withUnsafeBytes { body(.bytes($0)) }
        case .fixed(let value): body(.fixed(value))
        case .decimal(let low, let high): body(.decimal(low, high))
        case .link(let key): body(.link(nil, key.rawValue))
        case .object(let target): body(.link(target.table, target.key))
        case .timestamp(let value): body(.timestamp(value))
        case .nested(let bytes): bytes.withUnsafeBytes { body(.nested($0)) }
        }
    }
}
