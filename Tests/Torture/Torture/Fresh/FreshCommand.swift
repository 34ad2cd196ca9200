import ArgumentParser
import Foundation
import Freehold
import FreeholdTestSupport

/// Reads behind commits that were acknowledged, in each form that must not be stale, by actors
/// and processes.
struct FreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fresh",
        abstract: "Looks for reads that miss a commit which was acknowledged before they began.")

    @OptionGroup var options: RunOptions
    @Option(help: "How many reads.") var reads = 20_000
    @Option(help: "How many other processes write and read.") var processes = 2

    func run() async throws {
        HistoryData.silenceVersionWarnings()
        let report = try TortureReport("fresh", options)
        let path = report.path("fresh.realm")
        let configuration = FreshModel.configuration(path)
        try await Realm.performBackgroundTask(configuration: configuration) { realm in
            try realm.write { realm.add(FreshModel.Mark(number: 0)) }
        }
        let children = try (0..<processes).map { _ in try SpawnedProcess(["fresh-process", path]) }
        for child in children {
            report.expect(child.nextLine() == "ready", "A process does not begin.")
        }
        let writers = try await FreshWriters(configuration)
        let readers = try await FreshReaders(configuration)
        var random = SeededGenerator(seed: report.seed)
        var (number, readCount) = (0, 0)
        while readCount < reads {
            number += 1
            let way = Int.random(in: 0..<FreshWriters.ways + children.count, using: &random)
            if way < FreshWriters.ways {
                try await writers.write(number, way)
            } else {
                let child = children[way - FreshWriters.ways]
                child.tell("write \(number)")
                report.expect(child.nextLine() == "written", "A process does not write.")
            }
            var results = try await readers.read(number)
            for child in children {
                child.tell("read \(number)")
                let line = child.nextLine() ?? "nothing"
                let words = line.split(separator: ",", omittingEmptySubsequences: false)
                report.expect(words.first == "read", "A process says \(line).")
                for word in words.dropFirst() {
                    let parts = word.split(separator: "=")
                    results.append(
                        (
                            "\(parts[0]) in another process",
                            parts.count == 2 ? Int(parts[1]) ?? -1 : -1
                        ))
                }
            }
            readCount += results.count
            for (form, seen) in results where seen != number {
                report.find("\(form) sees \(seen) behind commit \(number), made in way \(way).")
            }
        }
        for child in children { child.tell("end") }
        for child in children {
            report.expect(child.wait() == 0, "A process ended with \(child.wait()).")
        }
        report.set("commits", number)
        report.set("reads", readCount)
        let problems = try await Realm.performBackgroundTask(configuration: configuration) {
            try $0.check()
        }
        for problem in problems { report.find(problem) }
        try report.finish()
    }
}

/// One of the processes of `torture fresh`: writes and reads as it is told.
struct FreshProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fresh-process", shouldDisplay: false)

    @Argument var path: String

    func run() async throws {
        HistoryData.silenceVersionWarnings()
        let configuration = FreshModel.configuration(path)
        let writers = try await FreshWriters(configuration)
        let readers = try await FreshReaders(configuration)
        SpawnedProcess.say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { break }
            if words[0] == "write" {
                try await writers.write(number, number % FreshWriters.ways)
                SpawnedProcess.say("written")
            } else {
                let results = try await readers.read(number)
                SpawnedProcess.say(
                    (["read"] + results.map { "\($0.form)=\($0.seen)" }).joined(separator: ","))
            }
        }
    }
}
