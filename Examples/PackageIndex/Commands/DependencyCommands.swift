import ArgumentParser
import ExampleSupport
import Freehold

/// Prints the packages that most others need.
struct NeededCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "needed", abstract: "The packages that most others depend on.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var length: LengthOption

    func run() throws {
        let packages = Questions(realm: try IndexRealm.openForQuestions(path: common.realm))
            .mostNeededPackages(limit: length.limit)
        if common.json {
            try printJSON(packages.map(NeededAnswer.init))
        } else {
            printLines(neededTable(packages).lines(width: Terminal.standardOutputWidth))
        }
    }
}

/// Prints how one package depends on another.
struct PathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "The shortest chain of dependencies from one package to another.")

    @Argument(help: "The package that needs, by name or name:architecture.")
    var from: String

    @Argument(help: "The package that is needed.")
    var to: String

    @OptionGroup var common: CommonOptions

    func run() throws {
        let questions = Questions(realm: try IndexRealm.openForQuestions(path: common.realm))
        let path = try questions.shortestPath(
            from: questions.packages(named: from), to: questions.packages(named: to))
        if common.json {
            try printJSON(path?.map(\.id) ?? [])
        } else if let path {
            for (depth, package) in path.enumerated() {
                print(
                    (depth == 0 ? "" : String(repeating: "  ", count: depth - 1) + "needs ")
                        + package.id.printable + ": " + package.summary.printable)
            }
        } else {
            print("\(from) does not need \(to), not even by way of others.")
        }
    }
}
