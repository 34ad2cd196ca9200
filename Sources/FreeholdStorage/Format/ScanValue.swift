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
    /// In memory order, as ``ColumnView/fixed12(at:)`` returns them.
    case fixed12(UInt64, UInt32)
    /// In memory order, as ``ColumnView/fixed16(at:)`` returns them.
    case fixed16(UInt64, UInt64)
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
