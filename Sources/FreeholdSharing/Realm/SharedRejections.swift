import Foundation

/// The rejections of a shared realm: ``SharedRealm/rejections``.
public struct SharedRejections: AsyncSequence, Sendable {
    /// The value of each iteration.
    public typealias Element = SharedRejection

    private let agent: SharingAgent

    init(_ agent: SharingAgent) { self.agent = agent }

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(agent) }

    /// Iterates over rejections.
    public struct Iterator: AsyncIteratorProtocol {
        private let agent: SharingAgent
        private var signals: AsyncStream<Void>.AsyncIterator
        private var given: Given?

        init(_ agent: SharingAgent) {
            self.agent = agent
            signals = agent.rejectionSignals().makeAsyncIterator()
        }

        /// The next rejection; nil after the shared realm was closed, and after a cancellation.
        /// The one before is over then: it is not given again.
        public mutating func next() async throws -> SharedRejection? {
            given = nil
            while !Task.isCancelled {
                if let (row, next) = try await agent.nextRejection() {
                    given = Given(agent, row)
                    return next
                }
                if await signals.next() == nil { return nil }
            }
            return nil
        }
    }

    /// A rejection that the program has, until it asks for the next one, or its loop ends.
    private final class Given: Sendable {
        private let agent: SharingAgent
        private let row: Int64

        init(_ agent: SharingAgent, _ row: Int64) {
            self.agent = agent
            self.row = row
        }

        deinit { agent.removeRejection(row) }
    }
}
