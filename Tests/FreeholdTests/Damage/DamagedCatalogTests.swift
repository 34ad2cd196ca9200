import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Catalogs with a byte that is wrong and a checksum that is right: opening, migrating and reading the file throws
/// `corrupted` or another error, or finds what the catalog says now, and ends no process.
@Suite struct DamagedCatalogTests {
    final class Item: Object {
        @Persisted var text = ""
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

    private static let types: [ObjectBase.Type] = [Item.self, Part.self]

    private struct Case: CustomStringConvertible {
        var offset: Int
        var value: UInt8
        var description: String { "byte \(offset) is \(value)" }
    }

    /// Has one object of each class that is not embedded.
    private static func makeFile(_ url: URL) throws -> [UInt8] {
        var configuration = Realm.Configuration(fileURL: url, objectTypes: types)
        configuration.durability = .none
        let realm = try Realm(configuration: configuration)
        try realm.write {
            let item = Item()
            item.words.append("word")
            item.friends.append(item)
            item.part = Part(value: ["name": "part"])
            realm.add(item)
        }
        return try catalog(of: configuration)
    }

    private static func catalog(of configuration: Realm.Configuration) throws -> [UInt8] {
        let store = try open(try #require(configuration.fileURL?.path))
        let transaction = try store.environment.read()
        return try Array("catalog".utf8).withUnsafeBytes { key in try transaction.value(.meta, key: key).map { Array($0) } ?? [] }
    }

    private static func open(_ path: String) throws -> Store {
        var options = Store.Options(path: path)
        options.durability = .none
        return try Store.open(options)
    }

    /// Opens a copy of the file with such a catalog.
    private static func open(_ file: URL, as copy: URL, _ catalog: [UInt8], _ change: Case) throws {
        try FileManager.default.copyItem(at: file, to: copy)
        var bytes = catalog
        bytes[change.offset] = change.value
        let checksum = bytes.dropLast(8).withUnsafeBytes { Checksum.xxh64($0) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange((bytes.count - 8)..., with: $0) }
        do {
            let store = try open(copy.path)
            try store.environment.writer.begin().commit { transaction in
                try Array("catalog".utf8).withUnsafeBytes { key in
                    try bytes.withUnsafeBytes { try transaction.put(.meta, key: key, value: $0) }
                }
            }
        }
        var configuration = Realm.Configuration(fileURL: copy, objectTypes: types)
        configuration.durability = .none
        // Without a change of the schema's version, with one, and by what is stored alone.
        do { try read(Realm(configuration: configuration)) } catch is Realm.Error {}
        configuration.schemaVersion = 1
        configuration.migrationBlock = { migration, _ in
            for schema in migration.oldSchema.objectSchema where !schema.isEmbedded {
                migration.enumerateObjects(ofType: schema.className) { old, _ in old.map(Self.read) }
            }
        }
        do { try read(Realm(configuration: configuration)) } catch is Realm.Error {}
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
        let seed = UInt64.testSeed()
        var generator = SeededGenerator(seed: seed)
        try withTemporaryDirectory { directory in
            let file = directory.file("sound.realm")
            let catalog = try Self.makeFile(file)
            for number in 0..<300 {
                let offset = Int.random(in: 0..<(catalog.count - 8), using: &generator)
                let value = [0, 1, catalog[offset] ^ 1, catalog[offset] &+ 1, .random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
                let change = Case(offset: offset, value: value)
                do { try Self.open(file, as: directory.file("\(number).realm"), catalog, change) } catch is StorageError {
                } catch { Issue.record("\(change), seed \(seed): \(error)") }
            }
        }
    }
}
