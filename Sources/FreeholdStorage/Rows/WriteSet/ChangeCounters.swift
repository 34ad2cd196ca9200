/// Counts the changes of one write transaction, shared by its write set and its tables.
///
/// Readers compare a counter with the value they saw to know whether what they found earlier
/// still holds.
@usableFromInline
package final class ChangeCounters {
    /// Changes whenever positions, rows or pointers handed out before may be stale.
    @exclusivity(unchecked) @usableFromInline package final var layout: UInt64 = 0
    /// Changes with every change of a value or row.
    @exclusivity(unchecked) @usableFromInline package final var values: UInt64 = 0

    init() {}
}
