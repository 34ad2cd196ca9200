import FreeholdStorage

extension WriterHome {
    /// Creates the home of a live realm.
    convenience init(_ confinement: Confinement) {
        self.init(
            thread: { currentThreadToken() }, isHere: { confinement.allowsCaller },
            describe: {
                let place =
                    "the realm opened at \(confinement.opening.fileID):\(confinement.opening.line)"
                return confinement.scheduler.map { "\(place) on \($0.name)" } ?? place
            })
    }
}

/// Reports synchronous writes that wait on a thread of the task pool, once for each place. No
/// other task can run on the thread meanwhile.
enum PoolWaits {
    private struct Place: Hashable {
        let file: UInt
        let line: UInt
    }

    private static let reported = Locked<Set<Place>>(processWide: [])

    /// A shorter wait is not reported.
    private static let limit = Duration.milliseconds(10)

    /// Runs a call that waits for the write lock.
    static func during<Value, Failure: Error>(_ store: Store, _ body: () throws(Failure) -> Value)
        throws(Failure) -> Value
    { QueueIdentity.isCurrentTaskPool ? try store.environment.waitingInPool(body) : try body() }

    static func note(
        _ identity: WriterIdentity, since start: ContinuousClock.Instant, _ path: String
    ) {
        let waited = ContinuousClock.now - start
        if waited < limit { return }
        report(identity, waited, path)
    }

    @inline(never)
    private static func report(_ identity: WriterIdentity, _ waited: Duration, _ path: String) {
        guard QueueIdentity.isCurrentTaskPool, let fileID = identity.fileID else { return }
        let place = Place(
            file: fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : 0,
            line: identity.line)
        if !reported.withLock({ $0.insert(place).inserted }) { return }
        EventLog.say(
            .warning, about: .transactions,
            """
            \(path): the write at \(fileID):\(identity.line) blocked a thread of the tasks' \
            pool for \(waited) while it waited for the write lock. Use \
            try await asyncWrite { … }, which blocks no thread.
            """)
    }
}
