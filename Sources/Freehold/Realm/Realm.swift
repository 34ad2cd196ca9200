public import Dispatch
public import Foundation
import FreeholdStorage

/// A database of live objects, kept in one file.
///
/// A realm belongs to where it was opened: to one thread, or to one serial queue. Using it or
/// its objects elsewhere ends the process with a ``ConfinementViolation``. Opening the same
/// file again in the same place returns the same instance, so realms are opened where they are
/// needed rather than kept. Frozen realms (``freeze()``) belong nowhere and are used anywhere.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write {
///     realm.add(Person(value: ["name": "Ada"]))
/// }
/// ```
///
/// A realm reads one version of the file at a time. It moves to the newest one when others have
/// committed (``autorefresh``), with ``refresh()``, and when a write transaction begins.
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
    ///   - queue: A serial queue, or the main queue, that the caller runs on, to confine the
    ///     realm to; nil for the calling thread.
    ///   - fileID: Where the realm is opened, for diagnoses. Leave it out.
    ///   - line: As `fileID`.
    /// - Throws: See ``init(configuration:queue:fileID:line:)``.
    public init(queue: DispatchQueue? = nil, fileID: StaticString = #fileID, line: UInt = #line)
        throws
    {
        try self.init(
            configuration: .defaultConfiguration, queue: queue, fileID: fileID, line: line)
    }

    /// Opens the realm of the default configuration, but with another file.
    ///
    /// - Throws: See ``init(configuration:queue:fileID:line:)``.
    public init(fileURL: URL, fileID: StaticString = #fileID, line: UInt = #line) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration, queue: nil, fileID: fileID, line: line)
    }

    /// Opens a realm, or returns the instance that is open on this thread or queue already.
    ///
    /// The file is made if it does not exist. Classes, properties and indexes that the file
    /// lacks are added to it at no cost for the rows it has; any other difference between the
    /// declared classes and the file requires a migration.
    ///
    /// - Parameters:
    ///   - configuration: Which file, and how.
    ///   - queue: A serial queue, or the main queue, that the caller runs on, to confine the
    ///     realm to; nil for the calling thread.
    ///   - fileID: Where the realm is opened, for diagnoses. Leave it out.
    ///   - line: As `fileID`.
    /// - Throws: ``Realm/Error``, its code saying what is wrong with the file, the
    ///   configuration or the schema; ``ConfinementViolation`` if the caller does not run on
    ///   `queue`.
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
    /// What the realm was opened with. Any thread.
    public var configuration: Configuration { core.configuration }

    /// Whether there is no object of any class. O(classes).
    public var isEmpty: Bool {
        core.checkConfinement("Realm.isEmpty")
        return core.schema.classes.allSatisfy { core.source.table($0.table).count == 0 }
    }

    /// Whether the realm moves to new versions by itself, as they are committed by other
    /// threads, queues, actors and processes. True at first.
    ///
    /// It does so in a turn of its scheduler: on the main thread, a serial queue, an actor, a
    /// scheduler of the program's, or a thread with a running run loop; nowhere else, and never
    /// in a write transaction. With `false`, ``observe(_:)`` is told `.refreshRequired`, once
    /// for each new version, and the realm stays where it is.
    ///
    /// Whatever the value, a live realm moves to the newest version with ``refresh()`` and at
    /// the beginning of each write.
    ///
    /// A frozen realm's is false: setting it to false does nothing, to true traps. Traps off
    /// the realm's thread or queue.
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
