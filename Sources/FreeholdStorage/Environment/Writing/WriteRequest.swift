/// A write that was asked for without waiting.
package final class WriteRequest: Sendable {
    private enum State: Sendable {
        /// Its turn in this process has not come, or it has come and other processes are waited for.
        case waiting(WriteQueue.Place?)
        case cancelled
        /// The callback has been or is being called.
        case granted
    }

    private let environment: Environment
    private let owner: ObjectIdentifier?
    private let granted: @Sendable (Result<WriteTicket, StorageError>) -> Void
    private let state = Locked<State>(.waiting(nil))
    private let begun = ContinuousClock.now

    init(
        environment: Environment, owner: ObjectIdentifier?, granted: @escaping @Sendable (Result<WriteTicket, StorageError>) -> Void
    ) {
        self.environment = environment
        self.owner = owner
        self.granted = granted
    }

    /// Takes the request back.
    ///
    /// - Returns: `true` if the callback has not been called and never will be.
    @discardableResult
    package func cancel() -> Bool {
        let (isCancelled, place) = state.withLock { state -> (Bool, WriteQueue.Place?) in
            switch state {
            case .waiting(let place):
                state = .cancelled
                return (true, place)
            case .cancelled:
                return (true, nil)
            case .granted:
                return (false, nil)
            }
        }
        // A place that is no longer in the line has its turn, which `acquire` gives back.
        if let place { _ = environment.writeQueue.abandon(place) }
        return isCancelled
    }

    func start() {
        do {
            try environment.checkWritable()
        } catch {
            return deliver(.failure(error))
        }
        let place = environment.writeQueue.enter(owner: owner) { self.turnHasCome() }
        let isCancelled = state.withLock { state in
            switch state {
            case .waiting:
                state = .waiting(place)
                return false
            case .cancelled:
                return true
            case .granted:
                return false
            }
        }
        if isCancelled { _ = environment.writeQueue.abandon(place) }
    }

    /// The wait for other processes blocks a thread, which must be the writer thread: nobody else needs it meanwhile. Where nobody has to be
    /// waited for, that thread is spared.
    private func turnHasCome() {
        if isCancelled { return environment.writeQueue.leave() }
        do throws(StorageError) {
            if let ticket = try environment.tryTakeTicket() { return complete(.success(ticket)) }
        } catch {
            return complete(.failure(error))
        }
        do {
            try environment.writerThread.submit(path: environment.path) { self.acquire() }
        } catch {
            environment.writeQueue.leave()
            complete(.failure(error))
        }
    }

    private var isCancelled: Bool { state.withLock { if case .cancelled = $0 { true } else { false } } }

    private func acquire() {
        if isCancelled { return environment.writeQueue.leave() }
        do throws(StorageError) {
            complete(.success(try environment.takeTicket()))
        } catch {
            complete(.failure(error))
        }
    }

    /// Calls back, unless cancelled; a ticket that nobody wants cancels itself.
    private func complete(_ result: Result<WriteTicket, StorageError>) {
        let isWanted = state.withLock { state in
            if case .cancelled = state { return false }
            state = .granted
            return true
        }
        guard isWanted else { return }
        if case .success = result { environment.counters.noteLockWait(since: begun) }
        granted(result)
    }

    /// Delivers an early refusal on the writer thread, as every other outcome; without a thread, here.
    private func deliver(_ result: Result<WriteTicket, StorageError>) {
        do {
            try environment.writerThread.submit(path: environment.path) { self.complete(result) }
        } catch {
            complete(result)
        }
    }
}
