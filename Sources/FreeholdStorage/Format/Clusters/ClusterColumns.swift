import Synchronization

/// The views of a cluster's columns.
@usableFromInline
package struct ClusterColumns {
    @usableFromInline let views: UnsafeMutablePointer<ColumnView>
    @usableFromInline let deferred: Unmanaged<DeferredColumns>?

    @inlinable @inline(__always)
    init(views: UnsafeMutablePointer<ColumnView>, deferred: Unmanaged<DeferredColumns>?) {
        self.views = views
        self.deferred = deferred
    }

    /// The view of a column. Only the creator of the cluster may change a view.
    @inlinable
    package subscript(position: Int) -> ColumnView {
        @inline(__always) get {
            if let deferred { deferred._withUnsafeGuaranteedRef { $0.prepare(position) } }
            return views[position]
        }
        @inline(__always) nonmutating _modify { yield &views[position] }
    }
}

/// The columns of a cluster whose views are made on first read. A subclass makes them.
///
/// A view is written once, under the monitor, and then published by its state: a reader that
/// sees the ready state reads the view without the monitor.
@usableFromInline
package class DeferredColumns: @unchecked Sendable {
    // Sendable: the views are protected by `monitor` until their state is ready, and immutable
    // from then on.

    final let views: UnsafeMutablePointer<ColumnView>
    /// The number of columns that may be deferred: the first ones of the cluster.
    final let deferredCount: Int
    /// For each column, whether its view is ready.
    private final let states: UnsafeMutablePointer<Atomic<Bool>>
    private final let isReady = Atomic<Bool>(false)
    private final let monitor: Monitor

    /// - Parameters:
    ///   - isThere: For each column, whether its view is ready from the beginning.
    ///   - monitor: Held while a view is made.
    init(_ views: UnsafeMutablePointer<ColumnView>, isThere: [Bool], _ monitor: Monitor) {
        self.views = views
        self.monitor = monitor
        deferredCount = isThere.count
        states = .allocate(capacity: max(isThere.count, 1))
        for (position, isThere) in isThere.enumerated() {
            (states + position).initialize(to: Atomic(isThere))
        }
    }

    deinit {
        states.deinitialize(count: deferredCount)
        states.deallocate()
    }

    /// Ensures that the view of a column is ready.
    @usableFromInline
    final func prepare(_ position: Int) {
        if position >= deferredCount || states[position].load(ordering: .acquiring) { return }
        makeOnce(position)
    }

    /// Ensures that the views of all columns are ready.
    @usableFromInline
    final func prepareAll() {
        if isReady.load(ordering: .acquiring) { return }
        for position in 0..<deferredCount { prepare(position) }
        isReady.store(true, ordering: .releasing)
    }

    @inline(never)
    private final func makeOnce(_ position: Int) {
        monitor.withLock {
            if states[position].load(ordering: .relaxed) { return }
            if let view = makeView(position) { views[position] = view }
            states[position].store(true, ordering: .releasing)
        }
    }

    /// Makes the view of a column; nil if it is damaged. Called once for each column, under the
    /// monitor.
    func makeView(_ position: Int) -> ColumnView? { nil }
}
