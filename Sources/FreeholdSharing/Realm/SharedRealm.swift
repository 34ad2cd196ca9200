public import Freehold
import Foundation
import FreeholdStorage

/// A realm that several machines share through an ``Upstream``.
///
/// ```swift
/// let shared = try await SharedRealm(configuration, upstream: upstream, name: "orders")
/// let realm = try shared.realm()                      // an ordinary realm
/// try realm.write { order.state = "packed" }          // local at once, pushed by itself
/// let left = try await shared.writeShared { realm in  // decided by all machines together
///     let item = realm.object(ofType: Item.self, forPrimaryKey: id)!
///     guard item.stock > 0 else { throw OutOfStock() }
///     item.stock -= 1
///     return item.stock
/// }
/// ```
///
/// The file has the state of the upstream, and this machine's commits that are not in its log yet
/// on top. All realms of the file, of this and other processes, are ordinary realms: they read
/// without waiting, observers are told of what other machines commit, and what they write is in
/// the file's outbox with the commit. This object moves commits between the file and the
/// upstream, one in all processes for each file. Without a connection everything but
/// ``writeShared(timeout:author:_:)`` works on.
///
/// What machines write at once is merged by rules (<doc:SharingRealms>): the last in the log's
/// order wins, property by property and element by element; a deletion wins; counters
/// (`increment(\.count, by: 1)`) add up.
///
/// Each class needs a primary key that is unique everywhere: an `ObjectId`, a `UUID`, a text, or
/// an integer that the program sets.
///
/// Thread rule: any. Releasing the last reference closes it, without waiting: a call that is under
/// way ends within five seconds.
public final class SharedRealm: Sendable {
    /// The file and its settings, for `Realm(configuration:)`.
    public let configuration: Realm.Configuration
    /// The name of the realm at its upstream.
    public let name: String
    let agent: SharingAgent
    private let work: Task<Void, Never>

    /// Opens a file and connects it with an upstream.
    ///
    /// A file that was shared before opens without a connection. One that is not there begins with
    /// the newest snapshot of the upstream. The objects of a file that was not shared become
    /// commits.
    ///
    /// A higher schema version that changes more than to add classes and properties, or whose
    /// migration block changes objects, is migrated once for all machines, in a new epoch of the
    /// realm. That needs the upstream. The block may run several times, on copies. Programs with a
    /// lower schema version keep their files as they are, and what they write there, until they
    /// are updated.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - upstream: Where the realm is shared.
    ///   - name: The name of the realm there.
    ///   - options: How the client behaves.
    /// - Throws: ``SharingError``: `unreachable` if the file was not shared before, or needs a
    ///   migration of all machines, and the upstream cannot be reached, `unfitName` for a name that
    ///   no realm can have, `unknownRealm`, `unsupportedVersion` if the realm was migrated to a
    ///   higher schema version, `alreadyShared` if another process, or this one, shares the file,
    ///   or if it is shared as another realm, `unfitClass` for a class that cannot be shared,
    ///   `fileFailed` if there is no room for the snapshot, `logGone` if the file needs a snapshot
    ///   and there is none; ``Realm/Error`` as opening a realm does, and with `invalidInput` for a
    ///   realm that is in memory or read-only.
    public init(
        _ configuration: Realm.Configuration, upstream: any Upstream, name: String,
        options: SharingOptions = SharingOptions()
    ) async throws {
        var configuration = configuration
        // It has what is pending.
        configuration.deleteRealmIfMigrationNeeded = false
        self.configuration = configuration
        self.name = name
        do {
            agent = try await Self.open(configuration, upstream, name, options)
        } catch let error as SharingError {
            throw error.about(configuration.fileURL)
        }
        work = Task.detached { [agent] in await agent.run() }
    }

    private static func open(
        _ configuration: Realm.Configuration, _ upstream: any Upstream, _ name: String,
        _ options: SharingOptions
    ) async throws -> SharingAgent {
        try RealmName.check(name)
        try configuration.checkIsShareable()
        if !options.usesStoredClasses { try configuration.checkClassesAreShareable() }
        let path = try configuration.sharedFile().path
        let lock: SharingLock?
        do { lock = try SharingLock(ofFileAt: path) } catch { throw Realm.Error(error) }
        guard let lock else {
            throw SharingError(
                .alreadyShared, "\"\(path)\" is shared by another process, or by this one.",
                remedy: """
                    One SharedRealm connects a file. Open it with Realm(configuration:) elsewhere: \
                    what is written there is shared, too.
                    """)
        }
        let identity = try await SharedStart(configuration, upstream, name, options).prepare()
        try await SharedMigration(configuration, upstream, name, options, lock).run()
        let agent = SharingAgent(configuration, upstream, name, options, lock)
        try await agent.open(identity)
        return agent
    }

    deinit { agent.close() }

    // MARK: Status

    /// What it does now. Nanoseconds.
    public var status: SharedStatus { agent.status }

    /// The author, in the file's history, of transactions that came from other machines. One may
    /// have commits of several machines; who wrote them the log tells (`freehold share log`).
    ///
    /// ```swift
    /// for own in try realm.history().excluding(author: SharedRealm.remoteAuthor) { … }
    /// ```
    public static let remoteAuthor = "Freehold.sharing"

    /// The status now, and each later one: a slow loop misses some, and never the newest.
    ///
    /// ```swift
    /// for await status in shared.statusChanges { print(status) }
    /// ```
    public var statusChanges: AsyncStream<SharedStatus> { agent.statusChanges() }

    /// The changes of this file that are not in the shared realm: another machine deleted their
    /// objects, they do not fit, or the server lost them. Durable: each stays in the file until the
    /// loop asks for the next one, or ends. If the process ends or the shared realm is closed
    /// before that, it is given again the next time. Several loops share them. Ends when the shared
    /// realm is closed.
    ///
    /// ```swift
    /// for try await rejection in shared.rejections { print(rejection.changes) }
    /// ```
    public var rejections: SharedRejections { SharedRejections(agent) }

    // MARK: Writing

    /// Writes what all machines have to agree on: stock, seats, balances.
    ///
    /// The block runs on the newest version of the log, and its changes are appended only if
    /// nobody has committed since. Otherwise it runs again on what the others wrote. So it sees
    /// the effects of all writes before it in the log, and none is lost or done twice. A block that
    /// throws, or changes nothing, sees all that was in the log at the call; it is not checked
    /// whether the log has newer commits by the time it runs. Before a block
    /// runs again it is known that its earlier commit is not in the log: what it then throws is
    /// all that happened.
    ///
    /// Thread rule: the block runs on a queue of the shared realm, and holds no lock. Use the realm
    /// that it is given, and not the program's objects. It may run several times, and must have no
    /// other effects.
    ///
    /// - Parameters:
    ///   - timeout: How long the call may take, with a connection or without. If it is nil, the
    ///     call takes as long as the upstream needs to answer, and does not wait for a connection
    ///     that is known to be broken; for a snapshot of an epoch, which another machine writes,
    ///     it waits for ``SharingOptions/snapshotPatience``.
    ///   - author: Who writes, for the history.
    ///   - block: Writes. If it throws, nothing is written.
    /// - Returns: What the block returned when its changes were appended.
    /// - Throws: What the block throws; ``Realm/Error`` with `valueTooLarge` for what a write could
    ///   not have; ``SharingError``: `unreachable`, also if the time was over before the changes
    ///   were sent, `tooManyConflicts`, `damagedPayload` if the log cannot be read back, `logGone`
    ///   if the snapshot of an epoch did not come in time, `permissionDenied`, `serverFull`, and
    ///   `outcomeUnknown` if the connection, the time or the task ended while the changes were
    ///   sent; `closed`; `CancellationError` if nothing was written.
    @discardableResult
    public func writeShared<Value: Sendable>(
        timeout: Duration? = nil, author: String? = nil,
        _ block: @escaping @Sendable (Realm) throws -> Value
    ) async throws -> Value {
        try await agent.toldByRealm {
            try await agent.writeShared(timeout: timeout?.seconds, author: author, block)
        }
    }

    /// The same for a block without a result: also one whose only expression is an object, which
    /// cannot leave the block.
    ///
    /// ```swift
    /// try await shared.writeShared { $0.create(Item.self, value: ["name": "bolt"]) }
    /// ```
    ///
    /// - Parameters:
    ///   - timeout: How long the call may take, with a connection or without.
    ///   - author: Who writes, for the history.
    ///   - block: Writes, perhaps several times. If it throws, nothing is written.
    /// - Throws: As the function whose block has a result.
    public func writeShared(
        timeout: Duration? = nil, author: String? = nil,
        _ block: @escaping @Sendable (Realm) throws -> Void
    ) async throws {
        try await agent.toldByRealm {
            try await agent.writeShared(timeout: timeout?.seconds, author: author, block)
        }
    }

    // MARK: Moving commits

    /// Waits until all of this file's commits are in the log, and the file has all of the log.
    ///
    /// - Throws: ``SharingError``, as soon as the upstream is known to be out of reach, or if a
    ///   snapshot that this file needs does not come for ``SharingOptions/snapshotPatience``
    ///   (`logGone`);
    ///   `CancellationError` if the task was cancelled.
    public func synchronize() async throws {
        try await agent.toldByRealm { try await agent.synchronize() }
    }

    /// Writes a snapshot to the upstream, from which new files start. It contains everything that
    /// the file has when this is called. The client also makes snapshots on its own, after
    /// ``SharingOptions/snapshotBytes``. O(bytes of the file).
    ///
    /// - Throws: ``SharingError``.
    public func makeSnapshot() async throws {
        try await agent.toldByRealm { try await agent.makeSnapshot() }
    }

    /// Begins a new epoch of the realm: a snapshot of all that is in the log, and an empty log.
    /// For a server that was restored from a backup, or that lost the tokens of clients. Other
    /// clients begin again from the snapshot by themselves, and push what they have pending; what
    /// they had acknowledged and the snapshot lacks is a rejection. Where others commit while the
    /// snapshot is on its way, it is made again. O(bytes of the file).
    ///
    /// - Throws: ``SharingError``.
    public func beginEpoch() async throws {
        try await agent.toldByRealm { try await agent.beginEpoch() }
    }

    /// Makes the file another client than the one that it was copied from: the remedy of
    /// ``SharingError/Code/copiedClient``. What is pending in the file is pushed by it, but for
    /// what the other file has pushed before this one reads the log. What that one pushes later,
    /// or what is in a snapshot that this one begins again with, is done twice: counters then add
    /// twice. A `writeShared` whose commit was sent throws `outcomeUnknown`. Milliseconds.
    ///
    /// - Throws: ``SharingError`` with `closed`; ``Realm/Error`` if the file cannot be written.
    public func takeNewIdentity() async throws {
        try await agent.toldByRealm { try await agent.takeNewIdentity() }
    }

    /// Ends the connection, and waits until nothing is under way. What is pending stays in the
    /// file, and is pushed when it is shared again.
    ///
    /// - Parameter patience: How long to wait for the answer to a call, and for the snapshot of an
    ///   epoch that this machine began. A call without an answer is then cancelled; whether it
    ///   arrived turns out when the file is shared again.
    public func close(patience: Duration = .seconds(5)) async {
        agent.close(patience: patience)
        await work.value
    }
}
