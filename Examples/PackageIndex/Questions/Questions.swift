import Freehold

/// The queries. Their results are live objects and collections of the realm, on its thread, and
/// follow later updates. No query reads more objects than its caller does.
struct Questions {
    let realm: Realm

    /// Packages by installed size, the largest first.
    var largestPackages: Results<Package> {
        realm.objects(Package.self).sorted(byKeyPath: "installedSize", ascending: false)
    }

    /// Maintainers by the number of their packages, the busiest first.
    var busiestMaintainers: Results<Maintainer> {
        realm.objects(Maintainer.self).sorted(byKeyPath: "packageCount", ascending: false)
    }

    /// Sections by the number of their packages, the fullest first.
    var sections: Results<Section> {
        realm.objects(Section.self).sorted(byKeyPath: "packageCount", ascending: false)
    }

    /// Packages whose names begin with a text, by name. Names are in lower case, so the text is
    /// lowercased.
    func packages(withPrefix prefix: String) -> Results<Package> {
        let prefix = prefix.lowercased()
        return realm.objects(Package.self)
            .where { $0.name.starts(with: prefix) }
            .sorted(by: \.name)
    }

    /// The packages with a name: one for `name:architecture`, one for each architecture for `name`.
    ///
    /// Throws `QuestionError.noPackage`, with names that begin alike, if there is none.
    func packages(named name: String) throws -> [Package] {
        if let package = realm.object(ofType: Package.self, forPrimaryKey: name) {
            return [package]
        }
        let found = Array(
            realm.objects(Package.self).where { $0.name == name }.sorted(by: \.architecture))
        guard found.isEmpty else { return found }
        // Half of the name is enough to catch a typing error near its end.
        let bare = name.prefix { $0 != ":" }
        let similar = packages(withPrefix: String(bare.prefix(max(2, bare.count / 2))))
        throw QuestionError.noPackage(name: name, similar: Array(similar.prefix(5).map(\.name)))
    }
}
