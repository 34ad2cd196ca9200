import FreeholdStorage

/// The state of one realm instance, live or frozen. `Realm` wraps it; objects and collections
/// refer to it.
///
/// A live core's variables are protected by confinement: they are accessed only on the realm's
/// thread or queue. A frozen core is complete when `init` returns and not written afterwards, so
/// any number of threads may use it at once.
///
/// There are no weak or unowned references to cores: see `RealmCoordinator`.
///
/// Releasing the last reference cancels an open write transaction. A transaction that
/// `beginWrite()` began keeps the realm: see ``TransactionKeeper``.
@usableFromInline
final class RealmCore {
    /// Checked by property accesses; see ``ConfinementGate``. Owned by this core, with
    /// ``trackedGate`` behind it.
    let gate: UnsafeMutablePointer<ConfinementGate>
    let isFrozen: Bool
    let store: Store
    /// This realm as other writers see it while they wait for its transaction; nil in a frozen
    /// core.
    let writerHome: WriterHome?
    /// The confinement at opening; see ``confinement``.
    let initialConfinement: Confinement
    /// The task that opened the realm, if it did so outside all actors.
    let openingTask: OpeningTask?
    /// Nil unless a task opened the realm on a thread of the task pool.
    let poolThreadWatch: PoolThreadWatch?
    let sharedConfiguration: SharedConfiguration
    /// The classes and their places in the file.
    let schema: BoundSchema
    /// The state that realms of this file share. They keep it alive.
    let coordinator: RealmCoordinator

    /// The last identity given to results. Live realms only.
    @exclusivity(unchecked) private var resultsIdentity = ResultsIdentity()

    /// Changes whenever cached pointers and rows may be stale: with a new snapshot, at the begin
    /// and end of a write transaction, and on layout changes inside one. Never 0. The upper bits
    /// are the ``epoch``.
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
    /// Whether no caller has observed the version that the realm was opened at: nothing was read
    /// from it, and the newest version was not requested.
    @exclusivity(unchecked) var isUnread = true
    /// The version of ``snapshot``, for reports.
    let reading = ReadVersion()
    /// The version that its asynchronous writes are based on, for reports.
    let writing: ReadVersion
    /// The state after transactions that were committed asynchronously and are being written to
    /// the disk. The realm reads it. Nil during a write transaction, which continues from it.
    @exclusivity(unchecked) var pendingWrites: WriteSet?
    /// Nil until the first asynchronous write.
    @exclusivity(unchecked) var asyncWrites: AsyncWrites?
    @exclusivity(unchecked) var writeSet: WriteSet? {
        didSet {
            gate.pointee.changes = writeSet.map { Unmanaged.passUnretained($0.counters) }
            if draft != nil { return }
            writerHome?.setOpen(writeSet != nil)
            if writeSet == nil, let kept = keeper {
                keeper = nil
                kept.end()
            }
        }
    }
    /// In a frozen core of a draft, its edits on ``snapshot``; nil in all others.
    let frozenEdits: FrozenEdits?
    /// Reports that a frozen core of a draft's edits keeps its version. Set before any other thread
    /// has the core.
    @exclusivity(unchecked) var frozenPin: ReaderPin?
    /// The draft that a frozen core of edits was made from. Set as `frozenPin`.
    @exclusivity(unchecked) var frozenOrigin: DraftState.Moment?
    /// What can be undone; nil until ``Realm/undoManager`` is used.
    @exclusivity(unchecked) var transactionHistory: TransactionHistory?
    /// What makes the realm a draft, whose ``writeSet`` is always open and holds no lock; nil in
    /// all other realms.
    let draft: DraftState?
    /// Keeps the realm during a transaction that the program must end.
    @exclusivity(unchecked) var keeper: TransactionKeeper?
    /// Whether the open transaction belongs to a migration, which commits it elsewhere.
    @exclusivity(unchecked) private(set) var isMigrating = false
    /// Whether values of objects are being stored.
    @exclusivity(unchecked) var isStoring = false
    /// The update policy for the values being stored. It also applies to the objects that values
    /// stored as embedded objects link to.
    @exclusivity(unchecked) var storingPolicy = Realm.UpdatePolicy.error
    /// Embedded objects replaced while values are stored, to be deleted at the end.
    @exclusivity(unchecked) var replacedEmbedded: [RowsOfClass] = []
    /// Whether the realm moves automatically to newer versions.
    @exclusivity(unchecked) var autorefresh = true {
        didSet { listener?.setAutorefresh(autorefresh) }
    }
    /// Receives newer versions for this realm. Nil if there is no way to call back. On a thread
    /// whose run loop began later, nil until the first observer is added.
    @exclusivity(unchecked) var listener: RealmListener?
    /// The observers of the realm itself, in order of registration.
    @exclusivity(unchecked) var realmObservers: [RealmObserver] = []
    /// The object properties read under `withObservationTracking`; nil until an observable
    /// object is read.
    @exclusivity(unchecked) var tracking: PropertyTracking?
    /// Whether a collection of an older version than the realm's is being read: its targets may
    /// have been deleted since. Never in a frozen core.
    @exclusivity(unchecked) var readsPast = false
    /// The last version that the realm moved to because of foreign commits.
    @exclusivity(unchecked) var lastForeignVersion: UInt64 = 0
    /// Whether an observer's callback is running.
    @exclusivity(unchecked) var isDelivering = false
    /// Whether changes arrived when they could not be delivered.
    @exclusivity(unchecked) var hasMissedDelivery = false
    /// The write set's layout generation that `generation` reflects.
    @exclusivity(unchecked) private var seenLayout: UInt64 = 0
    /// One for each class used so far. Live cores only.
    @exclusivity(unchecked) private var bindings: [ObjectIdentifier: ClassBinding] = [:]
    /// The same in a frozen core, for any thread.
    private let frozenBindings = FrozenBindings()
    /// The frozen realm of ``snapshot``, once it was frozen. Live cores only.
    @exclusivity(unchecked) var keptFrozen: (version: Snapshot, entry: FrozenEntry)?
    /// The class requested last. Its binding is in `bindings`, which never removes any. Live
    /// cores only.
    @exclusivity(unchecked) private var latest:
        (type: ObjectIdentifier, unsafeBinding: Unmanaged<ClassBinding>)?

    /// The row keys that were given to the program, by table: ``handedOutKeys(of:)``.
    @exclusivity(unchecked) var knownHandedOutKeys: [TableID: HandedOutKeys] = [:]

    /// The bindings of classes that were accessed dynamically. Protected by confinement, or by
    /// `dynamicLock` in a frozen realm.
    @exclusivity(unchecked) private var dynamicBindings: [ObjectIdentifier: ClassBinding] = [:]
    /// Nil in a live core.
    private let dynamicLock: Monitor?
    /// Classes that the schema lacks but whose objects were read through ``AnyRealmValue``s,
    /// with the catalog that had them. Live cores only.
    @exclusivity(unchecked) var classesBesideSchema: [(bound: BoundClass, catalog: Catalog)] = []

    /// Creates a live core.
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
        writing = ReadVersion()
        writerHome = WriterHome(confinement)
        sharedConfiguration = SharedConfiguration(configuration)
        self.schema = schema
        draft = nil
        frozenEdits = nil
        self.snapshot = snapshot
        reading.set(snapshot.version)
        dynamicLock = nil
    }

    /// Creates the core of a draft.
    ///
    /// - Parameters:
    ///   - snapshot: The version that it is based on.
    ///   - edits: A write set without a grant on that version.
    init(drafting origin: RealmOrigin, snapshot: Snapshot, edits: WriteSet, _ draft: DraftState) {
        coordinator = origin.coordinator
        store = origin.coordinator.store
        initialConfinement = origin.confinement
        openingTask = origin.confinement.scheduler as? OpeningTask
        poolThreadWatch = nil
        gate = RealmCore.makeGate(
            ownerThread: origin.confinement.ownerThread, executor: origin.confinement.executor)
        isFrozen = false
        writing = .none
        writerHome = WriterHome(origin.confinement)
        sharedConfiguration = origin.sharedConfiguration
        schema = origin.schema
        self.draft = draft
        frozenEdits = nil
        self.snapshot = snapshot
        isUnread = false
        autorefresh = false
        dynamicLock = nil
        writeSet = edits
        gate.pointee.changes = .passUnretained(edits.counters)
    }

    /// Creates a frozen core on the version that a live one reads, or of a draft's edits on it.
    init(freezing live: RealmOrigin, snapshot: Snapshot, edits: FrozenEdits? = nil) {
        coordinator = live.coordinator
        store = live.coordinator.store
        initialConfinement = .frozen(of: live.confinement)
        openingTask = nil
        poolThreadWatch = nil
        gate = RealmCore.makeGate(ownerThread: ConfinementGate.anyThread)
        isFrozen = true
        writing = .none
        writerHome = nil
        isUnread = false
        sharedConfiguration = live.sharedConfiguration
        schema = live.schema
        draft = nil
        frozenEdits = edits
        self.snapshot = snapshot
        reading.set(snapshot.version)
        dynamicLock = Monitor()
        autorefresh = false
    }

    deinit {
        let reference = Unmanaged.passUnretained(self)
        if isFrozen { frozenBindings.release(count: schema.classes.count) }
        poolThreadWatch?.end()
        if draft != nil {
            // Nothing to cancel: the edits hold no lock.
            draft?.reference.end()
            gate.deallocate()
            return
        }
        if !isFrozen {
            coordinator.forget(reference, in: confinement.domain)
        } else {
            coordinator.forgetFrozen(self)
        }
        if let keptFrozen { coordinator.endKeeping(keptFrozen.entry) }
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
        // The second gate is that of observable classes, and admits no caller.
        (gate + 1).initialize(
            to: ConfinementGate(ownerThread: 0, executor: nil, generation: epochUnit))
        return gate
    }

    var configuration: Realm.Configuration { sharedConfiguration.value }
    var isReadOnly: Bool { sharedConfiguration.value.readOnly }

    /// Makes this a realm of a migration's transaction, until ``endMigrating()``.
    func beginMigrating(_ writeSet: WriteSet) {
        isMigrating = true
        self.writeSet = writeSet
        didMove()
    }

    /// Returns the transaction to the migration. All objects and collections of the realm become
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
/// `invalidate()` begins a new epoch. Objects and collections remember the generation in which
/// they were located. An earlier epoch means that the realm was invalidated since, so they stay
/// invalid although the row may still exist. A new transaction or snapshot only increases the
/// count; the row is then looked up again by its key.
extension RealmCore {
    /// 2^40 moves an epoch: three hundred years at a hundred commits per second.
    static let epochUnit: UInt64 = 1 << 40

    /// The number of the current epoch, starting at 1.
    var epoch: UInt64 { generation / RealmCore.epochUnit }

    /// Whether something located at `generation` was located before the last `invalidate()`.
    /// False for 0, which means never located.
    @inline(__always)
    func isInvalidated(since generation: UInt64) -> Bool {
        generation != 0 && generation / RealmCore.epochUnit != epoch
    }

    /// Marks every cached position and pointer as stale: the snapshot or the transaction was
    /// replaced.
    func didMove() {
        generation &+= 1
        seenLayout = writeSet?.layoutGeneration ?? 0
        if let kept = keptFrozen, kept.version !== snapshot {
            keptFrozen = nil
            coordinator.endKeeping(kept.entry)
        }
        for binding in bindings.values { binding.forgetTables() }
        if !dynamicBindings.isEmpty {
            for binding in dynamicBindings.values { binding.forgetTables() }
        }
        if draft == nil { listener?.didMove(to: snapshot, isBusy: uncommitted != nil) }
    }

    /// Calls `didMove()`, and makes all current objects invalid for good.
    func didInvalidate() {
        didMove()
        generation = (epoch &+ 1) &* RealmCore.epochUnit
        // No realm has epoch 0.
        if generation == 0 { generation = RealmCore.epochUnit }
    }

    /// Updates `generation` after layout changes in the write set. Call it after every operation
    /// that may add, remove or move rows or make a cluster mutable.
    @inline(__always)
    func noteLayoutChanges() {
        if let writeSet, writeSet.layoutGeneration != seenLayout {
            seenLayout = writeSet.layoutGeneration
            generation &+= 1
            if draft != nil { noteEdit() }
        }
    }
}

// MARK: - Classes

extension RealmCore {
    /// The binding of a class, which must be part of the realm's schema. O(1); one comparison
    /// for the class requested last.
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
    /// realm have it. Frozen realms, which any thread may use, share the numbers of the process.
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
        if isFrozen {
            guard let index = schema.index(of: ObjectIdentifier(type)) else { return nil }
            return frozenBindings.binding(at: index, of: schema.classes.count) {
                ClassBinding(core: self, bound: schema.classes[index])
            }
        }
        if let known = bindings[ObjectIdentifier(type)] { return known }
        guard let bound = schema[type] else { return nil }
        // A caller that requests objects will read them.
        isUnread = false
        let binding = ClassBinding(core: self, bound: bound)
        bindings[ObjectIdentifier(type)] = binding
        return binding
    }

    /// The binding of a class whose objects are returned as ``DynamicObject``s. The class must
    /// be part of the realm's schema. O(1).
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

/// Numbers the results of all objects.
struct ResultsIdentity {
    /// The numbers of all frozen realms. Protected by its lock.
    static let ofFrozen = Locked(processWide: ResultsIdentity())

    private var last: UInt64 = 0

    @inline(__always)
    mutating func next() -> UInt64 {
        last &+= 1
        return last
    }
}
