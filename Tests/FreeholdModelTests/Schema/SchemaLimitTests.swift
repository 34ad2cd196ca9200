import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
@testable import FreeholdStorage
import Testing

/// Classes that a file's catalog has no room for are refused, and the file stays as it was.
@Suite struct SchemaLimitTests {
    final class LongName: Object {
        @Persisted var value = 0
        override class func className() -> String { String(repeating: "n", count: 70_000) }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class OwnTable: Object {
        @Persisted var value = 0
        override class func className() -> String { "Freehold.History" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Small: Object {
        @Persisted var value = 0
        override class func className() -> String { "Limited" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Larger: Object {
        @Persisted var value = 0
        @Persisted var other = 0
        override class func className() -> String { "Limited" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func namesThatAreTooLong() throws {
        try withTemporaryDirectory { directory in
            let error = #expect(throws: Realm.Error.self) {
                try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: [LongName.self]))
            }
            #expect(
                error?.code == .schemaMismatch && error?.message.contains("70000 bytes") == true)
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Small.self]))
            #expect(realm.schema.objectSchema.count == 1)
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func namesOfTheFilesOwnTables() throws {
        try withTemporaryDirectory { directory in
            let error = #expect(throws: Realm.Error.self) {
                try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: [OwnTable.self]))
            }
            #expect(
                error?.code == .schemaMismatch && error?.message.contains("own tables") == true)
        }
    }

    /// No id of a column is given twice, so there is an end to them.
    @Test(arguments: [0, 1]) func columnsThatHaveNoNumber(schemaVersion: UInt64) throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Small.self])
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.create(Small.self, value: ["value": 5]) }
                let store = try Store.open(Store.Options(path: directory.file().path))
                let writeSet = try store.beginWrite()
                let index = try #require(
                    writeSet.catalog.tables.firstIndex { $0.name == "Limited" })
                writeSet.catalog.tables[index].nextColumnID = .max
                _ = try store.commit(writeSet)
            }
            configuration.objectTypes = [Larger.self]
            configuration.schemaVersion = schemaVersion
            let error = #expect(throws: Realm.Error.self) {
                try Realm(configuration: configuration)
            }
            #expect(
                error?.code == .schemaMismatch && error?.message.contains("at most 65534") == true)
            configuration.objectTypes = [Small.self]
            configuration.schemaVersion = 0
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(Small.self).first?.value == 5)
            #expect(try realm.check().isEmpty)
        }
    }
}
