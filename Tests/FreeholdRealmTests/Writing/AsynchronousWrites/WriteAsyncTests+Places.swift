import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

extension WriteAsyncTests {
    @Test func aThreadWithoutARunLoopAdvancesByItsCallsAndFinishesWhenItEnds() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let keeper = try Realm(configuration: configuration)
            let done = DispatchSemaphore(value: 0)
            let count = try onNewThread {
                let realm = try Realm(configuration: configuration)
                realm.writeAsync {
                    realm.add(Person(id: 1))
                } onComplete: { _ in
                    done.signal()
                }
                realm.writeAsync { realm.add(Person(id: 2)) }
                // Takes the first grant; the blocks run in refresh() or later.
                try realm.write { realm.add(Person(id: 3)) }
                return realm.objects(Person.self).count
            }
            #expect(count >= 1)
            done.wait()
            while keeper.objects(Person.self).count < 3 { keeper.refresh() }
            #expect(try keeper.check().isEmpty)
        }
    }

    @Test func aRunLoopRunsTheBlocks() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                var isComplete = false
                realm.writeAsync {
                    realm.add(Person(id: 1))
                } onComplete: { _ in
                    isComplete = true
                }
                let keeper = Timer(timeInterval: 60, repeats: true) { _ in }
                RunLoop.current.add(keeper, forMode: .default)
                while !isComplete {
                    _ = RunLoop.current.run(
                        mode: .default, before: Date(timeIntervalSinceNow: 0.02))
                }
                #expect(realm.objects(Person.self).count == 1)
                keeper.invalidate()
            }
        }
    }

    @Test func aSerialQueueRunsTheBlocks() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let queue = DispatchQueue(label: "writes")
            let done = DispatchSemaphore(value: 0)
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                for id in 0..<50 {
                    realm.writeAsync {
                        realm.add(Person(id: id))
                    } onComplete: { error in
                        dispatchPrecondition(condition: .onQueue(queue))
                        #expect(error == nil)
                        done.signal()
                    }
                }
            }
            for _ in 0..<50 { done.wait() }
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(Person.self).count == 50)
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func workOfAManualSchedulerRunsOnItsThreadOnly() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let scheduler = ManualScheduler()
            scheduler.run {}
            try onNewThread { _ = scheduler.runNext() }
        }
        expectMessage(
            result, "The work of a ManualScheduler runs on the thread that made it.",
            "Call runNext() and runAll() there")
    }

    @Test func aThreadOfAPoolIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                defer { done.signal() }
                guard
                    let realm = try? Realm(
                        configuration: Realm.Configuration(
                            fileURL: directory.file(), objectTypes: Fixture.all))
                else { return }
                realm.writeAsync {}
            }
            await wait(for: done)
        }
        expectMessage(
            result,
            "Cannot schedule async transaction. Make sure you are running from inside a run loop.",
            "Open it with Realm(queue:)")
    }

    /// A file that may not grow takes the place of a full disk: each asynchronous write of the
    /// group fails, with its error, and is undone.
    @Test func aFailedCommitReachesTheCompletionsAndIsUndone() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryDirectory { directory in
                let scheduler = ManualScheduler()
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: Fixture.all), scheduler: scheduler)
                let person = Person(id: 1, name: "Ada", age: 1)
                try realm.write { realm.add(person) }
                try limitFileSize(1_000_000)
                var codes: [Realm.Error.Code?] = []
                realm.beginAsyncWrite {
                    person.age = 2
                    realm.commitAsyncWrite(allowGrouping: true) {
                        codes.append(($0 as? Realm.Error)?.code)
                    }
                }
                realm.beginAsyncWrite {
                    for id in 2..<200 {
                        realm.add(Person(id: id, name: String(repeating: "x", count: 100_000)))
                    }
                    realm.commitAsyncWrite(allowGrouping: true) {
                        codes.append(($0 as? Realm.Error)?.code)
                    }
                }
                while codes.count < 2 {
                    scheduler.waitForWork()
                    scheduler.runNext()
                }
                try #require(codes == [.outOfDiskSpace, .outOfDiskSpace])
                try #require(person.age == 1)
                try #require(realm.objects(Person.self).count == 1)
                // The realm goes on.
                var isComplete = false
                realm.writeAsync {
                    person.age = 3
                } onComplete: {
                    isComplete = $0 == nil
                }
                while realm.isPerformingAsynchronousWriteOperations {
                    scheduler.waitForWork()
                    scheduler.runAll()
                }
                try #require(isComplete && person.age == 3)
                try #require(try realm.check().isEmpty)
            }
        }
    }
}
