import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Synchronization
import Testing

/// A realm in a write transaction is kept, even if the program does not hold it:
/// `try! Realm().beginWrite(); try! Realm().add(…)` mean one realm.
@Suite struct KeptTransactionTests {
    private typealias Dog = Fixture.Dog

    private func withConfiguration(_ body: (Realm.Configuration) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            try body(configuration)
            #expect(try Realm(configuration: configuration).check().isEmpty)
        }
    }

    @Test func temporaries() throws {
        try withConfiguration { configuration in
            let before = try Realm(configuration: configuration)
            func realm() -> Realm { try! Realm(configuration: configuration) }
            realm().beginWrite()
            realm().add(Dog())
            realm().create(Dog.self)
            #expect(realm().isInWriteTransaction && realm() == before)
            try realm().commitWrite()
            #expect(realm().objects(Dog.self).count == 2 && !realm().isInWriteTransaction)
            realm().beginWrite()
            realm().deleteAll()
            realm().cancelWrite()
            #expect(realm().objects(Dog.self).count == 2)
        }
    }

    @Test func onAThread() throws {
        try withConfiguration { configuration in
            try onNewThread {
                try Realm(configuration: configuration).beginWrite()
                try Realm(configuration: configuration).add(Fixture.Dog())
                try Realm(configuration: configuration).commitWrite()
            }
            #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
        }
    }

    /// The end of the thread ends the transaction: others can write.
    @Test func aThreadThatEnds() throws {
        try withConfiguration { configuration in
            try onNewThread {
                try Realm(configuration: configuration).beginWrite()
                try Realm(configuration: configuration).add(Fixture.Dog())
            }
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Dog()) }
            #expect(realm.objects(Dog.self).count == 1)
        }
    }

    @Test func onAQueue() throws {
        try withConfiguration { configuration in
            let queue = DispatchQueue(label: "kept")
            try queue.sync { try Realm(configuration: configuration, queue: queue).beginWrite() }
            try queue.sync {
                try Realm(configuration: configuration, queue: queue).add(Fixture.Dog())
                try Realm(configuration: configuration, queue: queue).commitWrite()
            }
            #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
        }
    }

    /// The end of a queue cannot be seen. So a realm without references is closed after some
    /// time; one with references is not.
    @Test(arguments: [true, false])
    func aQueueThatForgetsItsTransaction(_ keeps: Bool) async {
        await #expect(processExitsWith: .success) { [keeps = keeps as Bool] in
            TransactionKeeper.patience.store(1, ordering: .relaxed)
            try KeptTransactionTests().withConfiguration { configuration in
                let queue = DispatchQueue(label: "forgetful")
                nonisolated(unsafe) var kept: Realm?
                try queue.sync {
                    let realm = try Realm(configuration: configuration, queue: queue)
                    realm.beginWrite()
                    realm.add(Fixture.Dog())
                    if keeps { kept = realm }
                }
                if keeps {
                    // The program's reference outlasts more looks than an abandoned realm gets.
                    while TransactionKeeper.looks.load(ordering: .relaxed) < 3 { sched_yield() }
                    try queue.sync {
                        try kept?.commitWrite()
                        kept = nil
                    }
                }
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Dog()) }
                try #require(realm.objects(Dog.self).count == (keeps ? 2 : 1))
                let isOpen = try queue.sync {
                    try Realm(configuration: configuration, queue: queue).isInWriteTransaction
                }
                try #require(!isOpen)
            }
        }
    }

    private actor Forgetful {
        let configuration: Realm.Configuration
        init(_ configuration: Realm.Configuration) { self.configuration = configuration }

        func begin() async throws {
            try await Realm.open(configuration: configuration).beginWrite()
        }
        func end() async throws {
            let realm = try await Realm.open(configuration: configuration)
            realm.add(Fixture.Dog())
            try realm.commitWrite()
        }
    }

    @Test func onAnActor() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let actor = Forgetful(configuration)
        try await actor.begin()
        try await actor.end()
        try await Forgetful(configuration).begin()
        // The end of the actor is noticed within seconds.
        let count = try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Fixture.Dog()) }
            return realm.objects(Fixture.Dog.self).count
        }
        #expect(count == 2)
    }

    @Test(arguments: [true, false])
    func whatIsDroppedIsReported(_ onThread: Bool) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        { [onThread] in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            // The tests' directories turn it off.
            Logger.shared.level = .warn
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            if onThread {
                try onNewThread { try Realm(configuration: configuration).beginWrite() }
            } else {
                TransactionKeeper.patience.store(1, ordering: .relaxed)
                let queue = DispatchQueue(label: "forgetful")
                try queue.sync {
                    try Realm(configuration: configuration, queue: queue).beginWrite()
                }
            }
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.deleteAll() }
            }
        }
        expectMessage(
            result,
            """
            A Realm instance was invalidated during a write transaction and all pending \
            changes have been rolled back.
            """,
            onThread ? "thread" : "the queue 'forgetful'", "KeptTransactionTests.swift")
    }
}
