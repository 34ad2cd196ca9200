import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Archives of drafts are kept for ever, and restored by each build. `Tests/Golden` has a
/// directory for each format; what is in it is what `edit` made.
///
/// For a new format, set `format`, run `FREEHOLD_WRITE_GOLDEN=1 swift test --filter
/// GoldenArchiveTests`, and commit the directory. The old ones stay.
@Suite(.disabled(if: EncryptedSuite.isOn, "The archive that is kept is not encrypted."))
struct GoldenArchiveTests {
    private static let format = "archive-1"
    private static let isWriting =
        ProcessInfo.processInfo.environment["FREEHOLD_WRITE_GOLDEN"] != nil

    static var file: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Golden").appendingPathComponent(format)
            .appendingPathComponent("edits.archive")
    }

    // MARK: What is in the archive

    static func fill(_ realm: Realm) throws {
        try realm.write {
            for name in ["kept", "linked", "deleted"] {
                realm.create(GoldenArchive.Tag.self, value: ["name": name])
            }
            for text in ["first", "second"] {
                realm.create(GoldenArchive.Free.self, value: ["text": text])
            }
            for id in 1...2 {
                let object = realm.create(GoldenArchive.Everything.self, value: ["id": id])
                object.part = GoldenArchive.Part(value: ["text": "part \(id)"])
                object.parts.append(GoldenArchive.Part(value: ["text": "listed \(id)"]))
                object.ints.append(objectsIn: [1, 2, 3, 4])
                object.texts.append("old")
                object.strings.insert("old")
                object.numbers["old"] = 1
            }
        }
    }

    static func edit(_ draft: Draft) throws {
        let changed = try #require(
            draft.object(ofType: GoldenArchive.Everything.self, forPrimaryKey: 1))
        try set(changed, draft, 1)
        changed.increment(\.hits, by: 5)
        let added = draft.create(GoldenArchive.Everything.self, value: ["id": 3])
        try set(added, draft, 2)
        added.link = changed
        draft.delete(
            try #require(draft.object(ofType: GoldenArchive.Everything.self, forPrimaryKey: 2)))
        draft.delete(
            try #require(draft.object(ofType: GoldenArchive.Tag.self, forPrimaryKey: "deleted")))
        draft.objects(GoldenArchive.Free.self)[0].text = "changed"
        let free = draft.create(GoldenArchive.Free.self, value: ["text": "added"])
        free.everything = added
    }

    /// Gives each property a value that follows from a number.
    private static func set(
        _ object: GoldenArchive.Everything, _ draft: Draft, _ number: Int
    ) throws {
        let date = Date(timeIntervalSince1970: 1_000_000.25 * Double(number))
        let data = Data([0, UInt8(number), 255])
        let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
        let id = try ObjectId(string: "0123456789abcdef0123456\(number)")
        let decimal = Decimal128(number) / 8
        let tag = try #require(
            draft.object(ofType: GoldenArchive.Tag.self, forPrimaryKey: "linked"))
        object.bool = true
        (object.int, object.int8, object.int16) = (-number << 40, -8, 16_000)
        (object.int32, object.int64) = (-32 << 20, .min)
        (object.float, object.double) = (Float(number) / 3, .pi * Double(number))
        (object.text, object.data, object.date) = ("Zoë 🐟 \(number)", data, date)
        (object.uuid, object.objectId, object.decimal) = (uuid, id, decimal)
        object.mood = .curious
        object.any = .fromDictionary([
            "list": .fromArray([.int(1), .double(-0.5), .none, .bool(false)]),
            "text": .string("x"), "tag": .object(tag), "data": .data(data), "date": .date(date),
            "id": .objectId(id), "uuid": .uuid(uuid), "decimal": .decimal128(decimal),
            "float": .float(1.5),
        ])
        (object.optionalBool, object.optionalInt, object.optionalFloat) = (false, number, 0.5)
        (object.optionalDouble, object.optionalText, object.optionalData) = (0.25, "", data)
        (object.optionalDate, object.optionalUuid, object.optionalId) = (date, uuid, id)
        (object.optionalDecimal, object.optionalMood) = (decimal, .calm)
        (object.link, object.tag) = (object, tag)
        // Replaced, it would have another row in the draft than in the restored one.
        let part = object.part ?? GoldenArchive.Part()
        part.text = "new \(number)"
        part.part = GoldenArchive.Part(value: ["text": "inner"])
        object.part = part
        object.bools.append(objectsIn: [true, false])
        object.ints.insert(number, at: min(2, object.ints.count))
        object.floats.append(.infinity)
        object.doubles.append(objectsIn: [-0.0, .greatestFiniteMagnitude])
        object.texts.append(objectsIn: ["a", "b"])
        object.datas.append(data)
        object.dates.append(date)
        object.ids.append(id)
        object.uuids.append(uuid)
        object.decimals.append(decimal)
        object.anys.append(objectsIn: [.int(number), .none, .object(tag)])
        object.optionalInts.append(objectsIn: [nil, number])
        object.optionalTexts.append(objectsIn: ["x", nil])
        object.tags.append(objectsIn: [tag, tag])
        object.parts.append(GoldenArchive.Part(value: ["text": "appended"]))
        object.strings.insert(objectsIn: ["s", "t"])
        object.optionalNumbers.insert(objectsIn: [nil, number])
        object.tagSet.insert(tag)
        (object.numbers["x"], object.numbers["old"]) = (Double(number), nil)
        object.optionals["null"] = .some(nil)
        object.optionals["text"] = "text"
        object.tagMap["tag"] = .some(tag)
        object.partMap["part"] = .some(GoldenArchive.Part(value: ["text": "mapped"]))
        object.anyMap["any"] = .fromArray([.string("nested")])
    }

    /// The bytes without the checksum, the file and its version.
    private static func body(_ archive: Data) -> [UInt8] {
        let bytes = [UInt8](archive)
        return Array(bytes[..<9] + bytes[41...])
    }

    // MARK: Tests

    @Test(.enabled(if: isWriting)) func write() throws {
        try withTemporaryRealm(GoldenArchive.all) { realm in
            try Self.fill(realm)
            let draft = try realm.draft()
            try Self.edit(draft)
            try FileManager.default.createDirectory(
                at: Self.file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try draft.archive().write(to: Self.file)
        }
    }

    @Test(.disabled(if: isWriting)) func isRestored() throws {
        try withTemporaryRealm(GoldenArchive.all) { realm in
            try Self.fill(realm)
            let expected = try realm.draft()
            try Self.edit(expected)
            let archive = try Data(contentsOf: Self.file)
            let restored = try Draft(restoring: archive, in: realm)
            #expect(restored.changes == expected.changes)
            let dates = restored.changes[0].properties.first { $0.name == "dates" }
            #expect(dates?.new == .list([.date(Date(timeIntervalSince1970: 1_000_000.25))]))
            try Book.elsewhere(realm) {
                $0.object(ofType: GoldenArchive.Everything.self, forPrimaryKey: 1)?.hits = 100
            }
            try restored.save()
            let one = try #require(
                realm.object(ofType: GoldenArchive.Everything.self, forPrimaryKey: 1))
            #expect(one.hits == 105 && one.text == "Zoë 🐟 1" && one.int64 == .min)
            #expect(Array(one.ints) == [1, 2, 1, 3, 4] && one.decimal == Decimal128(1) / 8)
            #expect(
                one.any.dictionaryValue?["tag"]?.object(GoldenArchive.Tag.self)?.name == "linked")
            #expect(one.part?.part?.text == "inner" && one.parts.map(\.text).last == "appended")
            #expect(
                realm.objects(GoldenArchive.Free.self).map(\.text) == [
                    "changed", "second", "added",
                ])
            #expect(
                realm.objects(GoldenArchive.Tag.self).sorted(by: \.name).map(\.name) == [
                    "kept", "linked",
                ])
        }
    }

    /// A change of the format must not go unnoticed: it needs a new number.
    @Test(.disabled(if: isWriting)) func theSameEditsHaveTheSameBytes() throws {
        try withTemporaryRealm(GoldenArchive.all) { realm in
            try Self.fill(realm)
            let golden = Self.body(try Data(contentsOf: Self.file))
            // Nested collections have random identities, so all bytes that several archives of
            // these edits have in common are compared.
            let archives = try (0..<8).map { _ in
                let draft = try realm.draft()
                try Self.edit(draft)
                return Self.body(try draft.archive())
            }
            try #require(archives.allSatisfy { $0.count == golden.count })
            let different = golden.indices.filter { index in
                archives[0][index] != golden[index]
                    && archives.allSatisfy { $0[index] == archives[0][index] }
            }
            #expect(different.isEmpty)
        }
    }

    /// The byte after the magic is the format.
    @Test(.disabled(if: isWriting)) func otherFormats() throws {
        try withTemporaryRealm(GoldenArchive.all) { realm in
            var archive = try Data(contentsOf: Self.file)
            #expect(archive[..<9] == Data("FHDRAFT".utf8) + [1, 0])
            for (format, code) in [(2, Realm.Error.Code.invalidInput), (0, .corrupted)] {
                archive[7] = UInt8(format)
                let error = try #require(throws: Realm.Error.self) {
                    try Draft(restoring: archive, in: realm)
                }
                #expect(error.code == code)
                #expect(error.message.contains("later release") == (format == 2))
            }
        }
    }
}

/// Every type that a property can have. Not changed any more: ``GoldenArchiveTests`` keeps edits
/// of these.
enum GoldenArchive {
    class Kept: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class KeptEmbedded: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    enum Mood: String, PersistableEnum {
        case calm, curious
    }

    final class Everything: Kept {
        override class func _realmObjectName() -> String? { "Everything" }
        @Persisted(primaryKey: true) var id: Int
        @Persisted var hits: Int
        @Persisted var bool: Bool
        @Persisted(indexed: true) var int: Int
        @Persisted var int8: Int8
        @Persisted var int16: Int16
        @Persisted var int32: Int32
        @Persisted var int64: Int64
        @Persisted var float: Float
        @Persisted var double: Double
        @Persisted(indexed: .fullText) var text: String
        @Persisted var data: Data
        @Persisted var date = Date(timeIntervalSince1970: 0)
        @Persisted var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        @Persisted var objectId = ObjectId("000000000000000000000000")
        @Persisted var decimal: Decimal128
        @Persisted var mood = Mood.calm
        @Persisted var any: AnyRealmValue
        @Persisted var optionalBool: Bool?
        @Persisted var optionalInt: Int?
        @Persisted var optionalFloat: Float?
        @Persisted var optionalDouble: Double?
        @Persisted var optionalText: String?
        @Persisted var optionalData: Data?
        @Persisted var optionalDate: Date?
        @Persisted var optionalUuid: UUID?
        @Persisted var optionalId: ObjectId?
        @Persisted var optionalDecimal: Decimal128?
        @Persisted var optionalMood: Mood?
        @Persisted var link: Everything?
        @Persisted var tag: Tag?
        @Persisted var part: Part?
        @Persisted var bools: List<Bool>
        @Persisted var ints: List<Int>
        @Persisted var floats: List<Float>
        @Persisted var doubles: List<Double>
        @Persisted var texts: List<String>
        @Persisted var datas: List<Data>
        @Persisted var dates: List<Date>
        @Persisted var ids: List<ObjectId>
        @Persisted var uuids: List<UUID>
        @Persisted var decimals: List<Decimal128>
        @Persisted var anys: List<AnyRealmValue>
        @Persisted var optionalInts: List<Int?>
        @Persisted var optionalTexts: List<String?>
        @Persisted var tags: List<Tag>
        @Persisted var parts: List<Part>
        @Persisted var strings: MutableSet<String>
        @Persisted var optionalNumbers: MutableSet<Int?>
        @Persisted var tagSet: MutableSet<Tag>
        @Persisted var numbers: Map<String, Double>
        @Persisted var optionals: Map<String, String?>
        @Persisted var tagMap: Map<String, Tag?>
        @Persisted var partMap: Map<String, Part?>
        @Persisted var anyMap: Map<String, AnyRealmValue>
    }

    final class Tag: Kept {
        override class func _realmObjectName() -> String? { "Tag" }
        @Persisted(primaryKey: true) var name: String
        @Persisted(originProperty: "tags") var owners: LinkingObjects<Everything>
    }

    final class Part: KeptEmbedded {
        override class func _realmObjectName() -> String? { "Part" }
        @Persisted var text: String
        @Persisted var part: Part?
    }

    /// Without a primary key.
    final class Free: Kept {
        override class func _realmObjectName() -> String? { "Free" }
        @Persisted var text: String
        @Persisted var everything: Everything?
    }

    static let all: [ObjectBase.Type] = [Everything.self, Tag.self, Part.self, Free.self]
}
