import ArgumentParser
import Foundation
import FreeholdTestSupport
import FreeholdWorkload
import Glibc

/// One case: which base, what is done to it, and the examination, all from two numbers.
struct FileCase {
    let number: Int
    let base: FileBase
    let damage: FileDamage

    init(_ number: Int, seed: UInt64, _ bases: [FileBase], _ maps: [FileMap]) {
        self.number = number
        var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        // Small ones more often than large ones.
        let chosen = random.int(0...bases.count - 1)
        base = bases[chosen]
        damage = FileDamage(base, maps[chosen], others: bases, &random)
    }

    /// Writes the file and what lies beside it.
    static func write(_ bytes: [UInt8], _ damage: FileDamage, to path: String) throws {
        for suffix in ["-lock", ".control"] { unlink(path + suffix) }
        try write(bytes, to: path)
        if let control = damage.control { try write(control, to: path + ".control") }
        if let lock = damage.lock { try write(lock, to: path + "-lock") }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(
                    descriptor, $0.baseAddress.unsafelyUnwrapped + offset, $0.count - offset)
            }
            guard written > 0 else { throw CocoaError(.fileWriteOutOfSpace) }
            offset += written
        }
    }
}

/// Examines cases one after another and says so on its output: "begin N", then "end N OUTCOME
/// KINDS" and "finding N TEXT".
struct FilesWorker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files-worker", shouldDisplay: false)

    @Option var corpus: String
    @Option var scratch: String
    @Option var seed: UInt64
    @Option var first: Int
    @Option var step: Int
    @Option var count: Int
    /// One case, from a file that is as it is.
    @Option var file: String?
    @Option var base: String?
    @Flag var comparable = false
    /// Whether the reader reads and writes.
    @Flag var reader = false
    /// Of the file; a case's is its number.
    @Option var turn = 0

    func run() throws {
        let path = scratch + "/case.realm"
        let bases = try FileBase.all(
            in: URL(fileURLWithPath: corpus), scratch: scratch + "/base.realm")
        if let file {
            guard let known = bases.first(where: { $0.name == base }) else {
                throw ValidationError("There is no base \(base ?? "").")
            }
            for suffix in ["", ".control", "-lock"] where file != path {
                unlink(path + suffix)
                try? FileManager.default.copyItem(atPath: file + suffix, toPath: path + suffix)
            }
            examine(0, path, known, isComparable: comparable, turn: turn, kinds: [])
            return
        }
        let maps = bases.map { FileMap($0.bytes) }
        for number in stride(from: first, to: count, by: step) {
            let one = FileCase(number, seed: seed, bases, maps)
            say("begin \(number)")
            // What it says of itself is of this case: only the last one's end is of interest.
            ftruncate(STDERR_FILENO, 0)
            lseek(STDERR_FILENO, 0, SEEK_SET)
            // Several names: on a busy machine a thread of the library may still have the file
            // of the case before, which may have another key.
            let path = scratch + "/case-\(number % 16).realm"
            try FileCase.write(one.damage.applied(to: one.base.bytes), one.damage, to: path)
            examine(
                number, path, one.base, isComparable: !one.damage.isSilent, turn: number,
                kinds: one.damage.kinds)
        }
        say("done")
    }

    private func examine(
        _ number: Int, _ path: String, _ base: FileBase, isComparable: Bool, turn: Int,
        kinds: [String]
    ) {
        // A record that was replaced by one that is as sound may have any text.
        Everything.Rank.takesAnyText = !isComparable
        let examination = FileExamination(
            path, base, isComparable: isComparable, turn: reader ? turn : nil)
        for finding in examination.findings {
            say("finding \(number) \(finding.replacingOccurrences(of: "\n", with: " "))")
        }
        let memory = FilesWorker.residentBytes()
        if memory > 1 << 30 { say("finding \(number) The process has \(memory >> 20) MiB.") }
        say("end \(number) \(examination.outcome.rawValue) \(kinds.joined(separator: "+"))")
    }

    /// At once: what was said before a process ended must be heard.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            * Int(getpagesize())
    }
}
