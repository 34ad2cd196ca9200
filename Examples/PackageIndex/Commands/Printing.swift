import ExampleSupport

/// Packages as a table.
func packageTable(_ packages: some Sequence<Package>) -> Table {
    var table = Table([
        ("Installed", .right), ("Package", .left), ("Version", .left), ("Summary", .left),
    ])
    for package in packages {
        table.add(sizeText(package.installedSize), package.id, package.version, package.summary)
    }
    return table
}

/// Packages as a table, with how many others need each.
func neededTable(_ packages: some Sequence<Package>) -> Table {
    var table = Table([("Needed by", .right), ("Package", .left), ("Summary", .left)])
    for package in packages {
        table.add(package.dependents.count.grouped, package.id, package.summary)
    }
    return table
}

/// Maintainers as a table.
func maintainerTable(_ maintainers: some Sequence<Maintainer>) -> Table {
    var table = Table([("Packages", .right), ("Maintainer", .left), ("Address", .left)])
    for maintainer in maintainers {
        table.add(maintainer.packageCount.grouped, maintainer.name, maintainer.email ?? "")
    }
    return table
}

/// A size that the index may not state.
func sizeText(_ bytes: Int) -> String {
    bytes == 0 ? "unknown" : bytes.asByteCount
}

func printLines(_ lines: [String]) {
    for line in lines { print(line) }
}

/// Says that a list continues.
func printRest(of count: Int, shown: Int) {
    if count > shown { print("... and \((count - shown).grouped) more; --limit prints more.") }
}
