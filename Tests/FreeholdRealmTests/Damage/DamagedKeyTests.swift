import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Keys of maps that no program can give, and keys that are there twice, as damage makes them:
/// a map that is copied keeps what it has.
@Suite struct DamagedKeyTests {
    final class Holder: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var marks: Map<String, Int>
        @Persisted var friends: Map<String, Holder?>
        @Persisted var any: AnyRealmValue
        @Persisted var anys: Map<String, AnyRealmValue>
        @Persisted var part: Part?
    }

    final class Part: EmbeddedObject {
        @Persisted var marks: Map<String, Int>
    }

    enum Way: String, CaseIterable {
        case unmanaged, literal, created, updated, assigned, merged, any, embedded
    }

    /// - Parameter key: What "one/way" is in the file.
    private func withDamagedHolder(key: String, _ body: (Realm, Holder) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Holder.self, Part.self]))
            try realm.write {
                let holder = realm.create(Holder.self)
                for name in ["one/way", "two/way"] {
                    holder.marks[name] = 1
                    holder.friends[name] = holder
                }
                holder.any = .fromDictionary(["one/way": .object(holder), "two/way": .int(2)])
                // Of its own, so that nothing else of it is copied.
                let other = realm.create(Holder.self, value: ["id": 1])
                other.any = .fromDictionary(["one/way": .object(other), "two/way": .int(2)])
                other.anys["k"] = .fromDictionary(["one/way": .int(1), "two/way": .int(2)])
                holder.part = Part()
                holder.part?.marks["one/way"] = 1
            }
            let store = try Store.open(Store.Options(path: directory.file().path))
            let count = try Damaged.changeEntries(of: [.clusters, .elements], store) {
                Damaged.replace(Array("one/way".utf8), by: Array(key.utf8), in: &$0)
            }
            try #require(count > 0)
            realm.refresh()
            try body(realm, try #require(realm.object(ofType: Holder.self, forPrimaryKey: 0)))
            if realm.isInWriteTransaction { realm.cancelWrite() }
        }
    }

    @Test(arguments: Way.allCases, ["one.way", "$ne/way"]) func aCopyHasThem(way: Way, key: String)
        throws
    {
        try withDamagedHolder(key: key) { realm, holder in
            realm.beginWrite()
            let copy: Holder
            switch way {
            case .unmanaged: copy = Holder(value: holder)
            case .literal:
                copy = Holder(value: [
                    "marks": holder.marks, "friends": holder.friends, "any": holder.any,
                ])
            case .created:
                copy = Holder(value: holder)
                copy.id = 2
                realm.add(copy)
            case .updated:
                copy = realm.create(
                    Holder.self,
                    value: ["id": 3, "marks": holder.marks, "friends": holder.friends],
                    update: .modified)
            case .assigned:
                copy = realm.create(Holder.self, value: ["id": 4])
                (copy.marks, copy.friends, copy.any) = (holder.marks, holder.friends, holder.any)
            case .merged:
                copy = Holder()
                copy.marks.merge(holder.marks) { first, _ in first }
                copy.friends.merge(holder.friends) { first, _ in first }
            case .any:
                let other = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
                copy = realm.create(Holder.self, value: ["id": 5])
                copy.anys = other.anys
            case .embedded:
                copy = Holder()
                copy.part = Part(value: try #require(holder.part))
            }
            switch way {
            case .any: #expect(copy.anys["k"]?.dictionaryValue?.keys == [key, "two/way"].sorted())
            case .embedded: #expect(copy.part?.marks.map(\.key) == [key])
            default:
                #expect(Set(copy.marks.map(\.key)) == [key, "two/way"])
                #expect(Set(copy.friends.map(\.key)) == [key, "two/way"])
            }
        }
    }

    @Test func anotherRealmHasThem() throws {
        try withDamagedHolder(key: "one.way") { realm, holder in
            try withTemporaryDirectory { directory in
                let target = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: [Holder.self, Part.self]))
                try target.write {
                    let copy = target.create(Holder.self, value: holder)
                    #expect(Set(copy.marks.map(\.key)) == ["one.way", "two/way"])
                    #expect(Set(copy.friends.map(\.key)) == ["one.way", "two/way"])
                    #expect(copy.any.dictionaryValue?.count == 2)
                }
                #expect(try target.check().isEmpty)
            }
        }
    }

    @Test func anyValuesOfAnotherRealmHaveThem() throws {
        try withDamagedHolder(key: "one.way") { realm, _ in
            try withTemporaryDirectory { directory in
                var configuration = realm.configuration
                configuration.fileURL = directory.file()
                let target = try Realm(configuration: configuration)
                let other = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
                try target.write {
                    let copy = target.create(Holder.self, value: ["any": other.any])
                    #expect(copy.any.dictionaryValue?.keys == ["one.way", "two/way"])
                    let whole = target.create(Holder.self, value: other, update: .modified)
                    #expect(whole.any.dictionaryValue?.count == 2)
                }
                #expect(try target.check().isEmpty)
            }
        }
    }

    @Test func aRealmThatTheyAreMergedIntoHasThem() throws {
        try withDamagedHolder(key: "one.way") { realm, _ in
            try withTemporaryDirectory { directory in
                var configuration = realm.configuration
                configuration.fileURL = directory.file()
                let target = try Realm(configuration: configuration)
                try target.write { target.create(Holder.self, value: ["id": 5]) }
                try realm.writeCopy(configuration: configuration)
                target.refresh()
                let copy = try #require(target.object(ofType: Holder.self, forPrimaryKey: 0))
                #expect(Set(copy.marks.map(\.key)) == ["one.way", "two/way"])
                #expect(copy.part?.marks.map(\.key) == ["one.way"])
                #expect(try target.check().isEmpty)
            }
        }
    }

    @Test func oneOfTwoThatAreEqualIsTaken() throws {
        try withDamagedHolder(key: "two/way") { _, holder in
            let encoded = try JSONEncoder().encode(holder.marks)
            #expect(try JSONDecoder().decode([String: Int].self, from: encoded) == ["two/way": 1])
            #expect(Holder(value: holder).marks.map(\.key) == ["two/way"])
        }
    }
}
