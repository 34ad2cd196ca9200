/// The layout of a column's values in one cluster. The raw values are part of the file format,
/// except those that only a write set uses.
@usableFromInline
package enum ColumnEncoding: UInt8, Sendable {
    /// No value is stored: every row reads as null if the column is nullable, else as zero or
    /// empty.
    case absent = 0
    /// Integers: row r holds `base + r`.
    case sequence = 1
    /// Integers: every row holds `base`.
    case constant = 2
    /// Integers: `base` plus an unsigned delta of 1, 2 or 4 bytes.
    case delta8 = 3
    case delta16 = 4
    case delta32 = 5
    /// Integers of 8 bytes; `base` is 0.
    case integer64 = 6
    /// Booleans, one bit a row, least significant bit first.
    case bits = 7
    case float32 = 8
    case float64 = 9
    case fixed12 = 10
    case fixed16 = 11
    /// Text or bytes: count + 1 offsets of 2 bytes into the heap.
    case offsets16 = 12
    /// Text or bytes: count + 1 offsets of 4 bytes into the heap.
    case offsets32 = 13
    /// Text or bytes in a write set: an offset and a length of 4 bytes each, into a heap that
    /// only grows.
    case spans = 14
}
