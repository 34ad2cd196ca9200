import FreeholdStorage

/// The state of one realm instance, live or frozen: what `Realm` wraps, and what objects and
/// collections hold on to.
///
/// A live core's variables are protected by confinement: they are affected on the realm's thread
/// or queue only. A frozen core is complete when `init` returns and not written afterwards, so
/// any number of threads may use it at once.
///
/// No weak or unowned reference to a core is ever made: see `RealmCoordinator`.
///
/// A write transaction that is open when the last reference goes is cancelled. One that
/// `beginWrite()` began keeps the realm: see ``TransactionKeeper``.
@usableFromInline
final class RealmCore {
    /// What property accesses check; see ``ConfinementGate``. Owned by this core, with
    /// ``trackedGate`` behind it.
    let gate: UnsafeMutablePointer<ConfinementGate>
    let isFrozen: Bool
    let store: Store
    /// The realm as others see it who wait for its transaction; nil in a frozen core.
    let writerHome: WriterHome?
    /// How the realm was confined when it was opened; see ``confinement``.
    let initialConfinement: Confinement
    /// The task that opened the realm, where it did outside of all actors.
    let openingTask: OpeningTask?
    /// Nil unless a task opened the realm for a thread of the tasks' pool.
    let poolThreadWatch: PoolThreadWatch?
    let configuration: Realm.Configuration
    /// The classes and where the file keeps them.
    let schema: BoundSchema
    /// What the realms of this file share. Kept alive by them.
    let coordinator: RealmCoordinator

    /// The last number that results got. Live realms only.
    @exclusivity(unchecked) private var resultsIdentity = ResultsIdentity()

    /// Changes whenever pointers and rows found before may be stale: a new snapshot, a write
    /// transaction's begin and end, and the layout changes inside of one. Never 0. The upper
    /// bits are the ``epoch``.
    var generation: UInt64 {
        @inline(__always) get { gate.pointee.generation }
        @inline(__always) set {
            gate.pointee.generation = newValue
            trackedGate.pointee.generation = newValue
        }
    }
    /// The version that is read; nil before the first read and after `invalidate()`.
    @exclusivity(unchecked) var snapshot: Snapshot? {
        didSet {
            reading.set(snapshot?.version ?? 0)
            isUnread = false
        }
    }
    /// Whether nobody knows anything of the version that the realm was opened at: nothing was
    /// read of it, and nobody asked for the newest.
    @exclusivity(unchecked) var isUnread = true
    /// The version of ``snapshot``, for reports.
    let reading = ReadVersion()
    /// The version that its asynchronous writes stand on, for reports.
    let writing = ReadVersion()
    /// The open write transaction. What transactions that were committed asynchronously left,
    /// while they are on their way to the disk: the realm reads it. Nil during a write
    /// transaction, which goes on from it.
    @exclusivity(unchecked) var pendingWrites: WriteSet?
    /// Nil until the first asynchronous write.
    @exclusivity(unchecked) var asyncWrites: AsyncWrites?
    @exclusivity(unchecked) var writeSet: WriteSet? {
        didSet {
            gate.pointee.changes = writeSet.map { Unmanaged.passUnretained($0.counters) }
            writerHome?.setOpen(writeSet != nil)
            if writeSet == nil, let kept = keeper {
                keeper = nil
                kept.end()
            }
        }
    }
    /// Keeps the realm while it is in a transaction that the program has to end.
    @exclusivity(unchecked) var keeper: TransactionKeeper?
    /// Whether the open transaction is a migration's, which others commit.
    @exclusivity(unchecked) private(set) var isMigrating = false
    /// Whether the values of objects are being stored.
    @exclusivity(unchecked) var isStoring = false
    /// The update policy with which values are being stored. For what the values that are
    /// embedded objects link to, it goes on.
    @exclusivity(unchecked) var storingPolicy = Realm.UpdatePolicy.error
    /// Embedded objects that lost their place meanwhile, to be deleted at the end.
    @exclusivity(unchecked) var replacedEmbedded: [RowsOfClass] = []
    /// Whether the realm moves to newer versions as they come.
    @exclusivity(unchecked) var autorefresh = true {
        didSet { listener?.setAutorefresh(autorefresh) }
    }
    /// What hears of newer versions for this realm; nil where nobody could call back, and until
    /// somebody observes on a thread that came to run a loop later.
    @exclusivity(unchecked) var listener: RealmListener?
    /// What observes the realm itself, in order of registration.
    @exclusivity(unchecked) var realmObservers: [RealmObserver] = []
    /// What `withObservationTracking` saw of the objects; nil until an observable one was read.
    @exclusivity(unchecked) var tracking: PropertyTracking?
    /// Whether elements of a version are read that is not the realm's any more: what they lead
    /// to may be gone since. Never in a frozen core.
    @exclusivity(unchecked) var readsPast = false
    /// The version that the realm moved to last because of commits that were not its own.
    @exclusivity(unchecked) var lastForeignVersion: UInt64 = 0
    /// Whether a callback of an observer runs.
    @exclusivity(unchecked) var isDelivering = false
    /// Whether changes came when they could not be delivered.
    @exclusivity(unchecked) var hasMissedDelivery = false
    /// The write set's layout generation that `generation` accounts for.
    @exclusivity(unchecked) private var seenLayout: UInt64 = 0
    /// One for each class that was used so far; in a frozen core one for every class.
    @exclusivity(unchecked) private var bindings: [ObjectIdentifier: ClassBinding] = [:]
    /// The class asked for last. Its binding is one of `bindings`, which loses none. Live cores
    /// only.
    @exclusivity(unchecked) private var latest:
        (type: ObjectIdentifier, unsafeBinding: Unmanaged<ClassBinding>)?

    /// See ``handedOutKeys(of:)``.
    @exclusivity(unchecked) var knownHandedOutKeys: [TableID: HandedOutKeys] = [:]

    /// The bindings of classes that were referred to dynamically. Protected by confinement, or
    /// by `dynamicLock` where the realm is frozen.
    @exclusivity(unchecked) private var dynamicBindings: [ObjectIdentifier: ClassBinding] = [:]
    /// Nil in a live core.
    private let dynamicLock: Monitor?
    /// Classes that the schema lacks and objects were read of, by any values, and the catalog
    /// that had them. Live cores only.
    @exclusivity(unchecked) var classesBesideSchema: [(bound: BoundClass, catalog: Catalog)] = []

    /// A live core.
    init(
        coordinator: RealmCoordinator, confinement: Confinement, configuration: Realm.Configuration,
        schema: BoundSchema, snapshot: Snapshot
    ) {
        self.coordinator = coordinator
        store = coordinator.store
        initialConfinement = confinement
        openingTask = confinement.scheduler as? OpeningTask
        poolThreadWatch = PoolThreadWatch(confinement, path: coordinator.store.path)
        gate = RealmCore.makeGate(
            ownerThread: confinement.ownerThread, executor: confinement.executor)
        isFrozen = false
        writerHome = WriterHome(confinement)
        self.configuration = configuration
        self.schema = schema
        self.snapshot = snapshot
        reading.set(snapshot.version)
        dynamicLock = nil
    }

    /// A frozen core on the version that a live one reads.
    init(freezing live: RealmOrigin, snapshot: Snapshot) {
        coordinator = live.coordinator
        store = live.coordinator.store
        initialConfinement = .frozen(of: live.confinement)
        openingTask = nil
        poolThreadWatch = nil
        gate = RealmCore.makeGate(ownerThread: ConfinementGate.anyThread)
        isFrozen = true
        writerHome = nil
        isUnread = false
        configuration = live.configuration
        schema = live.schema
        self.snapshot = snapshot
        reading.set(snapshot.version)
        dynamicLock = Monitor()
        autorefresh = false
        // All of them now: later, several threads would add to the dictionary at once.
        for bound in schema.classes {
            bindings[ObjectIdentifier(bound.schema.type)] = ClassBinding(core: self, bound: bound)
        }
    }

    deinit {
        let reference = Unmanaged.passUnretained(self)
        poolThreadWatch?.end()
        if !isFrozen {
            coordinator.forget(reference, in: confinement.domain)
        } else if let snapshot {
            coordinator.forget(reference, version: snapshot.version, schema: schema)
        }
        if let listener { coordinator.notifier.remove(listener) }
        if let writeSet {
            if !isMigrating, store.environment.isOwnedByThisProcess { reportDroppedTransaction() }
            store.cancel(writeSet)
        }
        gate.deallocate()
    }

    private static func makeGate(ownerThread: UInt, executor: UnownedSerialExecutor? = nil)
        -> UnsafeMutablePointer<ConfinementGate>
    {
        let gate = UnsafeMutablePointer<ConfinementGate>.allocate(capacity: 2)
        gate.initialize(
            to: ConfinementGate(ownerThread: ownerThread, executor: executor, generation: epochUnit)
        )
        // Beside it the one of observable classes, which admits nobody.
        (gate + 1).initialize(
            to: ConfinementGate(ownerThread: 0, executor: nil, generation: epochUnit))
        return gate
    }

    var isReadOnly: Bool { configuration.readOnly }

    /// Makes the realm one of a migration's transaction, until ``endMigrating()``.
    func beginMigrating(_ writeSet: WriteSet) {
        isMigrating = true
        self.writeSet = writeSet
        didMove()
    }

    /// Leaves the transaction to the migration. All objects and collections of the realm become
    /// invalid.
    func endMigrating() {
        writeSet = nil
        asyncWrites?.move(.write)
        snapshot = nil
        didInvalidate()
    }
}

// MARK: - Generations

/// A generation is an epoch and a count of moves within it.
///
/// `invalidate()` begins a new epoch. Objects and collections remember the generation for which
/// they were located; one of an earlier epoch says that the realm was invalidated since, for
/// good, although the row may still exist. A new transaction or snapshot only counts on, and
/// then the row is looked up again by its key.
extension RealmCore {
    /// 2^40 moves an epoch: three hundred years of a hundred commits a second.
    static let epochUnit: UInt64 = 1 << 40

    /// The number of the current epoch, from 1.
    var epoch: UInt64 { generation / RealmCore.epochUnit }

    /// Whether something located at `generation` was located before the last `invalidate()`.
    /// False for 0: never located.
    @inline(__always)
    func isInvalidated(since generation: UInt64) -> Bool {
        generation != 0 && generation / RealmCore.epochUnit != epoch
    }

    /// Every position and pointer handed out before is stale: the snapshot or the transaction
    /// was exchanged.
    func didMove() {
        generation &+= 1
        seenLayout = writeSet?.layoutGeneration ?? 0
        for binding in bindings.values { binding.forgetTables() }
        if !dynamicBindings.isEmpty {
            for binding in dynamicBindings.values { binding.forgetTables() }
        }
        listener?.didMove(to: snapshot, isBusy: uncommitted != nil)
    }

    /// `didMove()`, and objects of the past stay invalid.
    func didInvalidate() {
        didMove()
        generation = (epoch &+ 1) &* RealmCore.epochUnit
        // Epoch 0 is never a realm's.
        if generation == 0 { generation = RealmCore.epochUnit }
    }

    /// Takes over the layout changes of the write set into `generation`. After every call that
    /// may add, remove or move rows or make a cluster mutable.
    @inline(__always)
    func noteLayoutChanges() {
        if let writeSet, writeSet.layoutGeneration != seenLayout {
            seenLayout = writeSet.layoutGeneration
            generation &+= 1
        }
    }
}

// MARK: - Reading

extension RealmCore {
    /// What is read now: the open write transaction, else the snapshot; begins to read the
    /// newest version where there is none.
    var source: TableSource {
        if let uncommitted { return uncommitted }
        return currentSnapshot
    }

    /// What is read in place of the snapshot: the open write transaction, or those that are on
    /// their way to the disk.
    @inline(__always)
    var uncommitted: WriteSet? { writeSet ?? pendingWrites }

    /// The version that is read, or the one that the open transaction stands on.
    var currentSnapshot: Snapshot {
        if isUnread { isUnread = false }
        if let snapshot { return snapshot }
        return beginReading()
    }

    /// Begins to read a version, if none is read, or none of which anybody knows anything; and
    /// if no class was added or changed since: then it may lack some that this realm knows.
    func beginReading(_ version: Snapshot) {
        if let snapshot, !isUnread || uncommitted != nil || snapshot.version <= version.version {
            return
        }
        guard !isFrozen, let newest = try? store.newestSnapshot(), newest.catalog == version.catalog
        else { return }
        snapshot = version
        didMove()
        // It goes on to the newest version as it would from any other.
        coordinator.notifier.signal()
    }

    @inline(never)
    private func beginReading() -> Snapshot {
        do throws(StorageError) {
            return try beginReadingNewest()
        } catch {
            violation(.storageFailed(self, operation: "Reading the newest version", error))
        }
    }

    /// The version that is read, for callers that can throw: what the system refuses does not
    /// end the process then.
    func readSnapshot() throws(StorageError) -> Snapshot {
        if isUnread { isUnread = false }
        if let snapshot { return snapshot }
        return try beginReadingNewest()
    }

    /// What is read at the beginning of an open transaction, or else ``readSnapshot()``.
    func readCommitted() throws(StorageError) -> Snapshot {
        if let uncommitted { return uncommitted.base }
        return try readSnapshot()
    }

    private func beginReadingNewest() throws(StorageError) -> Snapshot {
        let newest = try store.newestSnapshot(knowing: schema.catalog)
        if !fits(newest.catalog) { throw schemaChanged }
        snapshot = newest
        didMove()
        return newest
    }

    /// The table of a class, in the open transaction or in the snapshot. O(1).
    func table(of binding: ClassBinding) -> TableView {
        if let known = binding.knownTable { return known }
        if let uncommitted { return binding.mutableTable(in: uncommitted) }
        if isFrozen { return currentSnapshot.table(binding.table) }
        return binding.snapshotTable(in: currentSnapshot)
    }

    /// Where a row is now; nil if it does not exist. O(log clusters).
    func locate(_ key: Int64, of binding: ClassBinding) -> (cluster: ClusterView, row: Int)? {
        table(of: binding).locate(RowKey(rawValue: key))
    }
}

// MARK: - Classes

extension RealmCore {
    /// The binding of a class, which must be part of the realm's schema. O(1); one comparison
    /// for the class that was asked for last.
    @inline(__always)
    func binding(for type: ObjectBase.Type) -> ClassBinding {
        if !isFrozen, let latest, latest.type == ObjectIdentifier(type) {
            return latest.unsafeBinding.takeUnretainedValue()
        }
        return findBinding(for: type)
    }

    /// The collection of all objects of a class, which must be part of the realm's schema. O(1).
    @inline(__always)
    func allObjects(of type: ObjectBase.Type) -> ResultsState {
        if !isFrozen, let latest, latest.type == ObjectIdentifier(type) {
            return latest.unsafeBinding._withUnsafeGuaranteedRef { $0.allObjects }
        }
        return findBinding(for: type).allObjects
    }

    /// A number for results of all objects, which share their state: no other results of the
    /// realm have it. The numbers of frozen realms, of which any thread asks, are those of the
    /// process.
    @inline(__always)
    func nextResultsIdentity() -> UInt64 {
        if isFrozen { return ResultsIdentity.ofFrozen.withLock { $0.next() } }
        return resultsIdentity.next()
    }

    @inline(never)
    private func findBinding(for type: ObjectBase.Type) -> ClassBinding {
        guard let binding = bindingIfManaged(for: type) else {
            violation(
                .classNotInSchema(
                    className: (try? ClassSchema.shared(for: type).className) ?? "\(type)"))
        }
        if !isFrozen { latest = (ObjectIdentifier(type), .passUnretained(binding)) }
        return binding
    }

    /// The binding of a class; nil if the realm's schema lacks the class.
    func bindingIfManaged(for type: ObjectBase.Type) -> ClassBinding? {
        if let known = bindings[ObjectIdentifier(type)] { return known }
        guard !isFrozen, let bound = schema[type] else { return nil }
        // Who asks for objects is going to read them.
        isUnread = false
        let binding = ClassBinding(core: self, bound: bound)
        bindings[ObjectIdentifier(type)] = binding
        return binding
    }

    /// The binding of a class whose objects come as ``DynamicObject``s. The class must be part
    /// of the realm's schema. O(1).
    func dynamicBinding(for type: ObjectBase.Type) -> ClassBinding {
        func find() -> ClassBinding {
            if let known = dynamicBindings[ObjectIdentifier(type)] { return known }
            guard let bound = schema[type] ?? boundStoredClass(type) else {
                violation(
                    .classNotInSchema(
                        className: (try? ClassSchema.shared(for: type).className) ?? "\(type)"))
            }
            if isUnread { isUnread = false }
            let made = ClassBinding(core: self, bound: bound, isDynamic: true)
            dynamicBindings[ObjectIdentifier(type)] = made
            if !isFrozen, schema[type] == nil {
                classesBesideSchema.append((bound, currentSnapshot.catalog))
            }
            return made
        }
        guard let dynamicLock else { return find() }
        return dynamicLock.withLock { find() }
    }

    /// The binding of the class with a name; nil if the realm's schema lacks the class.
    func binding(named name: String) -> ClassBinding? {
        schema[name].flatMap { bindingIfManaged(for: $0.schema.type) }
    }
}

/// Counts results of all objects.
struct ResultsIdentity {
    /// Of all frozen realms. Protected by its lock.
    static let ofFrozen = Locked(processWide: ResultsIdentity())

    private var last: UInt64 = 0

    @inline(__always)
    mutating func next() -> UInt64 {
        last &+= 1
        return last
    }
}
