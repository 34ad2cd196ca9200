import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import Testing

/// Objects in predicates that are kept longer than their realms.
@Suite struct PredicateObjectTests {
    private static func realm(_ file: URL) throws -> Realm {
        let realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: file, objectTypes: [ResultsItem.self, ResultsOwner.self]))
        if realm.isEmpty {
            try realm.write {
                let owner = ResultsOwner()
                realm.add(owner)
                let item = ResultsItem()
                item.owner = owner
                realm.add(item)
            }
        }
        return realm
    }

    private static func predicate(_ file: URL) throws -> RealmPredicate {
        let realm = try realm(file)
        return try RealmPredicate("owner == %@", realm.objects(ResultsOwner.self).first)
    }

    /// What a closed file leaves behind in memory may be taken by the next one that is opened:
    /// an object of the first is none of the second.
    @Test func anotherFileInTheSamePlace() throws {
        try withTemporaryDirectory { directory in
            for number in 0..<20 {
                let kept = try Self.predicate(directory.file("\(number) first.realm"))
                let realm = try Self.realm(directory.file("\(number) second.realm"))
                let error = #expect(throws: RealmPredicateError.self) {
                    try kept.check(ResultsItem.self, in: realm)
                }
                #expect(error?.message == "Object must be from the Realm being queried")
                #expect(error?.remedy.contains("belongs to another realm") == true)
                #expect(try realm.check().isEmpty)
            }
        }
    }

    @Test func theSameFileOpenedAgain() throws {
        try withTemporaryDirectory { directory in
            let file = directory.file()
            let kept = try Self.predicate(file)
            // Something else in the place of what was closed.
            let other = try Self.realm(directory.file("other.realm"))
            let realm = try Self.realm(file)
            #expect(realm.objects(ResultsItem.self).filter(kept).count == 1)
            #expect(
                try kept == RealmPredicate("owner == %@", realm.objects(ResultsOwner.self).first))
            #expect(
                try kept != RealmPredicate("owner == %@", other.objects(ResultsOwner.self).first))
            #expect(try realm.check().isEmpty && other.check().isEmpty)
        }
    }

    /// A file that was deleted and made again is another one, whatever its path and its number
    /// on the disk.
    @Test func anotherFileAtTheSamePath() throws {
        try withTemporaryDirectory { directory in
            let file = directory.file()
            let kept = try Self.predicate(file)
            _ = try Realm.deleteFiles(for: Realm.Configuration(fileURL: file))
            let realm = try Self.realm(file)
            #expect(throws: RealmPredicateError.self) {
                try kept.check(ResultsItem.self, in: realm)
            }
            #expect(try realm.check().isEmpty)
        }
    }
}
