/// A constant to compare a column with, or a value read from one.
package enum ScanValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case boolean(Bool)
    case float(Float)
    /// A double or a timestamp.
    case double(Double)
    /// UTF-8.
    case text([UInt8])
    case bytes([UInt8])
    case fixed(FixedValue)
    /// A decimal128 in the binary integer encoding: low word, high word.
    case decimal(UInt64, UInt64)
    case link(RowKey)
    /// A link, to compare a mixed value with.
    case object(LinkTarget)
    /// Seconds, because a mixed value distinguishes them from a double.
    case timestamp(Double)
    /// The bytes of a list or a map, to compare a mixed value with.
    case nested([UInt8])

    var isNull: Bool { self == .null }
}

extension ScanValue {
    /// The value of a row; not of mixed values.
    package init(_ view: ColumnView, _ row: Int, _ type: ColumnType) {
        if view.isNull(at: row) {
            self = .null
            return
        }
        switch type {
        case .integer: self = .integer(view.integer(at: row))
        case .link: self = .link(RowKey(rawValue: view.integer(at: row)))
        case .boolean: self = .boolean(view.boolean(at: row))
        case .float: self = .float(view.float(at: row))
        case .double, .timestamp: self = .double(view.double(at: row))
        case .text: self = .text([UInt8](view.heapBytes(at: row)))
        case .bytes: self = .bytes([UInt8](view.heapBytes(at: row)))
        case .decimal:
            let (low, high) = view.fixed16(at: row)
            self = .decimal(low, high)
        case .mixed: preconditionFailure("a mixed value has a type of its own")
        default: self = .fixed(FixedValue(view, row, type))
        }
    }

    /// What stands in a column of a type that cannot be null where nothing was set; not of
    /// links and mixed values.
    package init(zeroOf type: ColumnType) {
        self =
            type == .link || type == .mixed
            ? .null : ScanValue(.absent(count: 1, isNullable: false), 0, type)
    }
}
