import ArgumentParser
import Foundation
import Freehold

/// A list of chores, stored in a realm.
@main
struct TodoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo", abstract: "Keeps a list of chores.",
        subcommands: [Add.self, Show.self, Done.self, Clean.self, Watch.self],
        defaultSubcommand: Show.self)
}

struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file the chores are in.", valueName: "path"))
    var realm = "todo.realm"

    var configuration: Realm.Configuration {
        Realm.Configuration(fileURL: URL(fileURLWithPath: realm), objectTypes: [Chore.self])
    }
}

struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Adds a chore.")

    @OptionGroup var list: ListOptions
    @Argument(help: "What to do.") var title: String
    @Option(help: ArgumentHelp("How many days there are left.", valueName: "days")) var due: Int?
    @Option(name: .customLong("tag"), help: "A tag; may be repeated.") var tags: [String] = []

    func run() throws {
        let chore = Chore()
        chore.title = title
        chore.due = due.map { Date(timeIntervalSinceNow: Double($0) * 86_400) }
        chore.tags.insert(objectsIn: tags)
        let realm = try Realm(configuration: list.configuration)
        try realm.write { realm.add(chore) }
        print("\(chore.number) \(chore.title)")
    }
}

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the chores. The default.")

    @OptionGroup var list: ListOptions
    @Flag(help: "Print those that are done, too.") var all = false
    @Option(help: "Print those with this tag only.") var tag: String?

    func run() throws {
        let realm = try Realm(configuration: list.configuration)
        var chores = realm.objects(Chore.self)
        if !all { chores = chores.where { !$0.isDone } }
        if let tag { chores = chores.where { $0.tags.contains(tag) } }
        for chore in chores.sorted(by: \.due) { print(line(for: chore)) }
    }
}

struct Done: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Marks chores as done.")

    @OptionGroup var list: ListOptions
    @Argument(help: "Numbers of chores.") var numbers: [Int]

    func run() throws {
        let realm = try Realm(configuration: list.configuration)
        // One transaction: if a number is wrong, nothing changes.
        try realm.write {
            for number in numbers {
                guard let chore = realm.object(ofType: Chore.self, forPrimaryKey: number) else {
                    throw ValidationError("There is no chore \(number). Nothing was changed.")
                }
                chore.isDone = true
            }
        }
        print("\(numbers.count) done")
    }
}

struct Clean: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Deletes the chores that are done.")

    @OptionGroup var list: ListOptions

    func run() throws {
        let realm = try Realm(configuration: list.configuration)
        let finished = realm.objects(Chore.self).where { $0.isDone }
        let count = finished.count
        try realm.write { realm.delete(finished) }
        print("\(count) deleted")
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints how many chores are open, now and whenever another process changes it.")

    @OptionGroup var list: ListOptions
    @Flag(help: "End when nothing is open.") var untilDone = false

    @MainActor func run() async throws {
        let realm = try await Realm(configuration: list.configuration)
        let open = realm.objects(Chore.self).where { !$0.isDone }
        for await _ in open.changes {
            // Without buffering, even into a pipe.
            FileHandle.standardOutput.write(Data("\(open.count) open\n".utf8))
            if untilDone, open.isEmpty { break }
        }
    }
}

private func line(for chore: Chore) -> String {
    var words = ["\(chore.number)", chore.isDone ? "[x]" : "[ ]", chore.title]
    if let due = chore.due { words.append("(\(due.formatted(.iso8601.year().month().day())))") }
    words += chore.tags.sorted().map { "#\($0)" }
    return words.joined(separator: " ")
}
