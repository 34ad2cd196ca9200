import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private enum V1 {
    final class Everything: Versioned {
        override class func className() -> String { "Everything" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var bool = false
        @Persisted(indexed: true) var int = 0
        @Persisted var float: Float = 0
        @Persisted var double = 0.0
        @Persisted(indexed: true) var text = ""
        @Persisted(indexed: .fullText) var words = ""
        @Persisted var data = Data()
        @Persisted(indexed: true) var date = Date(timeIntervalSince1970: 0)
        @Persisted(indexed: true) var uuid = UUID(
            uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        @Persisted(indexed: true) var objectId = ObjectId("000000000000000000000000")
        @Persisted var decimal: Decimal128 = 0
        @Persisted var any: AnyRealmValue
        @Persisted var optionalInt: Int?
        @Persisted(indexed: true) var optionalText: String?
        @Persisted var optionalDate: Date?
        @Persisted var link: Everything?
        @Persisted var tag: Tag?
        @Persisted var part: Part?
        @Persisted var ints: List<Int>
        @Persisted var optionalTexts: List<String?>
        @Persisted var links: List<Everything>
        @Persisted var parts: List<Part>
        @Persisted var set: MutableSet<String>
        @Persisted var map: Map<String, Double>
        @Persisted var linkMap: Map<String, Tag?>
        @Persisted var anys: List<AnyRealmValue>
        @Persisted var removed = ""
        @Persisted var removedList: List<String>
    }

    final class Tag: Versioned {
        override class func className() -> String { "Tag" }
        @Persisted(primaryKey: true) var name: String?
        @Persisted var count = 0
    }

    final class Part: VersionedEmbedded {
        override class func className() -> String { "Part" }
        @Persisted var text = ""
        @Persisted var part: Part?
    }

    static let all: [ObjectBase.Type] = [Everything.self, Tag.self, Part.self]
}

/// `V1` with renamed, converted and removed properties, and another primary key of one class.
private enum V2 {
    final class Everything: Versioned {
        override class func className() -> String { "Everything" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var bool = 0
        @Persisted(indexed: true) var number = 0
        @Persisted(indexed: true) var text: String?
        @Persisted(indexed: .fullText) var sentence = ""
        @Persisted(indexed: true) var uuid = ""
        @Persisted var next: Everything?
        @Persisted var tag: Tag?
        @Persisted var part: Part?
        @Persisted var ints: List<Int?>
        @Persisted var references: List<Everything>
        @Persisted var parts: List<Part>
        @Persisted var added: List<Tag>
    }

    final class Tag: Versioned {
        override class func className() -> String { "Tag" }
        @Persisted var name: String?
        @Persisted(primaryKey: true) var count = 0
    }

    final class Part: VersionedEmbedded {
        override class func className() -> String { "Part" }
        @Persisted var text = ""
        @Persisted var part: Part?
    }

    static let all: [ObjectBase.Type] = [Everything.self, Tag.self, Part.self]

    static let migration: MigrationBlock = { migration, _ in
        migration.renameProperty(onType: "Everything", from: "int", to: "number")
        migration.renameProperty(onType: "Everything", from: "words", to: "sentence")
        migration.renameProperty(onType: "Everything", from: "link", to: "next")
        migration.renameProperty(onType: "Everything", from: "links", to: "references")
    }
}

/// Files of each shape are kept for ever, and opened by each build. `Tests/Golden` has a
/// directory for each format; what is in it is what `fill` and the migration wrote.
///
/// For a new format, set `format`, run `FREEHOLD_WRITE_GOLDEN=1 swift test --filter
/// GoldenFileTests`, and commit the directory. Those of releases stay; drafts are read by no
/// other build, and are deleted. `encrypted` has a key of its own (``MigratedFile/key``), and
/// is what `fillEncrypted` wrote.
@Suite(.disabled(if: EncryptedSuite.isOn, "Most of the files that are kept are not encrypted."))
struct GoldenFileTests {
    private static let format = "draft-11"
    private static let count = 600

    private static var folder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("Golden").appendingPathComponent(format)
    }

    // MARK: What is in the files

    private static func fill(_ realm: Realm) throws {
        try realm.write {
            let tags = (0..<5).map {
                V1.Tag(
                    value: ["name": $0 == 0 ? nil : "tag \($0)", "count": $0 * 10] as [String: Any?]
                )
            }
            realm.add(tags)
            var last: V1.Everything?
            for id in 0..<count {
                let object = realm.create(V1.Everything.self, value: ["id": id * 3])
                (object.bool, object.int, object.float, object.double) = (
                    id % 2 == 0, id % 50, Float(id) / 2, Double(id) / 3
                )
                object.text =
                    id % 200 == 7 ? String(repeating: "länger ", count: 400) : "text \(id % 40)"
                object.words = "The \(id)th sentence has words"
                object.data = Data((0..<(id % 20)).map { UInt8($0) })
                object.date = Date(timeIntervalSince1970: Double(id) * 1_000)
                object.uuid = UUID(
                    uuid: (
                        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(id / 256),
                        UInt8(id % 256)
                    ))
                object.objectId = try ObjectId(string: String(format: "%024x", id))
                object.decimal = Decimal128(id) / 8
                let anys: [AnyRealmValue] = [
                    .int(id), .string("any \(id)"), .object(tags[id % 5]), .none,
                    .fromArray([.int(1), .double(2.5)]),
                ]
                object.any = anys[id % 5]
                (object.optionalInt, object.optionalText) =
                    id % 3 == 0 ? (nil, nil) : (id, "o\(id % 7)")
                object.optionalDate = id % 4 == 0 ? nil : object.date
                object.link = last
                object.tag = tags[id % 5]
                object.part =
                    id % 6 == 0
                    ? nil
                    : V1.Part(
                        value: ["text": "part \(id)", "part": ["text": "inner"]] as [String: Any])
                object.ints.append(objectsIn: 0..<(id % 100 == 50 ? 1_500 : id % 5))
                object.optionalTexts.append(objectsIn: [nil, "t\(id)"])
                if let last { object.links.append(objectsIn: [last, last]) }
                if id % 10 == 0 {
                    object.parts.append(
                        objectsIn: (0..<3).map { V1.Part(value: ["text": "listed \($0)"]) })
                }
                object.set.insert(objectsIn: ["a", "b\(id % 3)"])
                object.map["x"] = Double(id)
                object.linkMap["tag"] = .some(tags[(id + 1) % 5])
                object.anys.append(objectsIn: [.int(id), .bool(true), .object(tags[0])])
                object.removed = String(repeating: "r", count: id % 60 == 0 ? 2_000 : 5)
                object.removedList.append(
                    objectsIn: (0..<(id % 100 == 0 ? 900 : 1)).map { "\($0)" })
                last = object
            }
            realm.delete(
                realm.objects(V1.Everything.self).where { $0.id >= 1_500 && $0.id < 1_560 })
        }
    }

    private static let ids = (0..<count).map { $0 * 3 }.filter { !(1_500..<1_560).contains($0) }

    private func expectVersion1(_ realm: Realm) throws {
        let objects = realm.objects(V1.Everything.self)
        #expect(objects.map(\.id) == Self.ids)
        for object in objects {
            let id = object.id / 3
            #expect(
                (object.bool, object.int, object.float, object.double) == (
                    id % 2 == 0, id % 50, Float(id) / 2, Double(id) / 3
                ))
            #expect(
                object.text
                    == (id % 200 == 7
                        ? String(repeating: "länger ", count: 400) : "text \(id % 40)"))
            #expect(object.data.count == id % 20)
            #expect(object.date == Date(timeIntervalSince1970: Double(id) * 1_000))
            #expect(object.objectId == (try ObjectId(string: String(format: "%024x", id))))
            #expect(object.decimal == Decimal128(id) / 8)
            switch id % 5 {
            case 0: #expect(object.any == .int(id))
            case 2: #expect(object.any.object(V1.Tag.self)?.count == 20)
            case 4: #expect(object.any.listValue?.count == 2)
            default: break
            }
            #expect(object.optionalText == (id % 3 == 0 ? nil : "o\(id % 7)"))
            #expect(object.link?.id == (id == 0 || id == 520 ? nil : object.id - 3))
            #expect(object.links.count == (id == 0 || id == 520 ? 0 : 2))
            #expect(object.part?.part?.text == (id % 6 == 0 ? nil : "inner"))
            #expect(object.ints.count == (id % 100 == 50 ? 1_500 : id % 5))
            #expect(object.parts.count == (id % 10 == 0 ? 3 : 0))
            #expect(object.set.contains("b\(id % 3)"))
            #expect(object.map["x"] == Double(id))
            #expect(object.removedList.count == (id % 100 == 0 ? 900 : 1))
        }
        #expect(objects.where { $0.int == 7 }.count == Self.ids.filter { $0 / 3 % 50 == 7 }.count)
        #expect(objects.where { $0.words.fullText("77th") }.count == 1)
        #expect(realm.object(ofType: V1.Tag.self, forPrimaryKey: "tag 3")?.count == 30)
    }

    private func expectVersion2(_ realm: Realm) throws {
        let objects = realm.objects(V2.Everything.self)
        #expect(objects.map(\.id) == Self.ids)
        for object in objects {
            let id = object.id / 3
            #expect((object.bool, object.number) == (id % 2 == 0 ? 1 : 0, id % 50))
            #expect(
                object.text
                    == (id % 200 == 7
                        ? String(repeating: "länger ", count: 400) : "text \(id % 40)"))
            #expect(object.uuid.hasPrefix("01020304-"))
            #expect(object.next?.id == (id == 0 || id == 520 ? nil : object.id - 3))
            #expect(object.references.count == (id == 0 || id == 520 ? 0 : 2))
            #expect(object.part?.part?.text == (id % 6 == 0 ? nil : "inner"))
            #expect(object.ints.count == (id % 100 == 50 ? 1_500 : id % 5))
            #expect(object.tag?.count == id % 5 * 10)
            #expect(object.added.isEmpty)
        }
        #expect(
            objects.where { $0.number == 7 }.count == Self.ids.filter { $0 / 3 % 50 == 7 }.count)
        #expect(objects.where { $0.sentence.fullText("77th") }.count == 1)
        #expect(realm.object(ofType: V2.Tag.self, forPrimaryKey: 30)?.name == "tag 3")
        // Everything that the file has can be changed and deleted.
        try realm.write {
            for object in objects where object.id % 2 == 0 { object.text = "changed" }
            realm.delete(objects.where { $0.number < 25 })
            realm.create(V2.Tag.self, value: ["count": 31, "name": "new"] as [String: Any])
        }
    }

    // MARK: Tests

    private func withGolden(
        _ name: String, isEncrypted: Bool = false, _ body: (MigratedFile) throws -> Void
    ) throws {
        try withMigratedFile(isEncrypted: isEncrypted) { file in
            try Gzip.decompress(
                Self.folder.appendingPathComponent("\(name).realm.gz"),
                to: file.directory.file())
            try body(file)
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil))
    func write() throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try withMigratedFile { file in
            try file.with(V1.all, version: 1) { realm in try Self.fill(realm) }
            try Gzip.compress(
                file.directory.file(),
                to: Self.folder.appendingPathComponent("version1.realm.gz"))
            try file.with(V2.all, version: 2, migrating: V2.migration) { _ in }
            try Gzip.compress(
                file.directory.file(),
                to: Self.folder.appendingPathComponent("version2.realm.gz"))
        }
    }

    /// Small, for what is encrypted cannot be compressed.
    private static func fillEncrypted(_ realm: Realm) throws {
        try realm.write {
            realm.add(
                (0..<300).map {
                    V1.Tag(value: ["name": "tag \($0)", "count": $0 * 1_000_003] as [String: Any])
                })
            let object = realm.create(V1.Everything.self, value: ["id": 7])
            object.text = String(repeating: "länger ", count: 400)
            object.words = "An encrypted sentence"
            object.ints.append(objectsIn: 0..<1_500)
            object.tag = realm.object(ofType: V1.Tag.self, forPrimaryKey: "tag 3")
        }
        // Records that a later transaction wrote beside those of the first.
        try realm.write { realm.object(ofType: V1.Tag.self, forPrimaryKey: "tag 250")?.count = -1 }
    }

    private func expectEncrypted(_ realm: Realm) throws {
        let tags = realm.objects(V1.Tag.self)
        #expect(tags.count == 300)
        for number in 0..<300 {
            #expect(
                realm.object(ofType: V1.Tag.self, forPrimaryKey: "tag \(number)")?.count
                    == (number == 250 ? -1 : number * 1_000_003))
        }
        let object = try #require(
            realm.objects(V1.Everything.self).where { $0.words.fullText("sentence") }.first)
        #expect(object.id == 7 && object.text.utf8.count == 3_200 && object.tag?.name == "tag 3")
        #expect(object.ints.elementsEqual(0..<1_500))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil))
    func writeEncrypted() throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try withMigratedFile(isEncrypted: true) { file in
            try file.with(V1.all, version: 1) { realm in try Self.fillEncrypted(realm) }
            try Gzip.compress(
                file.directory.file(),
                to: Self.folder.appendingPathComponent("encrypted.realm.gz"))
        }
    }

    @Test(.disabled(if: ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil))
    func encryptedFilesAreRead() throws {
        try withGolden("encrypted", isEncrypted: true) { file in
            try file.with(V1.all, version: 1) { realm in
                try expectEncrypted(realm)
                try realm.write {
                    realm.create(V1.Tag.self, value: ["name": "new", "count": 1] as [String: Any])
                }
            }
            try file.with(V1.all, version: 1) { realm in
                #expect(realm.objects(V1.Tag.self).count == 301)
            }
        }
    }

    @Test(.disabled(if: ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil))
    func filesAreRead() throws {
        try withGolden("version1") { file in
            try file.with(V1.all, version: 1) { realm in try expectVersion1(realm) }
            try file.with(V2.all, version: 2, migrating: V2.migration) { realm in
                try expectVersion2(realm)
            }
        }
        try withGolden("version2") { file in
            try file.with(V2.all, version: 2) { realm in try expectVersion2(realm) }
            try file.with(V1.all, version: 3) { _ in }
        }
    }

    @Test(.disabled(if: ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil))
    func filesAreReadWithoutWriting() throws {
        try withGolden("version1") { file in
            var configuration = file.configuration(V1.all, version: 1)
            configuration.readOnly = true
            try expectVersion1(try Realm(configuration: configuration))
        }
    }
}
