import FreeholdStorage

/// What a realm's ``PropertyTracking`` hears of changes by, as the other observers do: computed
/// on the notifier's thread, told on the realm's scheduler.
///
/// What is tracked changes while a change is on its way. So the notifier's thread only finds
/// the rows that differ, and which of them matter is looked up when it is told.
final class TrackingObserver: Observer, @unchecked Sendable {
    // @unchecked: as the superclass; `tracking` is confined.

    /// Whether anything differs that may matter.
    private struct Difference: Sendable {}

    /// Weak, because it owns this observer. A cycle would keep the file of a released realm open,
    /// and pin the version that was delivered last. Confined.
    private weak var tracking: PropertyTracking?
    private let tables: Set<TableID>
    private let trackedTables: Locked<Set<TableID>>

    init(_ tracking: PropertyTracking) {
        self.tracking = tracking
        tables = tracking.tables
        trackedTables = tracking.trackedTables
    }

    override var beginsSilently: Bool { true }
    override func isUnaffected(by context: ChangeContext) -> Bool {
        tables.isDisjoint(with: context.difference.changedTables)
    }
    override func begin(in core: RealmCore) -> (any Sendable)? { nil }

    override func advance(_ state: (any Sendable)?, in context: ChangeContext) -> (
        state: (any Sendable)?, change: (any Sendable)?
    ) {
        let tracked = trackedTables.withLock { $0 }
        // Remembered by the difference.
        for table in tracked.intersection(context.difference.changedTables) {
            _ = context.difference.changes(of: table)
        }
        return (nil, Difference())
    }

    override func deliverInitial() {}
    override func deliver(_ change: any Sendable, _ context: ChangeContext) -> Bool {
        tracking?.deliver(context) ?? true
    }
}
