import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct RealmOpeningTests {
    @Test func sameThreadSharesOneInstance() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let first = try Realm(configuration: configuration)
            let second = try Realm(configuration: configuration)
            #expect(first == second)
            try first.write { first.add(Fixture.Dog(name: "Rex")) }
            #expect(!second.isEmpty)
        }
    }

    @Test func instanceIsGoneWithItsLastReference() throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            do {
                let realm = try Realm(configuration: configuration)
                realm.autorefresh = false
            }
            // A new instance: with its own settings, and free to open the file in another way.
            configuration.schemaVersion = 3
            #expect(try Realm(configuration: configuration).autorefresh)
        }
    }

    @Test func threadsHaveTheirOwnInstances() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration)
            realm.autorefresh = false
            #expect(try onNewThread { try Realm(configuration: configuration).autorefresh })
        }
    }

    @Test func queueSharesOneInstanceAcrossThreads() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let queue = DispatchQueue(label: "test.queue")
            let held = try queue.sync {
                Held(try Realm(configuration: configuration, queue: queue))
            }
            for _ in 0..<4 {
                let isSame = try onNewThread {
                    try queue.sync {
                        try Realm(configuration: configuration, queue: queue) == held.realm
                    }
                }
                #expect(isSame)
            }
            queue.sync { held.drop() }
        }
    }

    @Test func fileIsMadeAndReopened() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            #expect(!Realm.fileExists(for: configuration))
            do {
                let realm = try Realm(configuration: configuration)
                #expect(realm.isEmpty)
                #expect(realm.configuration == configuration)
                try realm.write { realm.add(Fixture.Person(id: 5, name: "Ada")) }
            }
            #expect(Realm.fileExists(for: configuration))
            let person = try Realm(configuration: configuration).object(
                ofType: Fixture.Person.self, forPrimaryKey: 5)
            #expect(person?.name == "Ada")
            try expectSound(configuration)
        }
    }

    @Test func openingWithoutChangesDoesNotWaitForTheWriter() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration)
            realm.beginWrite()
            // Would wait for ever if it took the write lock.
            #expect(try onNewThread { try Realm(configuration: configuration).isEmpty })
            realm.cancelWrite()
        }
    }

    @Test func otherPathsToOneFileShareTheInstance() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all))
            let link = directory.file("link.realm")
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: directory.file())
            #expect(
                try Realm(
                    configuration: Realm.Configuration(fileURL: link, objectTypes: Fixture.all))
                    == realm)
        }
    }

    @Test func inMemoryRealmsLiveAsLongAsTheirInstances() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "opening tests/ü", objectTypes: Fixture.all)
        #expect(configuration.fileURL == nil)
        do {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
            let isEmpty = try onNewThread { try Realm(configuration: configuration).isEmpty }
            #expect(!isEmpty)
            #expect(Realm.fileExists(for: configuration))
            #expect(try realm.check().isEmpty)
        }
        #expect(try Realm(configuration: configuration).isEmpty)
    }

    /// Also where the library's threads are busy for a realm when it goes: with its commits,
    /// its observers, and the watch of the file.
    @Test func inMemoryRealmsAreEmptyEachTime() async throws {
        try await awaitThread {
            let configuration = Realm.Configuration(
                inMemoryIdentifier: "each time", objectTypes: Fixture.all)
            let queue = DispatchQueue(label: "each time")
            var leftovers = 0
            for round in 0..<300 {
                try queue.sync {
                    let realm = try Realm(configuration: configuration, queue: queue)
                    if !realm.isEmpty { leftovers += 1 }
                    let token = realm.objects(Fixture.Dog.self).observe { _ in }
                    try realm.write { realm.add(Fixture.Dog(name: "Rex \(round)")) }
                    if round % 2 == 0 { token.invalidate() }
                    if round % 3 == 0 { try realm.write { realm.add(Fixture.Dog(name: "Ace")) } }
                }
            }
            #expect(leftovers == 0)
        }
    }

    /// What else keeps it: a reference, and a value that is frozen.
    @Test func inMemoryRealmsLastAsLongAsWhatRefersToThem() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "referred to", objectTypes: Fixture.all)
        var reference: ThreadSafeReference<Fixture.Dog>?
        do {
            let realm = try Realm(configuration: configuration)
            let dog = try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Rex"]) }
            reference = ThreadSafeReference(to: dog)
        }
        let resolved = try #require(reference)
        let name = try onNewThread {
            try Realm(configuration: configuration).resolve(resolved)?.name
        }
        #expect(name == "Rex")
        var frozen: Fixture.Dog?
        do {
            let realm = try Realm(configuration: configuration)
            frozen = try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Ace"]) }
                .freeze()
        }
        #expect(
            try Realm(configuration: configuration).objects(Fixture.Dog.self).count == 1
                && frozen?.name == "Ace")
    }

    @Test func defaultConfiguration() throws {
        // The only test that changes it.
        try withTemporaryDirectory { directory in
            let before = Realm.Configuration.defaultConfiguration
            defer { Realm.Configuration.defaultConfiguration = before }
            Realm.Configuration.defaultConfiguration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let realm = try Realm()
            #expect(realm.configuration.fileURL == directory.file())
            #expect(try Realm(fileURL: directory.file("other.realm")) != realm)
        }
    }

    @Test func deletingFiles() throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            #expect(try !Realm.deleteFiles(for: configuration))
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
                #expect { try Realm.deleteFiles(for: configuration) } throws: { error in
                    (error as? Realm.Error)?.message
                        == """
                        Cannot delete files of an open Realm: '\(directory.file().path)' \
                        is still in use.
                        """
                }
                #expect(!realm.isEmpty)
            }
            #expect(try Realm.deleteFiles(for: configuration))
            #expect(!Realm.fileExists(for: configuration))
            #expect(try Realm(configuration: configuration).isEmpty)
        }
    }

    @Test func readOnlyRealmReads() throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Fixture.Dog.self])
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
            }
            configuration.readOnly = true
            configuration.objectTypes = Fixture.all
            let realm = try Realm(configuration: configuration)
            #expect(!realm.isEmpty)
        }
    }
}

/// Carries a realm of a queue between blocks of that queue.
private final class Held: @unchecked Sendable {
    // Sendable: used in blocks of the queue only.
    var realm: Realm?

    init(_ realm: Realm) { self.realm = realm }

    func drop() { realm = nil }
}
