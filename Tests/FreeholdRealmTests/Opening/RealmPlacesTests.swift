import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Where realms live, and that each place has one instance of a file.
@Suite struct RealmPlacesTests {
    typealias Person = Fixture.Person

    private actor Place {
        private var realm: Realm?

        /// Opens twice, with a suspension in between. Whether both are one instance.
        func openTwice(_ configuration: Realm.Configuration) async throws -> Bool {
            let first = try await Realm.open(configuration: configuration)
            await Task.yield()
            let second = try await Realm(configuration: configuration, actor: self)
            try first.write { first.add(Person(id: 1, name: "Ada"), update: .all) }
            realm = first
            return first == second && second.objects(Person.self).count == 1
        }

        func openFor(_ other: Place, _ configuration: Realm.Configuration) async throws {
            realm = try await Realm(configuration: configuration, actor: other)
        }

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func name() -> String? { realm?.objects(Person.self).first?.name }
    }

    private func withConfiguration(_ body: (Realm.Configuration) async throws -> Void) async throws
    {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try await body(configuration)
        try checkOnThread(configuration)
    }

    private func checkOnThread(_ configuration: Realm.Configuration) throws {
        let problems = try onNewThread {
            Realm.fileExists(for: configuration)
                ? try Realm(configuration: configuration).check() : []
        }
        #expect(problems.isEmpty)
    }

    @Test func anActorHasOneInstance() async throws {
        try await withConfiguration { configuration in
            let place = Place()
            let placeIsOne = try await place.openTwice(configuration)
            #expect(placeIsOne)
            #expect(await place.name() == "Ada")
        }
    }

    @Test func twoActorsHaveTwo() async throws {
        try await withConfiguration { configuration in
            let (one, other) = (Place(), Place())
            let oneIsOne = try await one.openTwice(configuration)
            #expect(oneIsOne)
            let otherIsOne = try await other.openTwice(configuration)
            #expect(otherIsOne)
        }
    }

    @Test func aRealmIsNotOpenedForAnotherActor() async throws {
        try await withConfiguration { configuration in
            let (one, other) = (Place(), Place())
            await #expect(throws: ConfinementViolation.self) {
                try await one.openFor(other, configuration)
            }
        }
    }

    @MainActor
    @Test func theMainThreadQueueAndActorAreOnePlace() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let realm = try await Realm(configuration: configuration)
        #expect(try await Realm.open(configuration: configuration) == realm)
        #expect(try await Realm(configuration: configuration, actor: MainActor.shared) == realm)
        #expect(try openSynchronously(configuration, queue: nil) == realm)
        #expect(try openSynchronously(configuration, queue: .main) == realm)
        #expect(try realm.check() == [])
    }

    @MainActor private func openSynchronously(
        _ configuration: Realm.Configuration, queue: DispatchQueue?
    ) throws -> Realm {
        try Realm(configuration: configuration, queue: queue)
    }

    @Test func aSchedulerHasOneInstanceAndItsThread() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            #expect(try Realm(configuration: configuration, scheduler: scheduler) == realm)
            #expect(try Realm(configuration: configuration, scheduler: ManualScheduler()) != realm)
            #expect(try Realm(configuration: configuration) != realm)
            #expect(throws: ConfinementViolation.self) {
                try onNewThread {
                    try use(Realm(configuration: configuration, scheduler: scheduler))
                }
            }
        }
    }

    @Test func aTaskThatIsCancelledOpensNothing() async throws {
        try await withConfiguration { configuration in
            let place = Place()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await place.open(configuration)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!Realm.fileExists(for: configuration))
        }
    }

    @Test func openingFailsAsItDoesSynchronously() async throws {
        let place = Place()
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "/nowhere/at/all.realm"), objectTypes: Fixture.all)
        await #expect { try await place.open(configuration) } throws: {
            ($0 as? Realm.Error)?.code == .fileNotFound
        }
    }

    // MARK: With a callback

    /// What the callback was called with, as values.
    private enum Outcome: Equatable, Sendable {
        case opened(count: Int)
        case failed(Realm.Error.Code)
        case cancelled
        case other(String)
    }

    private func asyncOpen(
        _ configuration: Realm.Configuration, on queue: DispatchQueue, cancel: Bool = false
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            // Suspended, so that the cancellation comes before the callback.
            queue.suspend()
            let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) {
                result in
                dispatchPrecondition(condition: .onQueue(queue))
                continuation.resume(returning: Self.outcome(of: result, on: queue))
            }
            if cancel { task.cancel() }
            queue.resume()
        }
    }

    private static func outcome(of result: Result<Realm, any Error>, on queue: DispatchQueue)
        -> Outcome
    {
        do {
            let realm = try result.get()
            let same = try Realm(configuration: realm.configuration, queue: queue)
            return realm == same
                ? .opened(count: realm.objects(Person.self).count) : .other("another instance")
        } catch let error as Realm.Error {
            return .failed(error.code)
        } catch let error as POSIXError where error.code == .ECANCELED {
            return .cancelled
        } catch {
            return .other("\(error)")
        }
    }

    @Test func asyncOpenCallsBackOnTheQueue() async throws {
        try await withConfiguration { configuration in
            let queue = DispatchQueue(label: "opening")
            #expect(await asyncOpen(configuration, on: queue) == .opened(count: 0))
            #expect(await asyncOpen(configuration, on: queue, cancel: true) == .cancelled)
            let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
            #expect(await asyncOpen(configuration, on: concurrent) == .failed(.invalidInput))
        }
        let nowhere = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "/nowhere/at/all.realm"), objectTypes: Fixture.all)
        #expect(
            await asyncOpen(nowhere, on: DispatchQueue(label: "nowhere")) == .failed(.fileNotFound))
    }
}

private func use(_ realm: Realm) {}
