import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct WriteCopyTests {
    @Test func aCopyHasWhatTheRealmReads() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: World.configuration(directory.file()))
            try realm.write { World.fill(realm) }
            nonisolated(unsafe) let frozen = realm.freeze()
            let old = World.content(realm)
            try realm.write {
                realm.delete(realm.objects(Fixture.Person.self).where { $0.age < 100 })
            }
            try realm.writeCopy(toFile: directory.file("new.realm"))
            // An older version, and from another thread.
            try onNewThread { try frozen.writeCopy(toFile: directory.file("old.realm")) }
            try expect("new.realm", in: directory, has: World.content(realm))
            try expect("old.realm", in: directory, has: old)
            #expect(try files(in: directory).filter { $0.hasSuffix(".copying") }.isEmpty)
        }
    }

    @Test func aCopyIsSmallerThanAFileWithFreeSpace() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: World.configuration(directory.file()))
            try realm.write { World.fill(realm, people: 20_000) }
            try realm.write {
                realm.delete(realm.objects(Fixture.Person.self).where { $0.age >= 100 })
            }
            try realm.writeCopy(toFile: directory.file("copy.realm"))
            #expect(try byteCount(directory.file("copy.realm")) < byteCount(directory.file()) / 2)
            try expect("copy.realm", in: directory, has: World.content(realm))
        }
    }

    /// The changes so far are part of the copy, and the transaction goes on.
    @Test func withinAWriteTransaction() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            try realm.write { World.fill(realm) }
            let before = World.content(realm)
            realm.beginWrite()
            // Without changes.
            try realm.writeCopy(toFile: directory.file("same.realm"))
            try expect("same.realm", in: directory, has: before)
            realm.delete(realm.objects(Fixture.Person.self).where { $0.age < 50 })
            let kept = try #require(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 60))
            kept.name = String(repeating: "long ", count: 4000)
            let added = realm.create(Fixture.Holder.self, value: ["numbers": Array(0..<2000)])
            let changed = World.content(realm)
            try realm.writeCopy(toFile: directory.file("changed.realm"))
            // The objects that were used before the copy are used behind it.
            expectSame(World.content(realm), changed)
            #expect(added.numbers.count == 2000)
            added.numbers.removeFirst(500)
            kept.name = "short"
            realm.create(Fixture.Dog.self, value: ["name": "after"])
            let later = World.content(realm)
            try realm.writeCopy(toFile: directory.file("later.realm"))
            try realm.commitWrite()
            expectSame(World.content(realm), later)
            try expect("changed.realm", in: directory, has: changed)
            try expect("later.realm", in: directory, has: later)
        }
    }

    @Test func afterACopyTheTransactionCanBeCancelled() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            try realm.write { World.fill(realm) }
            let before = World.content(realm)
            realm.beginWrite()
            realm.deleteAll()
            try realm.writeCopy(toFile: directory.file("empty.realm"))
            realm.cancelWrite()
            expectSame(World.content(realm), before)
            try expect("empty.realm", in: directory, has: [])
        }
    }

    @Test func noFileIsReplaced() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: World.configuration(directory.file()))
            for name in ["other.realm", "test.realm"] {
                if name == "other.realm" { try Data("kept".utf8).write(to: directory.file(name)) }
                let message = realmMessage { try realm.writeCopy(toFile: directory.file(name)) }
                #expect(
                    message
                        == "Failed to open file at path '\(directory.file(name).path)': File exists"
                )
                #expect(
                    realmCode { try realm.writeCopy(toFile: directory.file(name)) } == .fileExists)
            }
            #expect(try Data(contentsOf: directory.file("other.realm")) == Data("kept".utf8))
            #expect(
                realmCode { try realm.writeCopy(toFile: directory.file("missing/a.realm")) }
                    == .fileNotFound)
            #expect(
                realmCode { try realm.writeCopy(toFile: URL(string: "https://example.org/a")!) }
                    == .invalidInput)
            #expect(
                try files(in: directory) == [
                    "other.realm", "test.realm", "test.realm-lock", "test.realm.control",
                ])
        }
    }

    /// What a process leaves that is killed while it copies is replaced, and does not count as
    /// a realm.
    @Test func aLeftoverIsReplaced() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: World.configuration(directory.file()))
            try realm.write { World.fill(realm) }
            try Data(repeating: 9, count: 3_000_000).write(to: directory.file("copy.realm.copying"))
            try realm.writeCopy(toFile: directory.file("copy.realm"))
            try expect("copy.realm", in: directory, has: World.content(realm))
            #expect(
                !FileManager.default.fileExists(atPath: directory.file("copy.realm.copying").path))
        }
    }

    @Test func copiesInMemoryRealmsAndReadOnlyOnes() throws {
        try withTemporaryDirectory { directory in
            let memory = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "copied \(directory.url.path)", objectTypes: Fixture.all))
            try memory.write { World.fill(memory) }
            try memory.writeCopy(toFile: directory.file("a.realm"))
            try expect("a.realm", in: directory, has: World.content(memory))
            var configuration = World.configuration(directory.file("a.realm"))
            configuration.readOnly = true
            let readOnly = try Realm(configuration: configuration)
            try readOnly.writeCopy(toFile: directory.file("b.realm"))
            try expect("b.realm", in: directory, has: World.content(memory))
        }
    }

    @Test func onAWrongThreadItThrows() throws {
        try withTemporaryRealm { realm in
            nonisolated(unsafe) let moved = realm
            #expect(throws: ConfinementViolation.self) {
                try onNewThread {
                    try moved.writeCopy(toFile: URL(fileURLWithPath: "/nonexistent/a"))
                }
            }
            #expect(throws: ConfinementViolation.self) {
                try onNewThread { _ = try moved.compact() }
            }
        }
    }

    private func expect(
        _ name: String, in directory: TemporaryDirectory, has content: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        // On a thread of its own, so that it closes.
        let found = try onNewThread {
            let realm = try Realm(configuration: World.configuration(directory.file(name)))
            #expect(try realm.check().isEmpty, sourceLocation: sourceLocation)
            return World.content(realm)
        }
        expectSame(found, content, sourceLocation: sourceLocation)
    }
}
