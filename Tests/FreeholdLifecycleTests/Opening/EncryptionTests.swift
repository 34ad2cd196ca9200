import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Encrypted realms by the public interface.
@Suite struct EncryptionTests {
    static let key = Data((0..<64).map { UInt8($0) })
    static let otherKey = Data((0..<64).map { UInt8($0 ^ 1) })

    final class Note: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var title: String
        @Persisted var text: String
        @Persisted var rank: Int?
        @Persisted var numbers: List<Int>
        @Persisted var next: Note?
    }

    private static func configuration(_ url: URL, _ key: Data? = key) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, encryptionKey: key, objectTypes: [Note.self])
    }

    private static func error(_ body: () throws -> Void) -> Realm.Error? {
        do {
            try body()
            return nil
        } catch {
            return error as? Realm.Error
        }
    }

    private static func fill(_ realm: Realm, _ ids: Range<Int>) throws {
        try realm.write {
            var last: Note?
            for id in ids {
                let note = Note()
                note.id = id
                note.title = "title \(id % 97)"
                note.text =
                    id % 50 == 0 ? String(repeating: "long text \(id) ", count: 200) : "text \(id)"
                note.rank = id % 3 == 0 ? nil : id * id
                note.numbers.append(objectsIn: 0..<(id % 40))
                note.next = last
                realm.add(note)
                last = note
            }
        }
    }

    /// The same answers as in a plain realm, written and read again in the same ways.
    @Test func answersAreThoseOfAPlainRealm() throws {
        try withTemporaryDirectory { directory in
            func answers(_ key: Data?, _ name: String) throws -> [String] {
                let configuration = Self.configuration(directory.file(name), key)
                do {
                    let realm = try Realm(configuration: configuration)
                    try Self.fill(realm, 0..<3_000)
                    try realm.write {
                        for note in realm.objects(Note.self).where({ $0.rank > 1_000_000 }) {
                            note.title = "changed"
                        }
                        realm.delete(realm.objects(Note.self).where { $0.id.contains(700..<900) })
                    }
                }
                let realm = try Realm(configuration: configuration)
                let notes = realm.objects(Note.self)
                var answers = [
                    "\(notes.count)", "\(notes.where { $0.title == "title 5" }.count)",
                    "\(notes.where { $0.title == "changed" }.count)",
                ]
                answers.append(
                    "\(notes.where { $0.title >= "title 3" && $0.title < "title 5" }.count)")
                answers.append(
                    """
                    \(notes.sum(of: \.rank) ?? -1) \
                    \(notes.max(of: \.rank).map { "\($0 ?? -1)" } ?? "none")
                    """
                )
                answers.append(
                    notes.sorted(byKeyPath: "title").prefix(20).map { "\($0.id)" }.joined(
                        separator: ","))
                let long = notes.where { $0.text.contains("long") }
                answers.append("\(long.map { $0.text.utf8.count }.reduce(0, +))")
                answers.append(
                    """
                    \(notes.where { $0.numbers == 7 }.count) \
                    \(notes.where { $0.next.title == "title 5" }.count)
                    """
                )
                let note = realm.object(ofType: Note.self, forPrimaryKey: 1_234)
                answers.append("\(note?.numbers.reduce(0, +) ?? -1)")
                #expect(try realm.check().isEmpty)
                return answers
            }
            let encrypted = try answers(Self.key, "encrypted.realm")
            #expect(encrypted == (try answers(nil, "plain.realm")))
        }
    }

    @Test func keysThatCannotBe() throws {
        try withTemporaryDirectory { directory in
            for count in [0, 1, 63, 65, 128] {
                let error = Self.error {
                    _ = try Realm(
                        configuration: Self.configuration(directory.file(), Data(count: count)))
                }
                #expect(
                    error?.code == .invalidInput
                        && error?.localizedDescription.contains(
                            "Encryption key must be exactly 64 bytes long") == true
                )
            }
            #expect(!FileManager.default.fileExists(atPath: directory.file().path))
            let memory = Realm.Configuration(
                inMemoryIdentifier: "encrypted", encryptionKey: Self.key, objectTypes: [Note.self])
            let error = Self.error { _ = try Realm(configuration: memory) }
            #expect(
                error?.code == .invalidInput
                    && error?.localizedDescription.contains(
                        "Encryption is not supported for in-memory realms") == true
            )
        }
    }

    @Test func wrongKeysAreToldApart() throws {
        try withTemporaryDirectory { directory in
            do {
                try Self.fill(
                    try Realm(configuration: Self.configuration(directory.file())), 0..<10)
            }
            let bytes = try Data(contentsOf: directory.file())
            let wrong = Self.error {
                _ = try Realm(configuration: Self.configuration(directory.file(), Self.otherKey))
            }
            #expect(
                wrong?.code == .invalidDatabase
                    && wrong?.localizedDescription.contains("Realm file decryption failed") == true)
            #expect(wrong?.localizedDescription.contains("another key") == true)
            if !EncryptedSuite.isOn {
                let missing = Self.error {
                    _ = try Realm(configuration: Self.configuration(directory.file(), nil))
                }
                #expect(
                    missing?.code == .invalidDatabase
                        && missing?.localizedDescription.contains("is encrypted. Open it with")
                            == true
                )
                do {
                    _ = try Realm(
                        configuration: Self.configuration(directory.file("plain.realm"), nil))
                }
                let plain = Self.error {
                    _ = try Realm(configuration: Self.configuration(directory.file("plain.realm")))
                }
                #expect(
                    plain?.code == .invalidDatabase
                        && plain?.localizedDescription.contains("is not encrypted") == true)
            }
            #expect(try Data(contentsOf: directory.file()) == bytes)
            let realm = try Realm(configuration: Self.configuration(directory.file()))
            #expect(realm.objects(Note.self).count == 10)
            let other = Self.error {
                _ = try Realm(configuration: Self.configuration(directory.file(), Self.otherKey))
            }
            #expect(other?.code == .alreadyOpen)
            #expect(
                other?.localizedDescription.contains(
                    """
                    Realm at path '\(directory.file().path)' already opened with different \
                    encryption key
                    """
                ) == true)
        }
    }

    /// Flips bits all over the file: an error, or the same answers; never others.
    @Test func flippedBitsNeverChangeAnAnswer() throws {
        try withTemporaryDirectory { directory in
            do {
                try Self.fill(
                    try Realm(configuration: Self.configuration(directory.file())), 0..<2_000)
            }
            let sound = try Data(contentsOf: directory.file())
            var random = Seed.random()
            var found = 0
            // LMDB's own pages are not authenticated and may end the process, so bits are
            // flipped where encrypted records are: behind the headers of large values.
            let size = pageSizeOfNewFiles
            let pages = (2..<sound.count / size).filter { page in
                sound.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: page * size + 10, as: UInt16.self) == 4
                        && $0.loadUnaligned(fromByteOffset: page * size, as: UInt64.self)
                            == UInt64(page)
                }
            }
            try #require(pages.count > 10)
            for round in 0..<25 {
                let url = directory.file("damaged\(round).realm")
                var bytes = sound
                bytes[random.pick(pages) * size + 16 + random.int(0...1_000)] ^=
                    1 << UInt8(random.int(0...7))
                try bytes.write(to: url)
                let error = Self.error {
                    let realm = try Realm(configuration: Self.configuration(url))
                    let problems = try realm.check()
                    if !problems.isEmpty { found += 1 }
                    if problems.isEmpty {
                        #expect(realm.objects(Note.self).sum(of: \.id) == 1_999_000)
                    }
                }
                if let error {
                    #expect(error.code == .invalidDatabase)
                    found += 1
                }
            }
            #expect(found > 0)
        }
    }

    @Test func nothingOfTheDataIsInTheFiles() throws {
        try withTemporaryDirectory { directory in
            do {
                let realm = try Realm(configuration: Self.configuration(directory.file()))
                try realm.write {
                    let note = Note()
                    note.id = 0x4D41_524B_4552_5F31
                    note.title = "marker-in-title"
                    note.text = String(repeating: "marker-in-text ", count: 5_000)
                    realm.add(note)
                }
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.url.path) {
                let bytes = try Data(contentsOf: directory.url.appendingPathComponent(name))
                for marker in ["marker-in", "Note", "numbers", "title"] {
                    #expect(bytes.range(of: Data(marker.utf8)) == nil, "\(marker) in \(name)")
                }
                for id in [Int64(0x4D41_524B_4552_5F31).bigEndian, Int64(0x4D41_524B_4552_5F31)] {
                    #expect(
                        withUnsafeBytes(of: id) { bytes.range(of: Data($0.dropFirst().dropLast())) }
                            == nil)
                }
            }
        }
    }

    @Test func theKeyIsNotPrinted() {
        let configuration = Self.configuration(URL(fileURLWithPath: "/a"))
        #expect(configuration.description.contains("encryptionKey = 64 bytes"))
        #expect(configuration != Self.configuration(URL(fileURLWithPath: "/a"), Self.otherKey))
    }

    @Test func threadsReadOneFrozenVersion() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: Self.configuration(directory.file()))
            try Self.fill(realm, 0..<4_000)
            let frozen = Frozen(realm.objects(Note.self))
            let sums = try runThreads(8) { thread in
                var sum = 0
                for (index, note) in frozen.enumerated() where index % 8 != thread {
                    sum += note.id &+ note.text.utf8.count &+ (note.rank ?? 0)
                }
                return sum
            }
            let expected = (0..<8).map { thread in
                realm.objects(Note.self).enumerated().reduce(0) { sum, pair in
                    pair.offset % 8 == thread
                        ? sum
                        : sum + pair.element.id + pair.element.text.utf8.count
                            + (pair.element.rank ?? 0)
                }
            }
            #expect(sums == expected)
            #expect(try realm.check().isEmpty)
        }
    }

    /// From and to each of: not encrypted, one key, another key.
    @Test func copiesHaveAnyKey() throws {
        try withTemporaryDirectory { directory in
            let keys: [Data?] =
                EncryptedSuite.isOn ? [Self.key, Self.otherKey] : [nil, Self.key, Self.otherKey]
            for (from, source) in keys.enumerated() {
                let realm = try Realm(
                    configuration: Self.configuration(directory.file("from\(from).realm"), source))
                try Self.fill(realm, 0..<1_500)
                for (to, target) in keys.enumerated() {
                    let url = directory.file("from\(from)to\(to).realm")
                    try realm.writeCopy(toFile: url, encryptionKey: target)
                    let copy = try Realm(configuration: Self.configuration(url, target))
                    #expect(try copy.check().isEmpty)
                    #expect(copy.objects(Note.self).sum(of: \.id) == 1_500 * 1_499 / 2)
                    #expect(
                        copy.objects(Note.self).where { $0.title == "title 5" }.count
                            == realm.objects(Note.self).where { $0.title == "title 5" }.count)
                    try Self.fill(copy, 1_500..<1_600)
                    #expect(try copy.check().isEmpty && realm.objects(Note.self).count == 1_500)
                }
            }
        }
    }

    @Test func compactingKeepsTheKey() throws {
        try withTemporaryDirectory { directory in
            let configuration = Self.configuration(directory.file())
            do {
                let realm = try Realm(configuration: configuration)
                try Self.fill(realm, 0..<3_000)
                let frozen = Frozen(realm.objects(Note.self))
                try realm.write { realm.delete(realm.objects(Note.self).where { $0.id < 2_000 }) }
                try realm.compact()
                #expect(frozen.count == 3_000 && realm.objects(Note.self).count == 1_000)
                try Self.fill(realm, 0..<10)
                #expect(try realm.check().isEmpty)
            }
            #expect(try Realm(configuration: configuration).objects(Note.self).count == 1_010)
        }
    }
}
