import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// `refresh()` of a realm whose own asynchronous write is on its way: it never misses what
/// others committed after that.
@Suite struct RefreshBesideWritesTests {
    typealias Person = Fixture.Person

    /// A realm on a manual scheduler, with a person that it has committed asynchronously; no
    /// more of the scheduler's work has run.
    private final class Writing {
        let scheduler = ManualScheduler()
        let realm: Realm
        private(set) var outcomes: [Bool] = []

        init(_ configuration: Realm.Configuration, id: Int = 1) throws {
            realm = try Realm(configuration: configuration, scheduler: scheduler)
            realm.writeAsync { [realm] in
                realm.add(Person(id: id))
            } onComplete: { [unowned self] in
                outcomes.append($0 == nil)
            }
            scheduler.waitForWork()
            scheduler.runNext()
        }

        var ids: [Int] { realm.objects(Person.self).map(\.id).sorted() }

        func finish() {
            while realm.isPerformingAsynchronousWriteOperations {
                scheduler.waitForWork()
                scheduler.runAll()
            }
        }
    }

    /// The scheduler has not come to the outcome yet.
    @Test func afterACommitOfAnotherThread() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let writing = try Writing(configuration)
            #expect(writing.ids == [1])
            #expect(
                !writing.realm.refresh(), "Nothing is newer than what the realm committed itself.")
            try runThreads(1) { _ in
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Person(id: 2)) }
            }
            #expect(writing.realm.refresh())
            #expect(writing.ids == [1, 2])
            #expect(
                writing.outcomes.isEmpty,
                "Completions run as work of the scheduler's, not inside of a call.")
            #expect(!writing.realm.refresh())
            writing.finish()
            #expect(writing.outcomes == [true])
            #expect(writing.ids == [1, 2])
            #expect(try writing.realm.check().isEmpty)
        }
    }

    /// What a reference is to, and what was frozen, was made after the realm's own commit.
    @Test func referencesAndFrozenValuesOfAnotherThread() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let (first, second) = (
                try Writing(configuration), Locker<ThreadSafeReference<Person>?>(nil)
            )
            try runThreads(1) { _ in
                let realm = try Realm(configuration: configuration)
                let person = Person(id: 2)
                try realm.write { realm.add(person) }
                second.value = ThreadSafeReference(to: person)
            }
            #expect(try first.realm.resolve(#require(second.value))?.id == 2)
            first.finish()
            #expect(first.outcomes == [true])

            let (third, fourth) = (try Writing(configuration, id: 3), Locker<Frozen<Person>?>(nil))
            try runThreads(1) { _ in
                let realm = try Realm(configuration: configuration)
                let person = Person(id: 4)
                try realm.write { realm.add(person) }
                fourth.value = Frozen(person)
            }
            #expect(try #require(fourth.value).thaw(in: third.realm)?.id == 4)
            third.finish()
            #expect(third.ids == [1, 2, 3, 4])
            #expect(try third.realm.check().isEmpty)
        }
    }

    /// The outcome has not even reached the realm: the writer thread stands still between the
    /// commit and its message.
    @Test func afterACommitOfAnotherProcess() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let (isWritten, mayTell, mayRefresh) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        async let result: [Int] = awaitThread {
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration)
            let isHolding = Locker(true)
            try Store.open(Store.Options(path: path)).onCommit {
                guard isHolding.value else { return }
                isHolding.value = false
                isWritten.signal()
                mayTell.wait()
            }
            let writing = try Writing(configuration)
            mayRefresh.wait()
            let refreshing = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/thread-self")
            let hasReturned = Locker(false)
            startThread {
                while !hasReturned.value, !Self.isAsleep(refreshing) { sched_yield() }
                mayTell.signal()
            }
            writing.realm.refresh()
            hasReturned.value = true
            let ids = writing.ids
            writing.finish()
            #expect(writing.outcomes == [true])
            #expect(try writing.realm.check().isEmpty)
            withExtendedLifetime(realm) {}
            return ids
        }
        await wait(for: isWritten)
        await #expect(processExitsWith: .success) { [path = path as String] in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all))
            try realm.write { realm.add(Person(id: 2)) }
        }
        mayRefresh.signal()
        #expect(try await result == [1, 2])
        directory.delete()
    }

    /// The commit has failed, and the scheduler has not come to its outcome.
    @Test func afterAFailedCommit() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryDirectory { directory in
                let scheduler = ManualScheduler()
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all)
                let realm = try Realm(configuration: configuration, scheduler: scheduler)
                try realm.write { realm.add(Person(id: 1)) }
                try limitFileSize(1_000_000)
                var codes: [Realm.Error.Code?] = []
                realm.writeAsync {
                    for id in 2..<200 {
                        realm.add(Person(id: id, name: String(repeating: "x", count: 100_000)))
                    }
                } onComplete: {
                    codes.append(($0 as? Realm.Error)?.code)
                }
                scheduler.waitForWork()
                scheduler.runNext()
                try #require(realm.objects(Person.self).count == 199)
                // The outcome comes with work of the scheduler's, which is not run.
                scheduler.waitForWork()
                try #require(realm.refresh(), "What the realm showed is undone.")
                try #require(realm.objects(Person.self).count == 1 && codes.isEmpty)
                try #require(!realm.refresh())
                while realm.isPerformingAsynchronousWriteOperations {
                    scheduler.waitForWork()
                    scheduler.runAll()
                }
                try #require(codes == [.outOfDiskSpace])
                try #require(try realm.check().isEmpty)
            }
        }
    }

    private static func isAsleep(_ thread: String) -> Bool {
        // The state follows the name, which is in parentheses.
        let status = (try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)) ?? ""
        return status.split(separator: ")").last?.hasPrefix(" S") ?? false
    }
}
