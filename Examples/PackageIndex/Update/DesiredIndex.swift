import DebianIndex

/// The contents of the realm after an update: a pure function of the packages.
struct DesiredIndex: Equatable {
    struct Maintainer: Equatable {
        var id: String
        var name: String
        var email: String?
        var packageCount: Int
    }

    struct Section: Equatable {
        var name: String
        var packageCount: Int
    }

    /// In the order of their ids.
    var packages: [DesiredPackage]
    /// In the order of their ids.
    var maintainers: [Maintainer]
    /// In the order of their names.
    var sections: [Section]

    /// Derives maintainers and sections from packages whose ids are distinct.
    ///
    /// An index may spell a maintainer's name in several ways. The most frequent spelling wins. Of
    /// equally frequent ones, the first in the alphabet wins, so that the outcome does not depend
    /// on any order.
    init(_ packages: [DesiredPackage]) {
        var spellings: [String: (email: String?, countsByName: [String: Int])] = [:]
        var countsBySection: [String: Int] = [:]
        for package in packages {
            if let maintainer = package.maintainer {
                spellings[maintainer.id, default: (maintainer.email, [:])].countsByName[
                    maintainer.name, default: 0] += 1
            }
            if let section = package.section { countsBySection[section, default: 0] += 1 }
        }
        self.packages = packages.sorted { $0.id < $1.id }
        maintainers = spellings.map { id, spelling in
            let counts = spelling.countsByName
            let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
            return Maintainer(
                id: id,
                name: best?.key ?? id,
                email: spelling.email,
                packageCount: counts.values.reduce(0, +)
            )
        }.sorted { $0.id < $1.id }
        sections = countsBySection.map(Section.init).sorted { $0.name < $1.name }
    }
}
