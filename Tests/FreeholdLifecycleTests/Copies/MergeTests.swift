import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `writeCopy(configuration:)` where the file exists.
@Suite struct MergeTests {
    @Test func withoutAFileItIsACopy() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            try realm.write { World.fill(realm) }
            let configuration = World.configuration(directory.file())
            try realm.writeCopy(configuration: configuration)
            let copy = try Realm(configuration: configuration)
            expectSame(World.content(copy), World.content(realm))
            #expect(try copy.check().isEmpty)
        }
    }

    @Test func intoAnEmptyFileAllIsAdded() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            try realm.write { World.fill(realm) }
            let configuration = World.configuration(directory.file())
            let other = try Realm(configuration: configuration)
            try realm.writeCopy(configuration: configuration)
            expectSame(World.content(other), World.content(realm))
            #expect(try other.check().isEmpty)
        }
    }

    @Test func objectsWithPrimaryKeysAreReplacedAndOthersAdded() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            let configuration = World.configuration(directory.file())
            let other = try Realm(configuration: configuration)
            try other.write {
                let person = other.create(
                    Fixture.Person.self,
                    value: ["id": 1, "name": "old", "age": 7, "dog": ["name": "its dog"]])
                other.create(
                    Fixture.Person.self, value: ["id": 5, "name": "stays", "friend": person])
                other.create(Fixture.House.self, value: ["id": 1, "room": ["name": "old room"]])
                other.create(Fixture.Dog.self, value: ["name": "stray"])
            }
            try realm.write {
                let a = realm.create(Fixture.Person.self, value: ["id": 1, "name": "new"])
                let b = realm.create(
                    Fixture.Person.self, value: ["id": 2, "name": "second", "friend": a])
                a.friend = b
                realm.create(Fixture.House.self, value: ["id": 1, "room": ["name": "new room"]])
                realm.create(Fixture.Dog.self, value: ["name": "stray"])
                realm.create(Fixture.Tagged.self, value: ["tag": nil, "value": 3])
            }
            try realm.writeCopy(configuration: configuration)
            #expect(
                World.content(other) == [
                    "dog its dog 3", "dog stray 3", "dog stray 3", "house 1 new room",
                    "person 1 new 0 - 2 [2, 5]", "person 2 second 0 - 1 [1]",
                    "person 5 stays 0 - 1 []", "tagged nil 3 -",
                ])
            #expect(try other.check().isEmpty)
            // A second time: what has a primary key is the same, what has none is added again.
            try realm.writeCopy(configuration: configuration)
            #expect(other.objects(Fixture.Person.self).count == 3)
            #expect(other.objects(Fixture.Dog.self).count == 4)
        }
    }

    @Test func uncommittedChangesAndFrozenRealmsAreMerged() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            let configuration = World.configuration(directory.file())
            try realm.write { realm.add(Fixture.Person(id: 1, name: "a")) }
            do { _ = try Realm(configuration: configuration) }
            nonisolated(unsafe) let frozen = realm.freeze()
            try onNewThread { try frozen.writeCopy(configuration: configuration) }
            try realm.write {
                realm.add(Fixture.Person(id: 2, name: "b"))
                try realm.writeCopy(configuration: configuration)
                realm.add(Fixture.Person(id: 3, name: "c"))
            }
            let other = try Realm(configuration: configuration)
            #expect(other.objects(Fixture.Person.self).sorted(by: \.id).map(\.name) == ["a", "b"])
            #expect(try other.check().isEmpty)
        }
    }

    @Test func classesThatTheFileLacksAreAdded() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            try realm.write { World.fill(realm, people: 10) }
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Fixture.Dog.self])
            try onNewThread {
                let other = try Realm(configuration: configuration)
                try other.write { other.add(Fixture.Dog(name: "first")) }
            }
            try realm.writeCopy(configuration: configuration)
            let other = try Realm(configuration: World.configuration(directory.file()))
            #expect(World.content(other) == (World.content(realm) + ["dog first 3"]).sorted())
            #expect(try other.check().isEmpty)
        }
    }

    @Test func whatCannotBeMergedIsAnErrorAndChangesNothing() throws {
        try withTemporaryRealm { realm in
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            try realm.write { realm.add(Fixture.Person(id: 1)) }
            let configuration = World.configuration(directory.file())
            let other = try Realm(configuration: configuration)
            other.beginWrite()
            #expect(realmCode { try realm.writeCopy(configuration: configuration) } == .alreadyOpen)
            other.cancelWrite()
            #expect(
                realmCode { try realm.writeCopy(configuration: realm.configuration) } == .fileExists
            )
            var readOnly = configuration
            readOnly.readOnly = true
            #expect(realmCode { try realm.writeCopy(configuration: readOnly) } != nil)
            try Data("no realm".utf8).write(to: directory.file("text"))
            #expect(
                realmCode {
                    try realm.writeCopy(configuration: World.configuration(directory.file("text")))
                } == .invalidDatabase)
            #expect(other.isEmpty)
        }
    }
}
