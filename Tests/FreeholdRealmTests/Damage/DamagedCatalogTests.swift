import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Catalogs with bytes that are wrong and a checksum that is right: opening, migrating and
/// reading the file throws, or finds what the catalog says now, and ends no process.
@Suite struct DamagedCatalogTests {
    // No mixed values and no enums: sound files with other classes end the process at these.
    final class Item: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var first = ""
        @Persisted var firsd = ""
        @Persisted(indexed: true) var number = 7
        @Persisted var optional: Int? = 4
        @Persisted var friend: Item?
        @Persisted var part: Part?
        @Persisted var words: List<String>
        @Persisted var friends: List<Item>
    }

    final class Part: EmbeddedObject {
        @Persisted var name = ""
    }

    private static func configuration(_ url: URL) -> Realm.Configuration {
        var configuration = Realm.Configuration(fileURL: url, objectTypes: [Item.self, Part.self])
        configuration.durability = .none
        return configuration
    }

    private static func makeFile(_ url: URL) throws {
        let realm = try Realm(configuration: configuration(url))
        try realm.write {
            let item = realm.create(Item.self)
            item.words.append("word")
            item.friends.append(item)
            item.part = Part(value: ["name": "part"])
        }
    }

    /// Changes the catalog's bytes, without the checksum, which is put right.
    private static func damageCatalog(of url: URL, _ change: (inout [UInt8]) -> Void) throws {
        var options = Store.Options(path: url.path)
        options.durability = .none
        let count = try Damaged.changeEntries(of: [.meta], Store.open(options)) { bytes in
            guard bytes.withUnsafeBytes({ Catalog(decoding: $0) }) != nil else { return }
            bytes.removeLast(8)
            change(&bytes)
            let checksum = bytes.withUnsafeBytes { Checksum.xxh64($0) }
            withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
        }
        try #require(count <= 1)
    }

    private static func migrate(_ url: URL) throws {
        var configuration = configuration(url)
        configuration.schemaVersion = 1
        configuration.migrationBlock = { migration, _ in
            for schema in migration.oldSchema.objectSchema where !schema.isEmbedded {
                migration.enumerateObjects(ofType: schema.className) { old, _ in
                    old.map(Self.read)
                }
            }
        }
        try read(Realm(configuration: configuration))
    }

    private static func read(_ realm: Realm) throws {
        for schema in realm.schema.objectSchema {
            for object in realm.dynamicObjects(schema.className) { read(object) }
        }
        _ = try realm.check()
    }

    private static func read(_ object: DynamicObject) {
        for property in object.objectSchema.properties { _ = object[property.name] }
    }

    @Test func bytesAtRandom() throws {
        var generator = Seed.random()
        try withTemporaryDirectory { directory in
            let sound = directory.file("sound.realm")
            try Self.makeFile(sound)
            for number in 0..<300 {
                let file = directory.file("\(number).realm")
                try FileManager.default.copyItem(at: sound, to: file)
                try Self.damageCatalog(of: file) { bytes in
                    let offset = generator.int(0...bytes.count - 1), old = bytes[offset]
                    let any = UInt8(generator.int(0...255))
                    bytes[offset] = generator.pick([0, 1, old ^ 1, old &+ 1, any])
                }
                let configuration = Self.configuration(file)
                do { try Self.read(Realm(configuration: configuration)) } catch is Realm.Error {}
                do { try Self.migrate(file) } catch is Realm.Error {}
            }
        }
    }

    @Test func twoColumnsOfOneName() throws {
        try withTemporaryDirectory { directory in
            let file = directory.file()
            try Self.makeFile(file)
            try Self.damageCatalog(of: file) {
                Damaged.replace(Array("firsd".utf8), by: Array("first".utf8), in: &$0)
            }
            let error = #expect(throws: Realm.Error.self) { try Self.migrate(file) }
            #expect(error?.code == .corrupted)
        }
    }

    /// Tables have ids from 1 on, and there are two.
    @Test func aLinkToNoTable() throws {
        try withTemporaryDirectory { directory in
            let file = directory.file()
            try Self.makeFile(file)
            try Self.damageCatalog(of: file) { bytes in
                // After the name: type, flags, shape and type of the elements.
                bytes[Self.place(of: "friend", in: bytes) + "friend".utf8.count + 4] = 9
            }
            let error = #expect(throws: Realm.Error.self) { try Self.migrate(file) }
            #expect(error?.code == .corrupted)
        }
    }

    /// Columns whose types no declaration lets a primary key have: booleans, doubles, links,
    /// collections.
    @Test(arguments: [("optional", UInt8(2)), ("optional", 4), ("friend", nil), ("words", nil)])
    func aPrimaryKeyThatCannotBeOne(name: String, type: UInt8?) throws {
        try withTemporaryDirectory { directory in
            let file = directory.file()
            try Self.makeFile(file)
            try Self.damageCatalog(of: file) { bytes in
                // A column's id is before the length of its name.
                let column = Self.place(of: name, in: bytes)
                if let type { bytes[column + name.utf8.count] = type }
                // A table's primary key is after its name.
                let table =
                    Self.place(of: Item.className(), in: bytes) + Item.className().utf8.count
                bytes[table] = bytes[column - 4]
                bytes[table + 1] = bytes[column - 3]
            }
            let opened = #expect(throws: Realm.Error.self) {
                _ = try Realm(configuration: Self.configuration(file))
            }
            #expect(opened?.code == .corrupted)
            let migrated = #expect(throws: Realm.Error.self) { try Self.migrate(file) }
            #expect(migrated?.code == .corrupted)
        }
    }

    /// Where a name begins, which its length (UInt16) precedes.
    private static func place(of name: String, in bytes: [UInt8]) -> Int {
        let count = name.utf8.count
        let named = [UInt8(count), 0] + Array(name.utf8)
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: named) }) else {
            Issue.record("\(name) is not in the catalog")
            return 2
        }
        return place + 2
    }
}
