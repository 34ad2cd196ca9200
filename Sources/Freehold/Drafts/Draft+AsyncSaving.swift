import FreeholdStorage

extension Draft {
    /// Saves as ``save()``, without blocking the actor: waiting for other writers and for
    /// the disk happens elsewhere. Only merging with what others committed takes its time.
    ///
    /// The draft can be edited meanwhile. What is edited before the function returns is not
    /// saved with it, and is still there afterwards. If the task is cancelled before the commit
    /// begins, the function throws `CancellationError` and nothing is saved.
    ///
    /// - Parameter actor: The actor of the draft. Omit it.
    /// - Throws: As ``save()``, and `CancellationError`.
    /// - Precondition: As ``save()``; the draft belongs to the main actor or another
    ///   actor.
    public func save(_isolation actor: isolated (any Actor)? = #isolation) async throws {
        try await core.saveWithoutBlocking(isolation: actor) { _ in nil }
    }

    /// Saves as ``save(_isolation:)``, and settles all conflicts alike.
    ///
    /// - Parameters:
    ///   - resolution: Which side stands.
    ///   - actor: The actor of the draft. Omit it.
    /// - Throws: As ``save(_isolation:)``.
    public func save(
        resolving resolution: DraftConflict.Resolution,
        _isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
        try await core.saveWithoutBlocking(isolation: actor) { _ in resolution }
    }

    /// Saves as ``save(_isolation:)``, and asks for each conflict how it is settled.
    ///
    /// - Parameters:
    ///   - actor: The actor of the draft. Omit it.
    ///   - resolve: As in the function that blocks.
    /// - Throws: As ``save(_isolation:)``, and what `resolve` throws.
    public func save(
        _isolation actor: isolated (any Actor)? = #isolation,
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) async throws { try await core.saveWithoutBlocking(isolation: actor, resolving: resolve) }
}

extension RealmCore {
    /// How often a save merges again because others committed meanwhile, before it takes the
    /// write lock first and keeps it while it merges.
    private static let patience = 8

    fileprivate func saveWithoutBlocking(
        isolation actor: isolated (any Actor)?,
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) async throws {
        refuseRealmOfAQueue("Draft.save()")
        try verifyConfinement(.transaction("Draft.save"))
        try verifyActor("Draft.save()", .transaction("Draft.save"))
        checkSavable("Draft.save()")
        guard let draft else { return }
        if draft.parent != nil {
            return try resolving(resolve) { try saveDraft(resolving: $0) }
        }
        if try !hasEditsToSave() { return }
        draft.isSaving = true
        defer { draft.isSaving = false }
        for _ in 0..<Self.patience {
            try Task.checkCancellation()
            try resolving(resolve) { _ = try moveToNewest(resolving: $0) }
            let (edits, increments) = (savepoint(), draft.increments)
            let committing = store.draft(continuing: edits)
            committing.author = draft.author
            committing.increments = increments.ofRows
            let commit = DraftCommit(
                store, edits: committing,
                maximumNumberOfActiveVersions: configuration.maximumNumberOfActiveVersions,
                timeout: configuration.writeTimeout)
            if let committed = try await commit.run(isolation: actor) {
                var later = draft.increments
                later.subtract(increments)
                finishSave(of: edits, in: committed)
                draft.increments = later
                return
            }
            if draft.isOver { return }
        }
        draft.isSaving = false
        try resolving(resolve) { try saveDraft(resolving: $0) }
    }
}

/// One attempt to commit the edits of a draft as they are, without blocking a thread.
private final class DraftCommit: Sendable {
    private let store: Store
    /// Used by the thread that gets the write lock only.
    private let edits: WriteSet
    private let maximumNumberOfActiveVersions: UInt?
    private let timeout: Duration?
    private let state = Locked(State())

    private typealias Continuation = CheckedContinuation<Snapshot?, any Error>

    private struct State {
        var continuation: Continuation?
        var request: WriteRequest?
        var isCancelled = false
    }

    init(
        _ store: Store, edits: WriteSet, maximumNumberOfActiveVersions: UInt?, timeout: Duration?
    ) {
        self.store = store
        self.edits = edits
        self.maximumNumberOfActiveVersions = maximumNumberOfActiveVersions
        self.timeout = timeout
    }

    /// Returns the committed version; nil if others have committed since the edits' base.
    func run(isolation actor: isolated (any Actor)?) async throws -> Snapshot? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                let request = store.environment.writer.request(timeout: timeout) {
                    self.accept($0, $1)
                }
                let isCancelled = state.withLock { state in
                    state.request = state.continuation == nil ? nil : request
                    return state.isCancelled
                }
                if isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the wait for the lock. A commit that has begun goes on.
    private func cancel() {
        let request = state.withLock { state in
            state.isCancelled = true
            return state.request
        }
        if request?.cancel() == true { end(.failure(CancellationError())) }
    }

    /// Called when the lock can be had, on any thread.
    private func accept(_ request: WriteRequest, _ error: StorageError?) {
        if let error { return end(.failure(Realm.Error(error))) }
        do throws(StorageError) {
            let identity = WriterIdentity(thread: ThreadIdentity.current.systemID)
            guard let grant = try request.accept(as: identity) else { return }
            let begun = try store.beginWrite(with: grant)
            begun.maximumNumberOfActiveVersions = maximumNumberOfActiveVersions
            guard let transaction = store.transaction(continuing: edits, in: begun) else {
                store.cancel(begun)
                return end(.success(nil))
            }
            store.commitAsync(transaction) { result in
                self.end(result.map { $0 }.mapError { Realm.Error($0) })
            }
        } catch {
            end(.failure(Realm.Error(error)))
        }
    }

    private func end(_ result: Result<Snapshot?, any Error>) {
        let continuation = state.withLock { state in
            state.request = nil
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}
