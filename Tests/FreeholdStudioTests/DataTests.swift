import Foundation
import Freehold
import FreeholdTestSupport
import Testing

@testable import FreeholdStudio

/// What the page asks for.
@Suite struct DataTests {
    private typealias Row = [String: Any]

    private func rows(_ reply: [String: Any]) -> [Row] { reply["rows"] as? [Row] ?? [] }

    @Test func windowsOfRows() throws {
        let studio = try StudioProcess(events: 5000)
        let schema = try studio.json("schema?file=0")
        let names = (schema["classes"] as? [Row] ?? []).compactMap { $0["name"] as? String }
        #expect(names.contains("Person") && names.contains("Note") && names.contains("Letter"))
        for (position, count, first) in [(0, 10, 0), (4000, 100, 4000), (9_999_999, 10, 4990)] {
            let reply = try studio.json(
                "rows?file=0&class=Event&position=\(position)&count=\(count)&columns=number")
            #expect(reply["total"] as? Int == 5000)
            #expect(reply["position"] as? Int == first)
            #expect(rows(reply).count == count)
            let cell = (rows(reply).first?["cells"] as? [Row])?.first
            #expect(cell?["v"] as? String == "\(first)")
        }
        #expect(rows(try studio.json("rows?file=0&class=Event&count=100000")).count == 500)
        #expect(try studio.json("rows?file=0&class=Letter")["total"] as? Int == 0)
        #expect(try studio.json("rows?file=0&class=Note")["total"] as? Int == 300)
        try studio.end()
    }

    private final class Memo: Object {
        @Persisted var text = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// A history is a table of the file, too.
    @Test func theFilesOwnTablesAreNoClasses() throws {
        let studio = try StudioProcess { file, keyFile in
            try onNewThread {
                var configuration = Realm.Configuration(
                    fileURL: file, encryptionKey: try keyFile.map { try Data(contentsOf: $0) },
                    objectTypes: [Memo.self])
                configuration.history = .kept(for: .forever)
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Memo(value: ["text": "Freehold"])) }
            }
        }
        let schema = try studio.json("schema?file=0")
        let names = (schema["classes"] as? [Row] ?? []).compactMap { $0["name"] as? String }
        #expect(names == ["DataTests_Memo"])
        #expect(try studio.get("/api/rows?file=0&class=Freehold.History").status == 404)
        try studio.end()
    }

    @Test func queriesAndTheirMistakes() throws {
        let studio = try StudioProcess()
        let text = "age > 30 AND name BEGINSWITH \"A\" SORT(age DESC)".escaped
        let found = try studio.json("rows?file=0&class=Person&query=\(text)")
        #expect(found["total"] as? Int == 72)
        let plan = try studio.json("explain?file=0&class=Person&query=\(text)")
        #expect((plan["plan"] as? Row)?["operation"] as? String == "sort")
        let sorted = try studio.json("rows?file=0&class=Person&query=\("SORT(name ASC)".escaped)")
        #expect(sorted["total"] as? Int == 600)
        for (wrong, column) in [("age >> 3", 6), ("agee > 3", 1), ("name == 3", 1)] {
            let reply = try studio.get("/api/rows?file=0&class=Person&query=\(wrong.escaped)")
            #expect(reply.status == 422)
            let body = try reply.json()
            #expect(body["kind"] as? String == "query")
            #expect(body["column"] as? Int == column, "\(wrong): \(body)")
        }
        #expect(try studio.get("/api/rows?file=0&class=Nobody").status == 404)
        try studio.end()
    }

    @Test func anObjectWithAllThatLinksToIt() throws {
        let studio = try StudioProcess()
        let reply = try studio.json("object?file=0&class=Person&key=2")
        #expect(reply["title"] as? String == "Linus Liskov")
        let values = try #require(reply["values"] as? [String: Any])
        let address = try #require((values["address"] as? Row)?["v"] as? [String: Any])
        let place = try #require((address["place"] as? Row)?["v"] as? [String: Any])
        #expect((place["notes"] as? Row)?["n"] as? Int == 2)
        let links = (reply["backlinks"] as? [Row] ?? []).compactMap { $0["className"] as? String }
        #expect(Set(links) == ["Event", "Order", "Person"])
        let along = try studio.json("deletion?file=0&class=Person&key=2")["along"] as? [Row] ?? []
        #expect(along.compactMap { $0["className"] as? String } == ["Address", "Note", "Place"])
        #expect(try studio.get("/api/object?file=0&class=Person&key=99999").status == 404)
        let note = try studio.json("object?file=0&class=Place&key=0")
        #expect((note["owner"] as? Row)?["c"] as? String == "Address")
        try studio.end()
    }

    @Test func otherPages() throws {
        let studio = try StudioProcess()
        let pins = try studio.json("versions?file=0")["pins"] as? [Row] ?? []
        #expect(pins.contains { $0["isStudio"] as? Bool == true })
        let space = try studio.get("/api/space?file=0").text.split(separator: "\n").last ?? ""
        let answer = try JSONSerialization.jsonObject(with: Data(space.utf8)) as? Row
        let parts = answer?["parts"] as? [Row] ?? []
        #expect(parts.contains { $0["name"] as? String == "Person" })
        let check = try studio.get("/api/check?file=0")
        #expect(check.text.contains("\"problems\":[]"))
        let found = try studio.json("find?file=0&text=\("Ada".escaped)")
        #expect(rows(found).first?["v"] as? String == "Ada Lovelace")
        let values = try studio.json("values?file=0&class=Country&property=continent&prefix=Eu")
        #expect(values["values"] as? [String] == ["Europe"])
        try studio.end()
    }

    @Test func exports() throws {
        let studio = try StudioProcess()
        let query = "age > 70 SORT(name ASC)".escaped
        let target = "/api/export?file=0&class=Person&query=\(query)&format="
        let lines = try studio.get(target + "json").text.split(separator: "\n")
        let total = try studio.json("rows?file=0&class=Person&query=\(query)")["total"] as? Int
        #expect(lines.count == total)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect((object?["age"] as? Int ?? 0) > 70)
        }
        let csv = try studio.get(target + "csv")
        #expect(csv.text.hasPrefix("id,name,email,age,joined"))
        #expect(csv.headers["content-disposition"] == "attachment; filename=\"Person.csv\"")
        let swift = try studio.get(target + "swift").text
        #expect(swift.contains("final class Person") && swift.contains("class Country"))
        #expect(swift.contains("age > 70 SORT(name ASC)") && !swift.contains("class Order:"))
        let whole = try studio.get("/api/export?file=0&class=Event&format=json")
        #expect(whole.text.split(separator: "\n").count == 1000)
        try studio.end()
    }

    @Test func thePageIsSmall() {
        let size = PageFiles.all.values.reduce(0) { $0 + $1.count }
        #expect(size < 300_000, "\(size) bytes")
    }
}
