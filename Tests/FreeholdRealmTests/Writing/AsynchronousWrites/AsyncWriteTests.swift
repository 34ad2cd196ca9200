import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// `asyncWrite` from tasks, on actors and on the main actor.
@Suite struct AsyncWriteTests {
    typealias Person = Fixture.Person

    private actor Keeper {
        private var realm: Realm?
        private(set) var events: [String] = []

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        private func opened() throws -> Realm { try #require(realm) }

        func add(_ id: Int) async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                events.append("\(id)")
                realm.add(Person(id: id))
            }
        }

        /// Adds to one object what it read before, which loses updates if two blocks overlap.
        func increment() async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                let person =
                    realm.object(ofType: Person.self, forPrimaryKey: 0)
                    ?? realm.create(Person.self, value: ["id": 0, "age": 0])
                person.age += 1
            }
        }

        /// Ends its transaction with a synchronous commit, which writes what is grouped before
        /// it, too.
        func addCommittingInside(_ id: Int) async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                realm.add(Person(id: id))
                try realm.commitWrite()
            }
        }

        func addSynchronously(_ id: Int) throws {
            let realm = try opened()
            try realm.write { realm.add(Person(id: id)) }
        }

        func fail(_ id: Int) async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                realm.add(Person(id: id))
                throw CocoaError(.featureUnsupported)
            }
        }

        /// Ends its transaction without any change.
        func addCancellingInside(_ id: Int) async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                realm.add(Person(id: id))
                realm.cancelWrite()
            }
        }

        func close() { realm = nil }

        func count() throws -> Int { try opened().objects(Person.self).count }
        func age() throws -> Int? {
            try opened().object(ofType: Person.self, forPrimaryKey: 0)?.age
        }
        func ids() throws -> [Int] { try opened().objects(Person.self).map(\.id) }
        func isPerforming() throws -> Bool { try opened().isPerformingAsynchronousWriteOperations }
        func check() throws -> [String] { try opened().check() }
    }

    private func withKeeper(_ body: (Keeper, Realm.Configuration) async throws -> Void) async throws
    {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let keeper = Keeper()
        try await keeper.open(configuration)
        try await body(keeper, configuration)
        #expect(try await keeper.check().isEmpty, "The file is kept at \(directory.url.path).")
        directory.delete()
    }

    /// A write that was undone, and was the last, left the realm open for good.
    @Test(arguments: [false, true]) func undoneWritesLetGoOfTheirRealm(throwsError: Bool)
        async throws
    {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let keeper = Keeper()
        try await keeper.open(configuration)
        if throwsError {
            await #expect(throws: CocoaError.self) { try await keeper.fail(1) }
        } else {
            try await keeper.addCancellingInside(1)
        }
        #expect(try await keeper.count() == 0)
        await keeper.close()
        #expect(try Realm.deleteFiles(for: configuration))
    }

    /// The threads that opened the file and wrote to it share it for a moment longer than their
    /// answers take.
    @Test func filesCanBeDeletedOnceTheirRealmIsGone() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let configuration = Realm.Configuration(
                    fileURL: directory.file("\(number).realm"), objectTypes: Fixture.all)
                group.addTask {
                    for _ in 0..<10 {
                        let keeper = Keeper()
                        try await keeper.open(configuration)
                        try await keeper.add(1)
                        await keeper.close()
                        // With other settings: refused while it is open.
                        var readOnly = configuration
                        readOnly.readOnly = true
                        try await keeper.open(readOnly)
                        await keeper.close()
                        #expect(try Realm.deleteFiles(for: configuration))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func theChangesAreOnTheDiskWhenTheCallReturns() async throws {
        try await withKeeper { keeper, configuration in
            try await keeper.add(1)
            #expect(try await keeper.count() == 1)
            #expect(try await !keeper.isPerforming())
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).objects(Person.self).count
                } == 1)
        }
    }

    @Test func noUpdateIsLostAmongManyCalls() async throws {
        try await withKeeper { keeper, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<600 { group.addTask { try await keeper.increment() } }
                try await group.waitForAll()
            }
            #expect(try await keeper.age() == 600)
        }
    }

    @Test func synchronousWritesRunBetween() async throws {
        try await withKeeper { keeper, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<200 {
                    group.addTask {
                        if id % 3 == 0 {
                            try await keeper.addSynchronously(id)
                        } else {
                            try await keeper.add(id)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await keeper.ids() == Array(0..<200))
        }
    }

    @Test func threadsAndActorsTakeTurns() async throws {
        try await withKeeper { keeper, configuration in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<100 { group.addTask { try await keeper.add(id) } }
                group.addTask {
                    try await awaitThread {
                        for id in 100..<200 { try onNewThread { try write(id, configuration) } }
                    }
                }
                try await group.waitForAll()
            }
            try await keeper.add(200)
            #expect(try await keeper.ids() == Array(0...200))
        }
    }

    @Test func aThrowingBlockIsUndone() async throws {
        try await withKeeper { keeper, _ in
            try await keeper.add(1)
            await #expect(throws: CocoaError.self) { try await keeper.fail(2) }
            #expect(try await keeper.ids() == [1])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 10..<60 {
                    group.addTask {
                        if id % 2 == 0 {
                            try await keeper.add(id)
                        } else {
                            try? await keeper.fail(id)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await keeper.ids() == [1] + Array(stride(from: 10, to: 60, by: 2)))
        }
    }

    @Test func aTaskThatIsCancelledBeforeItsGrantNeverRuns() async throws {
        try await withKeeper { keeper, configuration in
            // A writer of another thread holds the lock until the task is cancelled.
            let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            startThread {
                try? Realm(configuration: configuration).write {
                    isHeld.signal()
                    mayEnd.wait()
                }
            }
            await wait(for: isHeld)
            let cancelled = Task { try await keeper.add(1) }
            let kept = Task { try await keeper.add(2) }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            mayEnd.signal()
            try await kept.value
            #expect(try await keeper.ids() == [2])
            #expect(await keeper.events == ["2"])
        }
    }

    @Test func aSynchronousCommitInsideWakesTheTasksOfItsGroup() async throws {
        try await withKeeper { keeper, configuration in
            let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            startThread {
                try? Realm(configuration: configuration).write {
                    isHeld.signal()
                    mayEnd.wait()
                }
            }
            await wait(for: isHeld)
            let path = try #require(configuration.fileURL?.path)
            // On a thread of its own: tasks that spin keep those waiting that they wait for.
            func waitForLine(of count: Int) async throws {
                try await awaitThread {
                    let writer = try Store.open(Store.Options(path: path)).environment.writer
                    let end = ContinuousClock.now + .seconds(600)
                    while writer.waitingCount < count {
                        let isInTime = ContinuousClock.now < end
                        try #require(isInTime)
                        sched_yield()
                    }
                }
            }
            let first = Task { try await keeper.add(0) }
            try await waitForLine(of: 1)
            let second = Task { try await keeper.add(1) }
            try await waitForLine(of: 2)
            let last = Task { try await keeper.addCommittingInside(2) }
            try await waitForLine(of: 3)
            mayEnd.signal()
            try await last.value
            try await second.value
            try await first.value
            #expect(try await keeper.ids() == [0, 1, 2])
        }
    }

    /// Realm's issue 8675: a cancellation beside a second call in flight. Whatever is
    /// cancelled, each call either wrote all or threw.
    @Test func cancellationsAtRandomLeaveEveryInvariantTrue() async throws {
        var generator = Seed.random()
        let seed = generator.seed
        try await withKeeper { keeper, _ in
            var written: Set<Int> = []
            for round in 0..<20 {
                let tasks = (0..<20).map { index in
                    (round * 20 + index, Task { try await keeper.add(round * 20 + index) })
                }
                for (_, task) in tasks where Int.random(in: 0..<3, using: &generator) == 0 {
                    if Bool.random(using: &generator) { await Task.yield() }
                    task.cancel()
                }
                for (id, task) in tasks {
                    do {
                        try await task.value
                        written.insert(id)
                    } catch is CancellationError {}
                }
            }
            #expect(Set(try await keeper.ids()) == written, "FREEHOLD_SEED=\(seed)")
            #expect(try await !keeper.isPerforming(), "FREEHOLD_SEED=\(seed)")
            try await keeper.addSynchronously(10_000)
        }
    }

    @MainActor
    @Test func onTheMainActor() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let realm = try await Realm(
            configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all))
        let person = Person(id: 1, name: "Ada")
        let text = try await realm.asyncWrite {
            realm.add(person)
            #expect(realm.isInWriteTransaction && realm.isPerformingAsynchronousWriteOperations)
            return person.name
        }
        #expect(text == "Ada")
        try await realm.asyncWrite { person.age = 36 }
        #expect(person.age == 36)
        let same = try await Realm.open(configuration: realm.configuration)
        #expect(same == realm)
        #expect(try realm.check().isEmpty)
    }

    @Test func realmsWithoutAnActorAreRefused() async {
        let write = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            @MainActor in
            let realm = try Self.realmOnAScheduler()
            try await realm.asyncWrite {}
        }
        expectMessage(
            write, "asyncWrite() can only be called on main thread or actor-isolated Realms")
        let refresh = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { @MainActor in
            let realm = try Self.realmOnAScheduler()
            await realm.asyncRefresh()
        }
        expectMessage(
            refresh, "asyncRefresh() can only be called on main thread or actor-isolated Realms")
    }

    /// Also where the caller is not on the queue.
    @Test func realmsOfQueuesAreRefused() async {
        let write = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            @MainActor in
            let realm = try Self.realmOfAQueue()
            try await realm.asyncWrite {}
        }
        expectMessage(
            write, "asyncWrite() can only be called on main thread or actor-isolated Realms")
        let refresh = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { @MainActor in
            let realm = try Self.realmOfAQueue()
            await realm.asyncRefresh()
        }
        expectMessage(
            refresh, "asyncRefresh() can only be called on main thread or actor-isolated Realms")
    }

    @MainActor private static func realmOfAQueue() throws -> Realm {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let queue = DispatchQueue(label: "realm")
        nonisolated(unsafe) var realm: Realm?
        try queue.sync { realm = try Realm(configuration: configuration, queue: queue) }
        return try #require(realm)
    }

    @MainActor private static func realmOnAScheduler() throws -> Realm {
        let configuration = Realm.Configuration(
            fileURL: try TemporaryDirectory().file(), objectTypes: Fixture.all)
        return try Realm(configuration: configuration, scheduler: ManualScheduler())
    }

    @Test func refreshingMovesToTheNewestVersion() async throws {
        try await withKeeper { keeper, configuration in
            #expect(await !refresh(on: keeper, configuration))
        }
    }

    private func refresh(on actor: isolated Keeper, _ configuration: Realm.Configuration) async
        -> Bool
    {
        guard let realm = try? await Realm.open(configuration: configuration) else { return true }
        return await realm.asyncRefresh()
    }
}

private func write(_ id: Int, _ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Fixture.Person(id: id)) }
}
