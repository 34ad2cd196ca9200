import FreeholdStorage

/// The state of one realm instance, live or frozen: what `Realm` wraps, and what objects and collections hold on to.
///
/// Everything mutable here is protected by confinement: it is touched on the realm's thread, queue or actor only.
final class RealmCore {
    /// The token of the thread that owns this realm; 0 for realms on queues and actors and for frozen ones.
    let ownerThread: UInt
    let isFrozen: Bool
    let store: Store
    /// Changes whenever pointers and rows found before may be stale: a new snapshot, a write transaction's begin and end, and
    /// the layout changes inside of one. Never 0.
    @exclusivity(unchecked) var generation: UInt64 = 1
    /// The version that is read; nil before the first read and after `invalidate()`.
    @exclusivity(unchecked) var snapshot: Snapshot?
    /// The open write transaction.
    @exclusivity(unchecked) var writeSet: WriteSet?
    /// The write set's layout generation that `generation` accounts for.
    @exclusivity(unchecked) private var seenLayout: UInt64 = 0

    init(store: Store, ownerThread: UInt, isFrozen: Bool) {
        self.store = store
        self.ownerThread = ownerThread
        self.isFrozen = isFrozen
    }

    /// Called when the calling thread is not `ownerThread`: returns if the access is allowed all the same (frozen; right
    /// queue or actor), else reports.
    @inline(never)
    func checkConfinementSlowly(_ access: ConfinedAccess) {
        if isFrozen { return }
    }

    /// The gate for everything that is not a property of an object.
    @inline(__always)
    func checkConfinement(_ operation: @autoclosure () -> String) {
        if ownerThread != currentThreadToken() { checkConfinementSlowly(.operation(operation())) }
    }

    /// Takes over the layout changes of the write set into `generation`. After every call that may add, remove or move rows or make a cluster mutable.
    @inline(__always)
    func noteLayoutChanges() {
        if let writeSet, writeSet.layoutGeneration != seenLayout {
            seenLayout = writeSet.layoutGeneration
            generation &+= 1
        }
    }

    /// What is read now: the open write transaction, else the snapshot.
    var source: TableSource { fatalError() }

    func locate(_ key: Int64, of binding: ClassBinding) -> (cluster: ClusterView, row: Int)? { fatalError() }
}
