import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Archives with random changes: a typed error, or a draft that can be saved. Never a trap, and
/// never a damaged file.
///
/// The checksums are made right again, so the changes reach what the checksums guard.
@Suite(.disabled(if: EncryptedSuite.isOn, "A changed byte of an encrypted archive is found."))
struct ArchiveMutationTests {
    private static let headSize = 17
    /// The catalog's place: after the file and the version.
    private static let catalogSize = headSize + 24

    private static func put(_ hash: UInt64, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<8 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: hash >> (8 * index))
        }
    }

    /// Makes the checksums of the catalog and of the whole right.
    private static func seal(_ bytes: inout [UInt8]) {
        if bytes.count >= catalogSize + 4 {
            let size = bytes[catalogSize..<catalogSize + 4].reversed().reduce(0) {
                $0 << 8 | Int($1)
            }
            let (start, end) = (catalogSize + 4, catalogSize + 4 + size)
            if size > 8, end <= bytes.count {
                let hash = bytes[start..<end - 8].withUnsafeBytes { Checksum.xxh64($0) }
                put(hash, at: end - 8, in: &bytes)
            }
        }
        if bytes.count >= headSize {
            let hash = bytes[headSize...].withUnsafeBytes { Checksum.xxh64($0) }
            put(hash, at: headSize - 8, in: &bytes)
        }
    }

    private static func mutate(
        _ archive: [UInt8], with others: [UInt8], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = archive
        for _ in 0..<random.pick([1, 1, 1, 2, 3, 8]) where bytes.count > headSize + 1 {
            let place = random.int(headSize...bytes.count - 1)
            switch random.int(0...7) {
            case 0: bytes[place] ^= UInt8(1 << random.int(0...7))
            case 1: bytes[place] = random.pick([0, 1, 2, 127, 128, 255])
            case 2: bytes[place] = UInt8(random.int(0...255))
            case 3: bytes.remove(at: place)
            case 4: bytes.insert(UInt8(random.int(0...3)), at: place)
            case 5:
                // A number.
                let value = random.pick([0, 1, 2, -1, Int64.max, .min, 1 << 32, 1 << 31, 1 << 62])
                let size = random.pick([2, 4, 8])
                for index in 0..<size where place + index < bytes.count {
                    bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
                }
            case 6:
                // A part of this archive or of another one, here.
                let source = random.once(in: 2) ? bytes : others
                let start = random.int(headSize...source.count - 1)
                let count = min(random.int(1...24), source.count - start, bytes.count - place)
                bytes.replaceSubrange(place..<place + count, with: source[start..<start + count])
            default:
                let count = min(random.int(1...24), bytes.count - place)
                bytes.removeSubrange(place..<place + count)
            }
        }
        seal(&bytes)
        return bytes
    }

    /// Archives of edits of all kinds.
    private static func archives(_ realm: Realm, _ random: inout SeededGenerator) throws
        -> [[UInt8]]
    {
        var archives: [[UInt8]] = []
        try realm.write {
            var editor = BookEditor(realm, ids: 1...9, prefix: "x")
            for _ in 0..<120 { editor.edit(&random) }
            let note = realm.create(Book.Note.self, value: ["text": "x", "lines": ["1"]])
            realm.create(Book.Person.self, value: ["id": 9], update: .modified).any = .fromArray([
                .object(note), .fromDictionary(["a": .int(1), "b": .string("x")]),
            ])
        }
        for count in [1, 3, 10, 40] {
            let draft = try realm.draft()
            var editor = BookEditor(draft.realm, ids: 1...9, prefix: "x")
            for _ in 0..<count { editor.edit(&random) }
            if let person = editor.persons.first {
                person.any = .fromDictionary(["list": .fromArray([.double(1), .none])])
                person.increment(\.age, by: count)
            }
            archives.append([UInt8](try draft.archive()))
        }
        return archives
    }

    // MARK: Running

    /// What became of changed archives.
    private struct Outcomes {
        var (refused, conflicting, saved) = (0, 0, 0)
    }

    /// Restores changed archives in new files, and saves what can be restored.
    private func run(
        _ types: [ObjectBase.Type], files: Int, rounds: Int,
        _ makeArchives: (Realm, inout SeededGenerator) throws -> [[UInt8]],
        readingWith read: (Realm) -> Void = { _ in }
    ) throws {
        var random = Seed.random()
        let seed = random.seed
        var outcomes = Outcomes()
        for file in 0..<files {
            try withTemporaryDirectory { directory in
                var configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: types)
                configuration.durability = .none
                let realm = try Realm(configuration: configuration)
                let archives = try makeArchives(realm, &random)
                for archive in archives {
                    #expect(Self.resealed(archive) == archive)
                    _ = try Draft(restoring: Data(archive), in: realm)
                }
                for round in 1...rounds {
                    let comment = Comment("FREEHOLD_SEED=\(seed), file \(file), round \(round)")
                    let bytes = Self.mutate(
                        random.pick(archives), with: random.pick(archives), &random)
                    let resolution = random.pick([
                        DraftConflict.Resolution.mine, .mine, .theirs,
                    ])
                    restore(bytes, in: realm, resolution, &outcomes, comment)
                    if round % 100 > 0 { continue }
                    realm.refresh()
                    read(realm)
                    try #require(try realm.check().isEmpty, comment)
                }
            }
        }
        #expect(outcomes.refused > 100 && outcomes.saved > 100, "\(outcomes)")
    }

    private func restore(
        _ bytes: [UInt8], in realm: Realm, _ resolution: DraftConflict.Resolution,
        _ outcomes: inout Outcomes, _ comment: Comment
    ) {
        do {
            let draft = try Draft(restoring: Data(bytes), in: realm, resolving: resolution)
            _ = draft.changes.description
            try draft.save()
            outcomes.saved += 1
        } catch let error as Realm.Error {
            let known: [Realm.Error.Code] = [
                .corrupted, .invalidInput, .schemaMismatch, .valueTooLarge,
            ]
            #expect(known.contains(error.code), "\(comment): \(error)")
            outcomes.refused += 1
        } catch is DraftConflict {
            outcomes.conflicting += 1
        } catch {
            Issue.record("\(comment): \(error)")
        }
    }

    @Test func changedArchivesAreRefusedOrSound() throws {
        try run(Book.all, files: Stress.rounds(2), rounds: 2_500, Self.archives)
    }

    @Test func changedArchivesOfAllTypes() throws {
        try run(GoldenArchive.all, files: Stress.rounds(2), rounds: 1_000) { realm, _ in
            try GoldenArchiveTests.fill(realm)
            let draft = try realm.draft()
            try GoldenArchiveTests.edit(draft)
            return [
                [UInt8](try draft.archive()),
                [UInt8](try Data(contentsOf: GoldenArchiveTests.file)),
            ]
        } readingWith: { realm in
            // But for enumerations: a value that they do not have traps, as in every realm.
            for object in realm.objects(GoldenArchive.Everything.self) {
                for property in object.objectSchema.properties
                where !property.name.lowercased().hasSuffix("mood") {
                    let value = object[property.name]
                    // The text of a linked object has its enumerations.
                    if property.objectClassName == nil, property.type != .any {
                        _ = value.map { "\($0)" }
                    }
                }
            }
        }
    }

    private static func resealed(_ archive: [UInt8]) -> [UInt8] {
        var bytes = archive
        seal(&bytes)
        return bytes
    }

    /// Bytes that begin as an archive does, and random ones.
    @Test func randomBytesAreRefused() throws {
        var random = Seed.random()
        try Book.withPerson { realm, _ in
            for round in 0..<1_000 {
                var bytes = (0..<random.int(0...300)).map { _ in UInt8(random.int(0...255)) }
                if round % 4 > 0 {
                    bytes = Array("FHDRAFT".utf8) + [1, UInt8(round % 4 / 3)] + bytes
                    if round % 4 < 3 { Self.seal(&bytes) }
                }
                let error = try #require(throws: Realm.Error.self) {
                    try Draft(restoring: Data(bytes), in: realm)
                }
                #expect(error.code == .corrupted || error.code == .invalidInput)
            }
        }
    }
}
