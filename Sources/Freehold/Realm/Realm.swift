public import Dispatch
public import Foundation
import FreeholdStorage

/// A database of live objects, kept in one file.
///
/// A realm belongs to the thread, serial queue or actor that opened it. Using the realm or its
/// objects elsewhere ends the process with a ``ConfinementViolation``. Opening the same file
/// again in the same place returns the same instance, so open realms where they are needed
/// rather than keep them. Frozen realms (``freeze()``) can be used anywhere.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write {
///     realm.add(Person(value: ["name": "Ada"]))
/// }
/// ```
///
/// A realm reads one version of the file at a time. It moves to the newest version after commits
/// of others (``autorefresh``), with ``refresh()``, and when a write transaction begins.
@frozen
public struct Realm {
    @usableFromInline let core: RealmCore

    init(core: RealmCore) { self.core = core }
}

@available(
    *, unavailable,
    message:
        "A realm is confined to its thread or queue: open one where it is needed, or freeze() it."
)
extension Realm: Sendable {}

extension Realm: Equatable {
    /// Whether both are the same instance. Any thread.
    public static func == (a: Realm, b: Realm) -> Bool { a.core === b.core }
}

// MARK: - Opening

extension Realm {
    /// Opens the realm of the default configuration.
    ///
    /// - Parameters:
    ///   - queue: The serial queue, or the main queue, that the caller runs on, to confine the
    ///     realm to it; nil for the calling thread.
    ///   - fileID: The source file of the call, for diagnoses. Omit it.
    ///   - line: The source line of the call, for diagnoses. Omit it.
    /// - Throws: See ``init(configuration:queue:fileID:line:)``.
    public init(queue: DispatchQueue? = nil, fileID: StaticString = #fileID, line: UInt = #line)
        throws
    {
        try self.init(
            configuration: .defaultConfiguration, queue: queue, fileID: fileID, line: line)
    }

    /// Opens the realm of the default configuration, but with another file.
    ///
    /// - Parameters:
    ///   - fileURL: The file. Created if it does not exist.
    ///   - fileID: The source file of the call, for diagnoses. Omit it.
    ///   - line: The source line of the call, for diagnoses. Omit it.
    /// - Throws: See ``init(configuration:queue:fileID:line:)``.
    public init(fileURL: URL, fileID: StaticString = #fileID, line: UInt = #line) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration, queue: nil, fileID: fileID, line: line)
    }

    /// Opens a realm, or returns the instance that is already open on this thread or queue.
    ///
    /// Creates the file if it does not exist. Adds classes, properties and indexes that the file
    /// lacks, without rewriting its rows. Any other difference between the declared classes and
    /// the file requires a migration.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - queue: The serial queue, or the main queue, that the caller runs on, to confine the
    ///     realm to it; nil for the calling thread.
    ///   - fileID: The source file of the call, for diagnoses. Omit it.
    ///   - line: The source line of the call, for diagnoses. Omit it.
    /// - Throws: ``Realm/Error``, whose code says what is wrong with the file, the configuration
    ///   or the schema; ``ConfinementViolation`` if the caller does not run on `queue`.
    public init(
        configuration: Configuration, queue: DispatchQueue? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        let confinement = try Confinement.here(queue: queue, fileID: fileID, line: line)
        let core = try RealmCore.open(configuration, confinement)
        core.poolThreadWatch?.noteUse()
        self.init(core: core)
    }
}

// MARK: - Properties

extension Realm {
    /// The configuration that the realm was opened with. Any thread.
    public var configuration: Configuration { core.configuration }

    /// Whether the realm contains no objects. O(classes).
    public var isEmpty: Bool {
        core.checkConfinement("Realm.isEmpty")
        return core.schema.classes.allSatisfy { core.source.table($0.table).count == 0 }
    }

    /// Whether the realm moves automatically to new versions that other threads, queues, actors
    /// and processes commit. Initially true.
    ///
    /// Moves when its scheduler next runs work: on the main thread, a serial queue, an actor, a
    /// scheduler of the program, or a thread with a running run loop. It does not move
    /// elsewhere, or in a write transaction. With `false`, the realm keeps its version, and
    /// ``observe(_:)`` receives `.refreshRequired` once for each new version.
    ///
    /// Regardless of the value, ``refresh()`` and the beginning of each write move a live realm
    /// to the newest version.
    ///
    /// A frozen realm's value is false; setting it to true traps. Traps off the realm's thread
    /// or queue.
    public var autorefresh: Bool {
        get {
            core.checkConfinement("Realm.autorefresh")
            return core.autorefresh
        }
        nonmutating set {
            core.checkConfinement("Realm.autorefresh")
            if core.isFrozen {
                if newValue { violation(.autorefreshOnFrozenRealm) }
                return
            }
            core.autorefresh = newValue
            if newValue { core.coordinator.notifier.signal() }
        }
    }
}
