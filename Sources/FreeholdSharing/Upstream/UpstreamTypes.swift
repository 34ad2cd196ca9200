public import Foundation

/// A file that takes part in sharing a realm.
public struct UpstreamClient: Sendable, Hashable {
    /// Identifies the file.
    public var id: UUID
    /// The token of the connection before. Tokens change each time that the file connects, so that
    /// a copy of it is noticed. The file has stored both before it connects, because the answer may
    /// be lost.
    public var previousToken: UUID
    /// The token to remember from now on.
    public var nextToken: UUID
    /// For people: the program and the machine.
    public var name: String
    /// The epoch that the file is in; 0 for none.
    public var epoch: Int64
    /// The number of the last commit that the file has.
    public var applied: Int64

    /// Makes a client.
    public init(
        id: UUID, previousToken: UUID, nextToken: UUID, name: String, epoch: Int64 = 0,
        applied: Int64 = 0
    ) {
        self.id = id
        self.previousToken = previousToken
        self.nextToken = nextToken
        self.name = name
        self.epoch = epoch
        self.applied = applied
    }

    /// Whether the file has more of the log than its server, which then lost commits: and tokens,
    /// perhaps. For implementations of ``Upstream``.
    public func isAhead(ofEpoch epoch: Int64, head: Int64) -> Bool {
        (self.epoch, applied) > (epoch, head)
    }
}

/// What an upstream has of a realm.
public struct UpstreamState: Sendable, Hashable {
    /// Counts from 1. Numbers of commits can be compared within one epoch only.
    public var epoch: Int64
    /// The number of the newest commit; 0 without commits.
    public var head: Int64
    /// Commits up to this number were dropped: a client needs a snapshot to go beyond it.
    public var floor: Int64
    /// The last number of a commit that the client has pushed; 0 for none.
    public var lastClientSequence: Int64
    /// The number of the newest snapshot; nil for none.
    public var snapshot: Int64?
    /// The last commit that was dropped; nil if none was in this epoch. A client that has no later
    /// one sees by it whether the log is the one that it read.
    public var floorCommit: UpstreamCommitIdentity?

    /// Makes a state; for implementations of ``Upstream``.
    public init(
        epoch: Int64, head: Int64, floor: Int64, lastClientSequence: Int64, snapshot: Int64?,
        floorCommit: UpstreamCommitIdentity? = nil
    ) {
        self.epoch = epoch
        self.head = head
        self.floor = floor
        self.lastClientSequence = lastClientSequence
        self.snapshot = snapshot
        self.floorCommit = floorCommit
    }

    /// Whether nothing but commits came between two states.
    func isSameLog(as other: UpstreamState?) -> Bool {
        epoch == other?.epoch && floor == other?.floor && snapshot == other?.snapshot
    }
}

/// What tells a commit of a log from all others.
public struct UpstreamCommitIdentity: Sendable, Hashable {
    /// The client that pushed it.
    public var client: UUID
    /// Its number among those of the client.
    public var clientSequence: Int64
    /// As ``LoggedCommit/appendStamp``.
    public var appendStamp: Int64?

    /// Makes an identity; for implementations of ``Upstream``.
    public init(client: UUID, clientSequence: Int64, appendStamp: Int64? = nil) {
        self.client = client
        self.clientSequence = clientSequence
        self.appendStamp = appendStamp
    }

    init(_ commit: LoggedCommit) {
        self.init(
            client: commit.client, clientSequence: commit.clientSequence,
            appendStamp: commit.appendStamp)
    }

    /// Whether two commits are one.
    ///
    /// A file knows no stamp of a commit that it pushed itself and did not read back. Its stamp
    /// need not be known: a file never pushes again what it has applied.
    func isSame(as other: Self) -> Bool {
        guard client == other.client, clientSequence == other.clientSequence else { return false }
        return appendStamp == nil || other.appendStamp == nil || appendStamp == other.appendStamp
    }

    /// That of no commit.
    static let none = Self(
        client: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), clientSequence: 0)
}

/// A commit on its way to the log.
public struct PushedCommit: Sendable, Hashable {
    /// Counts the commits of the client, from 1.
    public var clientSequence: Int64
    /// The version of the payload's format.
    public var format: Int32
    /// The commit's bytes, which mean nothing to an upstream.
    public var payload: Data

    /// Makes a commit.
    public init(clientSequence: Int64, format: Int32, payload: Data) {
        self.clientSequence = clientSequence
        self.format = format
        self.payload = payload
    }
}

/// What became of a push.
public enum PushAnswer: Sendable, Hashable {
    /// All commits are in the log; the number of the newest one that this push added, or of the
    /// log's head if it added none.
    case appended(last: Int64)
    /// The head is another one than expected: nothing was added.
    case conflict(head: Int64)
}

/// A commit of the log.
public struct LoggedCommit: Sendable, Hashable {
    /// The number in the log.
    public var sequence: Int64
    /// The ``UpstreamClient/id`` of the client that pushed it.
    public var client: UUID
    /// The number among the commits of the client.
    public var clientSequence: Int64
    /// The version of the payload's format.
    public var format: Int32
    /// The commit's bytes, as they were pushed.
    public var payload: Data
    /// A number that differs where the commit is appended again because the upstream lost it, such
    /// as the time, in microseconds: other commits may be before it then. Nil for an upstream that
    /// never loses what it has acknowledged.
    public var appendStamp: Int64?

    /// Makes a commit; for implementations of ``Upstream``.
    public init(
        sequence: Int64, client: UUID, clientSequence: Int64, format: Int32, payload: Data,
        appendStamp: Int64? = nil
    ) {
        self.sequence = sequence
        self.client = client
        self.clientSequence = clientSequence
        self.format = format
        self.payload = payload
        self.appendStamp = appendStamp
    }
}

/// A copy of the realm's file after the commit of a number.
public struct UpstreamSnapshot: Sendable, Hashable {
    /// The epoch of ``sequence``.
    public var epoch: Int64
    /// The number of the last commit that the copy has.
    public var sequence: Int64
    /// The size of the copy as it is stored, which is compressed.
    public var byteCount: Int64
    /// Whether the file is encrypted: the upstream never has the key.
    public var isEncrypted: Bool
    /// The least schema version of a program that can use it.
    public var schemaVersion: Int64

    /// Makes a description of a snapshot.
    public init(
        epoch: Int64, sequence: Int64, byteCount: Int64, isEncrypted: Bool, schemaVersion: Int64 = 0
    ) {
        self.epoch = epoch
        self.sequence = sequence
        self.byteCount = byteCount
        self.isEncrypted = isEncrypted
        self.schemaVersion = schemaVersion
    }
}
