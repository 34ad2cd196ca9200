import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

@globalActor private actor PinnedGlobal: PinnedActor {
    static let shared = PinnedGlobal()
    let executor = PinnedExecutor("pinned-global")
}

/// A live object in a global variable, which belongs to a global actor.
@PinnedGlobal private var keptPerson: Fixture.Person?

/// Actors with a thread of their own, and realms on it.
@Suite struct PinnedExecutorTests {
    typealias Person = Fixture.Person

    private actor Pinned: PinnedActor {
        let executor: PinnedExecutor
        private let configuration: Realm.Configuration
        private var person: Person?
        private var completed: [String] = []

        init(
            _ configuration: Realm.Configuration,
            on executor: PinnedExecutor = PinnedExecutor("pinned")
        ) {
            self.configuration = configuration
            self.executor = executor
        }

        func realm() throws -> Realm { try Realm(configuration: configuration) }

        func keep(_ id: Int) throws {
            let realm = try realm()
            person = try realm.write {
                realm.create(Person.self, value: ["id": id, "name": "Ada"])
            }
        }

        /// The tasks are in the line when this returns, as the thread is busy with this.
        func keepInTasks(_ ids: Range<Int>) {
            for id in ids { Task { try self.keep(id) } }
        }

        func age() -> Int? { person?.age }
        func isGone() -> Bool { person?.isInvalidated ?? true }
        func threadID() -> pthread_t { pthread_self() }
        func forget() { person = nil }

        /// Each round reads and writes the same object on both sides of an `await`.
        func grow(_ rounds: Int) async throws {
            let realm = try realm()
            for round in 0..<rounds {
                let before = try #require(person?.age)
                await Task.yield()
                _ = await PinnedExecutorTests.elsewhere(round)
                #expect(person?.name == "Ada" && (person?.age ?? -1) >= before)
                try await realm.asyncWrite { person?.age += 1 }
            }
        }

        func openings() async throws -> Bool {
            let opened = try await Realm.open(configuration: configuration)
            let byActor = try await Realm(configuration: configuration, actor: self)
            return try opened == realm() && byActor == opened
        }

        /// Writes with a completion, which is done after the call has returned.
        func writeInBackground(_ id: Int, _ done: @escaping @Sendable ([pthread_t]) -> Void) throws
        {
            let realm = try realm()
            var threads: [pthread_t] = [pthread_self()]
            realm.writeAsync {
                threads.append(pthread_self())
                realm.add(Person(id: id))
            } onComplete: { error in
                #expect(error == nil)
                self.assumeIsolated { $0.completed.append("\(id)") }
                threads.append(pthread_self())
                done(threads)
            }
        }

        func completions() -> [String] { completed }
        func count() throws -> Int { try realm().objects(Person.self).count }
        func smuggle() throws -> Smuggled<Person> { Smuggled(value: try #require(person)) }
        func smuggleOpened() async throws -> Smuggled<Realm> {
            Smuggled(value: try await Realm.open(configuration: configuration))
        }

        func check() throws -> [String] {
            let realm = try realm()
            realm.refresh()
            return try realm.check()
        }
    }

    private struct Smuggled<Value>: @unchecked Sendable {
        // Sendable: it is what these tests are about.
        let value: Value
    }

    /// A hop to the pool's threads.
    private static func elsewhere(_ number: Int) async -> Int { number }

    private func withConfiguration(_ body: (Realm.Configuration) async throws -> Void) async throws
    {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try await body(configuration)
        let problems = try onNewThread { try Realm(configuration: configuration).check() }
        #expect(problems.isEmpty, "The file is kept at \(directory.url.path).")
        if problems.isEmpty { directory.delete() }
    }

    private func count(_ configuration: Realm.Configuration) throws -> Int {
        try onNewThread { try Realm(configuration: configuration).objects(Person.self).count }
    }

    @Test func aLiveObjectStaysValidAcrossManyAwaits() async throws {
        try await withConfiguration { configuration in
            let pinned = Pinned(configuration)
            try await pinned.keep(1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await pinned.grow(50) } }
                try await group.waitForAll()
            }
            #expect(await pinned.age() == 200)
            #expect(try await pinned.check().isEmpty)
        }
    }

    @PinnedGlobal @Test func aGlobalActorKeepsALiveObject() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let realm = try await Realm.open(configuration: configuration)
        keptPerson = try await realm.asyncWrite { realm.create(Person.self, value: ["id": 1]) }
        for round in 1...50 {
            await Task.yield()
            _ = await PinnedExecutorTests.elsewhere(round)
            try await realm.asyncWrite { keptPerson?.age += 1 }
            #expect(keptPerson?.age == round)
        }
        #expect(try openedSynchronously(configuration) == realm)
        keptPerson = nil
        #expect(try realm.check().isEmpty)
    }

    @PinnedGlobal private func openedSynchronously(_ configuration: Realm.Configuration) throws
        -> Realm
    { try Realm(configuration: configuration) }

    @Test func everyWayOfOpeningGivesTheSameInstance() async throws {
        try await withConfiguration { configuration in
            let pinned = Pinned(configuration)
            let isOne = try await pinned.openings()
            #expect(isOne)
        }
    }

    @Test func allCallsRunOnOneThread() async throws {
        try await withConfiguration { configuration in
            let pinned = Pinned(configuration)
            let first = await pinned.threadID()
            let threads = await withTaskGroup(of: pthread_t.self) { group in
                for _ in 0..<100 { group.addTask { await pinned.threadID() } }
                return await group.reduce(into: Set<pthread_t>()) { $0.insert($1) }
            }
            #expect(threads == [first])
        }
    }

    @Test func actorsOfOneExecutorShareTheRealm() async throws {
        try await withConfiguration { configuration in
            let executor = PinnedExecutor("shared")
            let (one, other) = (
                Pinned(configuration, on: executor), Pinned(configuration, on: executor)
            )
            try await one.keep(1)
            let realms = try await (one.smuggleOpened(), other.smuggleOpened())
            #expect(realms.0.value == realms.1.value)
            #expect(await one.threadID() == other.threadID())
            #expect(try await other.count() == 1)
        }
    }

    @Test func writeAsyncRunsOnTheThreadAndCompletesThere() async throws {
        try await withConfiguration { configuration in
            let pinned = Pinned(configuration)
            let thread = await pinned.threadID()
            let threads = try await withCheckedThrowingContinuation { continuation in
                Task {
                    do {
                        try await pinned.writeInBackground(7) { continuation.resume(returning: $0) }
                    } catch { continuation.resume(throwing: error) }
                }
            }
            #expect(threads == [thread, thread, thread])
            #expect(await pinned.completions() == ["7"])
            #expect(try await pinned.count() == 1)
        }
    }

    // MARK: - The end

    /// Ends on its own thread: the deinit that releases the executor runs there.
    private actor Isolated: PinnedActor {
        let executor = PinnedExecutor("isolated")
        let ending: @Sendable (pthread_t) -> Void

        init(_ ending: @escaping @Sendable (pthread_t) -> Void) { self.ending = ending }

        func start(_ threadEnded: DispatchSemaphore) -> pthread_t {
            ThreadEnd.signal(threadEnded)
            return pthread_self()
        }

        isolated deinit { ending(pthread_self()) }
    }

    @Test func theThreadEndsWithItsExecutor() async throws {
        let ended = DispatchSemaphore(value: 0)
        try await withConfiguration { configuration in
            do {
                let executor = PinnedExecutor("ending")
                let pinned = Pinned(configuration, on: executor)
                try await pinned.keep(1)
                await pinned.run { ThreadEnd.signal(ended) }
            }
            await wait(for: ended)
        }
    }

    @Test func anExecutorMayEndOnItsOwnThread() async throws {
        let ended = DispatchSemaphore(value: 0)
        let deinitialized = Locker<pthread_t>(0)
        var thread: pthread_t = 0
        do {
            let actor = Isolated { deinitialized.value = $0 }
            thread = await actor.start(ended)
        }
        await wait(for: ended)
        #expect(deinitialized.value == thread)
    }

    @Test func jobsThatAreQueuedWhenTheLastReferenceGoesRun() async throws {
        try await withConfiguration { configuration in
            let ended = DispatchSemaphore(value: 0)
            do {
                let pinned = Pinned(configuration)
                await pinned.run { ThreadEnd.signal(ended) }
                await pinned.keepInTasks(0..<20)
            }
            await wait(for: ended)
            let written = try count(configuration)
            #expect(written == 20)
        }
    }

    @Test func asynchronousWritesOutliveTheActor() async throws {
        try await withConfiguration { configuration in
            let (ended, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            do {
                let executor = PinnedExecutor("outlived")
                let holder = Holder(configuration, executor)
                try await holder.write(ended, done)
            }
            await wait(for: done)
            await wait(for: ended)
            let written = try count(configuration)
            #expect(written == 1)
        }
    }

    /// Its writes do not refer to it.
    private actor Holder: PinnedActor {
        let executor: PinnedExecutor
        private let configuration: Realm.Configuration

        init(_ configuration: Realm.Configuration, _ executor: PinnedExecutor) {
            self.configuration = configuration
            self.executor = executor
        }

        func write(_ ended: DispatchSemaphore, _ done: DispatchSemaphore) throws {
            ThreadEnd.signal(ended)
            let realm = try Realm(configuration: configuration)
            realm.writeAsync {
                realm.add(Person(id: 1))
            } onComplete: { error in
                #expect(error == nil)
                done.signal()
            }
        }
    }

    // MARK: - Misuse

    @Test func theReportOfAWrongThreadNamesTheActor() async throws {
        try await withConfiguration { configuration in
            let pinned = Pinned(configuration)
            let realm = try await pinned.smuggleOpened()
            let violation = try #require(
                try onNewThread { () -> ConfinementViolation? in
                    do { try realm.value.write {} } catch { return error as? ConfinementViolation }
                    return nil
                })
            #expect(violation.message == "Realm accessed from incorrect thread.")
            #expect(
                violation.remedy.hasPrefix(
                    """
                    Write in a method of the actor 'Pinned', which the executor 'pinned' \
                    runs (try await realm.asyncWrite
                    """
                ))
            #expect(violation.opened.threadName == "pinned")
        }
    }

    @Test func readingALiveObjectElsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            let pinned = Pinned(
                Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all))
            try await pinned.keep(1)
            let person = try await pinned.smuggle()
            print(person.value.name)
        }
        // Opened synchronously, so only the executor is known.
        expectMessage(
            result, "Realm accessed from incorrect thread.\n", "Reading 'Fixture_Person.name'",
            "Opened: at FreeholdThreadsTests/PinnedExecutorTests.swift:",
            "Run this code in a method of an actor that the executor 'pinned' runs")
    }

    @Test func assumingTheActorElsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let executor = PinnedExecutor("assumed")
            executor.checkIsolated()
        }
        expectMessage(
            result, "Incorrect actor executor assumption; expected the executor 'assumed'.",
            "await a method of the actor")
    }
}

extension PinnedActor {
    fileprivate func run(_ body: @Sendable () -> Void) { body() }
}

/// Signals when the calling thread ends.
private enum ThreadEnd {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            if let pointer {
                Unmanaged<DispatchSemaphore>.fromOpaque(pointer).takeRetainedValue().signal()
            }
        }
        return key
    }()

    static func signal(_ semaphore: DispatchSemaphore) {
        pthread_setspecific(key, Unmanaged.passRetained(semaphore).toOpaque())
    }
}
