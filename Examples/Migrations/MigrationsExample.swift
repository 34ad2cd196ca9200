import Foundation
import Freehold

/// Migrates a file of the first version to the third, step by step and directly: run it, and read
/// along.
@main
struct MigrationsExample {
    static func main() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "freehold-migrations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for skipsSecond in [false, true] {
            let example = MigrationsExample(
                file: directory.appendingPathComponent(skipsSecond ? "old.realm" : "regular.realm"))
            try example.writeFirstVersion()
            if !skipsSecond { try example.openSecondVersion() }
            try example.openThirdVersion()
        }
        try MigrationsExample(file: directory.appendingPathComponent("old.realm")).failToMigrate()
    }

    let file: URL

    /// The migration block of the newest program. It migrates from each version that was shipped.
    static let migration: MigrationBlock = { migration, oldVersion in
        if oldVersion < 2 {
            var cities: [String: MigrationObject] = [:]
            let newest = migration.newSchema["Contact"]
            let (name, city) = newest?["name"] != nil ? ("name", "city") : ("fullName", "home")
            migration.enumerateObjects(ofType: "Contact") { old, new in
                guard let old, let new else { return }
                new[name] =
                    "\(old["firstName"] as? String ?? "") \(old["lastName"] as? String ?? "")"
                let cityName = old["city"] as? String ?? ""
                let shared = cities[cityName] ?? migration.create("City", value: ["name": cityName])
                cities[cityName] = shared
                new[city] = shared
                // Numbers are converted to texts before the block runs. A property that still
                // exists needs no code.
                if newest?["phones"] != nil { new["phones"] = ["\(old["phone"] as? Int ?? 0)"] }
            }
            return
        }
        if oldVersion < 3 {
            // Takes constant time, and keeps the index and the links.
            migration.renameProperty(onType: "Contact", from: "city", to: "home")
            // The new property can be nil, so this migration visits all contacts.
            migration.renameProperty(onType: "Contact", from: "name", to: "fullName")
            migration.enumerateObjects(ofType: "Contact") { old, new in
                new?["phones"] = [old?["phone"] as? String ?? ""]
            }
        }
    }

    private func configuration(_ version: UInt64, _ types: [ObjectBase.Type]) -> Realm.Configuration
    {
        Realm.Configuration(
            fileURL: file, schemaVersion: version, migrationBlock: MigrationsExample.migration,
            objectTypes: types)
    }

    private func writeFirstVersion() throws {
        let realm = try Realm(configuration: configuration(1, [First.Contact.self]))
        try realm.write {
            for id in 1...10_000 {
                let values: [String: Any] = [
                    "id": id, "firstName": "Ada", "lastName": "No. \(id)", "phone": 5_550_000 + id,
                    "city": "City \(id % 20)",
                ]
                realm.create(First.Contact.self, value: values)
            }
        }
        print("version \(try schemaVersionAtURL(file)): 10000 contacts")
    }

    private func openSecondVersion() throws {
        let realm = try Realm(
            configuration: configuration(2, [Second.Contact.self, Second.City.self]))
        let contact = realm.objects(Second.Contact.self).where { $0.name == "Ada No. 77" }.first
        print(
            """
            version \(try schemaVersionAtURL(file)): \(contact?.name ?? "nobody"), \
            \(contact?.phone ?? "no phone"), lives in \(contact?.city?.name ?? "nowhere")
            """
        )
    }

    private func openThirdVersion() throws {
        try Realm.performMigration(for: configuration(3, [Third.Contact.self, Third.City.self]))
        let realm = try Realm(
            configuration: configuration(3, [Third.Contact.self, Third.City.self]))
        let contact = realm.object(ofType: Third.Contact.self, forPrimaryKey: 77)
        print(
            """
            version \(try schemaVersionAtURL(file)): \(contact?.fullName ?? "nobody"), \
            \(Array(contact?.phones ?? List())), with \
            \(contact?.home?.contacts.count ?? 0) others at home
            """
        )
        print(try realm.check().isEmpty ? "the file is sound" : "the file has problems")
    }

    private func failToMigrate() throws {
        struct NotToday: Error {}
        let newer = Realm.Configuration(
            fileURL: file, schemaVersion: 4,
            migrationBlock: { migration, _ in
                migration.deleteData(forType: "Contact")
                throw NotToday()
            }, objectTypes: [Third.Contact.self, Third.City.self])
        do {
            _ = try Realm(configuration: newer)
        } catch is NotToday {
            let realm = try Realm(
                configuration: configuration(3, [Third.Contact.self, Third.City.self]))
            print(
                """
                a migration that throws changes nothing: \
                \(realm.objects(Third.Contact.self).count) contacts of version \
                \(try schemaVersionAtURL(file))
                """
            )
        }
    }
}
