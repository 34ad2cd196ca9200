import Foundation
import FreeholdTestSupport
import Testing

/// Requests that no page sends. Studio answers or closes the connection, and goes on.
@Suite struct FuzzTests {
    @Test func requestsOfAnyKind() throws {
        var random = Seed.random()
        let studio = try StudioProcess(isWritable: true)
        for _ in 0..<600 {
            let (request, name) = Self.request(&random, studio)
            _ = try RawReply.exchange(request, port: studio.port)
            guard studio.isRunning else {
                Issue.record("Studio crashed at: \(name)")
                break
            }
        }
        #expect(try studio.get("/api/schema?file=0").status == 200)
        _ = try studio.post("draft/discard", ["file": 0])
        try studio.end()
    }

    private static let paths = [
        "files", "schema", "rows", "explain", "object", "value", "values", "find", "deletion",
        "draft", "versions", "stream", "check", "export", "draft/set", "draft/add", "draft/delete",
        "draft/undo", "draft/redo", "draft/save", "draft/discard", "nothing", "", "..", "%2e%2e",
    ]
    private static let names = [
        "file", "class", "query", "key", "position", "count", "anchor", "anchorPosition",
        "columns", "property", "prefix", "text", "format", "since", "coding", "value",
        "primaryKey", "resolutions",
    ]
    private static let values = [
        "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "1e9", "Person", "Event",
        "Note", "Letter", "name", "age", "friends", "extra", "json", "csv", "swift", "dump",
        "age > 3", "age >", "SORT(age)", "LIMIT(3)", "LIMIT(-1)", "DISTINCT(age) SORT(name ASC)",
        "(((((((((", "name == '", "ANY friends.age > 3", "🦉", "\u{0}", "%", "../../etc/passwd",
        "SUBQUERY(friends, $f, $f.age > 3).@count > 1", "name MATCHES '(a+)+$'", "",
    ]

    private static func request(_ random: inout SeededGenerator, _ studio: StudioProcess) -> (
        Data, String
    ) {
        if random.once(in: 12) {
            let bytes = (0..<random.int(0...300)).map { _ in UInt8(random.int(0...255)) }
            return (Data(bytes), "random bytes")
        }
        let isPost = random.once(in: 3)
        var target = "/api/" + random.pick(paths)
        var body: [String: Any] = ["file": random.once(in: 9) ? "x" : 0]
        if !random.once(in: 9) { target += "?file=0" }
        for _ in 0..<random.int(0...6) {
            let (name, value) = (random.pick(names), random.pick(values))
            let isRaw = random.once(in: 9)
            let text = isRaw ? value.filter { $0 != "\u{0}" && $0 != " " } : value.escaped
            target += "&\(name)=\(text)"
            body[name] = random.once(in: 3) ? Int(value) ?? value : value
        }
        var headers = [
            "Host": studio.host, "Cookie": studio.cookie, "Connection": "close",
            "Origin": "http://\(studio.host)", "Content-Type": "application/json",
        ]
        if random.once(in: 10) {
            headers["Host"] = random.pick(values.filter { !$0.contains("\u{0}") })
        }
        if random.once(in: 10) { headers["Cookie"] = "a; =; freehold-\(studio.port)" }
        if random.once(in: 12) { headers["Transfer-Encoding"] = "chunked" }
        var content = Data()
        if isPost {
            content = (try? JSONSerialization.data(withJSONObject: body)) ?? Data()
            if random.once(in: 4), !content.isEmpty {
                content[random.int(0...content.count - 1)] = UInt8(random.int(0...255))
            }
            headers["Content-Length"] =
                "\(random.once(in: 10) ? random.int(-1...9000) : content.count)"
        }
        let method = random.once(in: 20) ? "DELETE" : isPost ? "POST" : "GET"
        var text = "\(method) \(target) HTTP/1.1\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            text += "\(name): \(value)\r\n"
        }
        return (Data("\(text)\r\n".utf8) + content, "\(method) \(target)")
    }
}
