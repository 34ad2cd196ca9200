import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// The `freehold` command, as a process.
@Suite struct CommandTests {
    /// The command lies beside the tests.
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("freehold")

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

        func report() throws -> Report { try JSONDecoder().decode(Report.self, from: Data(output.utf8)) }
    }

    private static func run(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
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
        let (url, saved, keyFile) = (directory.file("a.realm"), directory.file("b.realm"), directory.file("key"))
        let key = Data((0..<64).map { UInt8($0) })
        try key.write(to: keyFile)
        let isSealed = isEncrypted || EncryptedSuite.isOn
        try Self.makeFile(url, encryptionKey: isSealed ? key : nil)
        let options = isSealed ? ["--key-file", keyFile.path] : []
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
        if !isSealed {
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
        #expect(salvaged.status == (isSealed ? 0 : 1))
        #expect(salvaged.output.contains("Person: 50 objects saved"))
        if !isSealed { #expect(salvaged.output.contains("Dog: 17 objects saved, 17 without all of their values (name of 17)")) }
        #expect(try run("check", saved.path).status == 0)
        let again = try run("salvage", url.path, saved.path)
        #expect(again.status == 2)
        #expect(again.errors.contains("fileExists"))
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
