/// What a column holds. The raw values are part of the file format.
///
/// All that storage knows of a kind of values is in this file. Code elsewhere asks for the
/// ``layout`` where it copies or compares bits, and for ``isFixedValue`` where it compares values
/// that it does not understand.
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

    /// How the values lie in a cluster.
    package var layout: ColumnLayout {
        switch self {
        case .integer, .link: .integers
        case .boolean: .bits
        case .float: .floats
        case .double, .timestamp: .doubles
        case .fixed12: .fixed12
        case .fixed16, .decimal: .fixed16
        case .text, .bytes, .mixed: .heap
        }
    }

    /// Whether values are ``FixedValue``s.
    package var isFixedValue: Bool { mixedTag != nil }

    /// What the bytes of a ``FixedValue`` of the kind begin with inside a mixed value; nil for
    /// other kinds.
    var mixedTag: UInt8? {
        switch self {
        case .fixed12: 9
        case .fixed16: 10
        default: nil
        }
    }

    /// The kind of ``FixedValue``s with a ``mixedTag``.
    init?(mixedTag: UInt8) {
        switch mixedTag {
        case 9: self = .fixed12
        case 10: self = .fixed16
        default: return nil
        }
    }

    /// Whether values compare with numbers of other kinds.
    package var isNumber: Bool {
        switch self {
        case .integer, .float, .double, .decimal: true
        default: false
        }
    }

    /// Whether aggregates have a least and a greatest value.
    package var hasExtremes: Bool { isNumber || self == .timestamp }

    /// Whether values can be those of a primary key, which one value finds exactly.
    package var canBePrimaryKey: Bool {
        switch self {
        case .integer, .text, .fixed12, .fixed16: true
        default: false
        }
    }

    /// What a ``FixedValue`` of the kind is called in explanations: `oid(…)`.
    var summaryName: String {
        switch self {
        case .fixed12: "oid"
        case .fixed16: "uuid"
        default: "\(self)"
        }
    }
}

/// How the values of a column lie in a cluster.
package enum ColumnLayout: Sendable {
    /// Of 8 bytes, signed. Stored in as few bytes as their range needs.
    case integers
    /// Booleans.
    case bits
    case floats, doubles
    /// 12 and 16 bytes.
    case fixed12, fixed16
    /// Values of any length.
    case heap
}

extension ColumnType {
    /// The bytes of a value in a mutable cluster; nil for values of variable length and for
    /// booleans, which are bits.
    package var fixedWidth: Int? {
        switch layout {
        case .integers, .doubles: 8
        case .floats: 4
        case .fixed12: 12
        case .fixed16: 16
        case .bits, .heap: nil
        }
    }

    /// Whether values have variable length and are stored in a heap.
    package var isVariableLength: Bool { layout == .heap }

    /// Whether values are ordered by keys of up to 128 bits: decimals, 12 and 16 bytes.
    var isWide: Bool { layout == .fixed12 || layout == .fixed16 }
}
