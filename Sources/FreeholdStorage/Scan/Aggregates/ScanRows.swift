/// The rows that an aggregate goes over.
package enum ScanRows: Hashable, Sendable {
    case matching(ScanPredicate)
    /// In any order; a key that occurs twice counts twice, one without a row not at all.
    case keys(ContiguousArray<Int64>)
}

/// What the values of a column add up to. Nulls count for nothing.
package struct ScanSum: Hashable, Sendable {
    /// The exact sum of an integer column; the caller decides what to do if it does not fit 64
    /// bits. 0 for other columns.
    package var integer: Int128 = 0
    /// The sum of a column of floating-point numbers, in no particular order of additions:
    /// several partial sums run side by side, so that the last bits may differ from those of a
    /// loop. 0 for other columns.
    package var double: Double = 0
    /// How many values there are.
    package var count = 0

    package init() {}

    /// The sum divided by the count; nil without values.
    package var average: Double? {
        count == 0 ? nil : (Double(integer) + double) / Double(count)
    }
}
