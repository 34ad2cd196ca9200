/// The order of a set's elements and of a map's keys: null first, then the order of the type.
/// Numbers compare by value (NaN is below all others, the two zeros are equal), text and bytes
/// by their bytes, links by row key.
enum ElementOrder {
    /// Compares the element of a row with a value: negative, zero or positive.
    static func compare(_ view: ColumnView, _ row: Int, _ type: ColumnType, with value: ScanValue)
        -> Int
    {
        if view.isNull(at: row) { return value.isNull ? 0 : -1 }
        if value.isNull { return 1 }
        switch (type, value) {
        case (.integer, .integer(let other)): return order(view.integer(at: row), other)
        case (.link, .link(let other)): return order(view.integer(at: row), other.rawValue)
        case (.boolean, .boolean(let other)):
            return (view.boolean(at: row) ? 1 : 0) - (other ? 1 : 0)
        case (.float, .float(let other)):
            return order(
                IndexKey.monotoneBits(Double(view.float(at: row))),
                IndexKey.monotoneBits(Double(other)))
        case (.double, .double(let other)), (.timestamp, .double(let other)):
            return order(IndexKey.monotoneBits(view.double(at: row)), IndexKey.monotoneBits(other))
        case (.text, .text(let other)), (.bytes, .bytes(let other)):
            return other.withUnsafeBytes { compare(view.heapBytes(at: row), $0) }
        case (.decimal, .decimal(let low, let high)):
            let own = view.fixed16(at: row)
            return DecimalOrder.compare((low: own.0, high: own.1), (low: low, high: high))
        case (_, .fixed(let other)) where other.kind == type:
            return order(FixedValue(view, row, type).key, other.key)
        default: preconditionFailure("a value of another type than the elements'")
        }
    }

    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        if let first = a.baseAddress, let second = b.baseAddress {
            let order = Memory.compare(first, second, count: min(a.count, b.count))
            if order != 0 { return order }
        }
        return a.count - b.count
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
        a == b ? 0 : a < b ? -1 : 1
    }
}
