public import Foundation

/// Where realms are shared: an ordered log of commits for each of them, and snapshots to begin
/// with.
///
/// An upstream knows nothing of objects. It numbers the commits of a realm from 1, without gaps,
/// in one order that all clients see: a client that has seen a number has seen all smaller ones,
/// or can. What it has acknowledged it keeps.
///
/// A realm's name is of 1 to 1,024 bytes of UTF-8, none of them 0. Names with different bytes are
/// different names.
///
/// Thread rule: any. Many realms may use one upstream.
public protocol Upstream: Sendable {
    /// Opens a connection for one realm, and makes a client known to it.
    ///
    /// Earlier connections of the client are over then: their pushes throw `unreachable`, even
    /// those that are under way, or have succeeded. So what
    /// ``UpstreamConnection/state()`` tells of the client's commits is final.
    ///
    /// - Throws: ``SharingError``, with `unknownRealm` for a name that is not there, `unfitName`
    ///   for one that no realm can have, and `copiedClient` if another file was the last to connect
    ///   with the client's id, unless the client ``UpstreamClient/isAhead(ofEpoch:head:)``: a
    ///   server that lost commits may have lost the client's last token, too.
    func connect(to realm: String, as client: UpstreamClient) async throws
        -> any UpstreamConnection

    /// Adds a realm with an empty log.
    ///
    /// - Throws: ``SharingError``, with `nameTaken` for a name that is there, and `unfitName` for
    ///   one that no realm can have.
    func create(_ realm: String) async throws
}

/// A connection to one realm of an ``Upstream``.
///
/// Calls may be made by any thread, one after the other: but for ``waitForHead(above:)``, which
/// stays open beside the others. After a call has thrown `unreachable` the connection is of no
/// more use. Cancelling the task of a call ends the call soon, and the connection with it.
public protocol UpstreamConnection: Sendable {
    /// What the upstream has of the realm now.
    func state() async throws -> UpstreamState

    /// Appends commits, all or none, and answers when they are durable.
    ///
    /// A commit whose number the client has pushed before is left out: a push that is repeated
    /// because its answer was lost changes nothing, and is no conflict if all of it is left out.
    ///
    /// If the upstream lacks a commit of the client that an earlier answer of this connection said
    /// it has, the push throws `unreachable`: the log never has a client's commits with a gap.
    ///
    /// - Parameters:
    ///   - commits: At least one, with ascending numbers of the client.
    ///   - epoch: The client's. The push is refused with `newEpoch` in another one.
    ///   - head: If given, the push is a conflict unless this is the log's head.
    /// - Throws: ``SharingError``. `serverFull` and `permissionDenied` say that nothing was
    ///   appended; after others it may have been.
    func push(_ commits: [PushedCommit], in epoch: Int64, expecting head: Int64?) async throws
        -> PushAnswer

    /// Commits in the log's order, from the one after a number; empty at the head.
    ///
    /// - Parameters:
    ///   - sequence: The number of the last commit that is known.
    ///   - epoch: The client's.
    ///   - byteCount: About how much to send: at least one commit, if there is one.
    /// - Throws: ``SharingError``, with `logGone` if commits after the number were dropped, and
    ///   `newEpoch`.
    func commits(after sequence: Int64, in epoch: Int64, upTo byteCount: Int) async throws
        -> [LoggedCommit]

    /// Returns when the head may be above a number, or after about a second. Cancelling the task
    /// ends the wait.
    func waitForHead(above sequence: Int64) async throws

    /// The newest snapshot of the epoch; nil if there is none.
    func newestSnapshot() async throws -> UpstreamSnapshot?

    /// Reads a snapshot, piece by piece.
    func read(
        _ snapshot: UpstreamSnapshot, _ receive: @Sendable (Data) async throws -> Void
    ) async throws

    /// Stores a snapshot: all of it, or nothing. It becomes the newest one if its number is the
    /// largest. One of another epoch, or above the head of the epoch, is refused with `newEpoch`:
    /// the server lost commits that the snapshot has.
    ///
    /// - Parameter nextPiece: The pieces of the file, in order; nil at its end.
    func write(
        _ snapshot: UpstreamSnapshot, _ nextPiece: @Sendable () async throws -> Data?
    ) async throws

    /// Drops commits and snapshots below the newest snapshot that are older than a time.
    func trim(olderThan age: Duration) async throws

    /// Begins an epoch, in one step with the snapshot that it begins with: no client finds the
    /// epoch without it, and where the call fails nothing has changed. All snapshots that were
    /// there are dropped. Numbers of clients are forgotten, because the snapshot may lack commits
    /// that the log had. Files know which ones they have.
    ///
    /// - Parameters:
    ///   - request: The epoch that ends, and the one that begins.
    ///   - snapshot: That of the new epoch's head; nil if the caller writes it afterwards.
    ///   - nextPiece: The pieces of the snapshot's file, in order; nil at its end. Not called
    ///     without a snapshot.
    /// - Returns: The state of the epoch that this call began; nil if nothing happened.
    func beginEpoch(
        _ request: UpstreamEpochRequest, with snapshot: UpstreamSnapshot?,
        _ nextPiece: @Sendable () async throws -> Data?
    ) async throws -> UpstreamState?

    /// Ends the connection. Calls that are open throw `unreachable`.
    func close() async
}
