import Synchronization

/// The views of a cluster's columns.
@usableFromInline
package struct ClusterColumns {
    @usableFromInline let views: UnsafeMutablePointer<ColumnView>
    @usableFromInline let sealed: Unmanaged<SealedColumns>?

    @inlinable @inline(__always)
    init(views: UnsafeMutablePointer<ColumnView>, sealed: Unmanaged<SealedColumns>?) {
        self.views = views
        self.sealed = sealed
    }

    /// The view of a column. Changing one is for whoever makes the cluster.
    @inlinable
    package subscript(position: Int) -> ColumnView {
        @inline(__always) get {
            if let sealed { sealed._withUnsafeGuaranteedRef { $0.prepare(position) } }
            return views[position]
        }
        @inline(__always) nonmutating _modify { yield &views[position] }
    }
}

/// The columns of a cluster of an encrypted file, each decrypted when it is first read.
///
/// A view is written once, under the lock, and then published by its state; who reads the state
/// as ready reads the view as it is.
@usableFromInline
package final class SealedColumns: @unchecked Sendable {
    // Sendable: the views are protected by `monitor` until their state says ready, and
    // immutable from then on.

    /// Where a column that is stored lies. Its node lives as long as the transaction.
    struct Place {
        let leaf: SealedNode
        let index: Int
    }

    private let views: UnsafeMutablePointer<ColumnView>
    private let places: ContiguousArray<Place?>
    /// Says of each column whether its view is there.
    private let states: UnsafeMutablePointer<Atomic<Bool>>
    private let isReady = Atomic<Bool>(false)
    private let monitor: Monitor
    private unowned let table: SnapshotTable
    private let firstKey: Int64
    private let count: Int

    init(
        _ view: ClusterView, _ places: ContiguousArray<Place?>, _ table: SnapshotTable,
        _ monitor: Monitor
    ) {
        views = view.unsafeColumns
        firstKey = view.firstKey
        count = view.count
        self.places = places
        self.table = table
        self.monitor = monitor
        states = .allocate(capacity: places.count)
        for position in places.indices {
            (states + position).initialize(to: Atomic(places[position] == nil))
        }
    }

    deinit {
        states.deinitialize(count: places.count)
        states.deallocate()
    }

    /// Makes sure that the view of a column is there.
    @usableFromInline
    func prepare(_ position: Int) {
        if position >= places.count || states[position].load(ordering: .acquiring) { return }
        decrypt(position)
    }

    /// Makes sure that the views of all columns are there.
    @usableFromInline
    func prepareAll() {
        if isReady.load(ordering: .acquiring) { return }
        for position in places.indices { prepare(position) }
        isReady.store(true, ordering: .releasing)
    }

    @inline(never)
    private func decrypt(_ position: Int) {
        monitor.withLock {
            guard !states[position].load(ordering: .relaxed), let place = places[position] else {
                return
            }
            if let view = table.view(of: place, position, firstKey: firstKey, count: count) {
                views[position] = view
            }
            states[position].store(true, ordering: .releasing)
        }
    }
}
