/// Where writes to an environment are asked for. One writer holds a ticket at a time, in this process
/// and all others; inside a process the order is first come, first served, and between processes they take turns.
///
/// ## How a write runs
/// 1. `begin` waits for the turn in this process, then for the lock between processes, and pins the newest version.
///    It involves no other thread, for neither wait belongs to a thread.
/// 2. The holder of the ticket prepares its changes for as long as it likes, on any thread.
/// 3. `WriteTicket.commit` hands them to the writer thread, which begins LMDB's transaction, applies them, commits,
///    synchronises, pins the new version, and only then lets the next writer in.
///
/// So LMDB's own lock is held for the shortest time and by one thread only, a cancelled write costs nothing, and a
/// synchronous write changes threads twice.
package struct Writer: Sendable {
    let environment: Environment

    /// Waits for the right to make the next version.
    ///
    /// For any thread but the writer thread, where it traps. A thread that already holds a ticket of this
    /// file waits for ever.
    ///
    /// - Throws: `readOnly`, `poisoned`, `writeLockTimeout`, `readersFull`, `forkedChild`, `corrupted`, `inputOutput`.
    package func begin() throws(StorageError) -> WriteTicket {
        try environment.checkWritable()
        precondition(
            !environment.writerThread.isCurrent,
            "A blocking write was begun on the writer thread, inside a callback of an asynchronous one.")
        let start = ContinuousClock.now
        environment.writeQueue.enter()
        let ticket = try environment.takeTicket()
        environment.counters.noteLockWait(since: start)
        return ticket
    }

    /// How many writers of this process wait for their turn, behind the one who has it.
    package var waitingCount: Int { environment.writeQueue.waitingCount }

    /// Asks for the right to make the next version, without waiting.
    ///
    /// - Parameters:
    ///   - owner: Who asks, for ``absorbNext(owner:)``.
    ///   - granted: Called once, unless the request is cancelled or absorbed: on the calling thread before this function returns, where nobody has
    ///     to be waited for; else on the thread of the writer before, or on the writer thread. Keep it short, and do not open environments in it.
    /// - Returns: The request, to cancel it. Dropping it cancels nothing. A pending request keeps the file open.
    @discardableResult
    package func begin(
        owner: ObjectIdentifier? = nil, _ granted: @escaping @Sendable (Result<WriteTicket, StorageError>) -> Void
    ) -> WriteRequest {
        let request = WriteRequest(environment: environment, owner: owner, granted: granted)
        request.start()
        return request
    }

    /// Lets the owner's open ticket stand for its next request, too, if nobody else waits in front of that. The request is over then, without
    /// a call; the owner knows which one, for its requests come in order.
    package func absorbNext(owner: ObjectIdentifier) -> Bool { environment.writeQueue.absorb(owner: owner) }
}
