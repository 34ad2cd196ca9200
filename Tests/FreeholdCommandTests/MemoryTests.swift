import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// Memory does not grow with the number of objects.
@Suite struct MemoryTests {
    /// The most bytes of its own that a command has while its output is read; the pages of the file
    /// are the system's.
    private func mostBytes(_ desk: Desk, _ arguments: [String]) throws -> Int {
        let process = Command.process(arguments + desk.keyOptions)
        let output = Pipe()
        process.standardOutput = .pipe(output)
        try process.run()
        var most = 0
        while let block = try output.fileHandleForReading.read(upToCount: 1 << 18), !block.isEmpty {
            let status = try? String(
                contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
            most = max(most, 1024 * (kilobytes.flatMap { Int($0) } ?? 0))
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return most
    }

    // An encrypted file keeps what was decrypted last, up to a limit that these do not reach.
    @Test(.enabled(if: !EncryptedSuite.isOn)) func queryAndDump() throws {
        let desk = try Desk()
        for (name, count) in [("few.realm", 20_000), ("many.realm", 400_000)] {
            try Shop.make(desk, name) { realm in
                for id in 0..<count {
                    realm.create(Shop.Maker.self, value: ["id": id, "name": "maker \(id)"])
                }
            }
        }
        for arguments in [["dump"], ["query", "Shop_Maker", "name CONTAINS '1'", "--json"]] {
            let rest = Array(arguments.dropFirst())
            func bytes(_ name: String) throws -> Int {
                try mostBytes(desk, [arguments[0], desk.path(name)] + rest)
            }
            let (few, many) = (try bytes("few.realm"), try bytes("many.realm"))
            #expect(few > 0 && many < few + 6_000_000, "\(arguments[0]): \(few), \(many)")
        }
        desk.delete()
    }
}
