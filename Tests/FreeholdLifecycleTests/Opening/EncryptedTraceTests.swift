import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Looks for what a realm holds in everything that an encrypted realm writes: after each
/// operation, and in each file that the process has open without a name.
@Suite(.disabled(if: EncryptedSuite.isOn, "looks at a plain file, too"))
struct EncryptedTraceTests {
    private static let key = Data((0..<64).map { UInt8($0) })
    private static let newKey = Data((0..<64).map { UInt8($0 ^ 3) })
    /// Values, an index's, an element, a map's key, and names of the schema.
    private static let markers = [
        "marker-title", "marker-text", "marker-element", "marker-key", "marker-any", "TracedNote",
        "tracedColumn",
    ]
    private static let number: Int64 = 0x4D41_524B_4E55_4D31

    final class TracedNote: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var tracedColumn = ""
        @Persisted var text = ""
        @Persisted(indexed: true) var number = 0
        @Persisted var list: List<String>
        @Persisted var map: Map<String, Int>
        @Persisted var any: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func nothingIsFoundAfterEachOperation() throws {
        try withTemporaryDirectory { directory in
            let configuration = Self.configuration(directory.file())
            func step(_ name: String, _ body: (Realm) throws -> Void) throws {
                let realm = try Realm(configuration: configuration)
                try body(realm)
                #expect(try Self.traces(directory) == [], "\(name), open")
            }
            try step("create", Self.fill)
            #expect(try Self.traces(directory) == [], "closed")
            try step("change") { realm in
                try realm.write {
                    for note in realm.objects(TracedNote.self) { note.text += " marker-text" }
                }
            }
            try step("cancel") { realm in
                realm.beginWrite()
                realm.objects(TracedNote.self)[0].tracedColumn = "marker-title cancelled"
                realm.cancelWrite()
            }
            try step("delete") { realm in
                try realm.write {
                    realm.delete(realm.objects(TracedNote.self).where { $0.id > 300 })
                }
            }
            try step("compact") { realm in _ = try realm.compact() }
            try step("copy") { realm in
                try realm.writeCopy(
                    toFile: directory.file("copy.realm"), encryption: .key(Self.newKey))
            }
            try step("copy in a transaction") { realm in
                try realm.write {
                    realm.objects(TracedNote.self)[0].text = "marker-text of the transaction"
                }
                try realm.writeCopy(
                    configuration: Self.configuration(directory.file("other.realm")))
            }
            var seeded = Self.configuration(directory.file("seeded.realm"))
            seeded.seedFilePath = directory.file()
            do { #expect(try Realm(configuration: seeded).objects(TracedNote.self).count == 301) }
            #expect(try Self.traces(directory) == [], "seeded")
            try Realm.changeEncryptionKey(of: configuration, to: Self.newKey)
            #expect(try Self.traces(directory) == [], "another key")
            // The search finds what a plain copy has.
            var changed = configuration
            changed.encryptionKey = Self.newKey
            try Realm(configuration: changed).writeCopy(
                toFile: directory.file("plain.realm"), encryption: .unencrypted)
            #expect(try Set(Self.traces(directory)).count >= Self.markers.count)
        }
    }

    private static func configuration(_ url: URL) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, encryptionKey: key, objectTypes: [TracedNote.self])
    }

    private static func fill(_ realm: Realm) throws {
        try realm.write {
            for id in 0..<800 {
                let note = TracedNote()
                note.id = id
                note.tracedColumn = "marker-title \(id)"
                note.text = String(repeating: "marker-text ", count: id % 20 == 0 ? 500 : 5)
                note.number = Int(number) &+ id
                note.list.append(
                    objectsIn: (0..<(id % 100 == 0 ? 900 : 2)).map { "marker-element \($0)" })
                note.map["marker-key \(id)"] = id
                note.any = .string("marker-any \(id)")
                realm.add(note)
            }
        }
    }

    /// Where a marker was found: in the files of a directory, and in the regular files that the
    /// process has open.
    private static func traces(_ directory: TemporaryDirectory) throws -> [String] {
        var paths = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).map {
            directory.url.appendingPathComponent($0).path
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            var status = stat()
            guard let descriptor = Int32(name), descriptor > 2, fstat(descriptor, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let link = "/proc/self/fd/\(name)"
            let target =
                (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? ""
            // Other tests of this process have files of their own; here only those without a
            // name, and those of this directory.
            if target.hasSuffix(" (deleted)") && target.hasPrefix(directory.url.path)
                || target.hasPrefix("/memfd:")
            {
                paths.append("/proc/self/fd/\(name)")
            }
        }
        var found: [String] = []
        for path in paths {
            guard let bytes = FileManager.default.contents(atPath: path) else { continue }
            for marker in markers where bytes.range(of: Data(marker.utf8)) != nil {
                found.append("\(marker) in \(path)")
            }
            for value in [number.bigEndian, number.littleEndian]
            where withUnsafeBytes(of: value, { bytes.range(of: Data($0.dropFirst().dropLast())) })
                != nil
            {
                found.append("\(number) in \(path)")
            }
        }
        return found
    }
}
