import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// What a realm belongs to, for the table of remedies.
enum RealmOwner: String, CaseIterable, Codable, Sendable {
    case main, thread, queue, actor, scheduler
    /// Opened by synchronous code in a task, and on an actor.
    case task, actorThread
    /// Opened by synchronous code of a pinned actor, with `Realm.open` on one, and on a pinned
    /// global actor.
    case pinnedExecutor, pinnedActor, pinnedGlobalActor

    /// Runs `body` with a realm that its owner does not use meanwhile.
    func withSubject<Result>(
        _ configuration: Realm.Configuration,
        _ body: (Smuggled<ConfinedSubject>) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .main:
            return try await body(try await MainActor.run { try Self.open(configuration) })
        case .thread, .scheduler:
            let isOver = DispatchSemaphore(value: 0)
            defer { isOver.signal() }
            let subject = try await withCheckedThrowingContinuation { continuation in
                startThread {
                    continuation.resume(
                        with: Swift.Result {
                            try self == .thread
                                ? Self.open(configuration) : Self.openOnScheduler(configuration)
                        })
                    // The thread lives as long as its realm.
                    isOver.wait()
                }
            }
            return try await body(subject)
        case .queue:
            let queue = DispatchQueue(label: "test.home")
            let subject = try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Swift.Result {
                            Smuggled(
                                value: try ConfinedSubject(
                                    Realm(configuration: configuration, queue: queue)))
                        })
                }
            }
            return try await body(subject)
        case .actor:
            let home = HomeActor()
            let result = try await body(try await home.open(configuration))
            await home.close()
            return result
        case .task:
            return try await body(try await Task.detached { try Self.open(configuration) }.value)
        case .actorThread:
            return try await body(try await HomeActor().openForThread(configuration))
        case .pinnedExecutor, .pinnedActor:
            let home = PinnedHomeActor()
            let subject =
                try await self == .pinnedActor
                ? home.open(configuration) : home.openForThread(configuration)
            // The thread lives as long as the actor.
            defer { withExtendedLifetime(home) {} }
            return try await body(subject)
        case .pinnedGlobalActor:
            return try await body(try await GlobalHomeActor.open(configuration))
        }
    }

    private static func open(_ configuration: Realm.Configuration) throws -> Smuggled<
        ConfinedSubject
    > {
        Smuggled(value: try ConfinedSubject(Realm(configuration: configuration)))
    }

    private static func openOnScheduler(_ configuration: Realm.Configuration) throws -> Smuggled<
        ConfinedSubject
    > {
        Smuggled(
            value: try ConfinedSubject(
                Realm(configuration: configuration, scheduler: ManualScheduler())))
    }

    /// Opens a realm in this task, or on an actor, and keeps the thread until `body` has run on
    /// another one.
    func withSubjectOnHeldThread(
        _ configuration: Realm.Configuration,
        _ body: @escaping @Sendable (Smuggled<ConfinedSubject>) async throws -> Void
    ) async throws {
        let hold: @Sendable () throws -> Void = {
            let subject = try Self.open(configuration)
            let isDone = DispatchSemaphore(value: 0)
            let outcome = Task.detached {
                defer { isDone.signal() }
                try await body(subject)
            }
            isDone.wait()
            withExtendedLifetime(outcome) {}
        }
        if self == .actorThread {
            try await HomeActor().run(hold)
        } else {
            try await Task.detached { try hold() }.value
        }
    }
}

private actor PinnedHomeActor: PinnedActor {
    let executor = PinnedExecutor("test.pinned")

    func open(_ configuration: Realm.Configuration) async throws -> Smuggled<ConfinedSubject> {
        Smuggled(value: try ConfinedSubject(await Realm.open(configuration: configuration)))
    }

    func openForThread(_ configuration: Realm.Configuration) throws -> Smuggled<ConfinedSubject> {
        Smuggled(value: try ConfinedSubject(Realm(configuration: configuration)))
    }
}

@globalActor private actor GlobalHomeActor: PinnedActor {
    static let shared = GlobalHomeActor()
    let executor = PinnedExecutor("test.global")

    @GlobalHomeActor static func open(_ configuration: Realm.Configuration) async throws
        -> Smuggled<ConfinedSubject>
    {
        Smuggled(value: try ConfinedSubject(await Realm.open(configuration: configuration)))
    }
}

/// What accesses a realm, for the table of remedies.
enum AccessingPlace: String, CaseIterable, Codable, Sendable {
    case main, thread, serialQueue, concurrentQueue, task, actor

    func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        switch self {
        case .main: try await MainActor.run { try body() }
        case .thread: try await awaitThread(body)
        case .serialQueue: try await run(body, on: DispatchQueue(label: "test.serial"))
        case .concurrentQueue:
            try await run(
                body, on: DispatchQueue(label: "test.concurrent", attributes: .concurrent))
        case .task: try await Task.detached { try body() }.value
        case .actor: try await OtherActor().run(body)
        }
    }

    private func run(_ body: @escaping @Sendable () throws -> Void, on queue: DispatchQueue)
        async throws
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
