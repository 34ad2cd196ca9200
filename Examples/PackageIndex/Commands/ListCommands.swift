import ArgumentParser
import ExampleSupport
import Freehold

/// The largest packages.
struct LargestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "largest", abstract: "The largest packages.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var length: LengthOption

    func run() throws {
        let packages = Questions(realm: try IndexRealm.openForQuestions(path: common.realm))
            .largestPackages
        try printPackages(packages, length: length, json: common.json)
    }
}

/// The busiest maintainers.
struct MaintainersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintainers",
        abstract: "The maintainers with the most packages."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var length: LengthOption

    func run() throws {
        let maintainers = Questions(realm: try IndexRealm.openForQuestions(path: common.realm))
            .busiestMaintainers
        let shown = maintainers.prefix(length.limit)
        if common.json {
            try printJSON(
                ListAnswer(count: maintainers.count, shown: shown.map(MaintainerAnswer.init)))
        } else {
            printLines(maintainerTable(shown).lines(width: Terminal.standardOutputWidth))
            printRest(of: maintainers.count, shown: shown.count)
        }
    }
}

/// The sections with the most packages.
struct SectionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sections",
        abstract: "The sections with the most packages."
    )

    @OptionGroup var common: CommonOptions
    @OptionGroup var length: LengthOption

    func run() throws {
        let sections = Questions(realm: try IndexRealm.openForQuestions(path: common.realm))
            .sections
        let shown = sections.prefix(length.limit)
        if common.json {
            try printJSON(ListAnswer(count: sections.count, shown: shown.map(SectionAnswer.init)))
        } else {
            var table = Table([("Packages", .right), ("Section", .left)])
            for section in shown { table.add(section.packageCount.grouped, section.name) }
            printLines(table.lines(width: Terminal.standardOutputWidth))
            printRest(of: sections.count, shown: shown.count)
        }
    }
}

/// Packages by the beginning of their names.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "The packages whose names begin with a text."
    )

    @Argument(help: "The beginning of the names.")
    var prefix: String

    @OptionGroup var common: CommonOptions
    @OptionGroup var length: LengthOption

    func run() throws {
        let packages = Questions(realm: try IndexRealm.openForQuestions(path: common.realm))
            .packages(withPrefix: prefix)
        try printPackages(packages, length: length, json: common.json)
    }
}

/// Prints the beginning of a list of packages.
private func printPackages(_ packages: Results<Package>, length: LengthOption, json: Bool) throws {
    let shown = packages.prefix(length.limit)
    if json {
        try printJSON(ListAnswer(count: packages.count, shown: shown.map(PackageAnswer.init)))
    } else if packages.isEmpty {
        print("No packages.")
    } else {
        printLines(packageTable(shown).lines(width: Terminal.standardOutputWidth))
        printRest(of: packages.count, shown: shown.count)
    }
}
