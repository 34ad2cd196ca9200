/// The integers in which a merge adds the differences of both sides. Two equal differences are
/// two.
package struct Counters: Sendable {
    /// Columns of which every value counts.
    package var columns: [TableID: Set<ColumnID>]
    /// Single values, with what my side added to each. A value counts if that is all that my side
    /// did to it.
    package var amounts: [Conflict.Place: Int64]

    package init(
        columns: [TableID: Set<ColumnID>] = [:], amounts: [Conflict.Place: Int64] = [:]
    ) {
        self.columns = columns
        self.amounts = amounts
    }

    /// The value with the differences of both sides; nil if it does not count, or the sum is too
    /// great.
    func sum(
        _ base: StoredValue, _ own: StoredValue, _ others: StoredValue, at place: Conflict.Place
    ) -> StoredValue? {
        if columns.isEmpty, amounts.isEmpty { return nil }
        guard case .plain(.integer(let base)) = base, case .plain(.integer(let own)) = own,
            case .plain(.integer(let others)) = others
        else { return nil }
        let (difference, isGreat) = own.subtractingReportingOverflow(base)
        if isGreat { return nil }
        guard amounts[place] == difference || columns[place.table]?.contains(place.column) ?? false
        else { return nil }
        let (sum, isTooGreat) = others.addingReportingOverflow(difference)
        return isTooGreat ? nil : .plain(.integer(sum))
    }
}
