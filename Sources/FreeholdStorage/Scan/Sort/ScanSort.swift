/// One criterion of an order: the value at the end of a path.
///
/// Ascending, null comes first, then NaN, then the numbers; text in the order of its bytes, false before true, mixed values as ``MixedValue/compare(_:_:)`` says. Descending is
/// the exact opposite, except that rows that are equal keep their order in both.
package struct ScanSort: Hashable, Sendable {
    package var path: ScanPath
    package var ascending: Bool

    package init(path: ScanPath, ascending: Bool = true) {
        self.path = path
        self.ascending = ascending
    }
}
