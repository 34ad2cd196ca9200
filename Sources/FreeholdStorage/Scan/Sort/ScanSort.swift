/// One criterion of an order: the value at the end of a path.
///
/// In ascending order, null comes first, then NaN, then the numbers. Text sorts by its bytes,
/// false before true, and mixed values as in ``MixedValue/compare(_:_:)``. Descending order is
/// the exact opposite, except that equal rows keep their order in both.
package struct ScanSort: Hashable, Sendable {
    package var path: ScanPath
    package var ascending: Bool
    package var nullLinks: NullLinks

    /// The place of rows whose path ends early, at a null link.
    package enum NullLinks: Hashable, Sendable {
        /// Among the rows with a null value: first in ascending order.
        case areNulls
        /// After all values: last in ascending order.
        case areLast
    }

    package init(path: ScanPath, ascending: Bool = true, nullLinks: NullLinks = .areNulls) {
        self.path = path
        self.ascending = ascending
        self.nullLinks = nullLinks
    }
}
