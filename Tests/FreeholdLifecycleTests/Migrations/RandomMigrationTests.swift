import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

// A class in four versions, each of which is migrated to the next, and the last one to the
// first: properties are renamed, converted, lost and back again, and the primary key goes from
// a number to a text and back.

private enum V1 {
    final class Record: Versioned {
        override class func className() -> String { "Record" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var code = ""
        @Persisted(indexed: true) var a = 0
        @Persisted var b = ""
        @Persisted var c: Int?
        @Persisted var list: List<Int>
        @Persisted var link: Record?
        @Persisted var part: Part?
    }

    final class Part: VersionedEmbedded {
        override class func className() -> String { "Part" }
        @Persisted var text = ""
    }
}

private enum V2 {
    final class Record: Versioned {
        override class func className() -> String { "Record" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var code = ""
        @Persisted(indexed: true) var a = ""
        @Persisted(indexed: true) var b: String?
        @Persisted var c = 0
        @Persisted var list: List<Int?>
        @Persisted var link: Record?
        @Persisted var part: Part?
    }

    final class Part: VersionedEmbedded {
        override class func className() -> String { "Part" }
        @Persisted var text = ""
    }
}

private enum V3 {
    final class Record: Versioned {
        override class func className() -> String { "Record" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var code = ""
        @Persisted var a = Data()
        @Persisted(indexed: .fullText) var title: String?
        @Persisted var c = 0.0
        @Persisted var list: List<Int?>
        @Persisted var next: Record?
        @Persisted var part: Part?
    }

    final class Part: VersionedEmbedded {
        override class func className() -> String { "Part" }
        @Persisted var words = ""
    }
}

private enum V4 {
    final class Record: Versioned {
        override class func className() -> String { "Record" }
        @Persisted var id = 0
        @Persisted(primaryKey: true) var code = ""
        @Persisted var a = 0
        @Persisted var title = ""
        @Persisted var c = ""
        @Persisted var next: Record?
    }
}

/// A record in plain Swift. Values whose types change are their descriptions.
private struct Row: Equatable {
    var a: String
    var b: String?
    var c: String?
    var list: [Int?]
    var link: Int?
    var part: String?
}

private struct Refused: Error {}

@Suite struct RandomMigrationTests {
    private struct Step: @unchecked Sendable {
        // Sendable: functions that capture nothing.
        let types: [ObjectBase.Type]
        let renames: [(type: String, old: String, new: String)]
        /// What becomes of a row of the version before.
        let migrated: (Row) -> Row
        let read: (Realm) -> [Int: Row]
        /// Sets the plain values of a record of this version, which has its keys.
        let write: (Object, Row, Realm) -> Void
    }

    private static let steps = [
        Step(
            types: [V1.Record.self, V1.Part.self],
            renames: [("Record", "title", "b"), ("Record", "next", "link")],
            migrated: { Row(a: $0.a, b: $0.b ?? "", c: nil, list: [], link: $0.link, part: nil) },
            read: { realm in
                rows(realm.objects(V1.Record.self)) {
                    (
                        $0.id,
                        Row(
                            a: "\($0.a)", b: $0.b, c: $0.c.map { "\($0)" }, list: Array($0.list),
                            link: $0.link?.id, part: $0.part?.text)
                    )
                }
            },
            write: { object, row, realm in
                guard let record = object as? V1.Record else { return }
                (record.a, record.b, record.c) = (
                    Int(row.a) ?? 0, row.b ?? "", row.c.flatMap { Int($0) }
                )
                record.list.removeAll()
                record.list.append(objectsIn: row.list.map { $0 ?? 0 })
                record.link =
                    realm.objects(V1.Record.self).where { $0.id == (row.link ?? -1) }.first
                record.part = row.part.map { V1.Part(value: ["text": $0]) }
            }),
        Step(
            types: [V2.Record.self, V2.Part.self], renames: [],
            migrated: {
                Row(a: $0.a, b: $0.b, c: $0.c ?? "0", list: $0.list, link: $0.link, part: $0.part)
            },
            read: { realm in
                rows(realm.objects(V2.Record.self)) {
                    (
                        $0.id,
                        Row(
                            a: $0.a, b: $0.b, c: "\($0.c)", list: Array($0.list), link: $0.link?.id,
                            part: $0.part?.text)
                    )
                }
            },
            write: { object, row, realm in
                guard let record = object as? V2.Record else { return }
                (record.a, record.b, record.c) = (row.a, row.b, row.c.flatMap { Int($0) } ?? 0)
                record.list.removeAll()
                record.list.append(objectsIn: row.list)
                record.link =
                    realm.objects(V2.Record.self).where { $0.id == (row.link ?? -1) }.first
                record.part = row.part.map { V2.Part(value: ["text": $0]) }
            }),
        Step(
            types: [V3.Record.self, V3.Part.self],
            renames: [
                ("Record", "b", "title"), ("Record", "link", "next"), ("Part", "text", "words"),
            ],
            migrated: {
                Row(
                    a: $0.a, b: $0.b, c: $0.c.flatMap { Double($0) }.map { "\($0)" }, list: $0.list,
                    link: $0.link, part: $0.part)
            },
            read: { realm in
                rows(realm.objects(V3.Record.self)) {
                    (
                        $0.id,
                        Row(
                            a: String(decoding: $0.a, as: UTF8.self), b: $0.title, c: "\($0.c)",
                            list: Array($0.list), link: $0.next?.id, part: $0.part?.words)
                    )
                }
            },
            write: { object, row, realm in
                guard let record = object as? V3.Record else { return }
                (record.a, record.title, record.c) = (
                    Data(row.a.utf8), row.b, row.c.flatMap { Double($0) } ?? 0
                )
                record.list.removeAll()
                record.list.append(objectsIn: row.list)
                record.next =
                    realm.objects(V3.Record.self).where { $0.id == (row.link ?? -1) }.first
                record.part = row.part.map { V3.Part(value: ["words": $0]) }
            }),
        Step(
            types: [V4.Record.self], renames: [],
            migrated: { Row(a: "0", b: $0.b ?? "", c: $0.c, list: [], link: $0.link, part: nil) },
            read: { realm in
                rows(realm.objects(V4.Record.self)) {
                    (
                        $0.id,
                        Row(
                            a: "\($0.a)", b: $0.title, c: $0.c, list: [], link: $0.next?.id,
                            part: nil)
                    )
                }
            },
            write: { object, row, realm in
                guard let record = object as? V4.Record else { return }
                (record.a, record.title, record.c) = (Int(row.a) ?? 0, row.b ?? "", row.c ?? "")
                record.next =
                    realm.objects(V4.Record.self).where { $0.id == (row.link ?? -1) }.first
            }),
    ]

    private static func rows<Record: Object>(
        _ records: Results<Record>, _ row: (Record) -> (Int, Row)
    ) -> [Int: Row] {
        Dictionary(records.map(row), uniquingKeysWith: { first, _ in first })
    }

    private func randomRow(_ version: Int, _ ids: [Int], _ random: inout SeededGenerator) -> Row {
        let number = Int.random(in: -1_000...1_000, using: &random)
        let isLong = Int.random(in: 0..<10, using: &random) == 0
        let text = String(
            repeating: "w\(number) ", count: isLong ? 300 : Int.random(in: 0..<4, using: &random))
        func optional<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        let list = (0..<(isLong ? 600 : Int.random(in: 0..<4, using: &random))).map {
            $0 % 7 == 3 && version > 0 ? nil : Int?.some($0)
        }
        return switch version {
        case 0:
            Row(
                a: "\(number)", b: text, c: optional("\(number)"), list: list,
                link: ids.randomElement(using: &random), part: optional(text))
        case 1:
            Row(
                a: text, b: optional(text), c: "\(number)", list: list,
                link: ids.randomElement(using: &random), part: optional(text))
        case 2:
            Row(
                a: text, b: optional(text), c: "\(Double(number) / 8)", list: list,
                link: ids.randomElement(using: &random), part: optional(text))
        default:
            Row(
                a: "\(number)", b: text, c: text, list: [], link: ids.randomElement(using: &random),
                part: nil)
        }
    }

    @Test(arguments: [false, true]) func migrationsMatchAModel(isEncrypted: Bool) throws {
        var random = Seed.random()
        let seed = random.seed
        let comment: Comment = "FREEHOLD_SEED=\(seed)"
        try withMigratedFile(isEncrypted: isEncrypted) { file in
            var model: [Int: Row] = [:]
            var version = 0
            var next = 0
            for round in 0..<12 {
                let step = Self.steps[version % 4]
                if round > 0 {
                    let before = Self.steps[(version - 1) % 4]
                    // One that fails leaves everything as it was.
                    let error = file.error(
                        step.types, version: UInt64(version),
                        migrating: { migration, _ in
                            for rename in step.renames {
                                migration.renameProperty(
                                    onType: rename.type, from: rename.old, to: rename.new)
                            }
                            migration.deleteData(forType: "Record")
                            throw Refused()
                        })
                    #expect(error is Refused, comment)
                    try file.with(before.types, version: UInt64(version - 1)) { realm in
                        #expect(before.read(realm) == model, comment)
                    }
                }
                let doomed = Set(
                    model.keys.filter { _ in Int.random(in: 0..<10, using: &random) == 0 })
                let deletesFirst = Bool.random(using: &random)
                try file.with(
                    step.types, version: UInt64(version),
                    migrating: { migration, _ in
                        func delete() {
                            migration.enumerateObjects(ofType: "Record") { old, new in
                                if let new, let id = old?["id"] as? Int, doomed.contains(id) {
                                    migration.delete(new)
                                }
                            }
                        }
                        if deletesFirst { delete() }
                        for rename in step.renames {
                            migration.renameProperty(
                                onType: rename.type, from: rename.old, to: rename.new)
                        }
                        if !deletesFirst { delete() }
                    }
                ) { realm in
                    if round > 0 {
                        model = model.filter { !doomed.contains($0.key) }.mapValues(step.migrated)
                        for (id, row) in model {
                            if let link = row.link, doomed.contains(link) { model[id]?.link = nil }
                        }
                    }
                    #expect(step.read(realm) == model, comment)
                    guard let type = step.types[0] as? Object.Type else { return }
                    try realm.write {
                        for _ in 0..<60 {
                            let id =
                                Int.random(in: 0..<3, using: &random) == 0
                                ? model.keys.randomElement(using: &random) ?? next : next
                            if id == next { next += Int.random(in: 1...3, using: &random) }
                            let row = randomRow(version % 4, Array(model.keys).sorted(), &random)
                            let record = realm.create(
                                type, value: ["id": id, "code": "code \(id)"] as [String: Any],
                                update: .modified)
                            step.write(record, row, realm)
                            model[id] = row
                        }
                    }
                    #expect(step.read(realm) == model, comment)
                }
                version += 1
            }
        }
    }
}
