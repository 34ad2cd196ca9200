import Foundation
import FreeholdStorage

/// The state that realms of one file share in this process: the store, the instances by
/// confinement, the frozen versions.
///
/// Realms own their coordinator. The registry and the coordinator refer to coordinators and
/// realms without owning them.
final class RealmCoordinator: @unchecked Sendable {
    // Sendable: `store` is; everything else is protected by `lock`. The cores kept here are
    // confined. Callers get them only in the core's own domain, unless they are frozen.

    let store: Store
    /// Notifies the live realms of newer versions.
    let notifier: ChangeNotifier
    /// The reader pins of holders other than realms: iterators, references, list controllers.
    let pins = ReaderPins()
    let warning: VersionWarning
    let lock = NSLock()
    /// Not owned; every core removes itself in its `deinit`. Protected by `lock`.
    var live: [Confinement.Domain: Registered] = [:]
    /// Protected by `lock`.
    var frozen: [FrozenKey: FrozenEntry] = [:]
    /// The classes bound to the newest catalog seen so far. Protected by `lock`.
    private var bound: [ObjectIdentifier: (catalog: Catalog, schema: BoundSchema)] = [:]
    /// The policy of the history that was found or stored last.
    private let knownHistory = Locked<KnownHistory?>(nil)
    /// The first opener's settings. All others must share them while this coordinator lives.
    private let settings: Realm.Configuration

    /// A realm, and copies of what reports need from it. Reports do not retain the realm: a
    /// reference taken under the lock could become the last one, and the `deinit` takes the
    /// lock.
    struct Registered {
        let core: Unmanaged<RealmCore>
        let reading: ReadVersion
        let writing: ReadVersion
        let confinement: Confinement

        init(_ core: RealmCore) {
            self.core = .passUnretained(core)
            reading = core.reading
            writing = core.writing
            confinement = core.initialConfinement
        }
    }

    /// A version that has the policy that a configuration asks for.
    private struct KnownHistory {
        let version: UInt64
        let policy: Realm.HistoryPolicy
        let set: ObjectIdentifier
    }

    struct FrozenKey: Hashable {
        let version: UInt64
        let schema: ObjectIdentifier
    }

    private init(store: Store, settings: Realm.Configuration) {
        self.store = store
        self.settings = settings
        let notifier = ChangeNotifier(store)
        let warning = VersionWarning(store)
        self.notifier = notifier
        self.warning = warning
        warning.report = { [weak self] in try self?.versionReport() }
        store.onCommit { [weak notifier, weak warning] in
            notifier?.signal()
            warning?.noteCommit()
        }
    }

    deinit {
        store.environment.isReleased = true
        leaveRegistry()
    }
}

// MARK: - Registry

extension RealmCoordinator {
    /// The registry's entry for a coordinator. A search retains no coordinators of other files,
    /// because each reference keeps its file open.
    private struct Entry {
        weak var coordinator: RealmCoordinator?
        /// The coordinator's identity, valid after its deinitialization has begun.
        let identity: ObjectIdentifier
        let path: String
    }

    /// Keyed by store: each open file has one. A coordinator owns its store, and removes itself
    /// in its `deinit`.
    private static let registry = Locked<[ObjectIdentifier: Entry]>(processWide: [:])

    /// The coordinators of the file at a path.
    ///
    /// The references leave the lock before they are released: the last release of a coordinator
    /// closes its file, which is slow and takes other locks.
    private static func coordinators(of path: String) -> [RealmCoordinator] {
        registry.withLock { $0.values.compactMap { $0.path == path ? $0.coordinator : nil } }
    }

    /// Called by the `deinit`. Another coordinator of the same store may have replaced this one
    /// in the meantime.
    private func leaveRegistry() {
        let (store, identity) = (ObjectIdentifier(store), ObjectIdentifier(self))
        Self.registry.withLock { if $0[store]?.identity == identity { $0[store] = nil } }
    }

    /// Returns the coordinator for the file of a configuration, and opens the file if it is not
    /// open. Any thread.
    static func open(_ configuration: Realm.Configuration) throws(Realm.Error) -> RealmCoordinator {
        Logger.start()
        if configuration.inMemoryIdentifier != nil { waitForEndOfReleasedRealm(of: configuration) }
        // If the file is open with other settings, it may be closing.
        return try Environment.patiently({ $0.code == .alreadyOpen }) { () throws(Realm.Error) in
            try openAtOnce(configuration)
        }
    }

    private struct StillEnding: Error {}

    /// Waits up to two seconds for a released in-memory realm to end, so that the next opener
    /// finds an empty one. A thread of the library may still have the file of the last instance.
    /// Does not wait for other holders of the file, such as values that later realms will be
    /// opened from.
    private static func waitForEndOfReleasedRealm(of configuration: Realm.Configuration) {
        guard let path = try? configuration.path() else { return }
        let deadline = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < deadline {
            // Checks again when a file has closed. Uses short waits, because the end of the
            // notifier's work closes no file that something else keeps, too.
            let hasEnded: Void? = try? Environment.patiently(for: .milliseconds(10), { _ in true })
            { () throws(StillEnding) in
                let (isEnding, coordinators) = registry.withLock { registry in
                    let entries = registry.values.filter { $0.path == path }
                    let coordinators = entries.compactMap(\.coordinator)
                    return (coordinators.count < entries.count, coordinators)
                }
                if isEnding || coordinators.contains(where: \.isKeptByNotifierOnly)
                    || Environment.isReleased(at: path)
                {
                    throw StillEnding()
                }
            }
            if hasEnded != nil { return }
        }
    }

    /// Whether the program has no realm left, and the notifier may be what keeps the file open.
    private var isKeptByNotifierOnly: Bool {
        lock.withLock { live.isEmpty && frozen.values.allSatisfy { $0.site == nil } }
            && notifier.mayKeepFileOpen
    }

    private static func openAtOnce(_ configuration: Realm.Configuration) throws(Realm.Error)
        -> RealmCoordinator
    {
        let options = try configuration.storeOptions()
        let store = try openStore(options, configuration)
        let (coordinator, isFirst) = registry.withLock { registry -> (RealmCoordinator, Bool) in
            if let known = registry[ObjectIdentifier(store)]?.coordinator { return (known, false) }
            let created = RealmCoordinator(store: store, settings: configuration)
            store.environment.isReleased = false
            registry[ObjectIdentifier(store)] = Entry(
                coordinator: created, identity: ObjectIdentifier(created), path: store.path)
            return (created, true)
        }
        try coordinator.verify(configuration)
        if isFirst { try coordinator.compactOnLaunch(configuration) }
        return coordinator
    }

    private static func openStore(_ options: Store.Options, _ configuration: Realm.Configuration)
        throws(Realm.Error) -> Store
    {
        do throws(StorageError) {
            return try Store.open(options)
        } catch {
            // If a realm of this process has the file open with other settings, the error names
            // them.
            if error.code == .alreadyOpen, let path = error.path {
                for coordinator in coordinators(of: path) { try coordinator.verify(configuration) }
            }
            throw Realm.Error(opening: options.path, error)
        }
    }

    /// Compacts the file if its configuration wants that, no writer is active and no other
    /// process has it open. Called by the first opener in this process.
    private func compactOnLaunch(_ configuration: Realm.Configuration) throws(Realm.Error) {
        guard let shouldCompact = configuration.shouldCompactOnLaunch else { return }
        let (total, used) = try mappingStorageErrors(
            store.byteCounts(), fileURL: URL(fileURLWithPath: store.path))
        if !shouldCompact(total, used) { return }
        do throws(StorageError) {
            if try !store.compactUnlessWriting(as: .ofThisThread) {
                EventLog.say(.info, "\(store.path): not compacted, because it is being written")
            }
        } catch {
            if error.code == .alreadyOpen { return }
            throw Realm.Error(error, fileURL: URL(fileURLWithPath: store.path))
        }
    }

    /// Whether this process has the file of a configuration open.
    static func isOpen(_ configuration: Realm.Configuration) throws(Realm.Error) -> Bool {
        let path = try configuration.path()
        if !FileManager.default.fileExists(atPath: path) { return false }
        // Two paths may lead to one file.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let known = registry.withLock { $0.values.map(\.path) }
        return known.contains {
            URL(fileURLWithPath: $0).resolvingSymlinksInPath() == file
                && !coordinators(of: $0).isEmpty
        }
    }

    /// Verifies that a configuration agrees with the settings that concern the whole file.
    private func verify(_ configuration: Realm.Configuration) throws(Realm.Error) {
        let difference: String
        if configuration.readOnly != settings.readOnly {
            difference = "with different read permissions"
        } else if (configuration.inMemoryIdentifier == nil) != (settings.inMemoryIdentifier == nil)
        {
            difference = "with different inMemory settings"
        } else if configuration.schemaVersion != settings.schemaVersion {
            difference = "with different schema version."
        } else if configuration.durability != settings.durability {
            difference = "with different durability settings"
        } else {
            return
        }
        throw Realm.Error(
            .alreadyOpen, "Realm at path '\(store.path)' already opened \(difference)",
            fileURL: URL(fileURLWithPath: store.path))
    }
}

// MARK: - Instances

/// Cores are found here without being owned, and without Swift's weak references. The first weak
/// reference to an object permanently moves its reference count into a side table. Every later
/// retain and release, and so every property access, then takes several times as long.
///
/// Instead a core removes itself in its `deinit`, under the lock, so a pointer found under the
/// lock refers to valid memory. `unsafeTryRetain` tells whether the object there is alive or
/// about to run its `deinit`. Nothing is released under the lock, because that might run such a
/// `deinit`.
extension RealmCoordinator {
    /// The live realm of a domain, if there is one. The caller must be inside the domain.
    func core(in domain: Confinement.Domain) -> RealmCore? {
        lock.withLock { live[domain].flatMap { unsafeTryRetain($0.core) } }
    }

    /// The live realm with the same confinement, if there is one. The caller must be inside the
    /// domain.
    func core(confinedAs confinement: Confinement) -> RealmCore? {
        core(in: confinement.domain).flatMap {
            $0.confinement.isSameScheduler(as: confinement) ? $0 : nil
        }
    }

    /// The live realm confined to the caller's queue, actor or scheduler, if there is one.
    /// O(actors and schedulers).
    func coreOfCaller() -> RealmCore? {
        if let queue = QueueIdentity.current, let core = core(in: .queue(queue)) { return core }
        // Checked and released outside the lock.
        let candidates = lock.withLock {
            live.compactMap { domain, registered in
                switch domain {
                case .actor, .scheduler: unsafeTryRetain(registered.core)
                case .thread, .main, .queue, .frozen: nil
                }
            }
        }
        return candidates.first { $0.initialConfinement.allowsCaller }
    }

    /// Returns the live realm of the caller's queue, actor or scheduler if it has these classes.
    /// Otherwise returns the realm of the calling thread, and opens it if necessary. Traps if it
    /// cannot be opened.
    ///
    /// - Parameter purpose: The calling operation, for diagnoses: "thaw()".
    func liveCoreOfCaller(
        _ configuration: Realm.Configuration, _ set: SchemaSet, purpose: StaticString
    ) -> RealmCore {
        if let core = coreOfCaller(), core.schema.set === set { return core }
        do {
            let confinement = try Confinement.here(queue: nil, fileID: purpose, line: 0)
            // As it is: opening it again would store its policy of the history.
            if let core = core(confinedAs: confinement), core.schema.set === set { return core }
            return try RealmCore.open(configuration, confinement)
        } catch {
            misuse(
                "\(purpose) could not open the Realm at '\(store.path)': \(error)",
                remedy: "Open the realm on this thread first, and handle the error there.")
        }
    }

    /// Registers a live realm as the realm of its domain.
    func register(_ core: RealmCore) {
        lock.withLock { live[core.confinement.domain] = Registered(core) }
        Self.noteThreadRealm(core)
    }

    /// Moves a live realm to the domain of the actor that takes it over, unless that domain
    /// already has a realm.
    ///
    /// Called under the lock of the core's ``OpeningTask``.
    ///
    /// - Returns: The realm's new confinement.
    func move(_ core: RealmCore, to owner: Confinement) -> Confinement {
        let old = core.initialConfinement.domain
        return lock.withLock {
            if live[owner.domain] != nil { return owner.inDomain(old) }
            live[owner.domain] = live.removeValue(forKey: old)
            return owner
        }
    }

    /// Called by a core's `deinit`. Another core may have replaced it in the meantime.
    func forget(_ core: Unmanaged<RealmCore>, in domain: Confinement.Domain) {
        Self.forgetThreadRealm(core, in: domain)
        // In a forked child, the lock may stay held for ever by another thread of the parent.
        guard store.environment.isOwnedByThisProcess else { return }
        lock.withLock {
            if live[domain]?.core.toOpaque() == core.toOpaque() { live[domain] = nil }
        }
    }

    /// Whether the given reference is the only one to a live realm.
    func isKeptOnly(_ core: inout RealmCore?) -> Bool {
        lock.withLock { core != nil && isKnownUniquelyReferenced(&core) }
    }

    /// Removes a live realm from the registry if the given reference is the only one.
    func takeOut(_ core: inout RealmCore?) -> Bool {
        // Outside the lock, because a handover takes it inside its task's lock.
        guard let domain = core?.confinement.domain else { return false }
        return lock.withLock {
            guard isKnownUniquelyReferenced(&core),
                let taken = core.map({ Unmanaged.passUnretained($0) })
            else { return false }
            if live[domain]?.core.toOpaque() == taken.toOpaque() { live[domain] = nil }
            return true
        }
    }

    /// Applies the declared classes to the file and binds them to it. Returns a version that has
    /// all of them.
    ///
    /// Takes the write lock only if the file must change, and runs the migration block if its
    /// version rises.
    ///
    /// - Throws: ``Realm/Error``, and what a migration block throws.
    func prepare(_ set: SchemaSet, _ configuration: Realm.Configuration, _ site: CreationSite)
        throws -> (Snapshot, BoundSchema)
    {
        let newest = try mappingStorageErrors(store.newestSnapshot())
        let pin = ReaderPin(.write, newest.version, site, in: pins)
        defer { withExtendedLifetime(pin) {} }
        let history = HistorySetting(configuration, set, path: store.path)
        if newest.catalog.schemaVersion == configuration.schemaVersion,
            let known = lock.withLock({ bound[ObjectIdentifier(set)] }),
            known.catalog == newest.catalog, try history?.isUpToDate(newest) ?? true
        {
            if let history { note(history, in: newest) }
            return (newest, known.schema)
        }
        let snapshot = try SchemaPreparation(
            coordinator: self, set: set, configuration: configuration, site: site
        ).prepare(newest)
        if let history { note(history, in: snapshot) }
        return (snapshot, bind(set, in: snapshot.catalog))
    }

    /// Notes that a version has the policy of the history that a configuration asks for.
    func note(_ history: HistorySetting, in snapshot: Snapshot) {
        let known = KnownHistory(
            version: snapshot.version, policy: history.policy, set: ObjectIdentifier(history.set))
        knownHistory.withLock { $0 = known }
    }

    /// Whether a configuration asks for the policy of the history that was found or stored last.
    ///
    /// - Parameter version: Whether it was found there, too; nil for any version.
    func isLast(_ history: HistorySetting, in version: UInt64? = nil) -> Bool {
        guard let known = knownHistory.withLock({ $0 }) else { return false }
        return known.set == ObjectIdentifier(history.set)
            && known.policy.isSame(as: history.policy)
            && (version == nil || version == known.version)
    }

    /// Whether a version is the newest one, and known to have the policy of the history that a
    /// configuration asks for. Nanoseconds.
    func isNewest(_ snapshot: Snapshot, having history: HistorySetting) -> Bool {
        store.isNewest(snapshot) && isLast(history, in: snapshot.version)
    }

    private func bind(_ set: SchemaSet, in catalog: Catalog) -> BoundSchema {
        let key = ObjectIdentifier(set)
        if let known = lock.withLock({ bound[key] }), known.catalog == catalog {
            return known.schema
        }
        // Outside the lock: binding makes an instance of each class, which runs initialisers.
        // Two threads may do the same work; the first result stays.
        let created = BoundSchema(set, in: catalog)
        let (schema, replaced) = lock.withLock { () -> (BoundSchema, BoundSchema?) in
            if let known = bound[key], known.catalog == catalog { return (known.schema, nil) }
            let replaced = bound.updateValue((catalog, created), forKey: key)
            return (created, replaced?.schema)
        }
        // Kept until here: its last release also releases instances, which runs deinitialisers.
        withExtendedLifetime(replaced) {}
        return schema
    }
}
