import Foundation
import FreeholdStorage

extension RealmCore {
    /// Returns the realm of a configuration in the caller's domain: an existing instance or a
    /// new one.
    static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws
        -> RealmCore
    {
        let set = try SchemaSet.resolve(configuration.objectTypes)
        do {
            return try open(configuration, confinement, set)
        } catch Realm.Error.schemaMismatch where configuration.deleteRealmIfMigrationNeeded {
            return try open(try deletingFiles(of: configuration), confinement, set)
        }
    }

    /// Opens a realm like ``open(_:_:)``. An instance that was already open moves to the newest
    /// version if it may refresh automatically.
    static func openNewest(_ configuration: Realm.Configuration, _ confinement: Confinement) throws
        -> RealmCore
    {
        let core = try open(configuration, confinement)
        core.catchUpByItself()
        return core
    }

    /// Opens the file and applies the declared classes, so that realms open quickly afterwards.
    /// The result keeps the file open until it is released. Any thread.
    static func prepare(_ configuration: Realm.Configuration) throws -> RealmCoordinator {
        let set = try SchemaSet.resolve(configuration.objectTypes)
        do {
            return try prepare(configuration, set)
        } catch Realm.Error.schemaMismatch where configuration.deleteRealmIfMigrationNeeded {
            return try prepare(try deletingFiles(of: configuration), set)
        }
    }

    /// Deletes the files of a configuration so that they can be recreated. The failed attempt
    /// has closed them; if another realm has them open, deleting throws.
    ///
    /// - Returns: The configuration, with a symbolic link replaced by its target.
    private static func deletingFiles(of configuration: Realm.Configuration) throws
        -> Realm.Configuration
    {
        var configuration = configuration
        if let url = configuration.fileURL,
            (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
        {
            configuration.fileURL = url.resolvingSymlinksInPath()
        }
        _ = try Realm.removeFiles(of: configuration)
        return configuration
    }

    private static func prepare(_ configuration: Realm.Configuration, _ set: SchemaSet) throws
        -> RealmCoordinator
    {
        let coordinator = try RealmCoordinator.open(configuration)
        _ = try coordinator.prepare(set, configuration, CreationSite(fileID: #fileID, line: #line))
        return coordinator
    }

    /// Opens a realm like ``open(_:_:)``, with given classes.
    static func open(
        _ configuration: Realm.Configuration, _ confinement: Confinement, _ set: SchemaSet
    ) throws -> RealmCore {
        let coordinator = try RealmCoordinator.open(configuration)
        if let known = try known(to: coordinator, confinement, set) {
            try known.applyHistory(of: configuration)
            return known
        }
        let site = CreationSite(fileID: confinement.opening.fileID, line: confinement.opening.line)
        let (snapshot, schema) = try coordinator.prepare(set, configuration, site)
        // Preparing runs initialisers and migration blocks, which may have opened the realm here.
        if let known = try known(to: coordinator, confinement, set) { return known }
        let core = RealmCore(
            coordinator: coordinator, confinement: confinement, configuration: configuration,
            schema: schema, snapshot: snapshot)
        coordinator.register(core)
        core.listenIfReachable()
        core.poolThreadWatch?.askActor()
        return core
    }

    /// Stores the policy of the history that a configuration asks for, unless the file has it.
    /// Another process may have stored another one since this realm was opened.
    ///
    /// - Throws: `alreadyOpen` in a write transaction that the policy would change.
    private func applyHistory(of configuration: Realm.Configuration) throws {
        guard let setting = HistorySetting(configuration, schema.set, path: store.path) else {
            return
        }
        if let current = writeSet?.base ?? snapshot,
            coordinator.isNewest(current, having: setting)
        {
            return
        }
        if let writeSet {
            // Where another process changed it, an opening after the transaction restores it.
            if try coordinator.isLast(setting) || setting.isUpToDate(writeSet.base) { return }
            throw Realm.Error(
                .alreadyOpen,
                """
                Realm at path '\(store.path)' is in a write transaction, and can't get another \
                history meanwhile. Open it with that configuration before or after.
                """, fileURL: URL(fileURLWithPath: store.path))
        }
        let newest = try mappingStorageErrors(store.newestSnapshot())
        if try setting.isUpToDate(newest) {
            coordinator.note(setting, in: newest)
            // The realm moves only if it would lack the history.
            if let snapshot, try setting.isUpToDate(snapshot) { return }
        } else {
            let site = CreationSite(
                fileID: confinement.opening.fileID, line: confinement.opening.line)
            _ = try coordinator.prepare(schema.set, configuration, site)
        }
        catchUpByItself()
    }

    /// The live realm of a domain, if there is one.
    ///
    /// - Throws: `alreadyOpen` if it has other classes.
    private static func known(
        to coordinator: RealmCoordinator, _ confinement: Confinement, _ set: SchemaSet
    ) throws(Realm.Error) -> RealmCore? {
        guard let known = coordinator.core(confinedAs: confinement) else { return nil }
        if known.schema.set === set { return known }
        throw Realm.Error(
            .alreadyOpen,
            """
            Realm at path '\(coordinator.store.path)' already opened on current thread \
            with different schema.
            """, fileURL: URL(fileURLWithPath: coordinator.store.path))
    }
}
