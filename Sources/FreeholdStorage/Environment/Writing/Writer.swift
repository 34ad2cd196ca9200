/// Where writes to an environment are asked for. One writer holds a grant at a time, in this
/// process and all others; inside a process the order is first come, first served, and between
/// processes they take turns.
///
/// ## How a write runs
/// 1. `begin` waits for the grant in this process, then for the lock between processes, and pins
///    the newest version. It involves no other thread, for neither wait belongs to a thread.
/// 2. The holder of the grant prepares its changes for as long as it likes, on any thread.
/// 3. `WriteGrant.commit` hands them to the writer thread, which begins LMDB's transaction,
///    applies them, commits, synchronises, pins the new version, and only then lets the next
///    writer in.
///
/// So LMDB's own lock is held for the shortest time and by one thread only, a cancelled write
/// costs nothing, and a synchronous write changes threads twice.
package struct Writer: Sendable {
    let environment: Environment

    /// Waits for the right to make the next version.
    ///
    /// For any thread but the writer thread, where it traps.
    ///
    /// - Parameters:
    ///   - identity: Who asks.
    ///   - timeout: How long to wait; nil: for ever.
    /// - Throws: `readOnly`, `poisoned`, `writeLockTimeout`, `readersFull`, `forkedChild`,
    ///   `corrupted`, `inputOutput`; `nestedWrite` if whoever has the right cannot go on while
    ///   this call waits.
    package func begin(as identity: WriterIdentity = WriterIdentity(), timeout: Duration? = nil)
        throws(StorageError) -> WriteGrant
    {
        try environment.checkWritable()
        precondition(
            !environment.writerThread.isCurrent,
            """
            A blocking write was begun on the writer thread, inside a callback of an \
            asynchronous one.
            """
        )
        EventLog.say(.trace, about: .transactions, "\(environment.path): a write asks for its turn")
        let start = ContinuousClock.now
        let deadline = timeout.map { start + $0 }
        try environment.checkWaitEnds()
        guard environment.writeQueue.enter(identity, until: deadline) else {
            throw environment.queueTimeout(since: start)
        }
        do throws(StorageError) {
            try environment.takeGate(until: deadline)
        } catch {
            environment.writeQueue.leave()
            throw error
        }
        let grant = try environment.makeGrant(identity)
        environment.counters.noteLockWait(since: start)
        return grant
    }

    /// As ``begin(as:timeout:)``, if that needs no waiting for anybody; nil if it does.
    package func tryBegin(as identity: WriterIdentity) throws(StorageError) -> WriteGrant? {
        try environment.checkWritable()
        guard environment.writeQueue.tryEnter(identity) else { return nil }
        do throws(StorageError) {
            guard try environment.tryTakeGate() else {
                environment.writeQueue.leave()
                return nil
            }
        } catch {
            environment.writeQueue.leave()
            throw error
        }
        return try environment.makeGrant(identity)
    }

    /// How many writers of this process wait behind the one that has the grant.
    package var waitingCount: Int { environment.writeQueue.waitingCount }

    /// Asks for the right to make the next version, without waiting.
    ///
    /// - Parameters:
    ///   - owner: Who asks, for ``absorbNext(owner:)``.
    ///   - poolOwner: The same, if it accepts on a thread of the tasks' pool.
    ///   - timeout: How long the request may wait for others; nil: for ever.
    ///   - offered: Called each time when the grant can be accepted
    ///     (``WriteRequest/accept(as:)``), and, with an error, when it never will be. On the
    ///     calling thread before this function returns, if the grant is free; else on the
    ///     thread of the writer before, on the writer thread or on the timer thread. Keep it
    ///     short, and do not open environments in it.
    /// - Returns: The request, to accept or cancel it. Dropping it cancels nothing. A pending
    ///   request keeps the file open.
    package func request(
        owner: ObjectIdentifier? = nil, poolOwner: PoolOwner? = nil, timeout: Duration? = nil,
        _ offered: @escaping @Sendable (WriteRequest, StorageError?) -> Void
    ) -> WriteRequest {
        let request = WriteRequest(
            environment, owner: owner, poolOwner: poolOwner, timeout: timeout, offered: offered)
        request.start()
        return request
    }

    /// As ``request(owner:poolOwner:timeout:_:)``, for those who can write on any thread:
    /// accepts at once.
    @discardableResult
    package func begin(_ granted: @escaping @Sendable (Result<WriteGrant, StorageError>) -> Void)
        -> WriteRequest
    {
        request { request, error in
            if let error { return granted(.failure(error)) }
            do throws(StorageError) {
                if let grant = try request.accept() { granted(.success(grant)) }
            } catch {
                granted(.failure(error))
            }
        }
    }

    /// Lets the owner's open grant stand for its next request, too, if nobody else who can run
    /// waits in front of that. The request is over then, without a call.
    package func absorbNext(owner: ObjectIdentifier) -> WriteRequest? {
        environment.writeQueue.absorb(owner: owner) as? WriteRequest
    }
}
