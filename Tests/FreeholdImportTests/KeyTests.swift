import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

/// Primary keys of each type.
@Suite struct KeyTests {
    final class Small: Object {
        @Persisted(primaryKey: true) var key: Int8
        @Persisted var next: Small?
        override class func className() -> String { "Small" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Text: Object {
        @Persisted(primaryKey: true) var key: String?
        @Persisted var next: Text?
        override class func className() -> String { "Text" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Unique: Object {
        @Persisted(primaryKey: true) var key: UUID
        @Persisted var next: Unique?
        override class func className() -> String { "Unique" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Cased: Object {
        @Persisted(primaryKey: true) var key: Model.Grade
        @Persisted var next: Cased?
        override class func className() -> String { "Cased" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Coded: Object {
        @Persisted(primaryKey: true) var key: Model.Code = Model.Code(persistedValue: "abcd")!
        @Persisted var next: Coded?
        override class func className() -> String { "Coded" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Counted: Object {
        @Persisted(primaryKey: true, autoIncrement: true) var key: Int
        @Persisted var next: Counted?
        override class func className() -> String { "Counted" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let types: [ObjectBase.Type] = [
        Small.self, Text.self, Unique.self, Cased.self, Coded.self, Counted.self,
    ]

    @Test(arguments: [
        ("Small", "-128", "127"), ("Text", "null", "\"x\""),
        (
            "Unique", "\"f81d4fae-7dec-11d0-a765-00a0c91e6bf6\"",
            "\"f81d4fae-7dec-11d0-a765-00a0c91e6bf7\""
        ),
        ("Cased", "1", "2"), ("Coded", "\"çode\"", "\"efgh\""), ("Counted", "7", "3"),
    ])
    func keysAndLinksByThem(className: String, first: String, second: String) throws {
        try withTemporaryRealm(KeyTests.types) { realm in
            let nested =
                #"""
                {"\#(className)": [{"key": \#(first), "next": {"key": \#(second), \#
                "next": null}}, {"key": \#(second), "next": \#(second)}]}
                """#
            let export = try RealmStudioImport(json: Data(nested.utf8))
            #expect(try export.importAll(into: realm).created == [className: 2])
            let objects = realm.dynamicObjects(className).where {
                $0["next", as: DynamicObject?.self] != nil
            }
            #expect(
                objects.count == 2
                    && Set(objects.compactMap { ($0.next as? ObjectBase)?["key"].map { "\($0)" } })
                        .count == 1
            )
            let error = #expect(throws: ImportError.self) { try export.importAll(into: realm) }
            #expect(error?.code == .existingPrimaryKey && error?.row == 1)
            #expect(
                try export.importAll(
                    into: realm, options: ImportOptions(existingObjects: .modified)
                ).updated == [className: 2])
            #expect(
                try export.importAll(into: realm, options: ImportOptions(existingObjects: .all))
                    .updated == [className: 2])
            #expect(realm.dynamicObjects(className).count == 2)
        }
    }

    @Test func theNextCountedKeyIsAboveTheImportedOnes() throws {
        try withTemporaryRealm(KeyTests.types) { realm in
            try RealmStudioImport(csv: Data("key\n7\n3\n".utf8), className: "Counted").importAll(
                into: realm)
            #expect(try realm.write { realm.create(Counted.self).key } == 8)
        }
    }
}
