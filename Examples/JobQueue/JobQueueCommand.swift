import ArgumentParser
import Foundation
import Freehold

/// A queue of jobs that several processes work on. They share only the realm's file.
@main
struct JobQueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "job-queue", abstract: "Shares jobs among processes.",
        subcommands: [Add.self, Work.self, Status.self])
}

struct QueueOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file the jobs are in.", valueName: "path"))
    var realm = "jobs.realm"

    var configuration: Realm.Configuration {
        Realm.Configuration(fileURL: URL(fileURLWithPath: realm), objectTypes: [Job.self])
    }
}

struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Adds jobs.")

    @OptionGroup var queue: QueueOptions
    @Option(help: "How many.") var count = 10
    @Option(help: "How long each takes.") var milliseconds = 100

    func run() throws {
        let realm = try Realm(configuration: queue.configuration)
        try realm.write {
            for _ in 0..<count { realm.create(Job.self, value: ["milliseconds": milliseconds]) }
        }
        print("added \(count) jobs")
    }
}

struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Does jobs until all are finished. Run it in as many processes as you like.")

    @OptionGroup var queue: QueueOptions
    @Option(help: "The worker's name.") var name =
        "worker \(ProcessInfo.processInfo.processIdentifier)"
    @Option(help: ArgumentHelp("How long a claim lasts.", valueName: "seconds")) var lease = 60.0

    func run() async throws {
        let worker = try await Worker(name, queue.configuration, lease: lease)
        say("\(name) finished \(try await worker.run()) jobs")
    }
}

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Says how far the jobs are.")

    @OptionGroup var queue: QueueOptions

    func run() throws {
        let realm = try Realm(configuration: queue.configuration)
        let jobs = realm.objects(Job.self)
        for state in Job.State.allCases {
            print("\(state.rawValue): \(jobs.where { $0.state == state }.count)")
        }
        print("claimed more than once: \(jobs.where { $0.attempts > 1 }.count)")
        print("problems of the file: \(try realm.check().count)")
    }
}

/// Prints without buffering, even into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
