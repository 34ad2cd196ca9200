extension ScanValue {
    /// The value as an index key. Only for types that can be indexed.
    package var indexKey: IndexKey {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .link(let key): .integer(key.rawValue)
        case .object(let target): .integer(target.key)
        case .boolean(let value): .boolean(value)
        case .double(let value), .timestamp(let value): .double(value)
        case .float(let value): .double(Double(value))
        case .text(let bytes), .bytes(let bytes), .nested(let bytes):
            bytes.withUnsafeBytes { .bytes($0) }
        case .fixed(let value): .fixed(value)
        case .decimal(let low, let high): .decimal((low, high))
        }
    }
}
