import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Realms that a task opened outside of all actors: of that task, until an actor uses one.
@Suite struct OpeningTaskTests {
    private actor First {
        func add(_ realm: Smuggled<Realm>, _ id: Int) throws {
            try realm.value.write { _ = realm.value.create(Fixture.Person.self, value: ["id": id]) }
        }

        func count(_ realm: Smuggled<Realm>) -> Int {
            realm.value.objects(Fixture.Person.self).count
        }
    }

    private actor Second {
        func add(_ realm: Smuggled<Realm>) throws { try realm.value.write {} }
    }

    private static func withOpened<Result>(
        _ body: (Smuggled<Realm>, Realm.Configuration) async throws -> Result
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let result: Result
        do {
            let realm = Smuggled(value: try await Realm.open(configuration: configuration))
            result = try await body(realm, configuration)
        }
        try onNewThread { try expectSound(configuration) }
        directory.delete()
        return result
    }

    private static func violation(_ body: () async throws -> Void) async throws
        -> ConfinementViolation
    {
        do {
            try await body()
        } catch let violation as ConfinementViolation {
            return violation
        }
        Issue.record("Nothing was thrown.")
        throw CancellationError()
    }

    @Test func anotherTaskIsRefused() async throws {
        try await Self.withOpened { realm, _ in
            let violation = try await Self.violation {
                try await Task.detached { try realm.value.write {} }.value
            }
            #expect(violation.opened.kind == .task && violation.accessed.kind == .task)
            #expect(
                violation.remedy.hasPrefix(
                    """
                    The realm belongs to the task that opened it, until an actor uses it: \
                    work in Realm.performBackgroundTask
                    """
                ))
            #expect(
                violation.description.contains(
                    "Opened: at FreeholdThreadsTests/OpeningTaskTests.swift:"))
            try realm.value.write {}
        }
    }

    @Test func aThreadIsRefused() async throws {
        try await Self.withOpened { realm, _ in
            let violation = try await Self.violation {
                try onNewThread { try realm.value.write {} }
            }
            #expect(violation.remedy.contains("open a realm here with Realm(configuration:)"))
            #expect(violation.accessed.kind == .thread)
        }
    }

    @Test func theFirstActorOwnsIt() async throws {
        try await Self.withOpened { realm, _ in
            try realm.value.write { _ = realm.value.create(Fixture.Person.self, value: ["id": 1]) }
            let first = First()
            try await first.add(realm, 2)
            #expect(await first.count(realm) == 2)
            let fromTask = try await Self.violation { try realm.value.write {} }
            #expect(fromTask.opened.actor == "First" && fromTask.accessed.kind == .task)
            #expect(
                fromTask.remedy.hasPrefix("Run this code in a method of the actor 'First'")
                    || fromTask.remedy.hasPrefix("Write in a method of the actor 'First'"))
            let fromActor = try await Self.violation { try await Second().add(realm) }
            #expect(fromActor.opened.actor == "First" && fromActor.accessed.actor == "Second")
            let fromInstance = try await Self.violation { try await First().add(realm, 3) }
            #expect(
                fromInstance.remedy.hasPrefix(
                    "This code runs on another instance of the same actor."))
            #expect(await first.count(realm) == 2)
        }
    }

    /// Many actors at once: one of them owns the realm, and all others are refused.
    @Test(.timeLimit(.minutes(10))) func oneOfManyActorsOwnsIt() async throws {
        for _ in 0..<50 {
            try await Self.withOpened { realm, _ in
                // Held: another actor may get the address of one that is gone.
                let actors = (0..<8).map { _ in First() }
                let owners = await withTaskGroup(of: Bool.self) { group in
                    // Reports look at all realms meanwhile.
                    group.addTask {
                        for _ in 0..<20 { _ = try? realm.value.versionReport() }
                        return false
                    }
                    for (id, actor) in actors.enumerated() {
                        group.addTask { (try? await actor.add(realm, id)) != nil }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(owners == 1)
                withExtendedLifetime(actors) {}
            }
        }
    }

    /// Looking for the caller's realm asks each realm, and takes none over.
    @Test func anActorThatLooksForItsOwnRealmTakesNoneOver() async throws {
        try await Self.withOpened { realm, configuration in
            try realm.value.write { _ = realm.value.create(Fixture.Person.self, value: ["id": 1]) }
            let frozen = Smuggled(value: realm.value.freeze())
            let thaws = First2(configuration)
            #expect(try await thaws.thaws(frozen) == 1)
            try realm.value.write { _ = realm.value.create(Fixture.Person.self, value: ["id": 2]) }
            #expect(realm.value.objects(Fixture.Person.self).count == 2)
        }
    }

    private actor First2 {
        private let configuration: Realm.Configuration
        private var realm: Realm?

        init(_ configuration: Realm.Configuration) { self.configuration = configuration }

        func thaws(_ frozen: Smuggled<Realm>) async throws -> Int {
            realm = try await Realm.open(configuration: configuration)
            return frozen.value.thaw().objects(Fixture.Person.self).count
        }
    }

    @Test func whatCallsBackIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try await OpeningTaskTests.withOpened { realm, _ in
                OpeningTaskTests.observe(realm)
            }
        }
        expectMessage(
            result, "Can only add notification blocks from within runloops.",
            "the first one that uses the realm owns it from then on")
    }

    private static func observe(_ realm: Smuggled<Realm>) {
        _ = realm.value.objects(Fixture.Person.self).observe {
            (_: RealmCollectionChange<Results<Fixture.Person>>) in
        }
    }

    @Test func writeAsyncIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try await OpeningTaskTests.withOpened { realm, _ in
                _ = realm.value.writeAsync {}
            }
        }
        expectMessage(
            result, "Cannot schedule async transaction.", "Realm.writeAsync", "calls back later")
    }

    /// The report of who holds which version names the owner.
    @Test func reportsNameTheOwner() async throws {
        try await Self.withOpened { realm, _ in
            let before = try realm.value.versionReport()
            #expect("\(before)".contains("OpeningTaskTests.swift"))
            let first = First()
            try await first.add(realm, 1)
            let after = try realm.value.versionReport()
            #expect("\(after)".contains("in the actor 'First'"))
            _ = await first.count(realm)
        }
    }
}
