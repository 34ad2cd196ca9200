import Foundation
import FreeholdStorage

/// The common part of the integers' conformances to ``ScalarValue``.
protocol IntegerScalar: ScalarValue, FixedWidthInteger, SignedInteger {}

extension IntegerScalar {
    static var columnType: ColumnType { .integer }
    static var samples: [Self] { [3, -7] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> Self {
        Self(truncatingIfNeeded: view.integer(at: row))
    }

    @inline(__always)
    static func store(_ value: Self, in row: MutableRow, _ column: ColumnID) {
        row.setInteger(column, Int64(value))
    }

    /// Writes the value of a managed object's property: in place, if that is possible.
    @inline(__always)
    static func writeIntegerProperty(_ object: ObjectBase, _ column: Int, _ value: Self) {
        if let view = object.columnForWritingInPlace(column) {
            return view.pointee.unsafeStore(Int64(value), at: object.row)
        }
        writeProperty(object, column, value)
    }

    static func isStored(_ value: Self, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].integer(at: row.row) == Int64(value)
    }

    static func indexKey(for value: Self) -> IndexKey? { .integer(Int64(value)) }
    static func rowKey(for value: Self) -> Int64? { Int64(value) }

    /// Accepts integers of any type that fit, and `NSNumber`s that contain an integer.
    static func converted(from value: Any) -> Self? {
        if let value = value as? Self { return value }
        if let value = value as? any BinaryInteger { return Self(exactly: value) }
        if value is any BinaryFloatingPoint { return nil }
        if let number = value as? NSNumber, number.holdsInteger {
            return Self(exactly: number.int64Value)
        }
        return nil
    }
}

extension Int: IntegerScalar {}
extension Int8: IntegerScalar {}
extension Int16: IntegerScalar {}
extension Int32: IntegerScalar {}
extension Int64: IntegerScalar {}

extension NSNumber {
    /// Whether the number was created from an integer or a boolean.
    var holdsInteger: Bool {
        switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): false
        default: true
        }
    }
}
