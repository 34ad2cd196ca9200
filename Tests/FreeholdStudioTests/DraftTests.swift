import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// Edits, as a draft.
@Suite struct DraftTests {
    private typealias Members = [String: Any]

    private func set(
        _ studio: StudioProcess, _ property: String, _ value: Any, key: String = "3",
        of className: String = "Person"
    ) throws -> RawReply {
        try studio.post(
            "draft/set",
            ["file": 0, "class": className, "key": key, "property": property, "value": value])
    }

    private func value(_ studio: StudioProcess, _ property: String, key: String = "3") throws
        -> Any?
    {
        try studio.json(
            "value?file=0&class=Person&key=\(key)&property=\(property)&coding=dump")["value"]
    }

    @Test func editsAreSavedInOneTransaction() throws {
        let studio = try StudioProcess(isWritable: true)
        let version = try studio.json("schema?file=0")["version"] as? Int ?? 0
        let edits: [(String, Any)] = [
            ("name", "Eve 🪁"), ("age", 41), ("email", "eve@example.org"), ("isActive", true),
            ("balance", "12.50"), ("rating", NSNull()), ("joined", "2024-02-29T12:00:00Z"),
            ("country", "JP"), ("friends", [1, 2]), ("tags", ["a", "b"]), ("scores", ["x": 1.5]),
            ("address", ["street": "New", "city": "Wien", "place": NSNull()]),
            ("extra", ["deep": [1, ["$date": "2024-02-29T12:00:00Z"]]]), ("photo", "AAEC"),
        ]
        for (property, value) in edits {
            let reply = try set(studio, property, value)
            #expect(reply.status == 200, "\(property): \(reply.text)")
        }
        let marked = try studio.json("rows?file=0&class=Person&position=3&count=1")
        let changed = (marked["rows"] as? [Members])?.first?["changed"] as? [String] ?? []
        #expect(Set(changed).isSuperset(of: ["name", "age", "country", "friends", "address"]))
        let review = try studio.json("draft?file=0")
        #expect(
            (review["changes"] as? [Members])?.contains { $0["object"] as? String == "Person 3" }
                == true)
        let saved = try studio.post("draft/save", ["file": 0])
        #expect(saved.status == 200, "\(saved.text)")
        #expect(try studio.json("schema?file=0")["version"] as? Int == version + 1)
        #expect(try value(studio, "name") as? String == "Eve 🪁")
        #expect(try value(studio, "country") as? String == "JP")
        #expect(try value(studio, "friends") as? [Int] == [1, 2])
        try studio.end()
    }

    private final class Kept: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String

        override class func _realmObjectName() -> String? { "Kept" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// A file with a history says that Studio made the change.
    @Test func savesHaveAnAuthor() throws {
        let studio = try StudioProcess(isWritable: true) { file, keyFile in
            let key = try keyFile.map { try Data(contentsOf: $0) }
            try onNewThread {
                var configuration = Realm.Configuration(fileURL: file, objectTypes: [Kept.self])
                configuration.encryptionKey = key
                configuration.history = .kept(for: .forever, values: true)
                let realm = try Realm(configuration: configuration)
                try realm.write { _ = realm.create(Kept.self, value: ["id": 3, "name": "before"]) }
            }
        }
        #expect(try set(studio, "name", "after", of: "Kept").status == 200)
        #expect(try studio.post("draft/save", ["file": 0]).status == 200)
        let output = Pipe()
        let key = studio.keyFile.map { ["--key-file", $0.path] } ?? []
        let history = try StudioProcess.start(
            "freehold", ["history", studio.file.path, "--last", "1", "--json"] + key,
            output: output)
        let line = StudioProcess.line(of: output.fileHandleForReading)
        history.waitUntilExit()
        #expect(line.contains("\"author\":\"freehold\""), "\(line)")
        #expect(line.contains("\"after\":{\"name\":\"after\"}"), "\(line)")
        try studio.end()
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let studio = try StudioProcess(isWritable: true)
        let wrong: [(String, Any)] = [
            ("age", "forty"), ("age", 1.5), ("age", NSNull()), ("name", 3), ("isActive", 1),
            ("joined", "yesterday"), ("balance", "much"), ("country", "XX"), ("country", 3),
            ("friends", [99_999]), ("friends", 1), ("scores", [1]), ("photo", "%"),
            ("address", 3), ("address", ["streets": ""]), ("extra", ["$what": 1]), ("id", 9),
            ("nothing", 1), ("token", "no"),
        ]
        for (property, value) in wrong {
            let reply = try set(studio, property, value)
            #expect(reply.status == 400, "\(property) = \(value): \(reply.status)")
        }
        #expect(try set(studio, "age", 3, key: "99999").status == 404)
        #expect((try studio.json("draft?file=0")["changes"] as? [Members])?.isEmpty == true)
        try studio.end()
    }

    @Test func undoAndRedo() throws {
        let studio = try StudioProcess(isWritable: true)
        let name = try value(studio, "name") as? String
        _ = try set(studio, "name", "One")
        _ = try set(studio, "name", "Two")
        _ = try studio.post("draft/undo", ["file": 0])
        #expect(try value(studio, "name") as? String == "One")
        _ = try studio.post("draft/redo", ["file": 0])
        #expect(try value(studio, "name") as? String == "Two")
        _ = try studio.post("draft/undo", ["file": 0])
        let reply = try studio.post("draft/undo", ["file": 0])
        #expect(try reply.json()["name"] as? String == "Set name of Person")
        #expect(try value(studio, "name") as? String == name)
        #expect((try studio.json("draft?file=0")["changes"] as? [Members])?.isEmpty == true)
        try studio.end()
    }

    @Test func addingDeletingDiscarding() throws {
        let studio = try StudioProcess(isWritable: true)
        let added = try studio.post(
            "draft/add", ["file": 0, "class": "Country", "primaryKey": "FR"])
        #expect(added.status == 200, "\(added.text)")
        let twice = try studio.post(
            "draft/add", ["file": 0, "class": "Country", "primaryKey": "FR"])
        #expect(twice.status == 400)
        let deleted = try studio.post("draft/delete", ["file": 0, "class": "Person", "key": "2"])
        #expect(deleted.status == 200)
        #expect(try studio.json("rows?file=0&class=Person")["total"] as? Int == 599)
        #expect(try studio.json("rows?file=0&class=Country")["total"] as? Int == 11)
        #expect(try studio.post("draft/discard", ["file": 0]).status == 200)
        #expect(try studio.json("rows?file=0&class=Person")["total"] as? Int == 600)
        #expect(try studio.json("rows?file=0&class=Country")["total"] as? Int == 10)
        try studio.end()
    }

    @Test func conflictsAreSettledSideBySide() throws {
        let studio = try StudioProcess(isWritable: true)
        _ = try set(studio, "age", 99, key: "1")
        // The other process makes Person 1 a year older.
        let input = Pipe()
        let output = Pipe()
        let writer = try studio.startCommitting(input: input, output: output)
        input.fileHandleForWriting.write(Data("\n".utf8))
        _ = StudioProcess.line(of: output.fileHandleForReading)
        try input.fileHandleForWriting.close()
        writer.waitUntilExit()
        let refused = try studio.post("draft/save", ["file": 0])
        #expect(refused.status == 409)
        let conflicts = try studio.json("draft?file=0")["conflicts"] as? [Members] ?? []
        #expect(conflicts.count == 1)
        let conflict = try #require(conflicts.first)
        #expect(conflict["mine"] as? String == "99")
        #expect(conflict["theirs"] as? String != conflict["base"] as? String)
        let id = try #require(conflict["id"] as? String)
        let saved = try studio.post("draft/save", ["file": 0, "resolutions": [id: "mine"]])
        #expect(saved.status == 200, "\(saved.text)")
        #expect(try value(studio, "age", key: "1") as? Int == 99)
        try studio.end()
    }
}
