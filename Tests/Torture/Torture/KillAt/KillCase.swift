import Foundation

/// When the process is killed: beside a call, or in the middle of it.
enum KillMoment: String, CaseIterable { case before, during, after }

/// A script that is killed at one call after the other.
final class KillCase {
    private let script: KillScript
    private let directory: URL
    private let shim: String
    private let bench: KillBench
    /// What was acknowledged when the file was made.
    private var prepared = Acknowledged()
    /// Of the script that others watch: who does.
    private var observer: ChildProcess?

    struct Acknowledged {
        var numbers: [Int: Int] = [:]
        var generation = 0
        var version = 0
        var copies: [KillQuestion.Copy] = []
        var isCreated = false
        var errors: [String] = []

        mutating func note(_ lines: [String]) {
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                switch words.first {
                case "a" where words.count == 5: numbers[Int(words[1]) ?? 0] = Int(words[2])
                case "g": generation = max(generation, Int(words[1]) ?? 0)
                case "m": version = max(version, Int(words[1]) ?? 0)
                case "created": isCreated = true
                case "copying": copies = [KillQuestion.Copy(name: words[1], numbers: numbers)]
                case "copied" where !copies.isEmpty: copies[0].isAcknowledged = true
                default: errors.append(line)
                }
            }
        }
    }

    init(_ script: KillScript, directory: URL, shim: String, bench: KillBench) throws {
        (self.script, self.directory, self.shim, self.bench) = (script, directory, shim, bench)
        try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
        prepared.note(try run(in: template, ["--prepare"], [:]).lines)
        if !prepared.errors.isEmpty {
            throw CocoaError(
                .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "\(prepared.errors)"])
        }
        if script == .notify {
            try FileManager.default.copyItem(at: template, to: place)
            observer = ChildProcess(
                ["kill-writer"] + options(place).arguments + ["--ways", "observe"],
                errorPath: errorPath)
        }
    }

    private var template: URL { directory.appendingPathComponent("begin") }
    private var place: URL { directory.appendingPathComponent("case") }
    private var errorPath: String { directory.appendingPathComponent("errors.txt").path }

    private func options(_ directory: URL) -> KilledFileOptions {
        KilledFileOptions(
            path: directory.appendingPathComponent("killed.realm").path,
            encrypted: script.isEncrypted, durability: script.durability)
    }

    private func run(in directory: URL, _ arguments: [String], _ environment: [String: String])
        throws -> (lines: [String], child: ChildProcess)
    {
        let child = ChildProcess(
            ["kill-script", "--script", script.rawValue] + options(directory).arguments + arguments,
            environment: environment, errorPath: errorPath)
        let limit = monotonicNanoseconds() + 120_000_000_000
        var lines: [String] = []
        while child.output >= 0 {
            lines += child.lines()
            if monotonicNanoseconds() > limit {
                child.kill()
                return (lines + ["It did not come to an end within two minutes."], child)
            }
            Self.wait(child.output)
        }
        child.reap()
        return (lines, child)
    }

    private static func wait(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, 50)
    }

    // MARK: One kill

    /// Runs the script and kills it at a call; nil if it ended before. Else what is wrong
    /// afterwards.
    func kill(at call: Int, _ moment: KillMoment) throws -> [String]? {
        if script != .notify {
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.copyItem(at: template, to: place)
        }
        var known = prepared
        known.isCreated = !script.isCreation
        known.copies = []
        let (lines, child) = try run(
            in: place, [],
            [
                "LD_PRELOAD": shim, "TORTURE_KILL_DIRECTORY": place.path,
                "TORTURE_KILL_AT": "\(call)", "TORTURE_KILL_WHEN": moment.rawValue,
            ])
        known.note(lines)
        prepared.numbers = script == .notify ? known.numbers : prepared.numbers
        var problems = known.errors
        if !child.wasKilled {
            if child.succeeded, problems.isEmpty { return nil }
            return problems + [child.ending]
        }
        problems += ask(known, isAfterKill: true).map { "After the kill: \($0)" }
        problems += try runAgain(&known, opensFirst: call % 2 == 1)
        return problems
    }

    /// The script has to come to its end this time, and leave nothing behind.
    private func runAgain(_ known: inout Acknowledged, opensFirst: Bool) throws -> [String] {
        if script == .notify { return [] }
        if script == .delete, opensFirst {
            // What was half deleted can be made anew.
            known.numbers =
                FileManager.default.fileExists(atPath: options(place).path) ? known.numbers : [:]
            let problems = ask(known, isAfterKill: false)
            if !problems.isEmpty { return problems.map { "Made anew: \($0)" } }
        }
        let (lines, child) = try run(in: place, [], [:])
        known.note(lines)
        var problems = known.errors
        if !child.succeeded { problems.append(child.ending) }
        if script == .delete {
            let left = try FileManager.default.contentsOfDirectory(atPath: place.path)
            if !left.isEmpty { problems.append("These files are left: \(left).") }
        } else {
            problems += ask(known, isAfterKill: false)
        }
        return problems.map { "Run again: \($0)" }
    }

    private func ask(_ known: Acknowledged, isAfterKill: Bool) -> [String] {
        let options = options(place)
        var question = KillQuestion(
            kind: script.kind, path: options.path, encrypted: options.encrypted,
            durability: options.durability.rawValue, isAlone: script != .notify)
        (question.acknowledged, question.generation, question.version, question.copies) = (
            known.numbers, known.generation, known.version, known.copies
        )
        question.mayBeMissing = isAfterKill && (!known.isCreated || script == .delete)
        let verdict = bench.ask(question) { Self.wait($0) }
        return verdict.problems
            + (observer.map { awaitNews(of: verdict.numbers[0] ?? 0, $0) } ?? [])
    }

    /// Observers get what was committed, although the process that should have announced it
    /// was killed.
    private func awaitNews(of number: Int, _ observer: ChildProcess) -> [String] {
        let limit = monotonicNanoseconds() + 30_000_000_000
        while true {
            for line in observer.lines() {
                let words = line.split(separator: " ")
                if words.first == "seen", words.count == 2 {
                    seen = max(seen, Int(words[1]) ?? 0)
                } else {
                    return ["The observer says: \(line)"]
                }
            }
            if seen >= number { return [] }
            if observer.output < 0 || monotonicNanoseconds() > limit {
                return ["The observer got transaction \(seen), not \(number)."]
            }
            Self.wait(observer.output)
        }
    }

    private var seen = 0

    /// Ends what runs beside the script.
    func finish() -> [String] {
        guard let observer else { return [] }
        observer.stop()
        while observer.output >= 0 {
            _ = observer.lines()
            Self.wait(observer.output)
        }
        observer.reap()
        return observer.succeeded ? [] : [observer.ending]
    }
}
