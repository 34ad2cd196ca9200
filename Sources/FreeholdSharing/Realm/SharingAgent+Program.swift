import Foundation
import FreeholdStorage

/// What ``SharedRealm`` asks of its agent.
extension SharingAgent {
    var status: SharedStatus { shown.withLock { $0.status } }

    func statusChanges() -> AsyncStream<SharedStatus> {
        let (stream, continuation) = AsyncStream<SharedStatus>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            _ = self?.shown.withLock { $0.listeners.removeValue(forKey: id) }
        }
        let status = shown.withLock { shown in
            shown.listeners[id] = continuation
            return shown.status
        }
        continuation.yield(status)
        return stream
    }

    /// Signals that there may be rejections.
    func rejectionSignals() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            _ = self?.shown.withLock { $0.rejectionWaiters.removeValue(forKey: id) }
        }
        shown.withLock { $0.rejectionWaiters[id] = continuation }
        return stream
    }

    /// Takes the oldest rejection out of the file; nil without one.
    func takeRejection() async throws -> SharedRejection? {
        try await onQueue { [self] in
            guard let file = core?.file, let first = try file.rejections().first else { return nil }
            try file.removeRejection(first.row)
            return SharedRejection(first.record)
        }
    }

    func synchronize() async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                guard !isClosed, let core else {
                    return continuation.resume(throwing: Self.closed)
                }
                settlers.append(
                    Waiting(connectionCount: core.connectionCount, continuation: continuation))
                core.headMayHaveMoved()
                core.retryNow()
                wakeUp.wake()
            }
        }
    }

    /// - Parameter beginsEpoch: Whether the snapshot begins an epoch.
    func makeSnapshot(beginsEpoch: Bool = false) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                guard !isClosed, let core else {
                    return continuation.resume(throwing: Self.closed)
                }
                seeders.append(
                    Waiting(connectionCount: core.connectionCount, continuation: continuation))
                if beginsEpoch { core.requestEpoch() } else { core.requestSnapshot() }
                core.retryNow()
                wakeUp.wake()
            }
        }
    }

    func takeNewIdentity() async throws {
        try await onQueue { [self] in try core?.takeNewIdentity() }
        wakeUp.wake()
    }
}
