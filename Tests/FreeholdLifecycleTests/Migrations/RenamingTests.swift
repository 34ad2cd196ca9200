import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

private enum V1 {
    final class Item: Versioned {
        override class func className() -> String { "Item" }
        @Persisted(primaryKey: true) var key = 0
        @Persisted var name = ""
        @Persisted var count = 0
        @Persisted var note: String?
        @Persisted var link: Item?
        @Persisted var links: List<Item>
        @Persisted var part: Part?
        @Persisted var long = ""
    }

    final class Part: VersionedEmbedded {
        override class func className() -> String { "Part" }
        @Persisted var title = ""
    }

    static let all: [ObjectBase.Type] = [Item.self, Part.self]
}

private enum V2 {
    final class Item: Versioned {
        override class func className() -> String { "Item" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var title = ""
        @Persisted var total: Int?
        @Persisted var comment: String?
        @Persisted var next: Item?
        @Persisted var others: List<Item>
        @Persisted var piece: Part?
        @Persisted var text = ""
    }

    final class Part: VersionedEmbedded {
        override class func className() -> String { "Part" }
        @Persisted var title = ""
    }

    static let all: [ObjectBase.Type] = [Item.self, Part.self]
}

private enum V3 {
    final class Item: Versioned {
        override class func className() -> String { "Item" }
        @Persisted(primaryKey: true) var key = 0
        @Persisted var name: Data = Data()
        @Persisted var note = ""
        @Persisted var link: Item?
        @Persisted var links: List<Item>
        @Persisted var count = 0
        @Persisted var required = ""
    }
}

@Suite struct RenamingTests {
    private func makeFile(_ file: MigratedFile) throws {
        try file.with(V1.all, version: 1) { realm in
            try realm.write {
                var last: V1.Item?
                for key in 1...900 {
                    let item = realm.create(
                        V1.Item.self,
                        value: ["key": key * 3, "name": "name \(key % 10)", "count": key]
                            as [String: Any])
                    item.note = key % 2 == 0 ? nil : "note \(key)"
                    item.link = last
                    if let last { item.links.append(objectsIn: [last, last, item]) }
                    item.part = V1.Part(value: ["title": "part \(key)"])
                    if key % 100 == 0 { item.long = String(repeating: "x", count: 20_000 + key) }
                    last = item
                }
            }
        }
    }

    private static let renames = [
        ("key", "id"), ("name", "title"), ("count", "total"), ("note", "comment"), ("link", "next"),
        ("links", "others"), ("part", "piece"), ("long", "text"),
    ]

    @Test(arguments: [false, true], [false, true]) func everythingMovesAlong(
        deletesBefore: Bool, isEncrypted: Bool
    ) throws {
        try withMigratedFile(isEncrypted: isEncrypted) { file in
            try makeFile(file)
            try file.with(
                V2.all, version: 2,
                migrating: { migration, _ in
                    if deletesBefore {
                        // The links to it are in columns that are about to be renamed.
                        migration.enumerateObjects(ofType: "Item") { old, new in
                            if let new, old?["key"] as? Int == 30 { migration.delete(new) }
                        }
                    }
                    for (old, new) in Self.renames {
                        migration.renameProperty(onType: "Item", from: old, to: new)
                    }
                    var count = 0
                    migration.enumerateObjects(ofType: "Item") { old, new in
                        #expect(old?["name"] as? String == new?["title"] as? String)
                        #expect(old?["key"] as? Int == new?["id"] as? Int)
                        count += 1
                    }
                    #expect(count == (deletesBefore ? 899 : 900))
                }
            ) { realm in
                let items = realm.objects(V2.Item.self)
                #expect(items.count == (deletesBefore ? 899 : 900))
                for item in items {
                    let key = item.id / 3
                    #expect(item.title == "name \(key % 10)")
                    #expect(item.total == key)
                    #expect(item.comment == (key % 2 == 0 ? nil : "note \(key)"))
                    let isBehind = deletesBefore && key == 11
                    #expect(item.next?.id == (key == 1 || isBehind ? nil : item.id - 3))
                    #expect(
                        item.others.map(\.id)
                            == (key == 1
                                ? [] : isBehind ? [33] : [item.id - 3, item.id - 3, item.id]))
                    #expect(item.piece?.title == "part \(key)")
                    #expect(item.text.count == (key % 100 == 0 ? 20_000 + key : 0))
                }
                #expect(items.where { $0.title == "name 3" }.count == 90)
                #expect(realm.object(ofType: V2.Item.self, forPrimaryKey: 300)?.total == 100)
                try realm.write {
                    realm.create(V2.Item.self, value: ["id": 5])
                    realm.delete(items.where { $0.total > 450 })
                }
            }
            try expectSound(file.configuration(V2.all, version: 2))
        }
    }

    @Test func stepsOnTheWay() throws {
        try withMigratedFile { file in
            try makeFile(file)
            try file.with(
                V2.all, version: 3,
                migrating: { migration, _ in
                    migration.renameProperty(onType: "Item", from: "key", to: "id")
                    migration.renameProperty(onType: "Item", from: "name", to: "label")
                    migration.renameProperty(onType: "Item", from: "label", to: "title")
                }
            ) { realm in
                #expect(realm.object(ofType: V2.Item.self, forPrimaryKey: 9)?.title == "name 3")
            }
        }
    }

    @Test func whatWasWrittenToTheNewPropertyIsLost() throws {
        try withMigratedFile { file in
            try makeFile(file)
            try file.with(
                V2.all, version: 2,
                migrating: { migration, _ in
                    migration.enumerateObjects(ofType: "Item") { old, new in
                        new?["id"] = old?["key"]
                        new?["title"] = "other"
                        new?["others"] = [] as [Any]
                        new?["text"] = String(repeating: "y", count: 1_000)
                    }
                    migration.renameProperty(onType: "Item", from: "name", to: "title")
                    migration.renameProperty(onType: "Item", from: "long", to: "text")
                }
            ) { realm in
                #expect(realm.object(ofType: V2.Item.self, forPrimaryKey: 9)?.title == "name 3")
                #expect(realm.object(ofType: V2.Item.self, forPrimaryKey: 9)?.text == "")
            }
        }
    }

    // MARK: Refusals

    private func expectRefusal(
        _ message: String, _ types: [ObjectBase.Type] = [V3.Item.self],
        sourceLocation: SourceLocation = #_sourceLocation, _ block: @escaping MigrationBlock
    ) throws {
        try withMigratedFile { file in
            try makeFile(file)
            file.expectRefusal(
                message, types, version: 2, migrating: block, sourceLocation: sourceLocation)
            // As it was.
            try file.with(V1.all, version: 1) { realm in
                #expect(realm.objects(V1.Item.self).count == 900)
                #expect(
                    realm.object(ofType: V1.Item.self, forPrimaryKey: 300)?.long.count == 20_100)
            }
        }
    }

    @Test func refusals() throws {
        try expectRefusal("Cannot rename property 'Item.nothing' because it does not exist.") {
            migration, _ in
            migration.renameProperty(onType: "Item", from: "nothing", to: "name")
        }
        try expectRefusal(
            """
            Cannot rename property 'Item.count' to 'name' because the source property \
            still exists.
            """
        ) { migration, _ in
            migration.renameProperty(onType: "Item", from: "count", to: "name")
        }
        try expectRefusal(
            """
            Cannot rename property 'Item.long' to 'name' because it would change from type \
            'string' to 'data'.
            """
        ) { migration, _ in
            migration.renameProperty(onType: "Item", from: "long", to: "name")
        }
        try expectRefusal(
            """
            Cannot rename property 'Item.note' to 'title' because it would change from \
            optional to required.
            """,
            V2.all
        ) { migration, _ in
            migration.renameProperty(onType: "Item", from: "note", to: "title")
        }
        try expectRefusal("Renamed property 'Item.somewhere' does not exist.") { migration, _ in
            migration.renameProperty(onType: "Item", from: "long", to: "somewhere")
        }
        try expectRefusal("Cannot rename properties for type 'Cat' because it does not exist.") {
            migration, _ in
            migration.renameProperty(onType: "Cat", from: "long", to: "somewhere")
        }
        try expectRefusal(
            "Cannot rename properties for type 'Part' because it has been removed from the Realm."
        ) { migration, _ in
            migration.renameProperty(onType: "Part", from: "title", to: "name")
        }
        // The first one counts.
        try expectRefusal("Cannot rename property 'Item.first' because it does not exist.") {
            migration, _ in
            migration.renameProperty(onType: "Item", from: "first", to: "name")
            migration.renameProperty(onType: "Item", from: "second", to: "name")
        }
    }
}
