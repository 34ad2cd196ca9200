/// Counts the changes of one write transaction, shared by its write set and its tables.
///
/// A reader compares a counter with an earlier value to learn whether earlier results are still
/// valid.
@usableFromInline
package final class ChangeCounters {
    /// Changes whenever positions, rows or pointers returned earlier may be stale.
    @exclusivity(unchecked) @usableFromInline package final var layout: UInt64 = 0
    /// Changes with every change of a value or row.
    @exclusivity(unchecked) @usableFromInline package final var values: UInt64 = 0

    init() {}
}
