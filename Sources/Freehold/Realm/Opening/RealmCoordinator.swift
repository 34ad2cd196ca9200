import Foundation
import FreeholdStorage

/// What the realms of one file in this process share: the store, the instances by confinement,
/// the frozen versions.
///
/// Realms own their coordinator; the registry and the coordinator refer to theirs weakly.
final class RealmCoordinator: @unchecked Sendable {
    // Sendable: `store` is; everything else is protected by `lock`. The cores kept here are
    // confined, and are handed out to callers in their own domain only (or are frozen).

    let store: Store
    /// Tells the live realms of newer versions.
    let notifier: ChangeNotifier
    /// Iterators and references.
    let holds = ReaderPins()
    let warning: VersionWarning
    private let lock = NSLock()
    /// Not owned; every core takes itself out when it ends. Protected by `lock`.
    private var live: [Confinement.Domain: Registered] = [:]
    /// Not owned, as `live`. Protected by `lock`.
    private var frozen: [FrozenKey: Registered] = [:]
    /// The classes as bound to the newest catalog that was seen. Protected by `lock`.
    private var bound: [ObjectIdentifier: (catalog: Catalog, schema: BoundSchema)] = [:]
    /// The first opener's settings, which all others must share while this coordinator lives.
    private let settings: Realm.Configuration

    /// A realm, and what reports read of it. They do not read the realm itself: a reference
    /// that was taken under the lock could be the last one by the time when it goes, and the
    /// `deinit` takes the lock.
    private struct Registered {
        let core: Unmanaged<RealmCore>
        let reading: ReadVersion
        let writing: ReadVersion
        let confinement: Confinement
        /// Where the program froze the version; nil of live realms, and if the library froze it.
        var site: CreationSite?

        init(_ core: RealmCore, site: CreationSite? = nil) {
            self.core = .passUnretained(core)
            reading = core.reading
            writing = core.writing
            confinement = core.initialConfinement
            self.site = site
        }
    }

    private struct FrozenKey: Hashable {
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
    /// What the registry knows of a coordinator. A search takes no reference to coordinators of
    /// other files, because each reference keeps its file open while it lasts.
    private struct Entry {
        weak var coordinator: RealmCoordinator?
        /// The coordinator, also once it has begun to end.
        let identity: ObjectIdentifier
        let path: String
    }

    /// Keyed by store: there is one store for each open file. A coordinator owns its store, and
    /// takes itself out when it ends.
    private static let registry = Locked<[ObjectIdentifier: Entry]>(processWide: [:])

    /// The coordinators of the file at a path.
    ///
    /// They leave the lock before anyone lets go of them: the last release of a coordinator
    /// closes its file, which takes long and takes other locks.
    private static func coordinators(of path: String) -> [RealmCoordinator] {
        registry.withLock { $0.values.compactMap { $0.path == path ? $0.coordinator : nil } }
    }

    /// Called by the `deinit`. Another coordinator of the same store may have taken the place
    /// in the meantime.
    private func leaveRegistry() {
        let (store, identity) = (ObjectIdentifier(store), ObjectIdentifier(self))
        Self.registry.withLock { if $0[store]?.identity == identity { $0[store] = nil } }
    }

    /// The coordinator for the file of a configuration; opens the file if it is not open. Any
    /// thread.
    static func open(_ configuration: Realm.Configuration) throws(Realm.Error) -> RealmCoordinator {
        Logger.start()
        if configuration.inMemoryIdentifier != nil { waitForEndOfReleasedRealm(of: configuration) }
        // Open with other settings, it may be about to close.
        return try Environment.patiently({ $0.code == .alreadyOpen }) { () throws(Realm.Error) in
            try openAtOnce(configuration)
        }
    }

    private struct StillEnding: Error {}

    /// A realm in memory ends with its last instance, also while a thread of the library still
    /// has the file that it served: whoever opens it next finds an empty one. What else keeps
    /// the file, for realms that are to be opened later, is not waited for; at most two
    /// seconds.
    private static func waitForEndOfReleasedRealm(of configuration: Realm.Configuration) {
        guard let path = try? configuration.path() else { return }
        let deadline = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < deadline {
            // Looks again when a file has closed; in turns, for the notifier's end of work
            // closes none where something else keeps the file, too.
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

    /// Whether the program has no realm left, and the notifier may be what keeps the file.
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
            // Where a realm of this process has the file open with other settings, it says which.
            if error.code == .alreadyOpen, let path = error.path {
                for coordinator in coordinators(of: path) { try coordinator.verify(configuration) }
            }
            throw Realm.Error(opening: options.path, error)
        }
    }

    /// Compacts the file if its configuration wants that, nobody writes and no other process
    /// has it open. By whoever opened it first in this process.
    private func compactOnLaunch(_ configuration: Realm.Configuration) throws(Realm.Error) {
        guard let shouldCompact = configuration.shouldCompactOnLaunch else { return }
        try mappingStorageErrors(URL(fileURLWithPath: store.path)) { () throws(StorageError) in
            let (total, used) = try store.byteCounts()
            if !shouldCompact(total, used) { return }
            do throws(StorageError) {
                if try !store.compactIfNobodyWrites(as: .ofThisThread) {
                    EventLog.say(.info, "\(store.path): not compacted, because it is being written")
                }
            } catch {
                if error.code != .alreadyOpen { throw error }
            }
        }
    }

    /// Whether anything in this process has the file of a configuration open.
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

    /// Realms of one file must agree about what concerns the whole file.
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

/// Cores are found here without being owned, and without Swift's weak references: the first of
/// those to an object moves its reference count into a side table for good, and every later
/// retain and release, of which each property access makes some, takes several times as long.
///
/// Instead a core removes itself in its `deinit`, under the lock, so memory behind a pointer
/// that is found under the lock is valid; whether the object there is still alive or about to
/// run its `deinit` is what `unsafeTryRetain` answers. Nothing is released under the lock,
/// because that might run such a `deinit`.
extension RealmCoordinator {
    /// The live realm of a domain, if there is one. The caller must be inside of the domain.
    func core(in domain: Confinement.Domain) -> RealmCore? {
        lock.withLock { live[domain].flatMap { unsafeTryRetain($0.core) } }
    }

    /// The live realm that is confined in the same way, if there is one. The caller must be
    /// inside of the domain.
    func core(confinedAs confinement: Confinement) -> RealmCore? {
        core(in: confinement.domain).flatMap {
            $0.confinement.isSameScheduler(as: confinement) ? $0 : nil
        }
    }

    /// The live realm that is confined to the queue, actor or scheduler that the caller runs
    /// on, if there is one. O(actors and schedulers).
    func coreOfCaller() -> RealmCore? {
        if let queue = QueueIdentity.current, let core = core(in: .queue(queue)) { return core }
        // Asked and released outside of the lock.
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

    /// The live realm of the queue, actor or scheduler that the caller runs on, if there is one
    /// with these classes, else of the calling thread, which is opened if need be. Traps if it
    /// cannot be opened.
    ///
    /// - Parameter purpose: Who asks, for diagnoses: "thaw()".
    func liveCoreOfCaller(
        _ configuration: Realm.Configuration, _ set: SchemaSet, purpose: StaticString
    ) -> RealmCore {
        if let core = coreOfCaller(), core.schema.set === set { return core }
        do {
            return try RealmCore.open(configuration, .here(queue: nil, fileID: purpose, line: 0))
        } catch {
            violation(
                .misuse(
                    text: "\(purpose) could not open the Realm at '\(store.path)': \(error)",
                    remedy: "Open the realm on this thread first, and handle the error there."))
        }
    }

    /// Remembers a live realm as the one of its domain.
    func register(_ core: RealmCore) {
        lock.withLock { live[core.confinement.domain] = Registered(core) }
        Self.noteThreadRealm(core)
    }

    /// Remembers a live realm as the one of the domain of the actor that takes it over, unless
    /// that has one.
    ///
    /// Called under the lock of the core's ``OpeningTask``.
    ///
    /// - Returns: How it is confined now.
    func move(_ core: RealmCore, to owner: Confinement) -> Confinement {
        let old = core.initialConfinement.domain
        return lock.withLock {
            if live[owner.domain] != nil { return owner.inDomain(old) }
            live[owner.domain] = live.removeValue(forKey: old)
            return owner
        }
    }

    /// The frozen realm of a version. Any number of threads may use the result.
    ///
    /// - Parameters:
    ///   - origin: Asked for only where the realm has to be made.
    ///   - site: Where the program freezes something; nil if the library needs the realm for
    ///     itself. Asked for at most once for each realm.
    func frozenCore(
        _ schema: BoundSchema, snapshot: Snapshot, of origin: @autoclosure () -> RealmOrigin,
        site: @autoclosure () -> CreationSite? = nil
    ) -> RealmCore {
        let key = FrozenKey(version: snapshot.version, schema: ObjectIdentifier(schema))
        return lock.withLock {
            if let registered = frozen[key], let known = unsafeTryRetain(registered.core) {
                if registered.site == nil { frozen[key]?.site = site() }
                return known
            }
            let created = RealmCore(freezing: origin(), snapshot: snapshot)
            frozen[key] = Registered(created, site: site())
            return created
        }
    }

    /// What reports need of each realm.
    var reportedRealms: [(versions: RealmVersions, confinement: Confinement, site: CreationSite?)] {
        let reported = lock.withLock {
            (Array(live.values) + Array(frozen.values)).map {
                (
                    RealmVersions(read: $0.reading.current, written: $0.writing.current),
                    $0.confinement, $0.site
                )
            }
        }
        // Outside of the lock, which a handover takes inside of its task's.
        return reported.map { ($0, $1.current, $2) }
    }

    /// Called by a core's `deinit`. Another core may have taken its place in the meantime.
    func forget(_ core: Unmanaged<RealmCore>, in domain: Confinement.Domain) {
        Self.forgetThreadRealm(core, in: domain)
        // In a forked child another thread of the parent's may hold the lock for ever.
        guard store.environment.isOwnedByThisProcess else { return }
        lock.withLock {
            if live[domain]?.core.toOpaque() == core.toOpaque() { live[domain] = nil }
        }
    }

    /// Called by a frozen core's `deinit`, as ``forget(_:in:)``.
    func forget(_ core: Unmanaged<RealmCore>, version: UInt64, schema: BoundSchema) {
        guard store.environment.isOwnedByThisProcess else { return }
        let key = FrozenKey(version: version, schema: ObjectIdentifier(schema))
        lock.withLock {
            if frozen[key]?.core.toOpaque() == core.toOpaque() { frozen[key] = nil }
        }
    }

    /// Whether a live realm has the given reference and no other.
    func isKeptOnly(_ core: inout RealmCore?) -> Bool {
        lock.withLock { core != nil && isKnownUniquelyReferenced(&core) }
    }

    /// Takes a live realm out, so that nobody gets it any more, if it has the given reference
    /// and no other.
    func takeOut(_ core: inout RealmCore?) -> Bool {
        // Outside of the lock, which a handover takes inside of its task's.
        guard let domain = core?.confinement.domain else { return false }
        return lock.withLock {
            guard isKnownUniquelyReferenced(&core),
                let taken = core.map({ Unmanaged.passUnretained($0) })
            else { return false }
            if live[domain]?.core.toOpaque() == taken.toOpaque() { live[domain] = nil }
            return true
        }
    }

    /// The declared classes, applied to the file and bound to it, and a version that has them all.
    ///
    /// Takes the write lock only if the file must change, and runs the migration block if its
    /// version rises.
    ///
    /// - Throws: ``Realm/Error``, and what a migration block throws.
    func prepare(_ set: SchemaSet, _ configuration: Realm.Configuration, _ site: CreationSite)
        throws -> (Snapshot, BoundSchema)
    {
        let newest = try mappingStorageErrors { () throws(StorageError) in
            try store.newestSnapshot()
        }
        let hold = ReaderPin(.write, newest.version, site, in: holds)
        defer { withExtendedLifetime(hold) {} }
        if newest.catalog.schemaVersion == configuration.schemaVersion,
            let known = lock.withLock({ bound[ObjectIdentifier(set)] }),
            known.catalog == newest.catalog
        {
            return (newest, known.schema)
        }
        let snapshot = try SchemaPreparation(
            coordinator: self, set: set, configuration: configuration, site: site
        ).prepare(newest)
        return (snapshot, bind(set, in: snapshot.catalog))
    }

    private func bind(_ set: SchemaSet, in catalog: Catalog) -> BoundSchema {
        let key = ObjectIdentifier(set)
        if let known = lock.withLock({ bound[key] }), known.catalog == catalog {
            return known.schema
        }
        // Outside of the lock: binding makes an instance of each class, which runs
        // initialisers. Two threads may do the same work; the first result stays.
        let created = BoundSchema(set, in: catalog)
        let (schema, replaced) = lock.withLock { () -> (BoundSchema, BoundSchema?) in
            if let known = bound[key], known.catalog == catalog { return (known.schema, nil) }
            let replaced = bound.updateValue((catalog, created), forKey: key)
            return (created, replaced?.schema)
        }
        // Not before here: its last reference takes instances with it, which runs deinitialisers.
        withExtendedLifetime(replaced) {}
        return schema
    }
}
