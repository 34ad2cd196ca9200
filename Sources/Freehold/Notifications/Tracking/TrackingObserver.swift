import FreeholdStorage

/// The observer behind a realm's ``PropertyTracking``: changes are computed on the notifier's
/// thread, and reported on the realm's scheduler, like those of other observers.
///
/// The tracked properties change while a change is pending. So the notifier's thread finds only
/// the differing rows; which of them are tracked is decided at delivery.
final class TrackingObserver: Observer, @unchecked Sendable {
    // @unchecked: see the superclass; `tracking` is confined.

    /// Marks that something differs that may be tracked.
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
        // The difference caches them.
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
