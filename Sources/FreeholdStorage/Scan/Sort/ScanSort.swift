/// One criterion of an order: the value at the end of a path.
///
/// Ascending, null comes first, then NaN, then the numbers; text in the order of its bytes,
/// false before true, mixed values as ``MixedValue/compare(_:_:)`` says. Descending is the
/// exact opposite, except that rows that are equal keep their order in both.
package struct ScanSort: Hashable, Sendable {
    package var path: ScanPath
    package var ascending: Bool
    package var nullLinks: NullLinks

    /// Where rows come whose path ends early, at a null link.
    package enum NullLinks: Hashable, Sendable {
        /// Among those whose value is null: first in ascending order.
        case areNulls
        /// Behind all values: last in ascending order.
        case areLast
    }

    package init(path: ScanPath, ascending: Bool = true, nullLinks: NullLinks = .areNulls) {
        self.path = path
        self.ascending = ascending
        self.nullLinks = nullLinks
    }
}
