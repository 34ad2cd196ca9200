import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private enum V1 {
    final class Owner: Versioned {
        override class func className() -> String { "Owner" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var child: Child?
        @Persisted var children: List<Child>
        @Persisted var any: AnyRealmValue
    }

    final class Child: Versioned {
        override class func className() -> String { "Child" }
        @Persisted var name = ""
    }

    static let all: [ObjectBase.Type] = [Owner.self, Child.self]
}

private enum Embedded {
    final class Owner: Versioned {
        override class func className() -> String { "Owner" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var child: Child?
        @Persisted var children: List<Child>
        @Persisted var any: AnyRealmValue
    }

    final class Child: VersionedEmbedded {
        override class func className() -> String { "Child" }
        @Persisted var name = ""
    }

    static let all: [ObjectBase.Type] = [Owner.self, Child.self]
}

private enum Values1 {
    final class Values: Versioned {
        override class func className() -> String { "Values" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var bool = false
        @Persisted var int = 0
        @Persisted var float: Float = 0
        @Persisted var double = 0.0
        @Persisted var decimal: Decimal128 = 0
        @Persisted var text = ""
        @Persisted var uuid = UUID()
        @Persisted var objectId = ObjectId.generate()
        @Persisted var optional: Int?
        @Persisted var optionalText: String?
        @Persisted var required = 0
        @Persisted var numbers: List<Int>
        @Persisted var optionals: MutableSet<Int?>
        @Persisted var map: Map<String, Int>
        @Persisted var date = Date(timeIntervalSince1970: 0)
        @Persisted var words = ""
    }
}

private enum Values2 {
    final class Values: Versioned {
        override class func className() -> String { "Values" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var bool = 0
        @Persisted var int = 0.0
        @Persisted var float = 0.0
        @Persisted var double = ""
        @Persisted var decimal = ""
        @Persisted var text = Data()
        @Persisted var uuid: String?
        @Persisted var objectId: AnyRealmValue
        @Persisted var optional = 0
        @Persisted var optionalText = ""
        @Persisted(indexed: true) var required: Int?
        @Persisted var numbers: List<String?>
        @Persisted var optionals: MutableSet<Int>
        @Persisted var map: Map<String, Decimal128?>
        @Persisted var date = 0
        @Persisted(indexed: .fullText) var words: String?
    }
}

private struct Refused: Error, Equatable {}

@Suite struct MigrationRuleTests {
    // MARK: Conversions

    @Test func valuesThatLoseNothingAreConverted() throws {
        try withMigratedFile { file in
            let (uuid, objectId) = (UUID(), ObjectId.generate())
            try file.with([Values1.Values.self], version: 1) { realm in
                try realm.write {
                    for id in 0..<1_100 {
                        let values = Values1.Values()
                        values.id = id
                        realm.add(values)
                        (values.bool, values.int, values.float, values.double) = (
                            id % 2 == 0, id - 500, Float(id) / 4, Double(id) / 3
                        )
                        (values.decimal, values.uuid, values.objectId) = (
                            Decimal128(id) / 8, uuid, objectId
                        )
                        values.text =
                            id % 100 == 0 ? String(repeating: "ä", count: 2_000) : "text \(id)"
                        values.optional = id % 3 == 0 ? nil : id
                        values.optionalText = id % 3 == 0 ? nil : "o\(id)"
                        values.required = id
                        values.numbers.append(objectsIn: 0..<(id % 4 == 0 ? 700 : id % 5))
                        values.optionals.insert(objectsIn: [nil, 0, 5, -5])
                        values.map["a"] = id
                        values.map["b"] = 2
                        values.date = Date()
                        values.words = "word \(id) here"
                    }
                }
            }
            let steps = Locker<[Realm.MigrationProgress]>([])
            var configuration = file.configuration([Values2.Values.self], version: 2)
            configuration.migrationProgress = { step in steps.update { $0.append(step) } }
            let realm = try Realm(configuration: configuration)
            for values in realm.objects(Values2.Values.self) {
                let id = values.id
                #expect(values.bool == (id % 2 == 0 ? 1 : 0))
                #expect(values.int == Double(id - 500))
                #expect(values.float == Double(Float(id) / 4))
                #expect(Double(values.double) == Double(id) / 3)
                #expect(values.decimal == (Decimal128(id) / 8).description)
                #expect(
                    values.text
                        == Data(
                            (id % 100 == 0 ? String(repeating: "ä", count: 2_000) : "text \(id)")
                                .utf8))
                #expect(values.uuid == uuid.uuidString)
                #expect(values.objectId == .objectId(objectId))
                #expect(values.optional == (id % 3 == 0 ? 0 : id))
                #expect(values.optionalText == (id % 3 == 0 ? "" : "o\(id)"))
                #expect(values.required == id)
                #expect(Array(values.numbers) == (0..<(id % 4 == 0 ? 700 : id % 5)).map { "\($0)" })
                #expect(Array(values.optionals) == [-5, 0, 5])
                #expect(values.map["a"] == .some(Decimal128(id)))
                #expect(values.map.count == 2)
                // Could be seconds since any moment.
                #expect(values.date == 0)
            }
            #expect(realm.objects(Values2.Values.self).where { $0.required == 77 }.count == 1)
            #expect(realm.objects(Values2.Values.self).where { $0.words.fullText("77") }.count == 1)
            #expect(try realm.check() == [])
            #expect(
                steps.value.contains {
                    $0.step == .converting(property: "numbers") && $0.fraction == 1
                        && $0.totalObjects == 1_100
                })
        }
    }

    // MARK: Embedded objects

    @Test func objectsBecomeEmbedded() throws {
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { realm in
                try realm.write {
                    for id in 0..<20 {
                        let owner = realm.create(V1.Owner.self, value: ["id": id])
                        owner.child = V1.Child(value: ["name": "child \(id)"])
                        owner.children.append(V1.Child(value: ["name": "listed \(id)"]))
                    }
                }
            }
            try file.with(Embedded.all, version: 2) { realm in
                #expect(
                    realm.objects(Embedded.Owner.self).allSatisfy {
                        $0.child?.name == "child \($0.id)"
                            && $0.children.first?.name == "listed \($0.id)"
                    })
                try realm.write {
                    realm.delete(realm.objects(Embedded.Owner.self).where { $0.id < 10 })
                }
            }
            try file.with(V1.all, version: 3) { realm in
                #expect(realm.objects(V1.Child.self).count == 20)
                try realm.write { realm.create(V1.Child.self, value: ["name": "alone"]) }
            }
            file.expectRefusal(
                """
                Cannot convert 'Child' to embedded: at least one object has no incoming \
                links and would be deleted.
                """,
                Embedded.all, version: 4)
            try file.with(V1.all, version: 3) { realm in
                try realm.write {
                    realm.delete(realm.objects(V1.Child.self).where { $0.name == "alone" })
                    let owner = realm.objects(V1.Owner.self).first
                    if let child = owner?.child { owner?.children.append(child) }
                }
            }
            file.expectRefusal(
                """
                Cannot convert 'Child' to embedded: at least one object has more than one \
                incoming link.
                """,
                Embedded.all, version: 4)
            try file.with(V1.all, version: 3) { realm in
                try realm.write {
                    let owner = realm.objects(V1.Owner.self).first
                    owner?.children.removeLast()
                    owner?.any = owner?.child.map { .object($0) } ?? .none
                }
            }
            file.expectRefusal(
                """
                Cannot convert 'Child' to embedded: there is an incoming link from the \
                Mixed property 'Owner.any', which does not support linking to embedded \
                objects.
                """,
                Embedded.all, version: 4)
            // The block sets it right.
            try file.with(
                Embedded.all, version: 4,
                migrating: { migration, _ in
                    migration.enumerateObjects(ofType: "Owner") { _, new in new?["any"] = nil }
                }
            ) { realm in #expect(realm.objects(Embedded.Owner.self).count == 10) }
        }
    }

    // MARK: Errors

    @Test func aBlockThatThrowsChangesNothing() throws {
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { realm in
                try realm.write {
                    realm.create(
                        V1.Owner.self, value: ["id": 1, "child": ["name": "c"]] as [String: Any])
                }
            }
            let error = file.error(
                Embedded.all, version: 2,
                migrating: { migration, _ in
                    migration.deleteData(forType: "Owner")
                    throw Refused()
                })
            #expect(error as? Refused == Refused())
            #expect(try schemaVersionAtURL(file.directory.file()) == 1)
            try file.with(V1.all, version: 1) { realm in
                #expect(realm.objects(V1.Owner.self).first?.child?.name == "c")
            }
            file.expectRefusal(
                "Provided schema version 0 is less than last set version 1.", V1.all, version: 0)
        }
    }

    @Test func openingTheFileInItsOwnBlockIsAnError() throws {
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { _ in }
            let configuration = file.configuration(Embedded.all, version: 2)
            let error =
                file.error(
                    Embedded.all, version: 2,
                    migrating: { _, _ in _ = try Realm(configuration: configuration) })
                as? Realm.Error
            #expect(error?.code == .alreadyOpen)
            #expect(error?.message.contains("is being migrated by this thread") == true)
        }
    }

    @Test func realmsThatAreOpen() throws {
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { realm in
                let path = file.directory.file().path
                #expect(
                    (file.error(Embedded.all, version: 2) as? Realm.Error)?.message
                        == "Realm at path '\(path)' already opened with different schema version.")
                #expect {
                    try Realm.performMigration(for: file.configuration(Embedded.all, version: 2))
                } throws: {
                    ($0 as? Realm.Error)?.message == "Cannot migrate Realms that are already open."
                }
                let version = try schemaVersionAtURL(file.directory.file())
                #expect(version == 1)
                #expect(realm.isEmpty)
            }
            let count = Locker(0)
            try Realm.performMigration(
                for: file.configuration(Embedded.all, version: 2) { _, _ in count.update { $0 += 1 }
                })
            try Realm.performMigration(
                for: file.configuration(Embedded.all, version: 2) { _, _ in count.update { $0 += 1 }
                })
            #expect(count.value == 1)
            #expect(try schemaVersionAtURL(file.directory.file()) == 2)
        }
    }

    /// Looking for one file among those that are open keeps no other one open.
    @Test func otherFilesAreLookedForMeanwhile() throws {
        try withTemporaryDirectory { directory in
            let others = try (0..<40).map {
                let url = directory.file("other\($0)")
                return try Realm(
                    configuration: Realm.Configuration(fileURL: url, objectTypes: V1.all))
            }
            try runThreads(3) { _ in
                try withMigratedFile { file in
                    for version in 1...UInt64(100) {
                        try file.with(V1.all, version: version) { _ in }
                        let next = file.configuration(V1.all, version: version + 1)
                        try Realm.performMigration(for: next)
                    }
                }
            }
            for other in others { #expect(try other.check() == []) }
        }
    }

    /// Realms that have the file open decide how; the version can be read beside any of them.
    @Test(arguments: [Realm.Durability.full, .relaxed, .none]) func versionsOfFilesThatAreOpen(
        _ durability: Realm.Durability
    ) throws {
        try withMigratedFile { file in
            var configuration = file.configuration(V1.all, version: 1)
            configuration.durability = durability
            let realm = try Realm(configuration: configuration)
            #expect(try schemaVersionAtURL(file.directory.file()) == 1)
            withExtendedLifetime(realm) {}
        }
    }

    @Test func versionsOfFilesThatAreNotThere() throws {
        try withTemporaryDirectory { directory in
            let url = directory.file()
            #expect { try schemaVersionAtURL(url) } throws: {
                $0 as? Realm.Error
                    == Realm.Error(
                        .invalidDatabase, "Realm at path '\(url.path)' has not been initialized.",
                        fileURL: url)
            }
            #expect(!Realm.fileExists(for: Realm.Configuration(fileURL: url)))
        }
    }

    @Test func deletingInsteadOfMigrating() throws {
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { realm in
                try realm.write { realm.create(V1.Owner.self, value: ["id": 1]) }
            }
            var configuration = file.configuration(V1.all, version: 2) { _, _ in
                _ = Issue.record("The file is deleted.")
            }
            configuration.deleteRealmIfMigrationNeeded = true
            let realm = try Realm(configuration: configuration)
            #expect(realm.isEmpty)
        }
    }

    @Test func readOnlyRealmsAreNotMigrated() throws {
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { realm in
                try realm.write { realm.create(V1.Owner.self, value: ["id": 1]) }
            }
            var configuration = file.configuration(Embedded.all, version: 2) { _, _ in
                _ = Issue.record("The file cannot be changed.")
            }
            configuration.readOnly = true
            #expect { try Realm(configuration: configuration) } throws: {
                ($0 as? Realm.Error)?.message
                    == """
                    Migration is required due to the following errors:\n- Class 'Child' \
                    has been changed from top-level to embedded.
                    """
            }
            configuration.objectTypes = V1.all
            #expect(try Realm(configuration: configuration).objects(V1.Owner.self).count == 1)
        }
    }

    // MARK: Traps

    private static func trap(_ block: @escaping MigrationBlock) throws {
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { realm in
                try realm.write { realm.create(V1.Owner.self, value: ["id": 1]) }
            }
            try file.with(V1.all, version: 2, migrating: block) { _ in }
        }
    }

    @Test func oldObjectsCannotBeChanged() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Self.trap { migration, _ in
                migration.enumerateObjects(ofType: "Owner") { old, _ in old?["id"] = 2 }
            }
        }
        expectMessage(
            result,
            """
            Attempting to modify object outside of a write transaction - call \
            beginWriteTransaction on an RLMRealm instance first.
            """
        )
    }

    @Test func oldObjectsCannotBeDeleted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Self.trap { migration, _ in
                migration.enumerateObjects(ofType: "Owner") { old, _ in
                    old.map { migration.delete($0) }
                }
            }
        }
        expectMessage(
            result, "Can only delete an object from the Realm it belongs to.",
            "delete the new object")
    }

    @Test func migrationsEndWithTheirBlocks() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            nonisolated(unsafe) var kept: Migration?
            try Self.trap { migration, _ in kept = migration }
            kept?.create("Owner")
        }
        expectMessage(
            result, "Object has been deleted or invalidated.",
            "Migration.create was called after the migration block had ended")
    }

    @Test(arguments: [false, true]) func objectsEndWithTheBlock(isOld: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [isOld] in
            nonisolated(unsafe) var kept: DynamicObject?
            try Self.trap { migration, _ in
                migration.enumerateObjects(ofType: "Owner") { old, new in kept = isOld ? old : new }
            }
            _ = kept?["id"]
        }
        expectMessage(result, "Object has been deleted or invalidated.")
    }

    @Test func blocksDoNotCommit() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Self.trap { migration, _ in
                migration.enumerateObjects(ofType: "Owner") { _, new in
                    try? new?.realm?.commitWrite()
                }
            }
        }
        expectMessage(result, "Can't commit or cancel the write transaction of a migration")
    }

    @Test func unknownClassesCannotBeCreated() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try Self.trap { migration, _ in migration.create("Cat") }
        }
        expectMessage(result, "Object type 'Cat' is not managed by the Realm")
    }
}
