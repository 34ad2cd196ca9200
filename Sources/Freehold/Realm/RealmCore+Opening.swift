import Foundation
import FreeholdStorage

extension RealmCore {
    /// The realm of a configuration in the caller's domain: the instance that exists, or a new one.
    static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws -> RealmCore {
        let set = try SchemaSet.resolve(configuration.objectTypes)
        do {
            return try open(configuration, confinement, set)
        } catch Realm.Error.schemaMismatch where configuration.deleteRealmIfMigrationNeeded {
            // The failed attempt has closed the file again, unless another realm has it open; then deleting refuses.
            _ = try Realm.removeFiles(of: configuration)
            return try open(configuration, confinement, set)
        }
    }

    /// Opens the file and gives it the declared classes, for realms to be opened quickly afterwards. Keeps the file open until it is released. Any thread.
    static func prepare(_ configuration: Realm.Configuration) throws -> RealmCoordinator {
        let set = try SchemaSet.resolve(configuration.objectTypes)
        do {
            return try prepare(configuration, set)
        } catch Realm.Error.schemaMismatch where configuration.deleteRealmIfMigrationNeeded {
            _ = try Realm.removeFiles(of: configuration)
            return try prepare(configuration, set)
        }
    }

    private static func prepare(_ configuration: Realm.Configuration, _ set: SchemaSet) throws -> RealmCoordinator {
        let coordinator = try RealmCoordinator.open(configuration)
        _ = try coordinator.prepare(set, configuration, CreationSite(fileID: #fileID, line: #line))
        return coordinator
    }

    private static func open(
        _ configuration: Realm.Configuration, _ confinement: Confinement, _ set: SchemaSet
    ) throws -> RealmCore {
        let coordinator = try RealmCoordinator.open(configuration)
        if let known = try known(to: coordinator, confinement, set) { return known }
        let site = CreationSite(fileID: confinement.opening.fileID, line: confinement.opening.line)
        let (snapshot, schema) = try coordinator.prepare(set, configuration, site)
        // Preparing runs initialisers and migration blocks, which may have opened the realm here.
        if let known = try known(to: coordinator, confinement, set) { return known }
        let core = RealmCore(coordinator: coordinator, confinement: confinement, configuration: configuration, schema: schema, snapshot: snapshot)
        coordinator.register(core)
        core.listenIfReachable()
        return core
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
            .alreadyOpen, "Realm at path '\(coordinator.store.path)' already opened on current thread with different schema.",
            fileURL: URL(fileURLWithPath: coordinator.store.path))
    }
}
