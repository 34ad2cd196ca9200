import Foundation
import Freehold
import FreeholdStorage

/// What ``SharedRealm`` asks of its agent.
extension SharingAgent {
    /// A call that waits, until a connection fails that was made since.
    struct Waiting {
        enum Purpose {
            case synchronization
            case snapshot
            case epoch
            case migration

            /// Whether a call that finds no room for a snapshot is not repeated for the purpose.
            func isEnded(byFailureOf call: SharingCall) -> Bool {
                switch call {
                case .writeSnapshot: self == .snapshot || self == .epoch
                case .beginEpoch: self == .epoch || self == .migration
                default: false
                }
            }
        }

        let purpose: Purpose
        let connectionCount: Int
        /// How many calls had been begun.
        let callCount: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    var status: SharedStatus { shown.withLock { $0.status } }

    func statusChanges() -> AsyncStream<SharedStatus> {
        let (stream, continuation) = AsyncStream<SharedStatus>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            _ = self?.shown.withLock { $0.listeners.removeValue(forKey: id) }
        }
        let isOver = shown.withLock { shown in
            if !shown.isOver { shown.listeners[id] = continuation }
            // Before any later status.
            continuation.yield(shown.status)
            return shown.isOver
        }
        if isOver { continuation.finish() }
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
        let isOver = shown.withLock { shown in
            if !shown.isOver { shown.rejectionWaiters[id] = continuation }
            return shown.isOver
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// The oldest rejection that no loop of the program has; nil without one.
    func nextRejection() async throws -> (row: Int64, rejection: SharedRejection)? {
        try await onQueue { [self] in
            guard let next = try core?.file.nextRejection(except: givenRejections) else {
                return nil
            }
            givenRejections.insert(next.row)
            return (next.row, SharedRejection(next.record))
        }
    }

    /// The program has dealt with a rejection. One that cannot be removed is given again when the
    /// file is shared the next time.
    func removeRejection(_ row: Int64) {
        queue.async { [self] in
            guard let file = core?.file, (try? file.removeRejection(row)) != nil else { return }
            givenRejections.remove(row)
        }
    }

    /// Runs a call of the program, whose errors then name the file.
    func toldByRealm<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> Value
    ) async throws -> Value {
        do { return try await call() } catch let error as SharingError {
            throw error.about(configuration.fileURL)
        }
    }

    func synchronize() async throws {
        try await wait(for: .synchronization) { $0.headMayHaveMoved() }
    }

    /// On `queue`, when nothing is left to do.
    ///
    /// A call that was under way when a synchronization began says nothing of what was committed
    /// until then, so another one follows.
    func endSynchronizations(_ core: SharingCore) {
        end(.success(())) {
            $0.purpose == .synchronization && $0.callCount < core.headCall
        }
        if waiting.values.contains(where: { $0.purpose == .synchronization }) {
            core.headMayHaveMoved()
            wakeUp.wake()
        }
    }

    func makeSnapshot() async throws { try await wait(for: .snapshot) { $0.requestSnapshot() } }

    /// Begins an epoch, and waits until its snapshot is written.
    func beginEpoch() async throws { try await wait(for: .epoch) { $0.requestEpoch() } }

    /// Begins an epoch with a migrated copy of S(n), if the log has nothing else by then.
    func beginEpoch(with copy: SharingCore.MigratedCopy) async throws {
        try await wait(for: .migration) { $0.requestEpoch(with: copy) }
    }

    /// Asks the core for something, and waits for its outcome, or for the end of the task. What
    /// was asked for then still happens.
    private func wait(
        for purpose: Waiting.Purpose, _ request: @escaping @Sendable (SharingCore) -> Void
    ) async throws {
        let id = UUID()
        let isCancelled = Locked(false)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                queue.async { [self] in
                    if isCancelled.withLock({ $0 }) {
                        return continuation.resume(throwing: CancellationError())
                    }
                    guard !isClosed, let core else {
                        return continuation.resume(throwing: Self.closed)
                    }
                    waiting[id] = Waiting(
                        purpose: purpose, connectionCount: core.connectionCount,
                        callCount: core.callCount, continuation: continuation)
                    request(core)
                    core.retryNow()
                    wakeUp.wake()
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            queue.async { [self] in
                waiting.removeValue(forKey: id)?.continuation
                    .resume(throwing: CancellationError())
            }
        }
    }

    func takeNewIdentity() async throws {
        try await onQueue { [self] in
            guard !isClosed, let core else { throw Self.closed }
            try core.takeNewIdentity()
            deliver()
        }
        wakeUp.wake()
    }
}
