import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// The `freehold` command, as a process.
@Suite struct CommandTests {
    /// The command lies beside the tests.
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("freehold")

    /// What other programs read of a check.
    private struct Report: Decodable {
        struct Class: Decodable {
            var name: String
            var objectCount: Int
        }

        var isSound: Bool
        var classes: [Class]
        var problems: [String]
    }

    private struct Outcome {
        var status: Int32
        var output: String
        var errors: String

        func report() throws -> Report {
            try JSONDecoder().decode(Report.self, from: Data(output.utf8))
        }
    }

    private static func run(_ arguments: [String]) throws -> Outcome {
        let process = ChildProcess(executable, arguments)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = .pipe(output)
        process.standardError = .pipe(errors)
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: text, errors: errorText)
    }

    private static func makeFile(_ url: URL, encryptionKey: Data?) throws {
        try onNewThread {
            var configuration = World.configuration(url)
            configuration.encryptionKey = encryptionKey
            let realm = try Realm(configuration: configuration)
            try realm.write { World.fill(realm, people: 50) }
        }
    }

    @Test(arguments: [false, true]) func soundAndDamaged(isEncrypted: Bool) throws {
        let directory = try TemporaryDirectory()
        let (url, saved, keyFile) = (
            directory.file("a.realm"), directory.file("b.realm"), directory.file("key")
        )
        let key = Data((0..<64).map { UInt8($0) })
        try key.write(to: keyFile)
        let isEncrypted = isEncrypted || EncryptedSuite.isOn
        try Self.makeFile(url, encryptionKey: isEncrypted ? key : nil)
        let options = isEncrypted ? ["--key-file", keyFile.path] : []
        func run(_ arguments: String...) throws -> Outcome { try Self.run(arguments + options) }
        let sound = try run("check", url.path)
        #expect(sound.status == 0)
        #expect(sound.output.contains(": sound"))
        #expect(sound.output.contains("Person: 50 objects"))
        let report = try run("check", url.path, "--json").report()
        #expect(report.isSound)
        #expect(report.classes.first { $0.name == Fixture.Person.className() }?.objectCount == 50)

        // A text in the middle of a value: no page is broken, one checksum is.
        var bytes = try Data(contentsOf: url)
        if !isEncrypted {
            let place = try #require(bytes.range(of: Data("dog 21".utf8)))
            bytes[place.lowerBound] = UInt8(ascii: "h")
            try bytes.write(to: url)
            let damaged = try run("check", url.path)
            #expect(damaged.status == 1)
            #expect(damaged.output.contains("the checksum does not match"))
            #expect(damaged.output.contains("freehold salvage"))
            #expect(try !run("check", url.path, "--json").report().isSound)
        }
        let salvaged = try run("salvage", url.path, saved.path)
        #expect(salvaged.status == (isEncrypted ? 0 : 1))
        #expect(salvaged.output.contains("Person: 50 objects saved"))
        if !isEncrypted {
            #expect(
                salvaged.output.contains(
                    "Dog: 17 objects saved, 17 without all of their values (name of 17)"))
        }
        #expect(try run("check", saved.path).status == 0)
        let again = try run("salvage", url.path, saved.path)
        #expect(again.status == 2)
        #expect(again.errors.contains("fileExists"))
        directory.delete()
    }

    @Test func rekey() throws {
        let directory = try TemporaryDirectory()
        let (url, old, new) = (
            directory.file("a.realm"), directory.file("old"), directory.file("new")
        )
        try Data((0..<64).map { UInt8($0) }).write(to: old)
        try Data((0..<64).map { UInt8($0) + 1 }).write(to: new)
        @Sendable func rekey(_ from: URL, _ to: URL) throws -> Outcome {
            try Self.run(["rekey", url.path, "--key-file", from.path, "--new-key-file", to.path])
        }
        @Sendable func check(_ key: URL) throws -> Int32 {
            try Self.run(["check", url.path, "--key-file", key.path]).status
        }
        let missing = try rekey(old, new)
        #expect(missing.status == 2 && missing.errors.contains("fileNotFound"))
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try Self.makeFile(url, encryptionKey: try Data(contentsOf: old))
        let wrong = try rekey(new, old)
        #expect(wrong.status == 2 && wrong.errors.contains("encryptionKeyWrong"))
        #expect(try rekey(old, new).status == 0)
        #expect(try check(new) == 0)
        #expect(try check(old) == 2)
        // While this process has it open.
        try onNewThread {
            var configuration = World.configuration(url)
            configuration.encryptionKey = try Data(contentsOf: new)
            let realm = try Realm(configuration: configuration)
            #expect(try rekey(new, old).status == 0)
            try realm.write { realm.deleteAll() }
            #expect(try check(old) == 0)
        }
        directory.delete()
    }

    @Test func whatCannotBeChecked() throws {
        let directory = try TemporaryDirectory()
        let missing = try Self.run(["check", directory.file("none").path])
        #expect(missing.status == 2)
        #expect(missing.output.contains("fileNotFound"))
        let keyFile = directory.file("key")
        try Data(repeating: 1, count: 63).write(to: keyFile)
        let short = try Self.run(["check", directory.file("none").path, "--key-file", keyFile.path])
        #expect(short.status != 0)
        #expect(short.errors.contains("does not have 64 bytes"))
        directory.delete()
    }
}
