import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Writers that wait for a grant whose owner does not come.
@Suite struct WaitingWritersTests {
    typealias Person = Fixture.Person

    private static func configuration(_ directory: TemporaryDirectory) -> Realm.Configuration {
        Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
    }

    actor Keeper {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func write() throws {
            let realm = try #require(realm)
            try realm.write { Self.increment(realm) }
        }

        func writeAsynchronously() async throws {
            let realm = try #require(realm)
            try await realm.asyncWrite { Self.increment(realm) }
        }

        private static func increment(_ realm: Realm) {
            let person =
                realm.object(ofType: Person.self, forPrimaryKey: 0)
                ?? realm.create(Person.self, value: ["id": 0, "age": 0])
            person.age += 1
        }
    }

    /// As many synchronous writers as the pool has threads, and more: each blocks one while it
    /// waits for a grant that an actor cannot accept without one.
    @Test func actorsThatWaitDoNotStopThePool() async {
        await #expect(processExitsWith: .success) {
            // The watchdog: a standstill ends the process.
            alarm(60)
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory)
            let (actors, rounds) = (2 * (1 + ProcessInfo.processInfo.activeProcessorCount), 100)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<actors {
                    group.addTask {
                        let keeper = Keeper()
                        try await keeper.open(configuration)
                        for _ in 0..<rounds {
                            if number % 2 == 0 {
                                try await keeper.write()
                            } else {
                                try await keeper.writeAsynchronously()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let age = try onNewThread {
                try Realm(configuration: configuration).object(
                    ofType: Person.self, forPrimaryKey: 0)?.age
            }
            try #require(age == actors * rounds)
            directory.delete()
        }
    }

    /// As many synchronous writers as the pool has threads: whenever an
    /// asynchronous one is offered the grant, all of them wait behind it. Each such offer was
    /// unused time, and the next one was longer.
    @Test func asynchronousWritersHaveTheirShare() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let directory = try TemporaryDirectory()
            var configuration = Self.configuration(directory)
            configuration.durability = .none
            let isOver = Locker(false)
            let counts = Locker((synchronous: 0, asynchronous: 0))
            let fixed = configuration
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                    group.addTask {
                        let keeper = Keeper()
                        try await keeper.open(fixed)
                        while !isOver.value {
                            try await keeper.write()
                            counts.update { $0.synchronous += 1 }
                            await Task.yield()
                        }
                    }
                }
                let rounds = 200
                for _ in 0..<4 {
                    group.addTask {
                        let keeper = Keeper()
                        try await keeper.open(fixed)
                        for _ in 0..<rounds {
                            try await keeper.writeAsynchronously()
                            counts.update {
                                $0.asynchronous += 1
                                if $0.asynchronous == 4 * rounds { isOver.value = true }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let (synchronous, asynchronous) = counts.value
            try #require(
                synchronous < 50 * asynchronous,
                "\(synchronous) synchronous writes, \(asynchronous) others")
            directory.delete()
        }
    }

    /// Actors that came by in vain wait on the pool's threads, all of them, for a transaction
    /// that ends when a task has run there.
    @Test func actorsThatStayLeaveThePoolInTime() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory)
            let environment = try Store.open(Store.Options(path: directory.file().path)).environment
            environment.stepDeadlinesByHand()
            let width = ProcessInfo.processInfo.activeProcessorCount
            let holder = WriteHolderThread(configuration)
            try await withThrowingTaskGroup(of: Void.self) { group in
                holder.step()
                for _ in 0..<width {
                    let keeper = Keeper()
                    try await keeper.open(configuration)
                    group.addTask { try await keeper.writeAsynchronously() }
                }
                await onThreadWithoutPool {
                    while environment.writeQueueState.waitingCount < width { sched_yield() }
                    for _ in 0..<2 {
                        // No thread is free when they are offered the grant, and another writer
                        // has it when one is.
                        let pool = BusyPool(width)
                        holder.step()
                        while environment.passNextDeadline() {}
                        holder.step()
                        pool.end()
                        while environment.writeQueueState.awayCount > 0 { sched_yield() }
                    }
                    let hasRun = DispatchSemaphore(value: 0)
                    Task.detached { hasRun.signal() }
                    hasRun.wait()
                    holder.step()
                }
                try await group.waitForAll()
            }
            holder.stop()
            directory.delete()
        }
    }

    /// The write was asked for on a scheduler that does not run it: it holds nothing meanwhile,
    /// and runs when the scheduler comes.
    @Test func aSchedulerThatSleepsStopsNoThread() async throws {
        try await awaitThread {
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory)
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            let order = Locker<[String]>([])
            realm.writeAsync {
                order.update { $0.append("asynchronous") }
                realm.add(Person(id: 1))
            } onComplete: { error in
                #expect(error == nil)
            }
            let isDone = DispatchSemaphore(value: 0)
            startThread {
                #expect(throws: Never.self) {
                    let realm = try Realm(configuration: configuration)
                    try realm.write {
                        order.update { $0.append("synchronous") }
                        realm.add(Person(id: 2))
                    }
                }
                isDone.signal()
            }
            #expect(isDone.wait(timeout: .now() + 600) == .success)
            while realm.isPerformingAsynchronousWriteOperations,
                scheduler.waitForWork(until: Date() + 600)
            { scheduler.runAll() }
            #expect(order.value == ["synchronous", "asynchronous"])
            #expect(Set(realm.objects(Person.self).map(\.id)) == [1, 2])
            #expect(try realm.check().isEmpty)
            directory.delete()
        }
    }

    @Test func aSchedulerThatSleepsStopsNoProcess() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let stop = DispatchSemaphore(value: 0)
        let isAsked = DispatchSemaphore(value: 0)
        async let asker: Void = awaitThread {
            let scheduler = ManualScheduler()
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            realm.writeAsync { realm.add(Person(id: 1)) }
            isAsked.signal()
            stop.wait()
            while realm.isPerformingAsynchronousWriteOperations,
                scheduler.waitForWork(until: Date() + 600)
            { scheduler.runAll() }
            #expect(Set(realm.objects(Person.self).map(\.id)) == [1, 2])
            #expect(try realm.check().isEmpty)
        }
        await wait(for: isAsked)
        await #expect(processExitsWith: .success) { [path = path as String] in
            alarm(20)
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all))
            try realm.write { realm.add(Person(id: 2)) }
        }
        stop.signal()
        try await asker
        directory.delete()
    }

    /// The main thread waits for a queue that writes, while a write of its own waits for it.
    @Test func theMainThreadMayWaitForAQueueThatWrites() async {
        await #expect(processExitsWith: .success) { @MainActor in
            alarm(20)
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory)
            let realm = try await Realm(configuration: configuration)
            realm.writeAsync { realm.add(Person(id: 1)) }
            let queue = DispatchQueue(label: "writer")
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                try realm.write { realm.add(Person(id: 2)) }
            }
            try await realm.asyncWrite { realm.add(Person(id: 3)) }
            try #require(realm.objects(Person.self).count == 3)
            directory.delete()
        }
    }

    /// Its realm stayed open for good.
    @Test(.timeLimit(.minutes(10))) func writesThatCannotBeginLetGoOfTheirRealm() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Self.configuration(directory)
        do {
            let keeper = Keeper()
            try await keeper.open(configuration)
            let path = directory.file().path
            try await keeper.writeAsynchronously()
            try Store.open(Store.Options(path: path)).noteDamage(
                StorageError(.corrupted, "A test says so.", path: path))
            let error = await #expect(throws: Realm.Error.self) {
                try await keeper.writeAsynchronously()
            }
            #expect(error?.code == .invalidDatabase)
        }
        // Another thread may hold the file for a moment, not for good.
        var isDeleted = false
        while !isDeleted {
            do {
                isDeleted = try Realm.deleteFiles(for: configuration)
            } catch let error as Realm.Error where error.code == .alreadyOpen {
                await Task.yield()
            }
        }
        directory.delete()
    }

    /// The offer lay in the mail, which led back to the realm's writes by way of the request.
    @Test(arguments: [true, false]) func cancelledWritesLetGoOfTheirFile(runsScheduler: Bool)
        async throws
    {
        try await awaitThread {
            let directory = try TemporaryDirectory()
            let configuration = Self.configuration(directory)
            let scheduler = ManualScheduler()
            do {
                let realm = try Realm(configuration: configuration, scheduler: scheduler)
                try realm.cancelAsyncWrite(realm.writeAsync {})
            }
            if runsScheduler { scheduler.runAll() }
            #expect(try Realm.deleteFiles(for: configuration))
            directory.delete()
            withExtendedLifetime(scheduler) {}
        }
    }

    private actor Mortal {
        var realm: Realm?
        let completed: @Sendable (Bool) -> Void

        init(_ completed: @escaping @Sendable (Bool) -> Void) { self.completed = completed }

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        isolated deinit {
            guard let realm else { return }
            let completed = completed
            realm.writeAsync {
                realm.add(Person(id: 1))
            } onComplete: {
                completed($0 is CancellationError)
            }
        }
    }

    /// There is no actor any more that the block could run on.
    @Test(.timeLimit(.minutes(10))) func writesOfAnActorThatEndsAreCancelled() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Self.configuration(directory)
        let (completions, continuation) = AsyncStream<Bool>.makeStream()
        do {
            let mortal = Mortal {
                continuation.yield($0)
                continuation.finish()
            }
            try await mortal.open(configuration)
        }
        var seen: [Bool] = []
        for await completion in completions { seen.append(completion) }
        #expect(seen == [true])
        #expect(try Realm.deleteFiles(for: configuration))
        directory.delete()
    }
}

/// A thread that has a transaction open when it is told to.
private final class WriteHolderThread: Sendable {
    private let steps = DispatchSemaphore(value: 0)
    private let isDone = DispatchSemaphore(value: 0)
    private let isStopped = Locker(false)

    init(_ configuration: Realm.Configuration) {
        startThread { [self] in
            #expect(throws: Never.self) {
                let realm = try Realm(configuration: configuration)
                while true {
                    steps.wait()
                    if isStopped.value { break }
                    if realm.isInWriteTransaction {
                        realm.cancelWrite()
                    } else {
                        realm.beginWrite()
                    }
                    isDone.signal()
                }
            }
            isDone.signal()
        }
    }

    /// Begins a transaction, or ends it.
    func step() {
        steps.signal()
        isDone.wait()
    }

    func stop() {
        isStopped.value = true
        step()
    }
}

/// Takes all threads of the tasks' pool. For a thread that is none of them.
private final class BusyPool: Sendable {
    private let width: Int
    private let hasBegun = DispatchSemaphore(value: 0)
    private let mayEnd = DispatchSemaphore(value: 0)

    init(_ width: Int) {
        self.width = width
        for _ in 0..<width { Task.detached { [self] in block() } }
        for _ in 0..<width { hasBegun.wait() }
    }

    private func block() {
        hasBegun.signal()
        mayEnd.wait()
    }

    func end() { for _ in 0..<width { mayEnd.signal() } }
}

/// Runs what may block while no thread of the tasks' pool is free.
private func onThreadWithoutPool(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        startThread {
            body()
            continuation.resume()
        }
    }
}
