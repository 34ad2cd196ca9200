/// The type of a column's values. The raw values are part of the file format.
package enum ColumnType: UInt8, Sendable, CaseIterable {
    case integer = 1
    case boolean = 2
    case float = 3
    case double = 4
    /// Seconds since 2001-01-01 as a double, so that a `Date` returns exactly as it was stored.
    case timestamp = 5
    /// UTF-8 text.
    case text = 6
    case bytes = 7
    /// 12 bytes, ordered as big-endian bytes (an ObjectId).
    case fixed12 = 8
    /// 16 bytes, ordered as big-endian bytes (a UUID).
    case fixed16 = 9
    /// 16 bytes: an IEEE 754-2008 decimal128 in the binary integer encoding, low word first.
    case decimal = 10
    /// The row key of a row of the target table, or null.
    case link = 11
    /// A value of any type, or nested lists and maps (``MixedValue``); null if there is none.
    case mixed = 12

    /// The bytes of a value in a mutable cluster; nil for values of variable length and for
    /// booleans, which are bits.
    package var fixedWidth: Int? {
        switch self {
        case .integer, .double, .timestamp, .link: 8
        case .float: 4
        case .fixed12: 12
        case .fixed16, .decimal: 16
        case .boolean, .text, .bytes, .mixed: nil
        }
    }

    /// Whether values have variable length and are stored in a heap.
    package var isVariableLength: Bool { self == .text || self == .bytes || self == .mixed }
}
