/// The last commit of a client that a connection's answers said the upstream has.
///
/// A server that lost its newest commits may still answer a connection of before: through a proxy,
/// or because a request was on its way. A push must not get into such a log behind a gap, because
/// the client takes all of its commits up to the last one to be there.
package struct AcknowledgedCommit: Sendable {
    private var epoch: Int64 = 0
    private var clientSequence: Int64 = 0

    package init() {}

    /// The number of the commit; 0 for none of the epoch.
    package func clientSequence(in epoch: Int64) -> Int64 {
        epoch == self.epoch ? clientSequence : 0
    }

    /// Notes what an answer said.
    package mutating func note(_ clientSequence: Int64, in epoch: Int64) {
        (self.epoch, self.clientSequence) = (epoch, clientSequence)
    }

    /// Notes that the upstream has the commits of a push that followed another one's.
    package mutating func note(
        _ pushed: [PushedCommit], following: Int64, in epoch: Int64
    ) {
        guard let last = pushed.last else { return }
        note(max(following, last.clientSequence), in: epoch)
    }

    /// What a push throws that would come behind a gap.
    package static let isGone = SharingError(
        .unreachable, "The server lost commits that it had acknowledged.",
        remedy: "None: the client connects again, and compares what it has with the server.")
}
