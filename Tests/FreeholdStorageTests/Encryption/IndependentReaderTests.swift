import Foundation
import FreeholdStorage
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// `Tests/Encryption/read-encrypted.py`, which knows the documents and nothing of the library,
/// against the library.
@Suite(
    .enabled(
        if: IndependentReader.isThere, "Python 3 with the package `cryptography` is not installed.")
)
struct IndependentReaderTests {
    private static let key = (0..<64).map { UInt8($0) &* 3 }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ key: [UInt8], _ name: String) throws -> String {
        try Data(key).write(to: URL(fileURLWithPath: directory.file(name)))
        return directory.file(name)
    }

    /// What the script prints of a version.
    private static func lines(_ view: ReadTransaction) throws -> [String] {
        var lines = ["version \(view.version)"]
        for (database, name) in zip(
            Database.allCases, ["meta", "directory", "clusters", "indexes", "blobs", "elements"])
        {
            var bytes: [UInt8] = []
            let entries = try view.entries(database)
            for part in entries.flatMap({ [$0.key, $0.value] }) {
                withUnsafeBytes(of: UInt32(part.count).littleEndian) {
                    bytes.append(contentsOf: $0)
                }
                bytes += part
            }
            let digest = String(bytes.withUnsafeBytes { Checksum.xxh64($0) }, radix: 16)
            lines.append(
                "\(name) \(entries.count) " + String(repeating: "0", count: 16 - digest.count)
                    + digest)
        }
        return lines
    }

    @Test func theFileIsWhatTheDocumentsSay() throws {
        var random = Seed.random()
        let options = Environment.Options(directory.file("file")) {
            $0.encryptionKey = EncryptionKey(Self.key)
        }
        var newest: [String] = []
        do {
            let environment = try Environment.open(options)
            for round in 0..<4 {
                let view = try environment.writer.begin().commit { transaction in
                    for _ in 0..<400 {
                        let database = random.pick(Database.allCases)
                        let count = random.pick([
                            0, 10, 256, 257, 1_792, 1_793, 4_052, 4_053, 70_000 * (round + 1) / 40,
                        ])
                        let value = (0..<count).map { _ in UInt8(random.int(0...255)) }
                        try transaction.put("key \(random.int(0...900))", value, in: database)
                        try transaction.delete("key \(random.int(0...900))", in: database)
                    }
                }.1
                if round == 2 { try environment.compact(try environment.writer.begin()) }
                newest = try Self.lines(view)
            }
        }
        let read = try IndependentReader.run([options.path, try write(Self.key, "key")])
        #expect(read.status == 0 && read.lines == newest, "\(read)")
        let wrong = try IndependentReader.run([
            options.path, try write(Self.key.map { $0 ^ 1 }, "wrong"),
        ])
        #expect(wrong.status == 1 && wrong.errors.contains("The key is another one."))
        // After a change of the key, the new one.
        let other = Self.key.map { $0 ^ 2 }
        do {
            let environment = try Environment.open(options)
            try environment.changeEncryptionKey(
                try environment.writer.begin(), to: try #require(EncryptionKey(other)))
            newest = try Self.lines(try environment.read())
        }
        #expect(try IndependentReader.run([options.path, try write(Self.key, "key")]).status == 1)
        #expect(
            try IndependentReader.run([options.path, try write(other, "other")]).lines == newest)
    }

    /// The vectors in ``EncryptedVectorTests`` are what the script prints.
    @Test func theVectorsAreThoseOfTheScript() throws {
        let made = try IndependentReader.run([], script: "make-vectors.py")
        let tests = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("EncryptedVectorTests.swift"), encoding: .utf8)
        #expect(made.status == 0 && made.lines.count > 20)
        #expect(tests.contains(made.lines.joined(separator: "\n")))
    }
}

enum IndependentReader {
    struct Outcome {
        var status: Int32
        var lines: [String]
        var errors: String
    }

    static let isThere = (try? python(["-c", "import cryptography"]).status) == 0

    static func run(_ arguments: [String], script: String = "read-encrypted.py") throws -> Outcome {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try python(
            [tests.appendingPathComponent("Encryption").appendingPathComponent(script).path]
                + arguments)
    }

    private static func python(_ arguments: [String]) throws -> Outcome {
        let process = ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"), ["python3"] + arguments)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = .pipe(output)
        process.standardError = .pipe(errors)
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Outcome(
            status: process.terminationStatus, lines: lines.last == "" ? lines.dropLast() : lines,
            errors: errorText)
    }
}
