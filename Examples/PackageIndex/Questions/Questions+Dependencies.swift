import Freehold

/// Queries that follow links. Dependencies are a `List`, dependents are `LinkingObjects`, and both
/// are live.
extension Questions {
    /// The packages with the most dependents, in descending order, then by id.
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

    /// The shortest chain of dependencies from any of some packages to any of others, with both
    /// ends; nil if there is none.
    ///
    /// Visits the packages in the order of their distance, each once.
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
