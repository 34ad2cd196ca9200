import Freehold

/// Questions that follow links: dependencies are a `List`, what depends on a package is a
/// `LinkingObjects`, and both are live.
extension Questions {
    /// The packages that most others need, the most needed first; of equally needed ones the
    /// first by id.
    ///
    /// Counts the dependents of each package, which costs one lookup each.
    func mostNeededPackages(limit: Int) -> [Package] {
        var counted: [(count: Int, package: Package)] = []
        for package in realm.objects(Package.self) {
            let count = package.dependents.count
            if count > 0 { counted.append((count, package)) }
        }
        counted.sort { ($1.count, $0.package.id) < ($0.count, $1.package.id) }
        return counted.prefix(limit).map(\.package)
    }

    /// The shortest chain of dependencies from one of some packages to one of others, both ends
    /// included; nil if there is none.
    ///
    /// Goes through the packages in the order of their distance, each once.
    func shortestPath(from sources: [Package], to targets: [Package]) -> [Package]? {
        let goals = Set(targets.map(\.id))
        var cameFrom: [String: Package?] = [:]
        var frontier = sources
        for source in sources { cameFrom[source.id] = .some(nil) }
        while !frontier.isEmpty {
            var next: [Package] = []
            for package in frontier {
                if goals.contains(package.id) { return path(to: package, cameFrom) }
                for needed in package.dependencies where cameFrom[needed.id] == nil {
                    cameFrom[needed.id] = package
                    next.append(needed)
                }
            }
            frontier = next
        }
        return nil
    }

    private func path(to package: Package, _ cameFrom: [String: Package?]) -> [Package] {
        var path = [package]
        while let before = cameFrom[path[path.count - 1].id] ?? nil { path.append(before) }
        return path.reversed()
    }
}
