/// The rows of an aggregate.
package enum ScanRows: Hashable, Sendable {
    case matching(ScanPredicate)
    /// In any order. A repeated key counts repeatedly, and a key without a row is ignored.
    case keys(ContiguousArray<Int64>)
}

/// The sum of a column's values. Nulls are ignored.
package struct ScanSum: Hashable, Sendable {
    /// The exact sum of an integer column; the caller handles sums that do not fit 64 bits. 0
    /// for other columns.
    package var integer: Int128 = 0
    /// The sum of a floating-point column, in several partial sums, so that the last bits may
    /// differ from those of a loop. 0 for other columns.
    package var double: Double = 0
    /// The number of values.
    package var count = 0

    package init() {}

    /// The sum divided by the count; nil without values.
    package var average: Double? { count == 0 ? nil : (Double(integer) + double) / Double(count) }
}
