import ArgumentParser
import ExampleSupport
import Foundation
import Freehold

/// One package, whole.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Everything about one package.")

    @Argument(help: "The name, or name:architecture.")
    var name: String

    @OptionGroup var common: CommonOptions

    func run() throws {
        let packages = try Questions(realm: IndexRealm.openForQuestions(path: common.realm))
            .packages(named: name)
        if common.json {
            try printJSON(packages.map(PackageAnswer.init))
            return
        }
        for (index, package) in packages.enumerated() {
            if index > 0 { print() }
            show(package)
        }
    }

    private func show(_ package: Package) {
        var rows = [
            ("Package", package.name),
            ("Architecture", package.architecture),
            ("Version", package.version),
            ("Summary", package.summary),
            ("Section", package.section?.name ?? "none"),
        ]
        if let maintainer = package.maintainer {
            let address = maintainer.email.map { " <\($0)>" } ?? ""
            rows.append(
                (
                    "Maintainer",
                    maintainer.name + address + ", \(maintainer.packageCount.counted("package"))"
                ))
        }
        rows += [
            ("Priority", package.priority + (package.isEssential ? ", essential" : "")),
            ("Installed size", sizeText(package.installedSize)),
            ("Download size", sizeText(package.downloadSize)),
        ]
        if !package.dependencies.isEmpty {
            rows.append(("Needs", package.dependencies.map(\.name).joined(separator: ", ")))
        }
        rows.append(("Needed by", package.dependents.count.counted("package")))
        if let homepage = package.homepage { rows.append(("Homepage", homepage)) }
        rows.append(("Changed here", package.changedAt.formatted(.iso8601)))
        for (title, text) in rows {
            print(title + String(repeating: " ", count: 16 - title.count) + text.printable)
        }
        if let details = package.details { print("\n" + details.printable) }
    }
}
