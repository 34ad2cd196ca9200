import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// A child of a fork has its parent's memory, its keys among it. It never encrypts with a nonce of
/// its parent's.
@Suite struct EncryptedForkTests {
    private static let key = EncryptionKey((0..<64).map { UInt8($0) })

    /// Parent and child write the same to two copies of one file, under the same file key. Had
    /// the child the state of a random number generator, their nonces and attempts would be the
    /// same.
    @Test(.disabled(if: isThreadSanitized)) func noncesOfParentAndChildDiffer() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            func options(_ name: String) -> Environment.Options {
                Environment.Options(directory.file(name)) { $0.encryptionKey = Self.key }
            }
            do { try Self.write(options("file"), rounds: 3) }
            try FileManager.default.copyItem(
                atPath: directory.file("file"), toPath: directory.file("copy"))
            let before = try Self.records(directory.file("file"))
            try #require(before.nonces.count > 10)
            let inherited = try Environment.open(options("file"))
            let fork = unsafeBitCast(
                try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 {
                // What it inherited is refused, so that nothing is encrypted there.
                if storageCode({ try inherited.writer.begin() }) != .forkedChild { _exit(1) }
                if (try? Self.write(options("copy"), rounds: 20)) == nil { _exit(2) }
                _exit(0)
            }
            var status: Int32 = -1
            try #require(waitpid(child, &status, 0) == child && status == 0)
            withExtendedLifetime(inherited) {}
            try Self.write(options("file"), rounds: 20)
            let parents = try Self.records(directory.file("file"))
            let childs = try Self.records(directory.file("copy"))
            try #require(parents.nonces.count > 10 && childs.nonces.count > 10)
            try #require(
                parents.nonces.intersection(childs.nonces).subtracting(before.nonces).isEmpty)
            try #require(
                parents.attempt != childs.attempt && parents.attempt != before.attempt
                    && childs.attempt != before.attempt)
        }
    }

    private static func write(_ options: Environment.Options, rounds: Int) throws {
        let environment = try Environment.open(options)
        for round in 0..<rounds {
            try environment.writer.begin().commit { transaction in
                for index in 0..<40 {
                    try transaction.put(
                        "\(index)",
                        "round \(round)" + String(repeating: ".", count: index % 3 * 200))
                }
            }
        }
    }

    /// The nonces of all records of a file that is not open, and the attempt of its last
    /// commit.
    private static func records(_ path: String) throws -> (nonces: Set<[UInt8]>, attempt: [UInt8]) {
        var nonces: Set<[UInt8]> = []
        var attempt: [UInt8] = []
        for entry in try RawLMDB.entries(path, nil) where entry.key == Array("roots".utf8) {
            attempt = Array(entry.value.prefix(16))
            nonces.insert(Array(entry.value.dropFirst(16).prefix(12)))
        }
        for name in ["meta", "directory", "clusters", "indexes", "blobs", "elements"] {
            for entry in try RawLMDB.entries(path, name) where entry.key.count == 8 {
                nonces.insert(Array(entry.value.prefix(12)))
            }
        }
        return (nonces, attempt)
    }
}
