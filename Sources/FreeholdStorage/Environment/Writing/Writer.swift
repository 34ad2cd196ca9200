/// Starts writes to an environment. One writer at a time holds a grant, across all processes.
/// Inside a process the order is first come, first served; processes alternate.
///
/// ## How a write runs
/// 1. `begin` waits for the grant in this process, then for the lock between processes, and
///    pins the newest version. It involves no other thread, because neither wait belongs to a
///    thread.
/// 2. The holder of the grant prepares its changes for as long as it likes, on any thread.
/// 3. `WriteGrant.commit` begins LMDB's transaction, applies the changes, commits, synchronises
///    and pins the new version, in one call on the caller's thread. Only then does it pass on
///    the grant. `WriteGrant.commitAsync` has the writer thread do the same.
///
/// So LMDB's own lock is held for the shortest time and by the thread that took it, a cancelled
/// write costs nothing, and a synchronous write changes no threads.
package struct Writer: Sendable {
    let environment: Environment

    /// Waits for the right to make the next version.
    ///
    /// Any thread except the writer thread, where it traps.
    ///
    /// - Parameters:
    ///   - identity: The requester.
    ///   - timeout: How long to wait; nil for no limit.
    /// - Throws: `readOnly`, `poisoned`, `writeLockTimeout`, `readersFull`, `forkedChild`,
    ///   `corrupted`, `inputOutput`; `nestedWrite` if the holder of the grant cannot continue
    ///   while this call waits.
    package func begin(as identity: WriterIdentity = WriterIdentity(), timeout: Duration? = nil)
        throws(StorageError) -> WriteGrant
    {
        try environment.checkWritable()
        precondition(
            !environment.writerThread.isCurrent,
            """
            A blocking write was begun on the writer thread, inside a callback of an \
            asynchronous one.
            """)
        EventLog.say(
            .trace, about: .transactions, "\(environment.path): a write requests the write grant")
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

    /// As ``begin(as:timeout:)``, without waiting; nil if it would have to wait.
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

    /// The number of writers in this process that wait for the grant.
    package var waitingCount: Int { environment.writeQueue.waitingCount }

    /// Requests the right to make the next version, without waiting.
    ///
    /// - Parameters:
    ///   - owner: The requester, for ``absorbNext(owner:)``.
    ///   - poolOwner: The requester, if it accepts on a thread of the task pool.
    ///   - timeout: How long the request may wait for others; nil for no limit.
    ///   - offered: Called each time the grant can be accepted (``WriteRequest/accept(as:)``),
    ///     and with an error when it never will be. If the grant is free, it runs on the
    ///     calling thread before this function returns. Otherwise it runs on the previous
    ///     writer's thread, the writer thread or the timer thread. Keep it short, and do not
    ///     open environments in it.
    /// - Returns: The request, to accept or cancel it. Releasing it cancels nothing. A pending
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

    /// As ``request(owner:poolOwner:timeout:_:)``, but accepts at once, for requesters that can
    /// write on any thread.
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

    /// Extends the owner's open grant to its next request, if no other requester that can run
    /// waits before it. That request ends without a call.
    package func absorbNext(owner: ObjectIdentifier) -> WriteRequest? {
        environment.writeQueue.absorb(owner: owner) as? WriteRequest
    }
}
