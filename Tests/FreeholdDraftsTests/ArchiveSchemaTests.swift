import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Archives that are restored after the schema has changed.
@Suite struct ArchiveSchemaTests {
    class Version: Object {
        override class func _realmObjectName() -> String? { "Item" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class First: Version {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var count: Int
        @Persisted var list: List<String>

        override class func propertiesMapping() -> [String: String] { ["name": "stored_name"] }
    }

    /// Other properties, in another order.
    final class Added: Version {
        @Persisted var added: Date?
        @Persisted var list: List<String>
        @Persisted var other: List<Other>
        @Persisted var stored_name: String
        @Persisted(primaryKey: true) var id: Int
        @Persisted var count: Int
    }

    final class Other: Object {
        @Persisted var text: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class WithoutCount: Version {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var stored_name: String
        @Persisted var list: List<String>
    }

    final class Converted: Version {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var stored_name: String
        @Persisted var count: String
        @Persisted var list: List<String>
    }

    final class OtherKey: Version {
        @Persisted var id: Int
        @Persisted(primaryKey: true) var stored_name: String
        @Persisted var count: Int
        @Persisted var list: List<String>
    }

    final class Optional: Version {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var stored_name: String?
        @Persisted var count: Int?
        @Persisted var list: List<String>
    }

    /// Makes a file with an item, and the archive of a draft that edited it; then opens the file
    /// with another class.
    private func withFile(
        then type: Version.Type, _ others: [Object.Type] = [],
        editing edit: @escaping @Sendable (Draft, First) -> Void,
        _ body: @escaping @Sendable (Data, Realm) throws -> Void
    ) throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let file = directory.file()
        let archive = try onNewThread {
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: file, objectTypes: [First.self]))
            try realm.write {
                realm.create(First.self, value: ["id": 7, "name": "a", "count": 1, "list": ["x"]])
            }
            let draft = try realm.draft()
            guard let item = draft.object(ofType: First.self, forPrimaryKey: 7) else {
                throw Realm.Error(.fail)
            }
            edit(draft, item)
            return try draft.archive()
        }
        try onNewThread {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: file, schemaVersion: 1, objectTypes: [type] + others))
            try body(archive, realm)
            #expect(try realm.check().isEmpty)
        }
    }

    private static let editAll: @Sendable (Draft, First) -> Void = { draft, item in
        item.name = "b"
        item.count += 1
        item.list.append("y")
        draft.create(First.self, value: ["id": 8, "name": "new", "count": 3])
    }

    @Test func addedAndReordered() throws {
        try withFile(then: Added.self, [Other.self], editing: Self.editAll) { archive, realm in
            try Draft(restoring: archive, in: realm).save()
            let items = realm.objects(Added.self).sorted(by: \.id)
            #expect(items.map(\.stored_name) == ["b", "new"] && items.map(\.count) == [2, 3])
            #expect(Array(items[0].list) == ["x", "y"] && items[1].other.isEmpty)
        }
    }

    @Test func madeOptional() throws {
        try withFile(then: Optional.self, editing: Self.editAll) { archive, realm in
            try Draft(restoring: archive, in: realm).save()
            let items = realm.objects(Optional.self).sorted(by: \.id)
            #expect(items.map(\.stored_name) == ["b", "new"] && items.map(\.count) == [2, 3])
        }
    }

    /// What the draft did not edit may be gone.
    @Test func removedElsewhere() throws {
        try withFile(then: WithoutCount.self, editing: { $1.name = "b" }) { archive, realm in
            try Draft(restoring: archive, in: realm).save()
            #expect(realm.objects(WithoutCount.self).first?.stored_name == "b")
        }
    }

    private func expectRefusal(
        then type: Version.Type, _ message: String
    ) throws {
        try withFile(then: type, editing: Self.editAll) { archive, realm in
            let error = try #require(throws: Realm.Error.self) {
                try Draft(restoring: archive, in: realm)
            }
            #expect(error.code == .schemaMismatch)
            #expect(error.message.contains(message), "\(error)")
        }
    }

    @Test func removedProperty() throws {
        try expectRefusal(
            then: WithoutCount.self,
            "the property 'ArchiveSchemaTests_WithoutCount.count', which the file does not have")
    }

    @Test func convertedProperty() throws {
        try expectRefusal(
            then: Converted.self,
            "the property 'ArchiveSchemaTests_Converted.count', which has another type now")
    }

    @Test func otherPrimaryKey() throws {
        try expectRefusal(
            then: OtherKey.self,
            "objects of the class 'ArchiveSchemaTests_OtherKey', which has another primary key")
    }

    @Test(.disabled(if: EncryptedSuite.isOn, "Archives of encrypted files stay with their files."))
    func missingClass() throws {
        try withFile(then: WithoutCount.self, editing: Self.editAll) { archive, _ in
            try withTemporaryRealm([Other.self]) { realm in
                let error = try #require(throws: Realm.Error.self) {
                    try Draft(restoring: archive, in: realm)
                }
                #expect(error.message.contains("the class 'Item', which the file does not have"))
            }
        }
    }
}
