import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Embedded objects that two places of a file own, with right checksums: whatever copies their
/// owners meets them twice.
@Suite struct EmbeddedTwiceTests {
    final class Owner: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var one: Part?
        @Persisted var list: List<Part>
        @Persisted var other: List<Part>
        @Persisted var map: Map<String, Part?>
    }

    final class Part: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var screws: List<Screw>
        @Persisted var named: Map<String, Screw?>
        @Persisted var only: Screw?
    }

    final class Screw: EmbeddedObject {
        @Persisted var size = 0
    }

    enum Place: String, CaseIterable { case one, secondOfList, other, map, screws, named, only }
    enum Way: String, CaseIterable { case value, create, add, createAnother, dynamicCreate, assign }

    /// Makes the place own what is the first element of the list, or the first screw of that.
    private func damage(_ place: Place, _ owner: Owner, _ path: String) throws {
        let store = try Store.open(Store.Options(path: path))
        let writeSet = try store.beginWrite()
        func own(_ part: ObjectBase, _ holder: ObjectBase, _ name: String, at index: Int = 0) throws
        {
            let table = try #require(writeSet.catalog[type(of: holder).className()])
            let column = try #require(table.columns.first { $0.name == name })
            let rows = writeSet.mutableTable(table.id)
            let (key, part) = (RowKey(rawValue: holder.key), RowKey(rawValue: part.key))
            if column.collection == nil {
                try #require(rows.mutableRow(key)).setInteger(column.id, part.rawValue)
            } else {
                let elements = try #require(rows.mutableCollection(of: column.id, key: key))
                elements.set(link: part, at: index)
            }
        }
        let first = owner.list[0]
        switch place {
        case .one, .other, .map: try own(first, owner, place.rawValue)
        case .secondOfList: try own(first, owner, "list", at: 1)
        case .screws, .named, .only:
            for part in [owner.list[1], owner.other[0]] {
                try own(first.screws[0], part, place.rawValue)
            }
        }
        _ = try store.commit(writeSet)
    }

    @Test(arguments: Way.allCases, Place.allCases)
    func ownedTwice(way: Way, place: Place) throws {
        try withTemporaryDirectory { directory in
            let path = directory.file()
            let configuration = Realm.Configuration(
                fileURL: path, objectTypes: [Owner.self, Part.self, Screw.self])
            let realm = try Realm(configuration: configuration)
            let screw = ["size": 1]
            let part = ["screws": [screw], "named": ["a": screw], "only": screw] as [String: Any]
            let parts = [part, part]
            let value =
                [
                    "id": 1, "one": part, "list": parts, "other": parts,
                    "map": ["a": part],
                ] as [String: Any]
            let owner = try realm.write { realm.create(Owner.self, value: value) }
            try damage(place, owner, path.path)
            realm.refresh()
            let copy = Owner(value: owner)
            #expect(copy.list.count == 2 && copy.other.count == 2 && copy.map.count == 1)
            // What copies place by place makes two objects, and notices nothing.
            func write(_ body: () -> Void) {
                do { try realm.write(body) } catch {
                    #expect((error as? Realm.Error)?.code == .invalidDatabase)
                }
            }
            switch way {
            case .value: break
            case .create: write { realm.create(Owner.self, value: owner, update: .all) }
            case .add: write { realm.add(copy, update: .modified) }
            case .createAnother:
                let values = [
                    "id": 2, "one": owner.one as Any, "list": owner.list, "other": owner.other,
                    "map": owner.map,
                ]
                write { realm.create(Owner.self, value: values) }
            case .dynamicCreate:
                let dynamic = try #require(realm.dynamicObjects(Owner.className()).first)
                write { realm.dynamicCreate(Owner.className(), value: dynamic, update: .all) }
            case .assign:
                let unmanaged = Owner()
                unmanaged.id = 2
                unmanaged.one = copy.one
                unmanaged.list.append(objectsIn: copy.list)
                unmanaged.other.append(objectsIn: copy.other)
                write { realm.add(unmanaged) }
            }
            #expect(try !realm.check().isEmpty)
        }
    }
}
