import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Files in which something leads to rows that do not exist, with right checksums everywhere.
enum Damaged {
    static let types: [ObjectBase.Type] = [Item.self, Keyed.self, Part.self, Box.self]

    enum Level: Int, PersistableEnum {
        case low = 3, high = 5
    }

    /// Without a primary key.
    final class Item: Object {
        @Persisted var text = ""
        @Persisted(indexed: true) var number = 7
        @Persisted var optional: Int? = 4
        @Persisted var data = Data([1])
        @Persisted var level = Level.high
        @Persisted var any: AnyRealmValue = .int(1)
        @Persisted var friend: Item?
        @Persisted var part: Part?
        @Persisted var words: List<String>
        @Persisted var friends: List<Item>
        @Persisted var marks: Map<String, Int>
        @Persisted var ids: MutableSet<Int>
        @Persisted(originProperty: "item") var boxes: LinkingObjects<Box>
        @Persisted(originProperty: "items") var lists: LinkingObjects<Box>
    }

    /// Whose program chooses the row keys.
    final class Keyed: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var text = ""
    }

    final class Part: EmbeddedObject {
        @Persisted var name = ""
        @Persisted var inner: Part?
    }

    final class Box: Object {
        @Persisted(primaryKey: true) var name = ""
        @Persisted var item: Item?
        @Persisted var keyed: Keyed?
        @Persisted var part: Part?
        @Persisted var items: List<Item>
        @Persisted var keyeds: List<Keyed>
        @Persisted var parts: List<Part>
        @Persisted var itemSet: MutableSet<Item>
        @Persisted var itemMap: Map<String, Item?>
        @Persisted var partMap: Map<String, Part?>
        @Persisted var any: AnyRealmValue
        @Persisted var nested: AnyRealmValue
        @Persisted var anys: List<AnyRealmValue>
        @Persisted var nestedElements: List<AnyRealmValue>
        @Persisted var anyMap: Map<String, AnyRealmValue>
    }

    /// The file, with a realm on the calling thread.
    struct File {
        let realm: Realm
        let store: Store
        /// Leads to three objects in each way, of which the one in the middle has no row.
        var box: Box { realm.object(ofType: Box.self, forPrimaryKey: "box")! }
        /// Sound.
        var other: Box { realm.object(ofType: Box.self, forPrimaryKey: "other")! }

        /// That damage is known: nothing is committed, and the check says so.
        func expectDamageKnown(sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(store.isDamaged, sourceLocation: sourceLocation)
            if realm.isInWriteTransaction {
                let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
                    try realm.commitWrite()
                }
                #expect(error?.code == .corrupted, sourceLocation: sourceLocation)
            }
            let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
                try realm.write {}
            }
            #expect(error?.code == .corrupted, sourceLocation: sourceLocation)
            do { #expect(!(try realm.check().isEmpty), sourceLocation: sourceLocation) } catch {
                #expect((error as? Realm.Error)?.code == .corrupted, sourceLocation: sourceLocation)
            }
        }
    }

    /// What loses its rows.
    enum Loss { case targets, sources }

    /// - Parameters:
    ///   - loss: The targets in the middle, or the box that links to them: then the indexes
    ///     still say that it does.
    ///   - keepsIndexes: Whether the rows that are gone are still in the indexes.
    static func withFile(
        _ loss: Loss = .targets, keepsIndexes: Bool = false, _ body: (File) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: types))
            var lost: [String: [Int64]] = [:]
            try realm.write {
                for name in ["box", "other"] {
                    let box = fill(realm, name)
                    guard name == "box" else { continue }
                    lost =
                        switch loss {
                        case .targets:
                            [
                                "Damaged_Item": [box.items[1].key],
                                "Damaged_Keyed": [box.keyeds[1].key],
                                "Damaged_Part": [
                                    box.part!.key, box.parts[1].key, box.partMap["b"]!!.key,
                                ],
                            ]
                        case .sources: ["Damaged_Box": [box.key]]
                        }
                }
            }
            let store = try Store.open(Store.Options(path: directory.file().path))
            let indexes = try entries(of: .indexes, store)
            let writeSet = try store.beginWrite()
            for (name, keys) in lost {
                try writeSet.mutableTable(writeSet.catalog[name]!.id).deleteRows(
                    keys.sorted(), areUnlinked: true)
            }
            _ = try store.commit(writeSet)
            if keepsIndexes || loss == .sources {
                try store.environment.writer.begin().commit { transaction in
                    try transaction.deleteAll(.indexes)
                    for (key, value) in indexes {
                        try key.withUnsafeBytes { key in
                            try value.withUnsafeBytes {
                                try transaction.put(.indexes, key: key, value: $0)
                            }
                        }
                    }
                }
            }
            realm.refresh()
            #expect(!store.isDamaged)
            try body(File(realm: realm, store: store))
            if realm.isInWriteTransaction { realm.cancelWrite() }
        }
    }

    /// Changes the value of each entry of some databases, in a version of its own. Checksums of
    /// the storage's stay as they are; those of an encrypted file are made anew.
    ///
    /// - Returns: How many entries are others now.
    @discardableResult
    static func changeEntries(
        of databases: [Database], _ store: Store, _ change: (inout [UInt8]) -> Void
    ) throws -> Int {
        var count = 0
        for database in databases {
            let stored = try entries(of: database, store)
            try store.environment.writer.begin().commit { transaction in
                for (key, var value) in stored {
                    let old = value
                    change(&value)
                    if value == old { continue }
                    count += 1
                    try key.withUnsafeBytes { key in
                        try value.withUnsafeBytes {
                            try transaction.put(database, key: key, value: $0)
                        }
                    }
                }
            }
        }
        return count
    }

    /// Removes the entries whose value a condition holds for, in a version of its own.
    static func removeEntries(
        of database: Database, _ store: Store, where isRemoved: ([UInt8]) -> Bool
    ) throws {
        _ = try removeEntries(of: database, store) { _, value in isRemoved(value) }
    }

    /// Removes the entries whose key and value a condition holds for, in a version of its own.
    ///
    /// - Returns: How many.
    static func removeEntries(
        of database: Database, _ store: Store,
        where isRemoved: (_ key: [UInt8], _ value: [UInt8]) -> Bool
    ) throws -> Int {
        let removed = try entries(of: database, store).filter { isRemoved($0.key, $0.value) }
        try store.environment.writer.begin().commit { transaction in
            for (key, _) in removed {
                try key.withUnsafeBytes { _ = try transaction.delete(database, key: $0) }
            }
        }
        return removed.count
    }

    static func contains(_ sought: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.indices.contains {
            $0 + sought.count <= bytes.count && bytes[$0..<$0 + sought.count].elementsEqual(sought)
        }
    }

    /// Puts other bytes in the place of some that are as many.
    static func replace(_ old: [UInt8], by new: [UInt8], in bytes: inout [UInt8]) {
        precondition(old.count == new.count, "the length stays")
        var start = 0
        while start + old.count <= bytes.count {
            if bytes[start..<start + old.count].elementsEqual(old) {
                bytes.replaceSubrange(start..<start + old.count, with: new)
            }
            start += 1
        }
    }

    private static func fill(_ realm: Realm, _ name: String) -> Box {
        let box = realm.create(Box.self, value: ["name": name])
        let base = name == "box" ? 0 : 10
        for (index, key) in ["a", "b", "c"].enumerated() {
            let item = Item()
            item.text = "item \(index)"
            item.number = base + index
            let keyed = Keyed()
            keyed.id = base + index
            keyed.text = "keyed \(index)"
            box.items.append(item)
            box.keyeds.append(keyed)
            box.itemSet.insert(item)
            box.itemMap[key] = item
            let part = Part()
            part.name = "part \(index)"
            box.parts.append(part)
            let mapped = Part()
            mapped.name = "mapped \(index)"
            box.partMap[key] = mapped
        }
        box.item = box.items[1]
        box.keyed = box.keyeds[1]
        let part = Part()
        part.name = "part"
        part.inner = Part()
        box.part = part
        box.any = .object(box.items[1])
        box.nested = .fromArray([
            .object(box.items[1]), .string("text"), .fromDictionary(["k": .object(box.keyeds[1])]),
        ])
        box.anys.append(objectsIn: [.int(1), .object(box.items[1]), .object(box.items[2])])
        box.nestedElements.append(.fromArray([.int(1)]))
        box.anyMap["k"] = .object(box.items[1])
        return box
    }

    private static func entries(of database: Database, _ store: Store) throws -> [(
        key: [UInt8], value: [UInt8]
    )] {
        let transaction = try store.environment.read()
        var cursor = try transaction.cursor(database)
        var entries: [(key: [UInt8], value: [UInt8])] = []
        var entry = try cursor.first()
        while let current = entry {
            entries.append((Array(current.key), Array(current.value)))
            entry = try cursor.next()
        }
        return entries
    }
}
