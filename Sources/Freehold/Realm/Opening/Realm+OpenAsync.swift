public import Dispatch
import Foundation
import FreeholdStorage

extension Realm {
    /// What a synchronised realm would wait for when it is opened. This library does not
    /// synchronise; the type is there so that code of Realm Swift compiles.
    @frozen
    public enum OpenBehavior: Sendable {
        /// Has no effect.
        case never
        /// Has no effect.
        case always
        /// Has no effect.
        case once
    }

    /// Opens a realm for the caller's actor, or returns the instance that is open there already.
    ///
    /// Creating the file and adding classes to it happens on a background thread, so the actor
    /// is not held by the disk. The realm then belongs to the actor: it may be kept in a
    /// property of the actor and used in all of its methods, before and after each `await`.
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
    /// `init() async throws { realm = try await Realm.open() }`. Until its last stored property
    /// has its value it does not run on the actor; the realm then belongs to the calling task,
    /// as it does in a task without an actor: it can be read and written synchronously across
    /// awaits, while ``asyncWrite(_isolation:_:)`` throws, and observing and
    /// ``writeAsync(_:onComplete:)`` trap, as nobody could be called back. The first actor that
    /// uses it owns it from then on.
    ///
    /// - Parameters:
    ///   - configuration: Which file, and how.
    ///   - actor: The caller's actor. Leave it out.
    ///   - downloadBeforeOpen: Has no effect.
    ///   - fileID: Where the realm is opened, for reports. Leave it out.
    ///   - line: As `fileID`.
    /// - Throws: As ``init(configuration:queue:fileID:line:)``; `CancellationError` if the task
    ///   was cancelled before the realm was opened.
    public static func open(
        configuration: Configuration = .defaultConfiguration,
        _isolation actor: isolated (any Actor)? = #isolation,
        downloadBeforeOpen: OpenBehavior = .never, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Realm {
        try await opened(configuration, on: actor, fileID, line)
    }

    /// Opens a realm for the main actor; as
    /// ``open(configuration:_isolation:downloadBeforeOpen:fileID:line:)`` there.
    ///
    /// - Throws: As that.
    @MainActor
    public init(
        configuration: Configuration = .defaultConfiguration,
        downloadBeforeOpen: OpenBehavior = .never, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        self = try await Realm.opened(configuration, on: MainActor.shared, fileID, line)
    }

    /// Opens a realm for an actor, which must be the caller's: as
    /// ``open(configuration:_isolation:downloadBeforeOpen:fileID:line:)`` there, which does not
    /// have to be told the actor.
    ///
    /// - Throws: Also ``ConfinementViolation`` if the caller does not run on `actor`.
    public init<A: Actor>(
        configuration: Configuration = .defaultConfiguration, actor: A,
        downloadBeforeOpen: OpenBehavior = .never,
        fileID: StaticString = #fileID, line: UInt = #line,
        _isolation caller: isolated (any Actor)? = #isolation
    ) async throws {
        try Confinement.verifyCaller(on: actor, fileID, line)
        try await Realm.prepare(configuration)
        try Confinement.verifyCaller(on: actor, fileID, line)
        self.init(
            core: try RealmCore.openNewest(
                configuration, .unsafeHere(actor: actor, fileID: fileID, line: line)))
    }

    /// Opens a realm for a scheduler of the program's, or returns the instance that is open
    /// there already.
    ///
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

    /// Opens and prepares the file on a background thread, unless it is open. What is returned
    /// keeps it open.
    @discardableResult
    private static func prepare(_ configuration: Configuration) async throws -> RealmCoordinator {
        try Task.checkCancellation()
        // Handed over before the task goes on: a thread of the queue that is slow to return
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
    /// A realm that is being opened by
    /// ``asyncOpen(configuration:callbackQueue:fileID:line:callback:)``.
    public struct AsyncOpenTask: Sendable {
        let isCancelled: Locked<Bool>

        /// Takes the opening back: the callback is called with the POSIX error `ECANCELED`.
        /// Without effect once it was called. Any thread.
        public func cancel() { isCancelled.withLock { $0 = true } }
    }

    /// Opens a realm for a serial queue, without holding the caller.
    ///
    /// Creating the file and adding classes to it happens on a background thread.
    ///
    /// - Parameters:
    ///   - configuration: Which file, and how.
    ///   - callbackQueue: The serial queue, or the main queue, that the realm will belong to
    ///     and the callback is called on.
    ///   - fileID: Where the realm is opened, for reports. Leave it out.
    ///   - line: As `fileID`.
    ///   - callback: Called once, with the realm or with what
    ///     ``init(configuration:queue:fileID:line:)`` would throw.
    /// - Returns: What can cancel the opening. Keeping it is not necessary.
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
