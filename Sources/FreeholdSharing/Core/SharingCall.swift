/// A call of an upstream that the core wants made.
enum SharingCall: Sendable {
    case connect(UpstreamClient)
    case state
    case push([PushedCommit], epoch: Int64, expecting: Int64?)
    case commits(after: Int64, epoch: Int64)
    /// Reads the newest snapshot into a file.
    case readSnapshot
    /// Writes a snapshot from a file, which is made first: ``SharingCore/makeSnapshot(at:)``.
    case writeSnapshot
    /// - Parameter withSnapshot: Whether it begins with one, which is made first:
    ///   ``SharingCore/makeEpochSnapshot(at:epoch:)``.
    case beginEpoch(UpstreamEpochRequest, withSnapshot: Bool)
    case trim
}

/// The answer to a ``SharingCall``.
enum SharingReply: Sendable {
    case connected
    case state(UpstreamState)
    case pushed(PushAnswer)
    case commits([LoggedCommit])
    /// The path of the snapshot's file, and which one it is; nil for none.
    case snapshot((path: String, snapshot: UpstreamSnapshot)?)
    /// The number that the written snapshot is at.
    case wroteSnapshot(sequence: Int64)
    /// The epoch that the call began; nil if it began none.
    case begun(UpstreamState?)
    case trimmed
    case failed(SharingError)
}

/// What the core wants done next.
enum SharingStep: Sendable {
    case call(SharingCall)
    /// Runs the block of a `writeShared` on the newest version.
    case runBlock(id: UInt64)
    /// Nothing, until the head is above a number, the program commits or asks, or a time comes.
    case idle(above: Int64, until: Double?)
    /// Nothing, until a time comes, or the program asks.
    case sleep(until: Double)
}

/// What the core tells the program.
enum SharingEvent: Sendable {
    case statusChanged
    /// Commits of the program are in the log.
    case settled(Int)
    case rejected
    /// A `writeShared` has ended: the number of the attempt that is in the log.
    case finished(id: UInt64, Result<Int64, SharingError>)
}
