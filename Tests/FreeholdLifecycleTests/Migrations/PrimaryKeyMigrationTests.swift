import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

private enum Plain {
    final class Thing: Versioned {
        override class func className() -> String { "Thing" }
        @Persisted var number = 0
        @Persisted(indexed: true) var text = ""
        @Persisted var link: Thing?
        @Persisted var links: List<Thing>
    }
}

private enum ByNumber {
    final class Thing: Versioned {
        override class func className() -> String { "Thing" }
        @Persisted(primaryKey: true) var number = 0
        @Persisted var text = ""
        @Persisted var link: Thing?
        @Persisted var links: List<Thing>
    }
}

private enum ByOptionalNumber {
    final class Thing: Versioned {
        override class func className() -> String { "Thing" }
        @Persisted(primaryKey: true) var number: Int?
        @Persisted var text = ""
        @Persisted var link: Thing?
        @Persisted var links: List<Thing>
    }
}

private enum ByText {
    final class Thing: Versioned {
        override class func className() -> String { "Thing" }
        @Persisted var number = 0
        @Persisted(primaryKey: true) var text = ""
        @Persisted var link: Thing?
        @Persisted var links: List<Thing>
    }
}

private enum Automatic {
    final class Thing: Versioned {
        override class func className() -> String { "Thing" }
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
        @Persisted var number = 0
        @Persisted var text = ""
        @Persisted var link: Thing?
        @Persisted var links: List<Thing>
    }
}

@Suite struct PrimaryKeyMigrationTests {
    /// Objects with the numbers 5, 15, … and the texts "t5", …, each linked to the one before.
    private func makeFile<Thing: Object>(
        _ file: MigratedFile, _ type: Thing.Type, count: Int = 1_100
    ) throws {
        try file.with([type], version: 1) { realm in
            try realm.write {
                var last: Thing?
                for index in 0..<count {
                    let thing = realm.create(
                        type,
                        value: ["number": index * 10 + 5, "text": "t\(index * 10 + 5)"]
                            as [String: Any])
                    thing["link"] = last
                    if let last { thing["links"] = [last, last] }
                    last = thing
                }
            }
        }
    }

    private func expectLinks<Thing: Object>(
        _ realm: Realm, _ type: Thing.Type, count: Int = 1_100,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(realm.objects(type).count == count, sourceLocation: sourceLocation)
        for thing in realm.objects(type) {
            guard let number = thing["number"] as? Int, number != 5 else { continue }
            #expect(
                (thing["link"] as? Thing)?["text"] as? String == "t\(number - 10)",
                sourceLocation: sourceLocation)
            #expect((thing["links"] as? List<Thing>)?.count == 2, sourceLocation: sourceLocation)
        }
    }

    @Test func aNumberBecomesThePrimaryKey() throws {
        try withMigratedFile { file in
            try makeFile(file, Plain.Thing.self)
            try file.with([ByNumber.Thing.self], version: 2) { realm in
                expectLinks(realm, ByNumber.Thing.self)
                #expect(
                    realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 505)?.text == "t505")
                #expect(realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 506) == nil)
                #expect(
                    realm.objects(ByNumber.Thing.self).where { $0.number > 10_000 }.count == 100)
                #expect(
                    realm.objects(ByNumber.Thing.self).where { $0.number == 505 }.first?.text
                        == "t505")
                try realm.write {
                    let new = realm.create(
                        ByNumber.Thing.self, value: ["number": 1, "text": "one"] as [String: Any])
                    #expect(realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 1) == new)
                    realm.create(
                        ByNumber.Thing.self,
                        value: ["number": 505, "text": "updated"] as [String: Any],
                        update: .modified)
                    realm.add(ByNumber.Thing(value: ["number": 2, "text": "two"] as [String: Any]))
                }
                #expect(realm.objects(ByNumber.Thing.self).count == 1_102)
                #expect(
                    realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 505)?.text == "updated"
                )
                #expect(
                    realm.objects(ByNumber.Thing.self).sorted(byKeyPath: "number").first?.text
                        == "one")
                try realm.write {
                    realm.delete(realm.objects(ByNumber.Thing.self).where { $0.number < 505 })
                }
                #expect(realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 2) == nil)
            }
            // And away again, and to another one.
            try file.with([ByText.Thing.self], version: 3) { realm in
                #expect(
                    realm.object(ofType: ByText.Thing.self, forPrimaryKey: "t10005")?.number
                        == 10_005)
            }
            try file.with([ByNumber.Thing.self], version: 4) { realm in
                #expect(
                    realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 10_005)?.text
                        == "t10005")
            }
        }
    }

    @Test func aNumberIsNoPrimaryKeyAnyMore() throws {
        try withMigratedFile { file in
            try makeFile(file, ByNumber.Thing.self)
            try file.with([Plain.Thing.self], version: 2) { realm in
                expectLinks(realm, Plain.Thing.self)
                #expect(
                    realm.objects(Plain.Thing.self).where { $0.text == "t505" }.first?.number == 505
                )
                try realm.write {
                    for _ in 0..<3 {
                        realm.create(
                            Plain.Thing.self,
                            value: ["number": 505, "text": "again"] as [String: Any])
                    }
                }
                #expect(realm.objects(Plain.Thing.self).where { $0.number == 505 }.count == 4)
            }
            file.expectRefusal(
                "Primary key property 'Thing.number' has duplicate values after migration.",
                [ByNumber.Thing.self], version: 3)
            try file.with([Plain.Thing.self], version: 2) { _ in }
            try file.with(
                [ByNumber.Thing.self], version: 3,
                migrating: { migration, _ in
                    var seen: Set<Int> = []
                    migration.enumerateObjects(ofType: "Thing") { _, new in
                        if let new, let number = new["number"] as? Int,
                            !seen.insert(number).inserted
                        {
                            migration.delete(new)
                        }
                    }
                }
            ) { realm in expectLinks(realm, ByNumber.Thing.self) }
        }
    }

    @Test func otherTypesAndOptionality() throws {
        try withMigratedFile { file in
            try makeFile(file, ByNumber.Thing.self)
            try file.with([ByOptionalNumber.Thing.self], version: 2) { realm in
                expectLinks(realm, ByOptionalNumber.Thing.self)
                #expect(
                    realm.object(ofType: ByOptionalNumber.Thing.self, forPrimaryKey: 505 as Int?)?
                        .text == "t505")
                try realm.write {
                    realm.create(ByOptionalNumber.Thing.self, value: ["text": "nil"])
                }
            }
            try file.with([ByText.Thing.self], version: 3) { realm in
                #expect(realm.object(ofType: ByText.Thing.self, forPrimaryKey: "nil")?.number == 0)
                #expect(
                    realm.object(ofType: ByText.Thing.self, forPrimaryKey: "t505")?.number == 505)
                try realm.write {
                    realm.create(
                        ByText.Thing.self, value: ["number": 505, "text": "same"] as [String: Any])
                }
            }
            file.expectRefusal(
                "Primary key property 'Thing.number' has duplicate values after migration.",
                [ByOptionalNumber.Thing.self], version: 4)
        }
    }

    @Test func valuesOfThePrimaryKeyAreSetInTheBlock() throws {
        try withMigratedFile { file in
            try makeFile(file, ByNumber.Thing.self)
            try file.with(
                [ByNumber.Thing.self], version: 2,
                migrating: { migration, _ in
                    migration.enumerateObjects(ofType: "Thing") { old, new in
                        new?["number"] = -(old?["number"] as? Int ?? 0)
                    }
                    migration.create(
                        "Thing", value: ["number": 7, "text": "seven"] as [String: Any])
                }
            ) { realm in
                #expect(
                    realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: -505)?.link?.number
                        == -495)
                #expect(realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 505) == nil)
                #expect(
                    realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: 7)?.text == "seven")
            }
            file.expectRefusal(
                "Primary key property 'Thing.number' has duplicate values after migration.",
                [ByNumber.Thing.self], version: 3,
                migrating: { migration, _ in migration.create("Thing", value: ["number": 7]) })
            try file.with([ByNumber.Thing.self], version: 2) { realm in
                #expect(realm.objects(ByNumber.Thing.self).count == 1_101)
                try realm.write { realm.create(ByNumber.Thing.self, value: ["number": 8]) }
            }
        }
    }

    @Test func existingObjectsGetAutomaticKeys() throws {
        try withMigratedFile { file in
            try makeFile(file, Plain.Thing.self)
            try file.with([Automatic.Thing.self], version: 2) { realm in
                let ids = Set(realm.objects(Automatic.Thing.self).map(\.id))
                #expect(ids.count == 1_100)
                let greatest = ids.max() ?? 0
                try realm.write {
                    let thing = Automatic.Thing()
                    realm.add(thing)
                    #expect(thing.id == greatest + 1)
                }
            }
        }
        // The block gives them, and goes on with what it created.
        try withMigratedFile { file in
            try makeFile(file, Plain.Thing.self, count: 10)
            try file.with(
                [Automatic.Thing.self], version: 2,
                migrating: { migration, _ in
                    migration.enumerateObjects(ofType: "Thing") { old, new in
                        new?["id"] = (old?["number"] as? Int ?? 0) + 1_000
                    }
                }
            ) { realm in
                #expect(
                    realm.object(ofType: Automatic.Thing.self, forPrimaryKey: 1_005)?.text == "t5")
                try realm.write {
                    let thing = Automatic.Thing()
                    realm.add(thing)
                    #expect(thing.id == 1_096)
                    #expect(
                        realm.object(ofType: Automatic.Thing.self, forPrimaryKey: 1_096) == thing)
                    realm.create(Automatic.Thing.self, value: ["id": 5_000])
                    let last = Automatic.Thing()
                    realm.add(last)
                    #expect(last.id == 5_001)
                }
            }
        }
    }

    @Test func tooGreatKeysCannotBeReplaced() throws {
        try withMigratedFile { file in
            try file.with([ByNumber.Thing.self], version: 1) { realm in
                try realm.write { realm.create(ByNumber.Thing.self, value: ["number": Int.max]) }
            }
            let error = file.error([Plain.Thing.self], version: 2) as? Realm.Error
            #expect(error?.code == .schemaMismatch)
            #expect(error?.message.contains("because it had values of 2^62 - 1 or more") == true)
            try file.with([ByNumber.Thing.self], version: 2) { realm in
                #expect(realm.object(ofType: ByNumber.Thing.self, forPrimaryKey: Int.max) != nil)
            }
        }
    }
}
