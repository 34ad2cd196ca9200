import Foundation
import Freehold
import FreeholdSharing
import Synchronization
import Testing

// A class in three forms.

final class NoteOfVersion1: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var text: String
    @Persisted var rank: Int
    @Persisted var old: String
    @Persisted var box: BoxOfVersion1?
    @Persisted var boxes: List<BoxOfVersion1>

    override class func _realmObjectName() -> String? { "Note" }
}

final class BoxOfVersion1: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var width: Int
    @Persisted var depth: Int

    override class func _realmObjectName() -> String? { "Box" }
}

final class BoxOfVersion2: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var width: Int
    /// Was named `depth`.
    @Persisted var length: Int

    override class func _realmObjectName() -> String? { "Box" }
}

final class NoteOfVersion2: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var text: String
    /// Was a number.
    @Persisted var rank: String
    /// Was named `old`.
    @Persisted var title: String
    @Persisted var box: BoxOfVersion2?
    @Persisted var boxes: List<BoxOfVersion2>

    override class func _realmObjectName() -> String? { "Note" }
}

final class NoteWithoutKey: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var id: ObjectId
    @Persisted var text: String

    override class func _realmObjectName() -> String? { "Note" }
}

final class NoteWithMore: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var text: String
    @Persisted var rank: Int
    @Persisted var old: String
    @Persisted var more: String

    override class func _realmObjectName() -> String? { "Note" }
}

// A class whose key changes, and one that was embedded.

final class KeyedByNumber: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: Int
    @Persisted var part: FormerPart?

    override class func _realmObjectName() -> String? { "Keyed" }
}

final class FormerPart: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var width: Int

    override class func _realmObjectName() -> String? { "Part" }
}

final class KeyedByText: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: String
    @Persisted var part: LaterPart?

    override class func _realmObjectName() -> String? { "Keyed" }
}

final class LaterPart: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var name: String
    @Persisted var width: Int

    override class func _realmObjectName() -> String? { "Part" }
}

/// Programs of two versions that share notes.
final class NoteShop: Sendable {
    let upstream = SimulatedUpstream()
    private let folder: URL
    /// How often the migration block was run.
    let runs = Mutex(0)
    /// Called by the block with the number of its run.
    let whileMigrating = Mutex<(@Sendable (Int) -> Void)?>(nil)

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "freehold-notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await upstream.create("notes")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func exists(_ machine: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(machine).path)
    }

    func configuration(_ machine: String, version: UInt64, _ types: [ObjectBase.Type])
        -> Realm.Configuration
    {
        Realm.Configuration(
            fileURL: folder.appendingPathComponent(machine), schemaVersion: version,
            objectTypes: types)
    }

    func configuration(_ machine: String, _ version: UInt64) -> Realm.Configuration {
        var configuration = configuration(
            machine, version: version,
            version == 1
                ? [NoteOfVersion1.self, BoxOfVersion1.self]
                : [NoteOfVersion2.self, BoxOfVersion2.self])
        guard version == 2 else { return configuration }
        configuration.migrationBlock = { [self] migration, former in
            let run = runs.withLock {
                $0 += 1; return $0
            }
            #expect(former == 1)
            migration.renameProperty(onType: "Note", from: "old", to: "title")
            migration.renameProperty(onType: "Box", from: "depth", to: "length")
            migration.enumerateObjects(ofType: "Note") { old, new in
                new?["rank"] = "\(old?["rank"] ?? "")"
            }
            migration.create("Note", value: ["id": ObjectId.generate(), "text": "made"])
            whileMigrating.withLock { $0 }?(run)
        }
        return configuration
    }

    /// Does something while the migration block runs for the first time.
    func whileMigratingFirst(_ body: @escaping @Sendable () async throws -> Void) {
        whileMigrating.withLock {
            $0 = { run in
                if run > 1 { return }
                let isDone = DispatchSemaphore(value: 0)
                Task.detached {
                    do { try await body() } catch { Issue.record(error) }
                    isDone.signal()
                }
                isDone.wait()
            }
        }
    }

    func open(_ machine: String, _ version: UInt64) async throws -> SharedRealm {
        try await open(configuration(machine, version))
    }

    func open(_ configuration: Realm.Configuration) async throws -> SharedRealm {
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.05)
        // Busy machines take their time to write a snapshot.
        options.snapshotPatience = 5
        return try await SharedRealm(
            configuration, upstream: upstream, name: "notes", options: options)
    }

    func write(_ machine: String, _ version: UInt64, _ body: (Realm) throws -> Void) throws {
        let realm = try Realm(configuration: configuration(machine, version))
        try realm.write { try body(realm) }
    }

    /// Checks files, which nobody has open.
    func check(_ machines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        for machine in machines {
            let configuration = configuration(machine, version: 0, [])
            #expect(throws: Never.self, sourceLocation: sourceLocation) {
                let problems = try Realm.withStoredClasses(configuration, queue: nil).check()
                #expect(problems.isEmpty, sourceLocation: sourceLocation)
            }
        }
    }
}

extension SharedRealm {
    @discardableResult
    func addNotes(_ count: Int, from first: Int = 0) throws -> [ObjectId] {
        try write { realm in
            (first..<first + count).map { number in
                let note = NoteOfVersion1()
                (note.text, note.rank, note.old) = ("t\(number)", 10 + number, "o\(number)")
                realm.add(note)
                return note.id
            }
        }
    }

    /// The notes of version 2: those that have a rank, then the others.
    func notes() throws -> [String] {
        try read { realm in
            let all = realm.objects(NoteOfVersion2.self).map { "\($0.text) \($0.rank) \($0.title)" }
            return all.filter { !$0.hasPrefix("made") }.sorted()
                + all.filter { $0.hasPrefix("made") }
        }
    }
}
