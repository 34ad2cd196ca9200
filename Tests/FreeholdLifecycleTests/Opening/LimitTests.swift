import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// What happens when there is no more of something; `torture limits` does it at scale.
@Suite struct LimitTests {
    private typealias Person = Fixture.Person

    private static func configuration(_ url: URL) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, objectTypes: Fixture.all)
    }

    private func commit(_ realm: Realm, _ id: Int) throws {
        try realm.write { realm.add(Person(id: id, name: "\(id)"), update: .all) }
    }

    /// Each version that is held takes a slot, of which there are 1,024.
    @Test func readerSlotsRunOutWithAnErrorAndComeBack() throws {
        try withTemporaryDirectory { directory in
            var configuration = Self.configuration(directory.file())
            configuration.durability = .none
            let realm = try Realm(configuration: configuration)
            var held: [Realm] = []
            var failure: Realm.Error?
            while failure == nil, held.count < 1_100 {
                do { try commit(realm, held.count) } catch let error as Realm.Error {
                    failure = error
                }
                if failure == nil { held.append(realm.freeze()) }
            }
            #expect(failure?.code == .tooManyReaders)
            #expect(realm.objects(Person.self).count == held.count)
            held.removeFirst(10)
            try commit(realm, 5_000)
            #expect(held.first?.objects(Person.self).count == 11)
            held = []
            #expect(try realm.versionReport().activeVersionCount == 1)
            #expect(try realm.check() == [])
        }
    }

    /// A compaction needs descriptors: it fails before it has changed anything, and the file
    /// goes on being written.
    @Test func aCompactionWithoutDescriptorsChangesNothing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(
                configuration: LimitTests.configuration(URL(fileURLWithPath: path)))
            try realm.write { realm.add(Fixture.Person(id: 1, name: "a")) }
            _ = try realm.compact()
            var before = rlimit()
            try requireZero(getrlimit(__rlimit_resource_t(7), &before))
            var failures = 0
            for spare in 0..<24 {
                // So many numbers are free below the limit.
                var (limit, free) = (CInt(0), 0)
                while free <= spare {
                    if fcntl(limit, F_GETFD) < 0 { free += 1 }
                    limit += 1
                }
                var lowered = before
                lowered.rlim_cur = rlim_t(limit - 1)
                try requireZero(setrlimit(__rlimit_resource_t(7), &lowered))
                do { _ = try realm.compact() } catch is Realm.Error { failures += 1 }
                try realm.write { realm.add(Fixture.Person(id: spare + 2, name: "b")) }
                try requireZero(setrlimit(__rlimit_resource_t(7), &before))
            }
            try #require(failures > 2 && failures < 24)
            try #require(
                try realm.check().isEmpty && realm.objects(Fixture.Person.self).count == 25)
        }
        directory.delete()
    }

    /// A scheduler that is never run again keeps neither the file open
    @Test func anEndedRegistrationKeepsNothingOfARealmWhoseSchedulerDoesNotRun() throws {
        try withTemporaryDirectory { directory in
            let configuration = Self.configuration(directory.file())
            let scheduler = ManualScheduler()
            do {
                let realm = try Realm(configuration: configuration, scheduler: scheduler)
                let tokens = (0..<3).map { _ in realm.objects(Person.self).observe { _ in } }
                try commit(realm, 1)
                realm.waitForNotifier()
                #expect(scheduler.workCount > 0)
                for token in tokens { token.invalidate() }
            }
            // Which an open file forbids.
            #expect(try Realm.deleteFiles(for: configuration))
            withExtendedLifetime(scheduler) {}
        }
    }

    /// nor a write grant.
    @Test func invalidatingReturnsAnUnusedGrant() throws {
        try withTemporaryDirectory { directory in
            let configuration = Self.configuration(directory.file())
            let (first, second) = (ManualScheduler(), ManualScheduler())
            let realm = try Realm(configuration: configuration, scheduler: first)
            let other = try Realm(configuration: configuration, scheduler: second)
            realm.writeAsync { Issue.record("It was cancelled.") }
            #expect(first.waitForWork(until: Date() + 60))
            realm.invalidate()
            #expect(!realm.isPerformingAsynchronousWriteOperations)
            other.writeAsync { other.add(Person(id: 1, name: "a")) }
            // Its grant, and not the end of the file's.
            #expect(second.waitForWork(until: Date() + 60))
            second.runAll()
            while other.isPerformingAsynchronousWriteOperations,
                second.waitForWork(until: Date() + 60)
            { second.runAll() }
            #expect(other.objects(Person.self).count == 1)
            first.runAll()
        }
    }

    /// And a completion that it did not come to can be cancelled, though its commit has ended:
    /// here in a synchronous write, which waits for it.
    @Test func aCompletionIsCancelledAfterTheEndOfItsCommit() throws {
        try withTemporaryDirectory { directory in
            let scheduler = ManualScheduler()
            let realm = try Realm(
                configuration: Self.configuration(directory.file()), scheduler: scheduler)
            var id: Realm.AsyncTransactionId = 0
            realm.beginAsyncWrite {
                realm.add(Person(id: 1, name: "a"))
                id = realm.commitAsyncWrite { _ in Issue.record("It was cancelled.") }
            }
            #expect(scheduler.waitForWork(until: Date() + 60))
            scheduler.runNext()
            #expect(id != 0)
            try commit(realm, 2)
            try realm.cancelAsyncWrite(id)
            scheduler.runAll()
            #expect(realm.objects(Person.self).count == 2)
            #expect(!realm.isPerformingAsynchronousWriteOperations)
        }
    }
}
