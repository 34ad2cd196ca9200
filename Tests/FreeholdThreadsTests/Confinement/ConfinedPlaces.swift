import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// An actor with a realm of its own.
actor HomeActor {
    private var realm: Realm?

    /// Opens the realm, and releases what it made for the actor to keep: the realm must not
    /// be closed meanwhile.
    func open(_ configuration: Realm.Configuration, line: UInt = #line) async throws -> Smuggled<
        ConfinedSubject
    > {
        let realm = try await Realm.open(configuration: configuration, line: line)
        self.realm = realm
        return Smuggled(value: try ConfinedSubject(realm))
    }

    /// Opens a realm as synchronous code does, for the thread that runs the actor now.
    func openForThread(_ configuration: Realm.Configuration) throws -> Smuggled<ConfinedSubject> {
        Smuggled(value: try ConfinedSubject(Realm(configuration: configuration)))
    }

    func close() { realm = nil }

    func check() throws -> [String]? { try realm?.check() }

    func run<Result>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }
}

actor OtherActor {
    func run<Result>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }
}

/// A realm's owner and a place that is not it.
enum WrongPlace: String, CaseIterable, Codable, Sendable {
    case threadOfThread, mainOfQueue, otherActorOfActor, taskOfActor, threadOfActor

    /// Runs `body` in the wrong place, with a realm that is fine elsewhere.
    func run<Result: Sendable>(
        _ configuration: Realm.Configuration,
        _ body: @escaping @Sendable (ConfinedSubject) throws -> Result
    ) async throws -> Result {
        switch self {
        case .threadOfThread: return try onThreads(configuration, body)
        case .mainOfQueue:
            let queue = DispatchQueue(label: "test.home")
            let subject = try queue.sync {
                Smuggled(
                    value: try ConfinedSubject(Realm(configuration: configuration, queue: queue)))
            }
            defer { queue.sync { withExtendedLifetime(subject) {} } }
            return try await MainActor.run { try body(subject.value) }
        case .otherActorOfActor:
            return try await withHome(configuration) { subject in
                try await OtherActor().run { try body(subject.value) }
            }
        case .taskOfActor:
            return try await withHome(configuration) { subject in
                try await Task.detached { try body(subject.value) }.value
            }
        case .threadOfActor:
            return try await withHome(configuration) { subject in
                try await awaitThread { try body(subject.value) }
            }
        }
    }

    private func onThreads<Result: Sendable>(
        _ configuration: Realm.Configuration,
        _ body: @escaping @Sendable (ConfinedSubject) throws -> Result
    ) throws -> Result {
        try onNewThread {
            let subject = Smuggled(value: try ConfinedSubject(Realm(configuration: configuration)))
            return try onNewThread { try body(subject.value) }
        }
    }

    private func withHome<Result>(
        _ configuration: Realm.Configuration,
        _ body: (Smuggled<ConfinedSubject>) async throws -> Result
    ) async throws -> Result {
        let home = HomeActor()
        let subject = try await home.open(configuration)
        let result = try await body(subject)
        await home.run { withExtendedLifetime(subject) {} }
        return result
    }
}
