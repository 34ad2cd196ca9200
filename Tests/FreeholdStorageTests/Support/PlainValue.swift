import FreeholdStorage

/// A value as it was read row by row.
indirect enum PlainValue {
    /// Of a column whose values are of one type.
    case scalar(ColumnType, ScanValue)
    case mixed(MixedValue?)
    case collection(StoredCollectionKind, [(key: [UInt8]?, value: PlainValue)])
}

extension PlainValue {
    var asMixed: MixedValue? {
        switch self {
        case .mixed(let value): value
        case .scalar(.timestamp, .double(let seconds)): .timestamp(seconds)
        case .scalar(_, let value): MixedValue(plain: value)
        case .collection: nil
        }
    }
}

extension ScanValue {
    /// As compared with columns of a type: timestamps are numbers there, and objects their keys.
    var asNumber: ScanValue {
        switch self {
        case .timestamp(let seconds): .double(seconds)
        case .link(let key): .integer(key.rawValue)
        case .object(let target): .integer(target.key)
        default: self
        }
    }

    var plain: PlainValue {
        if case .nested = self { return .mixed(MixedValue(plain: self)) }
        let type: ColumnType? =
            switch self {
            case .null, .nested: nil
            case .integer: .integer
            case .boolean: .boolean
            case .float: .float
            case .double: .double
            case .text: .text
            case .bytes: .bytes
            case .fixed(let value): value.kind
            case .decimal: .decimal
            case .link, .object: .link
            case .timestamp: .timestamp
            }
        // Null compares with everything.
        return type.map { .scalar($0, self) } ?? .mixed(nil)
    }
}

extension MixedValue {
    init?(plain value: ScanValue) {
        switch value {
        case .null: return nil
        case .integer(let value): self = .integer(value)
        case .boolean(let value): self = .boolean(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .text(let bytes): self = .text(ContiguousArray(bytes))
        case .bytes(let bytes): self = .bytes(ContiguousArray(bytes))
        case .fixed(let value): self = .fixed(value)
        case .decimal(let a, let b): self = .decimal(a, b)
        case .link(let key):
            self = .link(LinkTarget(table: TableID(rawValue: 0), key: key.rawValue))
        case .object(let target): self = .link(target)
        case .timestamp(let value): self = .timestamp(value)
        case .nested(let bytes):
            guard let value = bytes.withUnsafeBytes({ MixedValue(decoding: $0) }) else {
                return nil
            }
            self = value
        }
    }

    var group: Int {
        switch self {
        case .integer, .float, .double, .decimal: 0
        case .boolean: 1
        case .text: 2
        case .bytes: 3
        case .timestamp: 4
        case .fixed(let value): value.kind == .fixed12 ? 5 : 6
        case .link: 7
        case .list: 8
        case .map: 9
        }
    }
}

extension ScanComparison {
    /// The comparison that holds with its sides exchanged.
    var exchanged: ScanComparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual: self
        }
    }
}
