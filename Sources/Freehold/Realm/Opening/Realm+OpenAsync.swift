public import Dispatch
import Foundation
import FreeholdStorage

extension Realm {
    /// What opening a synchronised realm waits for. This library does not synchronise; the type
    /// exists so that code of Realm Swift compiles.
    @frozen
    public enum OpenBehavior: Sendable {
        /// Has no effect.
        case never
        /// Has no effect.
        case always
        /// Has no effect.
        case once
    }

    /// Opens a realm for the caller's actor, or returns the instance that is already open there.
    ///
    /// A background thread creates the file and adds classes to it, so the actor does not wait
    /// for the disk. The realm then belongs to the actor: store it in a property of the actor
    /// and use it in any of its methods, before and after each `await`.
    ///
    /// ```swift
    /// actor Library {
    ///     private var realm: Realm?
    ///     func open() async throws { realm = try await Realm.open() }
    ///     func count() -> Int { realm?.objects(Book.self).count ?? 0 }
    /// }
    /// ```
    ///
    /// An actor's initialiser may open the realm, too:
    /// `init() async throws { realm = try await Realm.open() }`. It does not run on the actor
    /// until its last stored property has a value, so the realm first belongs to the calling
    /// task.
    ///
    /// In a task without an actor, the realm belongs to the task, too. The task can read and
    /// write it synchronously across awaits. ``asyncWrite(author:_isolation:_:)`` throws, and
    /// observing and ``writeAsync(author:_:onComplete:)`` trap, because there is no actor to call
    /// back on. The first actor that uses the realm then owns it.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - actor: The caller's actor. Omit it.
    ///   - downloadBeforeOpen: Has no effect.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    /// - Throws: As ``init(configuration:queue:fileID:line:)``; `CancellationError` if the task
    ///   was cancelled before the realm was opened.
    public static func open(
        configuration: Configuration = .defaultConfiguration,
        _isolation actor: isolated (any Actor)? = #isolation,
        downloadBeforeOpen: OpenBehavior = .never, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Realm { try await opened(configuration, on: actor, fileID, line) }

    /// Opens a realm for the main actor, like
    /// ``open(configuration:_isolation:downloadBeforeOpen:fileID:line:)`` called there.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - downloadBeforeOpen: Has no effect.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    /// - Throws: The same errors.
    @MainActor
    public init(
        configuration: Configuration = .defaultConfiguration,
        downloadBeforeOpen: OpenBehavior = .never, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        self = try await Realm.opened(configuration, on: MainActor.shared, fileID, line)
    }

    /// Opens a realm for an actor, which must be the caller's, like
    /// ``open(configuration:_isolation:downloadBeforeOpen:fileID:line:)``. That function finds
    /// the actor automatically.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - actor: The caller's actor, which the realm belongs to.
    ///   - downloadBeforeOpen: Has no effect.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    ///   - caller: The caller's actor. Omit it.
    /// - Throws: As that function; ``ConfinementViolation`` if the caller does not run on
    ///   `actor`.
    public init<A: Actor>(
        configuration: Configuration = .defaultConfiguration, actor: A,
        downloadBeforeOpen: OpenBehavior = .never, fileID: StaticString = #fileID,
        line: UInt = #line, _isolation caller: isolated (any Actor)? = #isolation
    ) async throws {
        try Confinement.verifyCaller(on: actor, fileID, line)
        try await Realm.prepare(configuration)
        try Confinement.verifyCaller(on: actor, fileID, line)
        self.init(
            core: try RealmCore.openNewest(
                configuration, .unsafeHere(actor: actor, fileID: fileID, line: line)))
    }

    /// Opens a realm for a scheduler of the program, or returns the instance that is already
    /// open there.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - scheduler: The scheduler, which the realm belongs to.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    /// - Throws: As ``init(configuration:queue:fileID:line:)``; ``ConfinementViolation`` if the
    ///   caller does not run on `scheduler`.
    public init(
        configuration: Configuration, scheduler: any RealmScheduler, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        self.init(
            core: try RealmCore.open(
                configuration, .here(scheduler: scheduler, fileID: fileID, line: line)))
    }

    private static func opened(
        _ configuration: Configuration, on actor: isolated (any Actor)?, _ fileID: StaticString,
        _ line: UInt
    ) async throws -> Realm {
        let confinement = Confinement.here(actor: actor, fileID: fileID, line: line)
        let prepared = try await prepare(configuration)
        defer { withExtendedLifetime(prepared) {} }
        return Realm(core: try RealmCore.openNewest(configuration, confinement))
    }

    /// Opens and prepares the file on a background thread, unless it is open. The result keeps
    /// it open.
    @discardableResult
    private static func prepare(_ configuration: Configuration) async throws -> RealmCoordinator {
        try Task.checkCancellation()
        // Handed over before the task resumes: otherwise a slow return on the queue's thread
        // would keep the file open.
        let handover = Locked<Result<RealmCoordinator, any Swift.Error>?>(nil)
        @Sendable func prepare() {
            let result = Result { try RealmCore.prepare(configuration) }
            handover.withLock { $0 = result }
        }
        await withCheckedContinuation { continuation in
            openingQueue.async {
                prepare()
                continuation.resume()
            }
        }
        guard let prepared = handover.withLock({ $0.take() }) else {
            preconditionFailure("The queue prepares before it resumes.")
        }
        let coordinator = try prepared.get()
        try Task.checkCancellation()
        return coordinator
    }

    private static let openingQueue = DispatchQueue(label: "freehold.open", attributes: .concurrent)
}

// MARK: - With a callback

extension Realm {
    /// An opening started by ``asyncOpen(configuration:callbackQueue:fileID:line:callback:)``.
    public struct AsyncOpenTask: Sendable {
        let isCancelled: Locked<Bool>

        /// Cancels the opening: the callback is called with the POSIX error `ECANCELED`. Has no
        /// effect after the callback was called. Any thread.
        public func cancel() { isCancelled.withLock { $0 = true } }
    }

    /// Opens a realm for a serial queue without blocking the caller.
    ///
    /// A background thread creates the file and adds classes to it.
    ///
    /// - Parameters:
    ///   - configuration: The file and its settings.
    ///   - callbackQueue: The serial queue, or the main queue, that the realm will belong to and
    ///     the callback is called on.
    ///   - fileID: The source file of the call, for reports. Omit it.
    ///   - line: The source line of the call, for reports. Omit it.
    ///   - callback: Called once, with the realm or with what
    ///     ``init(configuration:queue:fileID:line:)`` would throw.
    /// - Returns: A task that can cancel the opening. It need not be kept.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        fileID: StaticString = #fileID,
        line: UInt = #line, callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask(isCancelled: Locked(false))
        openingQueue.async {
            let prepared = Result { try RealmCore.prepare(configuration) }
            callbackQueue.async {
                callback(
                    Result {
                        let coordinator = try prepared.get()
                        defer { withExtendedLifetime(coordinator) {} }
                        if task.isCancelled.withLock({ $0 }) { throw POSIXError(.ECANCELED) }
                        return Realm(
                            core: try RealmCore.openNewest(
                                configuration,
                                .here(queue: callbackQueue, fileID: fileID, line: line)))
                    })
            }
        }
        return task
    }
}
