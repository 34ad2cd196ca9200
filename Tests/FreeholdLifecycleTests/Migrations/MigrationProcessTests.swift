import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private enum V1 {
    final class Note: Versioned {
        override class func className() -> String { "Note" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var text = ""
        @Persisted var number = 0
    }
}

private enum V2 {
    final class Note: Versioned {
        override class func className() -> String { "Note" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var number = ""
    }
}

/// Additions only, which all realms go on with.
private enum V1Plus {
    final class Note: Versioned {
        override class func className() -> String { "Note" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var text = ""
        @Persisted var number = 0
        @Persisted var added = ""
    }
}

/// In asynchronous code `Realm(configuration:)` would be the one of the main actor.
private func openHere(_ configuration: Realm.Configuration) throws -> Realm {
    try Realm(configuration: configuration)
}

@Suite struct MigrationProcessTests {
    /// Another process migrates the file while this one has it open.
    @MainActor @Test func otherProcessesMigrate() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let url = directory.file()
        let old = Realm.Configuration(fileURL: url, schemaVersion: 1, objectTypes: [V1.Note.self])
        try await awaitThread {
            let realm = try openHere(old)
            try realm.write {
                for id in 0..<600 {
                    realm.create(
                        V1.Note.self,
                        value: ["id": id, "text": "text \(id)", "number": id] as [String: Any])
                }
            }
        }
        let path = url.path
        let realm = try openHere(old)
        let note = try #require(realm.object(ofType: V1.Note.self, forPrimaryKey: 500))

        // Additions are none of its business.
        await #expect(processExitsWith: .success) { [path = path as String] in
            let new = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
                objectTypes: [V1Plus.Note.self])
            let realm = try openHere(new)
            try realm.write {
                realm.create(
                    V1Plus.Note.self,
                    value: ["id": 600, "text": "added", "added": "x"] as [String: Any])
            }
        }
        realm.refresh()
        #expect(realm.objects(V1.Note.self).count == 601)
        try realm.write { note.number = 501 }

        await #expect(processExitsWith: .success) { [path = path as String] in
            let new = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), schemaVersion: 2,
                migrationBlock: { migration, _ in
                    migration.renameProperty(onType: "Note", from: "text", to: "title")
                }, objectTypes: [V2.Note.self])
            let realm = try openHere(new)
            try realm.write { realm.delete(realm.objects(V2.Note.self).where { $0.id < 300 }) }
            #expect(realm.object(ofType: V2.Note.self, forPrimaryKey: 500)?.number == "501")
        }
        // It goes on reading the version that has its classes.
        #expect(!realm.refresh())
        #expect(realm.objects(V1.Note.self).count == 601)
        #expect(note.text == "text 500")
        #expect(note.number == 501)
        #expect { try realm.write { note.number = 1 } } throws: {
            ($0 as? Realm.Error)?.code == .schemaMismatch
                && ($0 as? Realm.Error)?.message.contains("Another process migrated") == true
        }
        #expect(!realm.isInWriteTransaction)
        #expect(note.number == 501)
    }

    private static let isRoot = geteuid() == 0

    @Test(.enabled(if: isRoot)) func aFullDiskLeavesTheFileAsItWas() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let mount = directory.url.appendingPathComponent("mount").path
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try run("/bin/mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", mount])
        defer { try? run("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            let url = URL(fileURLWithPath: mount + "/a.realm")
            func with(
                _ version: UInt64, _ types: [ObjectBase.Type], _ block: MigrationBlock? = nil,
                _ body: (Realm) throws -> Void
            ) throws {
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: url, schemaVersion: version, migrationBlock: block,
                        objectTypes: types))
                try body(realm)
                try #require(try realm.check() == [])
            }
            try with(1, [V1.Note.self]) { realm in
                try realm.write {
                    for id in 0..<20_000 {
                        realm.create(
                            V1.Note.self,
                            value: ["id": id, "text": "text \(id)", "number": id] as [String: Any])
                    }
                }
            }
            var code: Realm.Error.Code?
            do {
                try with(
                    2, [V2.Note.self],
                    { migration, _ in
                        migration.enumerateObjects(ofType: "Note") { _, new in
                            new?["title"] = String(repeating: "long", count: 100)
                        }
                    }
                ) { _ in }
            } catch { code = (error as? Realm.Error)?.code }
            try #require(code == .outOfDiskSpace)
            try with(1, [V1.Note.self]) { realm in
                try #require(
                    realm.object(ofType: V1.Note.self, forPrimaryKey: 19_999)?.text == "text 19999")
            }
            try with(
                2, [V2.Note.self],
                { migration, _ in
                    migration.renameProperty(onType: "Note", from: "text", to: "title")
                }
            ) { realm in
                try #require(
                    realm.object(ofType: V2.Note.self, forPrimaryKey: 19_999)?.title == "text 19999"
                )
            }
        }
    }
}
