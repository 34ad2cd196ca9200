import Foundation
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// Who is answered: nobody without the token.
@Suite struct GateTests {
    private static let targets = [
        "/", "/index.html", "/app.js", "/tokens.css", "/icon.svg", "/api/files",
        "/api/schema?file=0", "/api/rows?file=0&class=Person", "/api/events?file=0",
        "/api/export?file=0&class=Person&format=json", "/api/check?file=0", "/favicon.ico", "/..",
    ]

    @Test func nothingWithoutTheToken() throws {
        let studio = try StudioProcess()
        for target in Self.targets {
            let reply = try studio.get(target, isAdmitted: false)
            #expect(reply.status == 401, "\(target)")
            #expect(!reply.text.contains("Ada"))
            let wrong = try studio.get(
                target, isAdmitted: false, ["Cookie": "freehold-\(studio.port)=\(studio.token)"])
            #expect(wrong.status == 401, "The token is no cookie: \(target)")
        }
        for token in ["", "0", String(studio.token.dropLast()), studio.token + "0"] {
            #expect(try studio.get("/?token=\(token)", isAdmitted: false).status == 401)
        }
        let entrance = try studio.get("/?token=\(studio.token)", isAdmitted: false)
        let cookie = try #require(entrance.headers["set-cookie"])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        #expect(!cookie.contains(studio.token))
        try studio.end()
    }

    @Test func otherHostsAndOriginsAreRefused() throws {
        let studio = try StudioProcess()
        for host in ["evil.example", "evil.example:\(studio.port)", "127.0.0.1", "127.0.0.1:1", ""]
        {
            #expect(try studio.get("/api/files", ["Host": host]).status == 421, "\(host)")
            #expect(
                try studio.get("/?token=\(studio.token)", ["Host": host]).status == 421, "\(host)")
        }
        for origin in [
            "http://evil.example", "null", "https://\(studio.host)", "http://127.0.0.1:1",
        ] {
            #expect(try studio.get("/api/files", ["Origin": origin]).status == 403, "\(origin)")
        }
        for site in ["cross-site", "same-site"] {
            #expect(try studio.get("/api/files", ["Sec-Fetch-Site": site]).status == 403)
        }
        #expect(try studio.get("/api/files", ["Origin": "http://\(studio.host)"]).status == 200)
        let bare = try RawReply.of(
            "POST", "/api/draft/undo", port: studio.port,
            headers: ["Cookie": studio.cookie, "Content-Type": "application/json"],
            body: Data("{\"file\":0}".utf8))
        #expect(bare.status == 403, "A change without an origin")
        let form = try studio.post(
            "draft/undo", ["file": 0], ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(form.status == 400, "A form of another page")
        try studio.end()
    }

    @Test func everyAnswerHasThePolicy() throws {
        let studio = try StudioProcess()
        for target in ["/", "/app.js", "/api/files", "/api/nothing", "/nothing"] {
            let headers = try studio.get(target).headers
            let policy = headers["content-security-policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
            #expect(!policy.contains("unsafe") && !policy.contains("http"))
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["cache-control"] == "no-store")
        }
        let page = try studio.get("/").text
        #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains("onclick"))
        try studio.end()
    }

    @Test func onlyReadsWithoutWrite() throws {
        let studio = try StudioProcess()
        let edits: [(String, [String: Any])] = [
            ("draft/set", ["class": "Person", "key": "1", "property": "age", "value": 3]),
            ("draft/add", ["class": "Country", "primaryKey": "XX"]),
            ("draft/delete", ["class": "Person", "key": "1"]),
            ("salvage", ["target": "/tmp/freehold-never"]),
        ]
        for (path, body) in edits {
            let reply = try studio.post(path, body.merging(["file": 0]) { a, _ in a })
            #expect(reply.status == 403, "\(path)")
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/freehold-never"))
        try studio.end()
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGTERM]) func endsWithItsTerminal(signal: Int32) throws {
        let studio = try StudioProcess()
        kill(studio.process.processIdentifier, signal)
        studio.process.waitUntilExit()
        #expect(studio.process.terminationStatus == 0)
        try studio.end()
    }

    @Test func theKeyStaysInTheProcess() throws {
        let studio = try StudioProcess(key: Data((0..<64).map { UInt8(65 + $0 % 26) }))
        let key = try #require(studio.key)
        let rows = try studio.json("rows?file=0&class=Person&count=3")
        #expect(rows["total"] as? Int == 600)
        for target in ["/api/files", "/api/schema?file=0", "/api/versions?file=0", "/"] {
            let reply = try studio.get(target)
            #expect(reply.status == 200)
            let forms = [
                String(decoding: key, as: UTF8.self), key.base64EncodedString(),
                key.map { String($0, radix: 16) }.joined(),
            ]
            for form in forms { #expect(!reply.text.contains(form.prefix(24))) }
        }
        try studio.end()
    }
}
