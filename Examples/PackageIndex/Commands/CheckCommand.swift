import ArgumentParser
import ExampleSupport
import Freehold

/// Verifies the realm's file, byte by byte.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify the realm's file.",
        discussion: "Prints what is wrong, a line each, and exits with a failure if anything is."
    )

    @OptionGroup var common: CommonOptions

    func run() throws {
        let problems = try IndexRealm.openForQuestions(path: common.realm).check()
        if common.json {
            try printJSON(ListAnswer(count: problems.count, shown: problems))
        } else if problems.isEmpty {
            print("\(common.realm.printable) is sound.")
        } else {
            printLines(problems)
        }
        if !problems.isEmpty { throw ExitCode.failure }
    }
}
