import Dispatch
import Freehold
import FreeholdStorage

/// Calls of `writeShared`. On `queue`, but for the first one.
extension SharingAgent {
    func writeShared<Value: Sendable>(
        timeout: Double?, author: String?, _ block: @escaping @Sendable (Realm) throws -> Value
    ) async throws -> Value {
        let call = Locked<(id: UInt64?, isCancelled: Bool)>((nil, false))
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                let write = SharedWrite(author: author, continuation, block)
                queue.async { [self] in
                    if call.withLock({ $0.isCancelled }) {
                        return write.end(.failure(CancellationError()))
                    }
                    let begun = begin(write, timeout: timeout)
                    call.withLock { $0.id = begun }
                }
            }
        } onCancel: {
            call.withLock { $0.isCancelled = true }
            queue.async { [self] in if let id = call.withLock({ $0.id }) { cancel(id) } }
        }
    }

    private func begin(_ write: any PendingSharedWrite, timeout: Double?) -> UInt64? {
        guard !isClosed, let core else {
            write.end(.failure(Self.closed))
            return nil
        }
        let id = core.request(deadline: timeout.map { now + $0 })
        writes[id] = write
        setDeadlineTimer()
        wakeUp.wake()
        return id
    }

    private func cancel(_ id: UInt64) {
        core?.cancel(id)
        deliver()
        writes.removeValue(forKey: id)?.end(.failure(CancellationError()))
        wakeUp.wake()
    }

    func runBlock(_ id: UInt64) {
        guard let write = writes[id], let realm, let core else {
            self.core?.cancel(id)
            return
        }
        do {
            realm.refresh()
            let draft = try realm.draft()
            defer { draft.discard() }
            draft.author = write.author
            try write.run(in: draft.realm)
            core.blockFinished(id, try draft.sharedCommit())
        } catch {
            core.cancel(id)
            writes.removeValue(forKey: id)?.end(.failure(error))
        }
        deliver()
    }

    func notePush(_ commits: [PushedCommit]) {
        guard let number = commits.last?.clientSequence, let id = core?.request(pushing: number)
        else { return }
        writes[id]?.keepResult(of: number)
    }

    // MARK: Deadlines

    /// Sets the timer to the first deadline. The core looks at deadlines before each step; the
    /// timer ends calls of the program also while a call of the upstream has no answer.
    private func setDeadlineTimer() {
        guard let deadline = core?.deadline else { return }
        let timer = deadlineTimer ?? makeDeadlineTimer()
        // Far ones are set again; so are those that are over while a block is about to run.
        timer.schedule(deadline: .now() + min(max(deadline - now, 0.01), 3600))
    }

    private func makeDeadlineTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.endOverdueWrites() }
        timer.activate()
        deadlineTimer = timer
        return timer
    }

    private func endOverdueWrites() {
        core?.endOverdueRequests(at: now)
        deliver()
        setDeadlineTimer()
    }
}
