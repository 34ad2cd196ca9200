public import Foundation
public import Freehold

extension Workload {
    /// A class that a migration changes, in a table of the same name: `value` becomes a text,
    /// and `half` and its index are new.
    ///
    /// All records have the same `generation`, which one transaction changes, so one that came
    /// in part shows.
    enum Before {
        final class Record: Object {
            override class func className() -> String { "Record" }
            @Persisted(primaryKey: true) var id = 0
            @Persisted(indexed: true) var value = 0
            @Persisted var generation = 0
        }
    }

    enum After {
        final class Record: Object {
            override class func className() -> String { "Record" }
            @Persisted(primaryKey: true) var id = 0
            @Persisted(indexed: true) var value = ""
            @Persisted var generation = 0
            @Persisted(indexed: true) var half = 0
        }
    }

    public static let recordCount = 150

    /// As ``configuration(_:encryptionKey:)``, with the records of a schema version: 0 or 1.
    public static func configuration(
        _ path: String, schemaVersion: UInt64, encryptionKey: Data? = nil
    ) -> Realm.Configuration {
        var configuration = configuration(path, encryptionKey: encryptionKey)
        configuration.objectTypes =
            objectTypes + (schemaVersion == 0 ? [Before.Record.self] : [After.Record.self])
        configuration.schemaVersion = schemaVersion
        configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Record") { _, new in
                guard let new, let generation = new["generation"] as? Int,
                    let id = new["id"] as? Int
                else { return }
                new["half"] = half(id, generation)
            }
        }
        return configuration
    }

    private static func value(_ id: Int, _ generation: Int) -> Int { id * 31 + generation * 1_000 }
    private static func half(_ id: Int, _ generation: Int) -> Int { value(id, generation) / 2 }

    /// In a write: makes the records, or gives all of them the next generation. Returns it.
    @discardableResult
    public static func changeRecords(_ realm: Realm) -> Int {
        let generation = generation(realm) + 1
        for id in 0..<recordCount {
            if realm.configuration.schemaVersion == 0 {
                realm.create(
                    Before.Record.self,
                    value: ["id": id, "value": value(id, generation), "generation": generation],
                    update: .all)
            } else {
                realm.create(
                    After.Record.self,
                    value: [
                        "id": id, "value": String(value(id, generation)), "generation": generation,
                        "half": half(id, generation),
                    ], update: .all)
            }
        }
        return generation
    }

    /// The generation of the records; 0 if there are none.
    public static func generation(_ realm: Realm) -> Int {
        if realm.configuration.schemaVersion == 0 {
            return realm.object(ofType: Before.Record.self, forPrimaryKey: 0)?.generation ?? 0
        }
        return realm.object(ofType: After.Record.self, forPrimaryKey: 0)?.generation ?? 0
    }

    /// What is wrong with the records of a realm whose generation was acknowledged.
    public static func recordProblems(_ realm: Realm, acknowledged: Int) -> [String] {
        let generation = generation(realm)
        if generation < acknowledged {
            return [
                "The records have the generation \(generation); \(acknowledged) was acknowledged."
            ]
        }
        let expected = generation == 0 ? 0 : recordCount
        var found = 0
        var wrong = 0
        if realm.configuration.schemaVersion == 0 {
            for record in realm.objects(Before.Record.self) {
                found += 1
                if record.generation != generation || record.value != value(record.id, generation) {
                    wrong += 1
                }
            }
        } else {
            for record in realm.objects(After.Record.self) {
                found += 1
                if record.generation != generation
                    || record.value != String(value(record.id, generation))
                    || record.half != half(record.id, generation)
                {
                    wrong += 1
                }
            }
        }
        if found == expected, wrong == 0 { return [] }
        return [
            """
            Of \(expected) records of generation \(generation), \(found) are there, and \
            \(wrong) are wrong.
            """
        ]
    }
}
