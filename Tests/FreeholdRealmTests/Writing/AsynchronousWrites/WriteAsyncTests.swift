import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// Asynchronous writes of a realm whose scheduler is stepped by hand.
@Suite struct WriteAsyncTests {
    typealias Person = Fixture.Person

    /// Runs `body` with a realm on a manual scheduler, finishes what is in flight, and verifies
    /// the file.
    func withManualRealm(_ body: (Realm, ManualScheduler) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        let scheduler = ManualScheduler()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let realm = try Realm(configuration: configuration, scheduler: scheduler)
        try body(realm, scheduler)
        finish(realm, scheduler)
        #expect(try realm.check().isEmpty, "The file is kept at \(directory.url.path).")
        directory.delete()
    }

    func finish(_ realm: Realm, _ scheduler: ManualScheduler) {
        while realm.isPerformingAsynchronousWriteOperations {
            scheduler.waitForWork()
            scheduler.runAll()
        }
    }

    func names(_ realm: Realm) -> [String] { realm.objects(Person.self).map(\.name) }

    /// The cancelled write had been granted already, and the next write waited for it, for
    /// ever.
    @Test func writesAfterACancelledOne() throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let scheduler = ManualScheduler()
        let realm = try Realm(
            configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all),
            scheduler: scheduler)
        let id = realm.writeAsync { Issue.record("The block of a cancelled write runs.") }
        try realm.cancelAsyncWrite(id)
        try realm.write { realm.add(Fixture.Person(id: 1)) }
        scheduler.runAll()
        #expect(
            realm.objects(Fixture.Person.self).count == 1
                && !realm.isPerformingAsynchronousWriteOperations)
        #expect(try realm.check().isEmpty)
    }

    /// A write that shared the grant of the one before kept the file open, for ever.
    @Test func groupedWritesLetGoOfTheFile() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            do {
                let scheduler = ManualScheduler()
                let realm = try Realm(configuration: configuration, scheduler: scheduler)
                for id in 1...3 {
                    realm.beginAsyncWrite {
                        realm.add(Person(id: id))
                        realm.commitAsyncWrite(allowGrouping: true)
                    }
                }
                finish(realm, scheduler)
                #expect(realm.objects(Person.self).count == 3)
            }
            // Which an open file forbids; the writer thread may be a moment behind.
            let deadline = Date() + 60
            while true {
                do {
                    #expect(try Realm.deleteFiles(for: configuration))
                    break
                } catch Realm.Error.alreadyOpen where Date() < deadline {
                    sched_yield()
                }
            }
        }
    }

    @Test func theBlockRunsOnTheSchedulerAndTheCompletionAfterTheDisk() throws {
        try withManualRealm { realm, scheduler in
            var events: [String] = []
            realm.writeAsync {
                events.append(
                    """
                    block \(realm.isInWriteTransaction) \
                    \(realm.isPerformingAsynchronousWriteOperations)
                    """
                )
                realm.add(Person(id: 1, name: "Ada"))
            } onComplete: { error in
                events.append("complete \(error == nil) \(realm.isInWriteTransaction)")
            }
            #expect(realm.isPerformingAsynchronousWriteOperations)
            #expect(events.isEmpty)
            scheduler.waitForWork()
            #expect(events.isEmpty)
            scheduler.runNext()
            #expect(events == ["block true true"])
            // Its own changes, before they are on the disk.
            #expect(names(realm) == ["Ada"])
            #expect(!realm.isInWriteTransaction)
            finish(realm, scheduler)
            #expect(events == ["block true true", "complete true false"])
            #expect(!realm.isPerformingAsynchronousWriteOperations)
            let configuration = realm.configuration
            let count = try onNewThread {
                try Realm(configuration: configuration).objects(Person.self).count
            }
            #expect(count == 1)
        }
    }

    @Test func writesRunInTheOrderInWhichTheyWereAskedFor() throws {
        try withManualRealm { realm, scheduler in
            var events: [Int] = []
            for id in 0..<20 {
                realm.writeAsync {
                    events.append(id)
                    realm.add(Person(id: id))
                }
            }
            finish(realm, scheduler)
            #expect(events == Array(0..<20))
            #expect(realm.objects(Person.self).count == 20)
        }
    }

    @Test func groupedCommitsShareAVersion() throws {
        try withManualRealm { realm, scheduler in
            var completed: [Int] = []
            for id in 0..<10 {
                realm.beginAsyncWrite {
                    #expect(realm.objects(Person.self).count == id)
                    if id > 0 { realm.object(ofType: Person.self, forPrimaryKey: 0)?.age += 1 }
                    realm.add(Person(id: id))
                    realm.commitAsyncWrite(allowGrouping: true) { error in
                        #expect(error == nil)
                        completed.append(id)
                    }
                    #expect(!realm.isInWriteTransaction)
                }
            }
            finish(realm, scheduler)
            #expect(completed == Array(0..<10))
            #expect(realm.objects(Person.self).count == 10)
            #expect(realm.object(ofType: Person.self, forPrimaryKey: 0)?.age == 9)
        }
    }

    @Test func aCancelledTransactionLeavesTheGroupBeforeIt() throws {
        try withManualRealm { realm, scheduler in
            let first = Person(id: 1, name: "Ada", age: 1)
            realm.beginAsyncWrite {
                realm.add(first)
                realm.commitAsyncWrite(allowGrouping: true)
            }
            realm.beginAsyncWrite {
                first.age = 2
                realm.add(Person(id: 2, name: "Ben"))
                realm.cancelWrite()
                #expect(first.age == 1)
                #expect(names(realm) == ["Ada"])
            }
            realm.beginAsyncWrite {
                // Ends without a commit, which undoes it.
                realm.delete(first)
            }
            realm.beginAsyncWrite {
                first.age += 10
                realm.commitAsyncWrite(allowGrouping: true)
            }
            finish(realm, scheduler)
            #expect(first.age == 11)
            #expect(names(realm) == ["Ada"])
        }
    }

    @Test func aSynchronousWriteTakesTheGrantOfWaitingOnes() throws {
        try withManualRealm { realm, scheduler in
            var events: [String] = []
            for id in 1...3 {
                realm.writeAsync {
                    events.append("asynchronous \(id)")
                    realm.add(Person(id: id))
                }
            }
            // Without stepping the scheduler: must not wait for the blocks, which need this thread.
            try realm.write {
                events.append("synchronous")
                realm.add(Person(id: 0))
            }
            #expect(events == ["synchronous"])
            finish(realm, scheduler)
            #expect(
                events == ["synchronous", "asynchronous 1", "asynchronous 2", "asynchronous 3"])
            #expect(realm.objects(Person.self).count == 4)
        }
    }

    @Test func aSynchronousWriteWaitsForWhatIsOnItsWayToTheDisk() throws {
        try withManualRealm { realm, scheduler in
            var isComplete = false
            realm.writeAsync {
                realm.add(Person(id: 1))
            } onComplete: { _ in
                isComplete = true
            }
            scheduler.waitForWork()
            scheduler.runNext()
            try realm.write { realm.add(Person(id: 2)) }
            #expect(!isComplete)
            #expect(realm.objects(Person.self).count == 2)
            finish(realm, scheduler)
            #expect(isComplete)
        }
    }

    @Test func aSynchronousCommitWritesTheGroup() throws {
        try withManualRealm { realm, scheduler in
            var events: [String] = []
            realm.beginAsyncWrite {
                realm.add(Person(id: 1))
                realm.commitAsyncWrite(allowGrouping: true) { events.append("first \($0 == nil)") }
            }
            realm.beginAsyncWrite {
                realm.add(Person(id: 2))
                #expect(throws: Never.self) { try realm.commitWrite() }
                events.append("second")
            }
            finish(realm, scheduler)
            #expect(events == ["second", "first true"])
            #expect(realm.objects(Person.self).count == 2)
        }
    }

    @Test func anAsynchronousCommitOfASynchronousTransaction() throws {
        try withManualRealm { realm, scheduler in
            var isComplete = false
            realm.beginWrite()
            realm.add(Person(id: 1))
            realm.commitAsyncWrite { isComplete = $0 == nil }
            #expect(realm.objects(Person.self).count == 1)
            #expect(!isComplete)
            finish(realm, scheduler)
            #expect(isComplete)
        }
    }

    @Test func cancelling() throws {
        try withManualRealm { realm, scheduler in
            var events: [String] = []
            let ids = (0..<5).map { id in
                realm.writeAsync {
                    events.append("block \(id)")
                    realm.add(Person(id: id))
                } onComplete: { _ in
                    events.append("complete \(id)")
                }
            }
            try realm.cancelAsyncWrite(ids[1])
            try realm.cancelAsyncWrite(ids[4])
            try realm.cancelAsyncWrite(999)
            while events.isEmpty {
                scheduler.waitForWork()
                scheduler.runNext()
            }
            #expect(events == ["block 0"])
            // The changes stay, the completion is dropped.
            try realm.cancelAsyncWrite(ids[0])
            finish(realm, scheduler)
            #expect(events == ["block 0", "block 2", "complete 2", "block 3", "complete 3"])
            #expect(realm.objects(Person.self).map(\.id) == [0, 2, 3])
            // The lock is free.
            try realm.write {}
        }
    }

    @Test func cancellingTheOnlyOneGivesTheLockBack() throws {
        try withManualRealm { realm, scheduler in
            let id = realm.writeAsync { Issue.record("The block ran.") }
            scheduler.waitForWork()
            try realm.cancelAsyncWrite(id)
            scheduler.runAll()
            #expect(!realm.isPerformingAsynchronousWriteOperations)
            try onNewThread { [configuration = realm.configuration] in
                try Realm(configuration: configuration).write {}
            }
        }
    }

    @Test func aFrozenVersionHasWhatTheRealmReads() throws {
        try withManualRealm { realm, scheduler in
            realm.writeAsync { realm.add(Person(id: 1, name: "Ada")) }
            scheduler.waitForWork()
            scheduler.runNext()
            #expect(names(realm) == ["Ada"])
            #expect(names(realm.freeze()) == ["Ada"])
        }
    }

    @Test func aReferenceNamesWhatTheRealmReads() throws {
        try withManualRealm { realm, scheduler in
            realm.writeAsync { realm.add(Person(id: 1, name: "Ada")) }
            scheduler.waitForWork()
            scheduler.runNext()
            let reference = ThreadSafeReference(to: try #require(realm.objects(Person.self).first))
            let configuration = realm.configuration
            let name = try onNewThread {
                try Realm(configuration: configuration).resolve(reference)?.name
            }
            #expect(name == "Ada")
        }
    }

    /// Grouping must not let a realm's later writes overtake another writer that asked before them.
    @Test func synchronousWritersOfOtherThreadsKeepTheirPlaceInTheLine() throws {
        try withManualRealm { realm, scheduler in
            let configuration = realm.configuration
            let path = try #require(configuration.fileURL?.path)
            let environment = try Store.open(Store.Options(path: path)).environment
            // Where this thread waits for a processor, no offer is withdrawn.
            environment.stepDeadlinesByHand()
            let order = Locker<[String]>([])
            let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            startThread {
                try? Realm(configuration: configuration).write {
                    isHeld.signal()
                    mayEnd.wait()
                }
            }
            isHeld.wait()
            func enqueue(_ name: String) {
                realm.beginAsyncWrite {
                    order.update { $0.append(name) }
                    realm.commitAsyncWrite(allowGrouping: true)
                }
            }
            enqueue("first")
            enqueue("second")
            let isDone = DispatchSemaphore(value: 0)
            startThread {
                try? Realm(configuration: configuration).write {
                    order.update { $0.append("thread") }
                }
                isDone.signal()
            }
            while environment.writer.waitingCount < 3 { sched_yield() }
            enqueue("third")
            mayEnd.signal()
            finish(realm, scheduler)
            isDone.wait()
            #expect(order.value == ["first", "second", "thread", "third"])
        }
    }

    @Test func theRealmStaysOpenUntilItsWritesAreDone() throws {
        try withTemporaryDirectory { directory in
            let scheduler = ManualScheduler()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            var isComplete = false
            func beginAdding() throws {
                let realm = try Realm(configuration: configuration, scheduler: scheduler)
                let core = realm
                realm.writeAsync {
                    core.add(Person(id: 1))
                } onComplete: {
                    isComplete = $0 == nil
                }
            }
            try beginAdding()
            while !isComplete {
                scheduler.waitForWork()
                scheduler.runAll()
            }
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(Person.self).count == 1)
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func invalidateCancelsWhatHasNotBegun() throws {
        try withManualRealm { realm, scheduler in
            realm.writeAsync { realm.add(Person(id: 1)) }
            realm.writeAsync { Issue.record("The block ran.") }
            scheduler.waitForWork()
            scheduler.runNext()
            realm.invalidate()
            finish(realm, scheduler)
            #expect(realm.objects(Person.self).count == 1)
            try realm.write {}
        }
    }

}

func limitFileSize(_ bytes: UInt) throws {
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    signal(SIGXFSZ, SIG_IGN)
    try requireZero(setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit))
}
