import FreeholdStorage

extension Realm {
    /// Runs a block with a realm of its own on a background thread, and returns what the block
    /// returns.
    ///
    /// Meanwhile, the caller's actor and the threads that tasks run on are free. The block may
    /// run for any time, and may block. The realm belongs to the block: it is at the newest
    /// version, and closes when the block returns. A few blocks run at a time; others wait, first
    /// in, first out.
    ///
    /// ```swift
    /// let count = try await Realm.performBackgroundTask { realm in
    ///     try realm.write { realm.delete(realm.objects(Person.self).where { $0.age > 150 }) }
    ///     return realm.objects(Person.self).count
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The file and how to open it.
    ///   - block: Called once, synchronously, outside of the task: task-local values and
    ///     cancellation do not reach it. It must not keep the realm.
    ///   - fileID: Where the task is started, for reports. Leave it out.
    ///   - line: As `fileID`.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws; what ``init(configuration:queue:fileID:line:)`` throws.
    ///   `CancellationError` if the task is cancelled before the block begins; the block does not
    ///   run then.
    @discardableResult
    public static func performBackgroundTask<Result: Sendable>(
        configuration: Configuration = .defaultConfiguration, fileID: StaticString = #fileID,
        line: UInt = #line, _ block: @escaping @Sendable (Realm) throws -> Result
    ) async throws -> Result {
        let task = BackgroundTask {
            try block(Realm(configuration: configuration, fileID: fileID, line: line))
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { task.begin($0) }
        } onCancel: {
            task.cancel()
        }
    }
}

/// A block on its way to a background thread.
private final class BackgroundTask<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        /// The block runs or has run.
        case begun
        case cancelled
    }

    private let state = Locked<State>(.new)
    private let block: @Sendable () throws -> Value

    init(_ block: @escaping @Sendable () throws -> Value) { self.block = block }

    func begin(_ continuation: CheckedContinuation<Value, any Error>) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        do throws(StorageError) {
            try BackgroundThreads.shared.run { self.run() }
        } catch {
            leave(.begun)?.resume(throwing: Realm.Error(error))
        }
    }

    func cancel() { leave(.cancelled)?.resume(throwing: CancellationError()) }

    private func run() {
        guard let continuation = leave(.begun) else { return }
        continuation.resume(with: Result { try block() })
    }

    /// Moves to the next state, unless the block has begun. Returns the waiting task, if there is
    /// one.
    private func leave(_ next: State) -> CheckedContinuation<Value, any Error>? {
        state.withLock { state in
            switch state {
            case .new:
                state = next
                return nil
            case .waiting(let continuation):
                state = next
                return continuation
            case .begun, .cancelled: return nil
            }
        }
    }
}
