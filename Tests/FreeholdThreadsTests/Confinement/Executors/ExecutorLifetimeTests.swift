import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Realms of actors with executors of their own: one that is gone is not called, one that lives
/// is asked what it knows.
@Suite struct ExecutorLifetimeTests {
    /// Each in a process of its own, whose allocator fills what is freed: a call into an
    /// executor that is gone crashes there.
    @Test func thawingBesideARealmWhoseExecutorIsGone() async {
        await #expect(processExitsWith: .success) {
            try await Self.withOrphanedRealm({ QueueExecutor() }) { frozen, reference in
                try #require(onNewThread { frozen.value.thaw()?.isFrozen } == false)
                try #require(onNewThread { reference.wrappedValue?.age } == 3)
            }
        }
    }

    @Test func thawingOnAnotherExecutorThatComparesItself() async {
        await #expect(processExitsWith: .success) {
            try await Self.withOrphanedRealm({ SharedContextExecutor(context: 1) }) { frozen, _ in
                let other = Owner(SharedContextExecutor(context: 1))
                try #require(await other.run { _ in frozen.value.thaw()?.isFrozen } == false)
            }
        }
    }

    @Test func usingTheRealmOfAnActorThatIsGone() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            fillFreedMemory()
            try await withTemporaryFile { configuration in
                let realm = try await Owner(QueueExecutor()).run {
                    Smuggled(value: try await $0.open(configuration))
                }
                try onNewThread { _ = realm.value.objects(Fixture.Dog.self).count }
            }
        }
        expectMessage(result, "Realm accessed from incorrect thread.\n", "in the actor 'Owner'")
    }

    /// Runs a body while a token keeps the realm of an actor alive that is gone, and its
    /// executor with it.
    private static func withOrphanedRealm(
        _ make: @Sendable () -> any SerialExecutor,
        _ body: (Smuggled<Fixture.Dog>, ThreadSafe<Fixture.Dog>) async throws -> Void
    ) async throws {
        fillFreedMemory()
        try await withTemporaryFile { configuration in
            weak var gone: (any SerialExecutor)?
            let (token, frozen, reference) = try await {
                let executor = make()
                gone = executor
                return try await Owner(executor).run { owner in
                    let realm = try await owner.open(configuration)
                    let dog = try await realm.asyncWrite {
                        Smuggled(value: realm.create(Fixture.Dog.self))
                    }
                    let reference = ThreadSafe(wrappedValue: dog.value)
                    return (
                        Smuggled(value: realm.observe { _, _ in }),
                        Smuggled(value: dog.value.freeze()), reference
                    )
                }
            }()
            // The queue may still be at the end of the last job.
            while gone != nil { await Task.yield() }
            try await body(frozen, reference)
            withExtendedLifetime(token) {}
        }
    }

    @Test func aDeinitialiserOfAnActorUsesItsRealm() async throws {
        try await withTemporaryFile { configuration in
            let (count, counts) = (Locker(-1), DispatchSemaphore(value: 0))
            do {
                let closing = Closing(QueueExecutor()) {
                    count.value = $0; counts.signal()
                }
                try await closing.open(configuration)
            }
            await wait(for: counts)
            #expect(count.value == 1)
        }
    }

    @Test(arguments: [true, false])
    func actorsThatShareAnExecutorShareItsRealms(isCompared: Bool) async throws {
        try await withTemporaryFile { configuration in
            let shared = QueueExecutor()
            let first: any SerialExecutor = isCompared ? SharedContextExecutor(context: 7) : shared
            let second: any SerialExecutor = isCompared ? SharedContextExecutor(context: 7) : shared
            let owner = Owner(first)
            let dog = try await owner.run { owner in
                let realm = try await owner.open(configuration)
                return try await realm.asyncWrite {
                    Smuggled(value: realm.create(Fixture.Dog.self))
                }
            }
            #expect(await Owner(second).run { _ in dog.value.age } == 3)
            withExtendedLifetime(owner) {}
        }
    }

    @Test func aQueueExecutorsQueueIsThePlaceOfItsActorsToo() async throws {
        try await withTemporaryFile { configuration in
            let executor = QueueExecutor()
            let owner = Owner(executor)
            let dog = try await owner.run { owner in
                let realm = try await owner.open(configuration)
                return try await realm.asyncWrite {
                    Smuggled(value: realm.create(Fixture.Dog.self))
                }
            }
            let age = Locker(0)
            await withCheckedContinuation { continuation in
                executor.queue.async {
                    age.value = dog.value.age
                    continuation.resume()
                }
            }
            #expect(age.value == 3)
            withExtendedLifetime(owner) {}
        }
    }

    @Test func aTaskExecutorDoesNotChangeWhereAnActorIs() async throws {
        try await withTemporaryFile { configuration in
            let preferred = QueueExecutor()
            let owner = Plain()
            let counts = try await Task(executorPreference: preferred) {
                let first = try await owner.addDog(configuration)
                return (first, try await owner.addDog(configuration))
            }.value
            #expect(counts == (1, 2))
            let last = try await owner.addDog(configuration)
            #expect(last == 3)
        }
    }

    @Test func anImmediateTaskOfAnActorUsesItsRealm() async throws {
        try await withTemporaryFile { configuration in
            let counts = (
                try await Owner(QueueExecutor()).countInAnImmediateTask(configuration),
                try await Plain().countInAnImmediateTask(configuration)
            )
            #expect(counts == (0, 0))
        }
    }
}

/// Has the allocator of the C library overwrite what is freed.
private func fillFreedMemory() {
    typealias SetOption = @convention(c) (Int32, Int32) -> Int32
    let perturb: Int32 = -6
    guard let address = dlsym(nil, "mallopt") else { preconditionFailure("glibc has mallopt.") }
    _ = unsafeBitCast(address, to: SetOption.self)(perturb, 0xA5)
}

private func withTemporaryFile(_ body: (Realm.Configuration) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    try await body(Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all))
    directory.delete()
}

/// A queue that knows its blocks, whether tasks or not.
private final class QueueExecutor: SerialExecutor, TaskExecutor {
    let queue = DispatchQueue(label: "test.executor")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: key) ?? false }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true) }
}

/// One of several executors that are one place, told by what they hold.
private final class SharedContextExecutor: SerialExecutor {
    private static let queue = DispatchQueue(label: "test.context")
    private let context: [Int]

    init(context: Int) { self.context = [context] }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(complexEquality: self)
    }

    func isSameExclusiveExecutionContext(other: SharedContextExecutor) -> Bool {
        context == other.context
    }
}

private actor Owner {
    private let executor: any SerialExecutor
    private var realm: Realm?

    init(_ executor: any SerialExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func open(_ configuration: Realm.Configuration) async throws -> Realm {
        try await Realm.open(configuration: configuration)
    }

    func run<Result: Sendable>(_ body: @Sendable (isolated Owner) async throws -> Result)
        async rethrows -> Result
    { try await body(self) }

    func countInAnImmediateTask(_ configuration: Realm.Configuration) async throws -> Int {
        let realm = try await open(configuration)
        self.realm = realm
        return await Task.immediate { realm.objects(Fixture.Dog.self).count }.value
    }
}

private actor Plain {
    private var realm: Realm?

    func addDog(_ configuration: Realm.Configuration) async throws -> Int {
        let realm = try await Realm.open(configuration: configuration)
        self.realm = realm
        try await realm.asyncWrite { _ = realm.create(Fixture.Dog.self) }
        return realm.objects(Fixture.Dog.self).count
    }

    func countInAnImmediateTask(_ configuration: Realm.Configuration) async throws -> Int {
        let realm = try await Realm.open(configuration: configuration)
        return await Task.immediate { realm.objects(Fixture.Dog.self).count }.value
    }
}

/// Uses its realm as it ends.
private actor Closing {
    private let executor: any SerialExecutor
    private let report: @Sendable (Int) -> Void
    private var realm: Realm?

    init(_ executor: any SerialExecutor, _ report: @escaping @Sendable (Int) -> Void) {
        self.executor = executor
        self.report = report
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func open(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm.open(configuration: configuration)
        try await realm.asyncWrite { _ = realm.create(Fixture.Dog.self) }
        self.realm = realm
    }

    isolated deinit { report(realm?.objects(Fixture.Dog.self).count ?? -1) }
}
