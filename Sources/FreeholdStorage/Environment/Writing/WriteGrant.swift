internal import Synchronization

/// The right to make the next version of a file. While it is open, no other writer has it.
///
/// It ends with exactly one `commit`, `commitAsync` or `cancel`, on any thread; a second one
/// traps. If it is released first, it cancels.
package final class WriteGrant: Sendable {
    /// The version that the commit will create.
    package let version: UInt64
    /// The previous version.
    package let base: ReadTransaction
    private let isOpen = Atomic<Bool>(true)

    private var environment: Environment { base.environment }

    init(base: ReadTransaction) {
        self.base = base
        version = base.version + 1
    }

    deinit {
        if close() { environment.releaseGrant() }
    }

    /// Applies changes and commits them durably, on the calling thread.
    ///
    /// If `apply` throws, nothing changes, the grant is used up, and the error is rethrown. A
    /// view of the new version is pinned before any other writer can begin. No signal handler
    /// runs on the thread meanwhile, and `pthread_cancel` waits for the end.
    ///
    /// On a thread with little stack left, or a stack that is not its own, the writer thread
    /// does the same while the caller waits.
    ///
    /// - Parameter apply: Makes the changes. It must not wait for another write of this file.
    /// - Throws: Errors of `apply`; `outOfDiskSpace` and `fileTooLarge`, after which the file
    ///   is usable; `inputOutput`, after which it is poisoned; `poisoned`,
    ///   `addressSpaceExhausted`, `readersFull`, `foreignFile`, `outOfMemory`.
    @discardableResult
    package func commit<Value>(
        _ apply: (WriteTransaction) throws -> Value
    ) throws -> (Value, ReadTransaction) {
        guard ThreadStack.room >= Self.stackNeed || environment.writerThread.isCurrent else {
            return try commitOnWriterThread(apply)
        }
        useUp()
        return try ThreadHandle.uninterrupted {
            // A handler that runs afterwards and does not return leaves no grant behind.
            defer { environment.releaseGrant() }
            return try environment.commit(version, apply)
        }
    }

    /// The stack that a commit may need: several times the most that was measured.
    static let stackNeed = 256 << 10

    /// As ``commit(_:)``, on the writer thread while the caller waits.
    func commitOnWriterThread<Value>(
        _ apply: (WriteTransaction) throws -> Value
    ) throws -> (Value, ReadTransaction) {
        useUp()
        return try withoutActuallyEscaping(apply) { apply in
            let (environment, version) = (environment, version)
            let call = BlockingCall {
                // Before the caller wakes, so that the next writer's grant begins first.
                defer { environment.releaseGrant() }
                return try environment.commit(version, apply)
            }
            do {
                try environment.writerThread.submit(path: environment.path) { call.run() }
            } catch {
                call.discard()
                environment.releaseGrant()
                throw error
            }
            return try call.wait()
        }
    }

    /// Applies changes on the writer thread and commits them durably, without waiting.
    ///
    /// - Parameters:
    ///   - apply: As in `commit`, but the caller continues meanwhile.
    ///   - completion: Called once with the result, after the next writer's grant has begun. It
    ///     runs on the writer thread, or on the caller's if there is none. Keep it short.
    package func commitAsync<Value>(
        _ apply: sending @escaping (WriteTransaction) throws -> Value,
        completion: sending @escaping (Result<(Value, ReadTransaction), any Error>) -> Void
    ) {
        useUp()
        let (environment, version) = (environment, version)
        let call = DetachedCall(
            body: {
                defer { environment.releaseGrant() }
                return try environment.commit(version, apply)
            },
            completion: completion)
        do {
            try environment.writerThread.submit(path: environment.path) { call.run() }
        } catch {
            environment.releaseGrant()
            call.fail(error)
        }
    }

    /// Releases the grant without writing.
    package func cancel() {
        useUp()
        environment.releaseGrant()
    }

    private func close() -> Bool { isOpen.exchange(false, ordering: .acquiringAndReleasing) }

    private func useUp() {
        precondition(close(), "A write grant was committed or cancelled twice.")
    }
}
