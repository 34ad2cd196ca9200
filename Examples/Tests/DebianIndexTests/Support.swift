import DebianIndex
import Foundation

/// A reproducible random generator. Its seed is `FREEHOLD_SEED`, or 1.
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(_ test: String) {
        seed = ProcessInfo.processInfo.environment["FREEHOLD_SEED"].flatMap(UInt64.init) ?? 1
        state = seed
        print("\(test): FREEHOLD_SEED=\(seed)")
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The result of parsing a text, in a form that can be compared.
struct Parsed: Equatable {
    struct Field: Equatable {
        var name: String
        var value: String
        var line: Int?
    }

    var stanzas: [[Field]] = []
    var firstLines: [Int] = []
    var malformed: [MalformedStanza] = []

    mutating func take(_ event: StanzaParser.Event) {
        switch event {
        case .stanza(let stanza):
            firstLines.append(stanza.firstLine)
            stanzas.append(
                stanza.fieldNames.map {
                    Field(name: $0, value: stanza[$0] ?? "missing", line: stanza.line(of: $0))
                })
        case .malformed(let fault):
            malformed.append(fault)
        }
    }
}

/// Parses bytes that arrive in the given pieces.
func parse(_ pieces: [ArraySlice<UInt8>], maximumStanzaLength: Int = 4 << 20) -> Parsed {
    var parser = StanzaParser(maximumStanzaLength: maximumStanzaLength)
    var parsed = Parsed()
    for piece in pieces {
        let bytes = Array(piece)
        parser.consume(bytes.span) { parsed.take($0) }
    }
    parser.finish { parsed.take($0) }
    return parsed
}

/// Parses a text that arrives in one piece.
func parse(_ text: String, maximumStanzaLength: Int = 4 << 20) -> Parsed {
    parse([Array(text.utf8)[...]], maximumStanzaLength: maximumStanzaLength)
}

/// The first stanza of a text that has a well-formed one.
func firstStanza(_ text: String) -> Stanza? {
    var parser = StanzaParser()
    var found: Stanza?
    let take = { (event: StanzaParser.Event) in
        if found == nil, case .stanza(let stanza) = event { found = stanza }
    }
    let bytes = Array(text.utf8)
    parser.consume(bytes.span, take)
    parser.finish(take)
    return found
}

/// Runs a body with an empty directory that is removed afterwards.
func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("DebianIndexTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory)
}

/// Runs a program and returns its exit status and what it printed.
func run(_ path: String, _ arguments: String...) throws -> (status: Int32, output: Data) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, data)
}
