public import Foundation
public import Freehold

/// A class in a chain of versions without end: its properties are renamed, get other types and
/// other indexes, come and go. Each migration changes every record and makes one more, so what
/// a file must hold follows from its version.
public enum VersionedWorkload {
    /// Declares a class of one version: the name in the file is the same in all of them.
    class Versioned: Object {
        override class func className() -> String { "Record" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private enum First {
        final class Record: Versioned {
            @Persisted(primaryKey: true) var id = 0
            @Persisted(indexed: true) var value = 0
            @Persisted var title = ""
            @Persisted var numbers: List<Int>
        }
    }

    private enum Second {
        final class Record: Versioned {
            @Persisted(primaryKey: true) var id = 0
            @Persisted(indexed: true) var value = ""
            @Persisted(indexed: true) var name = ""
            @Persisted var numbers: List<Int>
            @Persisted var previous: Record?
        }
    }

    private enum Third {
        final class Record: Versioned {
            @Persisted var id = 0
            @Persisted var value = 0.0
            @Persisted(primaryKey: true) var name = ""
            @Persisted var former: Record?
        }
    }

    public static let recordsAtFirst = 600

    /// How a file is opened at a version, and brought to it from the one before.
    public static func configuration(_ path: String, version: Int, encryptionKey: Data? = nil)
        -> Realm.Configuration
    {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), encryptionKey: encryptionKey,
            schemaVersion: UInt64(version),
            migrationBlock: { migration, old in migrate(migration, to: Int(old) + 1) },
            objectTypes: [type(of: version)])
    }

    /// The version that a file is at; 0 if there is none, or its process ended before it had
    /// classes.
    public static func version(ofFileAt path: String, encryptionKey: Data? = nil) throws -> Int {
        do {
            return Int(
                try schemaVersionAtURL(URL(fileURLWithPath: path), encryptionKey: encryptionKey))
        } catch let error as Realm.Error where error.message.hasSuffix("has not been initialized.")
        {
            return 0
        }
    }

    /// Files begin at version 1.
    private static func type(of version: Int) -> ObjectBase.Type {
        switch version % 3 {
        case 1: First.Record.self
        case 2: Second.Record.self
        default: Third.Record.self
        }
    }

    /// In a write of a new file.
    public static func fill(_ realm: Realm) {
        for id in 0..<recordsAtFirst {
            realm.create(
                First.Record.self,
                value: ["id": id, "value": value(id, 1), "title": title(id), "numbers": [id, 1]])
        }
    }

    private static func migrate(_ migration: Migration, to version: Int) {
        switch version % 3 {
        case 1: migration.renameProperty(onType: "Record", from: "name", to: "title")
        case 2: migration.renameProperty(onType: "Record", from: "title", to: "name")
        default: migration.renameProperty(onType: "Record", from: "previous", to: "former")
        }
        var last: MigrationObject?
        migration.enumerateObjects(ofType: "Record") { _, record in
            guard let record, let id = record["id"] as? Int else { return }
            set(record, id, version, previous: last)
            last = record
        }
        let id = recordsAtFirst + version - 2
        let name = version % 3 == 1 ? "title" : "name"
        let made = migration.create("Record", value: ["id": id, name: title(id)])
        set(made, id, version, previous: last)
        // The links of the others were renamed.
        if version % 3 == 0 { made["former"] = last }
    }

    private static func set(
        _ record: MigrationObject, _ id: Int, _ version: Int, previous: MigrationObject?
    ) {
        switch version % 3 {
        case 1:
            record["value"] = value(id, version)
            record["numbers"] = [id, version]
        case 2:
            record["value"] = "\(value(id, version))"
            record["numbers"] = [id, version]
            record["previous"] = previous
        default: record["value"] = Double(value(id, version))
        }
    }

    private static func value(_ id: Int, _ version: Int) -> Int { id &* 31 &+ version }
    private static func title(_ id: Int) -> String {
        String(repeating: "title \(id) ", count: id % 97 == 5 ? 200 : 1)
    }

    /// What is wrong with a realm that was opened at the version of its file. Of version 1
    /// there may be nothing yet.
    public static func problems(_ realm: Realm, version: Int, isFilled: Bool) throws -> [String] {
        var problems = try realm.check()
        let records = realm.dynamicObjects("Record").sorted(byKeyPath: "id")
        let expected = recordsAtFirst + version - 1
        if records.count == 0, version == 1, !isFilled { return problems }
        if records.count != expected {
            problems.append("Version \(version) has \(records.count) records, not \(expected).")
        }
        for (id, record) in records.enumerated() {
            let isRight: Bool
            switch version % 3 {
            case 1:
                isRight =
                    record["value"] as? Int == value(id, version)
                    && record["title"] as? String == title(id)
            case 2:
                isRight =
                    record["value"] as? String == "\(value(id, version))"
                    && record["name"] as? String == title(id)
                    && (record["previous"] as? ObjectBase)?["id"] as? Int == (id > 0 ? id - 1 : nil)
            default:
                isRight =
                    record["value"] as? Double == Double(value(id, version))
                    && record["name"] as? String == title(id)
                    && (record["former"] as? ObjectBase)?["id"] as? Int == (id > 0 ? id - 1 : nil)
            }
            if record["id"] as? Int != id || !isRight {
                problems.append("Record \(id) of version \(version) is wrong.")
                break
            }
            guard version % 3 != 0 else { continue }
            if (record["numbers"] as? List<Int>).map(Array.init) != [id, version] {
                problems.append("The list of record \(id) of version \(version) is wrong.")
                break
            }
        }
        return problems
    }
}
