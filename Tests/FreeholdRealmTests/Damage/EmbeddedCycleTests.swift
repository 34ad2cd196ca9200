import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Embedded objects that belong to themselves, with right checksums: whatever copies them would
/// never end.
@Suite struct EmbeddedCycleTests {
    final class Box: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var part: Part?
    }

    final class Part: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var inner: Part?
    }

    enum Way: String, CaseIterable {
        case value, create, dynamicCreate, merge, description, delete, check
    }

    /// - Parameter length: Of the circle.
    @Test(arguments: Way.allCases, [1, 2]) func embeddedInItself(way: Way, length: Int) throws {
        try withTemporaryDirectory { directory in
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Box.self, Part.self])
            let realm = try Realm(configuration: configuration)
            let box = try realm.write {
                realm.create(
                    Box.self,
                    value: ["id": 1, "part": ["number": 1, "inner": ["number": 2]]] as [String: Any]
                )
            }
            let outer = try #require(box.part)
            let last = try #require(length == 1 ? outer : outer.inner)
            let store = try Store.open(Store.Options(path: directory.file().path))
            let writeSet = try store.beginWrite()
            let table = try #require(writeSet.catalog[Part.className()])
            let column = try #require(table.columns.first { $0.name == "inner" })
            let row = try #require(
                writeSet.mutableTable(table.id).mutableRow(RowKey(rawValue: last.key)))
            row.setInteger(column.id, outer.key)
            _ = try store.commit(writeSet)
            realm.refresh()
            switch way {
            case .value: #expect(Box(value: box).part?.inner != nil)
            case .create:
                #expect(throws: Realm.Error.self) {
                    try realm.write { realm.create(Box.self, value: box, update: .all) }
                }
            case .dynamicCreate:
                let object = try #require(realm.dynamicObjects(Box.className()).first)
                #expect(throws: Realm.Error.self) {
                    try realm.write {
                        realm.create(
                            Box.self,
                            value: ["id": 3, "part": object["part"] as Any] as [String: Any])
                    }
                }
            case .merge:
                var other = configuration
                other.fileURL = directory.file("other.realm")
                let target = try Realm(configuration: other)
                defer { withExtendedLifetime(target) {} }
                #expect(throws: Realm.Error.self) { try realm.writeCopy(configuration: other) }
            case .description: #expect(box.description.contains("inner"))
            case .delete:
                // With it, the circle goes.
                try realm.write { realm.delete(box) }
                #expect(realm.objects(Box.self).isEmpty)
                return
            case .check: break
            }
            #expect(try !realm.check().isEmpty)
        }
    }
}
