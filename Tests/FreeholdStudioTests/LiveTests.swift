import Foundation
import FreeholdTestProcesses
import Testing

/// Commits of another process, as they come.
@Suite struct LiveTests {
    /// A process that commits when it is told to.
    private struct Writer {
        let process: ChildProcess
        let input = Pipe()
        let output = Pipe()

        init(_ studio: StudioProcess) throws {
            process = try studio.startCommitting(input: input, output: output)
        }

        func commit() {
            input.fileHandleForWriting.write(Data("\n".utf8))
            _ = StudioProcess.line(of: output.fileHandleForReading)
        }

        func end() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    @Test func commitsAreTold() throws {
        let studio = try StudioProcess()
        let writer = try Writer(studio)
        let events = try Connection(port: studio.port)
        events.send(
            Data(
                """
                GET /api/events?file=0 HTTP/1.1\r\nHost: \(studio.host)\r\n\
                Cookie: \(studio.cookie)\r\n\r\n
                """.utf8))
        #expect(events.receive { String(decoding: $0, as: UTF8.self).contains(": ") } != nil)
        _ = try studio.json("stream?file=0&since=0")
        for number in 1...3 {
            writer.commit()
            let told = events.receive {
                String(decoding: $0, as: UTF8.self).contains("\"Event\":\(1000 + number)")
            }
            #expect(told != nil)
        }
        let commits = try studio.json("stream?file=0&since=0")["commits"] as? [[String: Any]] ?? []
        let rows = commits.flatMap { $0["rows"] as? [[String: Any]] ?? [] }
        #expect(rows.count { $0["kind"] as? String == "inserted" } == 3)
        let changed = rows.filter { $0["kind"] as? String == "changed" }
        #expect(changed.count == 3)
        let properties = changed.first?["properties"] as? [[String: Any]] ?? []
        #expect(properties.compactMap { $0["name"] as? String } == ["age"])
        writer.end()
        try studio.end()
    }

    @Test func whatIsLookedAtStays() throws {
        let studio = try StudioProcess()
        let query = "SORT(number DESC)".escaped
        let target = "rows?file=0&class=Event&query=\(query)&count=10"
        let before = try studio.json("\(target)&position=500")
        let key = (before["rows"] as? [[String: Any]])?.first?["key"] as? String ?? ""
        let writer = try Writer(studio)
        for _ in 0..<4 { writer.commit() }
        writer.end()
        let after = try studio.json("\(target)&position=500&anchor=\(key)&anchorPosition=500")
        #expect(after["anchorPosition"] as? Int == 504)
        #expect(after["position"] as? Int == 504)
        #expect((after["rows"] as? [[String: Any]])?.first?["key"] as? String == key)
        try studio.end()
    }
}
