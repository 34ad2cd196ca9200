import DebianIndex
import Testing

@Suite("Stanza parser")
struct StanzaParserTests {
    @Test("reads fields, continuation lines and where they are")
    func fields() {
        let parsed = parse(
            """
            Package: one
            Description:  a summary\u{20}
             more
             .
             end
            Empty:

            Package: two
            """)
        #expect(parsed.malformed.isEmpty)
        #expect(
            parsed.stanzas == [
                [
                    .init(name: "Package", value: "one", line: 1),
                    .init(name: "Description", value: "a summary \n more\n .\n end", line: 2),
                    .init(name: "Empty", value: "", line: 6),
                ],
                [.init(name: "Package", value: "two", line: 8)],
            ])
        #expect(parsed.firstLines == [1, 8])
    }

    @Test("a value may begin on a continuation line")
    func emptyFirstLine() throws {
        let stanza = try #require(firstStanza("Conffiles:\n /etc/a 1\n\t/etc/b 2 \n"))
        #expect(stanza["Conffiles"] == "\n /etc/a 1\n\t/etc/b 2")
    }

    @Test("field names compare without regard to case")
    func caseOfNames() throws {
        let stanza = try #require(firstStanza("PACKAGE: a\ninstalled-size: 3\n"))
        #expect(stanza["Package"] == "a")
        #expect(stanza["Installed-Size"] == "3")
        #expect(stanza["Installed"] == nil)
        #expect(stanza.line(of: "Installed-SIZE") == 2)
    }

    @Test(
        "line ends, empty lines and the end of the file make no difference",
        arguments: [
            "A: 1\nB: 2\n x\n\nA: 3\n",
            "A: 1\nB: 2\n x\n\nA: 3",
            "A: 1\r\nB: 2\r\n x\r\n\r\nA: 3\r\n",
            "A: 1\r\nB: 2\n x\r\n\nA: 3\r",
            "A: 1\nB: 2\n x\n \t \nA: 3\n\n",
            "A:1\nB:\t2\n x\n\nA: 3  \n",
        ])
    func lineEnds(text: String) {
        let parsed = parse(text)
        #expect(parsed.malformed.isEmpty)
        #expect(parsed.stanzas.map { $0.map(\.name) } == [["A", "B"], ["A"]])
        #expect(parsed.stanzas.map { $0.map(\.value) } == [["1", "2\n x"], ["3"]])
        #expect(parsed.firstLines == [1, 5])
    }

    @Test(
        "empty lines before, between and after are no stanzas",
        arguments: ["", "\n", "\n\r\n \n", "   "])
    func nothing(text: String) {
        #expect(parse(text) == Parsed())
        let parsed = parse(text + "\nA: 1\n\n\n" + text)
        #expect(parsed.stanzas.count == 1)
        #expect(parsed.malformed.isEmpty)
    }

    @Test("unknown fields, colons in values and bytes that are not UTF-8 are read")
    func oddities() throws {
        let stanza = try #require(firstStanza("X-Strange_2/3: a: b:c\nHomepage: http://x\n"))
        #expect(stanza["X-Strange_2/3"] == "a: b:c")
        #expect(stanza["Homepage"] == "http://x")

        let parsed = parse([[0x41, 0x3A, 0x20, 0xE9, 0x0A]])
        #expect(parsed.stanzas == [[.init(name: "A", value: "\u{FFFD}", line: 1)]])
    }

    @Test(
        "a malformed stanza is told with its line, and the others are read",
        arguments: [
            ("Package: b\nno colon here\nSize: 1", 4, "neither", "b"),
            ("no colon here\nPackage: b", 3, "neither", "b"),
            (" begins with a continuation\nPackage: b", 3, "no field to continue", "b"),
            ("Package: b\n: nameless", 4, "'' is not a field name", "b"),
            ("Package: b\n#Comment: x", 4, "'#Comment' is not a field name", "b"),
            ("Package: b\n-----BEGIN: x", 4, "is not a field name", "b"),
            ("Package: b\nTwo words: x", 4, "'Two words' is not a field name", "b"),
            ("Package: b\nÄrger: x", 4, "'??rger' is not a field name", "b"),
            ("Package: b\nSize: 1\n x\nsize: 2", 6, "'size' occurs twice", "b"),
            ("Filename: x\nbad\nworse\n y", 4, "neither", nil),
        ] as [(String, Int, String, String?)])
    func malformed(bad: String, line: Int, reason: String, name: String?) throws {
        let parsed = parse("Package: a\n\n\(bad)\n\nPackage: c\nSize: 9\n")
        #expect(parsed.stanzas.map { $0.map(\.value) } == [["a"], ["c", "9"]])
        let fault = try #require(parsed.malformed.first)
        #expect(parsed.malformed.count == 1)
        #expect(fault.firstLine == 3)
        #expect(fault.line == line)
        #expect(fault.reason.contains(reason))
        #expect(fault.packageName == name)
        #expect(parsed.firstLines == [1, 4 + bad.split(separator: "\n").count])
    }

    @Test("a malformed last stanza is told although nothing follows it")
    func malformedAtEnd() {
        let parsed = parse("Package: a\n\nPackage: b\nbad")
        #expect(parsed.stanzas.count == 1)
        #expect(parsed.malformed.map(\.line) == [4])
        #expect(parsed.malformed.map(\.packageName) == ["b"])
    }

    @Test(
        "a stanza that is too long is skipped as a whole, in bounded memory",
        arguments: [1, 7, 4_096])
    func tooLong(pieceLength: Int) {
        let long =
            "Package: b\n" + String(repeating: "Field: value\n continued\n", count: 50)
            + String(repeating: "x", count: 5_000) + "\n" + String(repeating: "  \t  ", count: 50)
            + "y\nA: 1\n"
        let bytes = Array("Package: a\n\n\(long)\nPackage: c\n\n".utf8)
        let pieces = stride(from: 0, to: bytes.count, by: pieceLength).map {
            bytes[$0..<min($0 + pieceLength, bytes.count)]
        }
        let parsed = parse(pieces, maximumStanzaLength: 64)
        #expect(parsed.stanzas.map { $0.map(\.value) } == [["a"], ["c"]])
        #expect(parsed.malformed.count == 1)
        #expect(parsed.malformed.first?.firstLine == 3)
        #expect(parsed.firstLines.last == 108)
    }

    @Test("too many fields are malformed, not slow")
    func tooManyFields() {
        let parsed = parse((0..<5_000).map { "F\($0): x\n" }.joined() + "\nPackage: a\n")
        #expect(parsed.stanzas.count == 1)
        #expect(parsed.malformed.map(\.line) == [1_001])
    }

    @Test("the parser is at the beginning again after the end of a file")
    func severalFiles() {
        var parser = StanzaParser()
        var parsed = Parsed()
        for text in ["A: 1\nbad", "\nA: 2"] {
            let bytes = Array(text.utf8)
            parser.consume(bytes.span) { parsed.take($0) }
            parser.finish { parsed.take($0) }
        }
        #expect(parsed.malformed.map(\.line) == [2])
        #expect(parsed.firstLines == [2])
    }

    @Test("where the input is cut makes no difference")
    func randomPieces() {
        var random = SeededGenerator("randomPieces")
        let lines = [
            "Package: a", "Version: 1.0-1", "Description: ä long line of text", " continued", " .",
            "", "", " ", "\r",
            "no colon", "Package: b\r", ": x", "X:", "\t", "Size: 12", "Tag: one,", " two",
        ]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...40, using: &random))
                .map { _ in lines.randomElement(using: &random)! }
                .joined(separator: "\n")
            let bytes = Array(text.utf8)
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let length = Int.random(in: 0...12, using: &random)
                pieces.append(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            for limit in [16, 4 << 20] {
                let whole = parse([bytes[...]], maximumStanzaLength: limit)
                let cut = parse(pieces, maximumStanzaLength: limit)
                // The parser detects a too long stanza from the bytes it has, so only the reported
                // line may differ.
                #expect(
                    cut.stanzas == whole.stanzas,
                    "seed \(random.seed), limit \(limit), text:\n\(text)")
                #expect(cut.firstLines == whole.firstLines, "seed \(random.seed)")
                #expect(
                    cut.malformed.map(\.firstLine) == whole.malformed.map(\.firstLine),
                    "seed \(random.seed)")
                if limit > 16 { #expect(cut == whole, "seed \(random.seed), text:\n\(text)") }
            }
        }
    }
}
