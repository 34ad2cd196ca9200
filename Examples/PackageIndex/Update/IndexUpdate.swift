import DebianIndex
import Foundation
import Freehold

/// Makes a realm say what an index says, in one write transaction: a reader sees the state
/// before or the one after, and an update that is interrupted leaves the state before. Or in
/// several, for those who want to see it grow: then a reader sees packages without their
/// dependencies meanwhile, and the next update completes one that was interrupted.
///
/// Objects that are right are read, not written. Maintainers and sections go first, because
/// packages link to them, and those that no package is left for go last.
struct IndexUpdate {
    let realm: Realm
    /// The moment that is noted on whatever changes.
    let date: Date
    private var report: UpdateReport
    private var maintainersByID: [String: Maintainer] = [:]
    private var sectionsByName: [String: Section] = [:]
    /// The packages whose dependencies change: those are set when all packages are there.
    private var dependenciesByID: [String: [String]] = [:]

    /// Brings the realm up to date with the packages of an index and tells what that took.
    ///
    /// `unreadableNames` are the packages the index has malformed stanzas of. What the realm
    /// knows of them is kept: that a stanza is broken today is no sign that its package is
    /// gone. `progress` is called with the number of packages done. With a `batchSize` it
    /// commits after each so many packages. Throws what `realm.write` throws; nothing is
    /// changed then but what was committed.
    static func apply(
        _ packages: [DesiredPackage],
        unreadableNames: Set<String>,
        to realm: Realm,
        date: Date = Date(),
        batchSize: Int? = nil,
        progress: (Int) -> Void = { _ in }
    ) throws -> UpdateReport {
        try realm.write {
            var update = IndexUpdate(realm: realm, date: date)
            try update.run(
                packages, unreadableNames: unreadableNames, batchSize: batchSize, progress: progress
            )
            return update.report
        }
    }

    private init(realm: Realm, date: Date) {
        self.realm = realm
        self.date = date
        report = UpdateReport(isFirst: realm.objects(Package.self).isEmpty)
    }

    private mutating func run(
        _ packages: [DesiredPackage], unreadableNames: Set<String>, batchSize: Int?,
        progress: (Int) -> Void
    ) throws {
        var ids = Set(packages.map(\.id))
        let kept = packagesToKeep(names: unreadableNames, besides: ids)
        report.kept = kept.map(\.id)
        ids.formUnion(report.kept)

        let desired = DesiredIndex(packages + kept)
        for maintainer in desired.maintainers { put(maintainer) }
        for section in desired.sections { put(section) }
        for (index, package) in desired.packages.enumerated() {
            put(package)
            progress(index + 1)
            if let batchSize, (index + 1).isMultiple(of: batchSize) {
                try realm.commitWrite()
                realm.beginWrite()
            }
        }
        // The kept ones were compared with themselves.
        report.unchangedCount -= kept.count

        removePackages(except: ids)
        linkDependencies()
        removeUnused(desired)
    }

    /// The packages of these names that are in the realm and not in the index.
    private func packagesToKeep(names: Set<String>, besides ids: Set<String>) -> [DesiredPackage] {
        names.sorted().flatMap { name in
            realm.objects(Package.self)
                .where { $0.name == name }
                .filter { !ids.contains($0.id) }
                .map { DesiredPackage($0) }
                .sorted { $0.id < $1.id }
        }
    }

    private mutating func put(_ desired: DesiredIndex.Maintainer) {
        let maintainer: Maintainer
        if let found = realm.object(ofType: Maintainer.self, forPrimaryKey: desired.id) {
            maintainer = found
        } else {
            maintainer = Maintainer()
            maintainer.id = desired.id
            realm.add(maintainer)
        }
        if maintainer.name != desired.name { maintainer.name = desired.name }
        if maintainer.email != desired.email { maintainer.email = desired.email }
        if maintainer.packageCount != desired.packageCount {
            maintainer.packageCount = desired.packageCount
        }
        maintainersByID[desired.id] = maintainer
    }

    private mutating func put(_ desired: DesiredIndex.Section) {
        let section: Section
        if let found = realm.object(ofType: Section.self, forPrimaryKey: desired.name) {
            section = found
        } else {
            section = Section()
            section.name = desired.name
            realm.add(section)
        }
        if section.packageCount != desired.packageCount {
            section.packageCount = desired.packageCount
        }
        sectionsByName[desired.name] = section
    }

    private mutating func put(_ desired: DesiredPackage) {
        guard let package = realm.object(ofType: Package.self, forPrimaryKey: desired.id) else {
            add(desired)
            return
        }
        let current = DesiredPackage(package)
        let properties = write(desired, over: current, to: package)
        if properties.isEmpty {
            report.unchangedCount += 1
        } else {
            package.changedAt = date
            report.updated.append(
                .init(
                    id: desired.id,
                    oldVersion: current.version,
                    newVersion: desired.version,
                    properties: properties
                ))
        }
    }

    /// Adds a package with all its properties set beforehand, which costs one insertion.
    private mutating func add(_ desired: DesiredPackage) {
        let package = Package()
        package.id = desired.id
        package.name = desired.name
        package.architecture = desired.architecture
        package.version = desired.version
        package.summary = desired.summary
        package.details = desired.details
        package.section = desired.section.flatMap { sectionsByName[$0] }
        package.maintainer = desired.maintainer.flatMap { maintainersByID[$0.id] }
        package.installedSize = desired.installedSize
        package.downloadSize = desired.downloadSize
        package.priority = desired.priority
        package.homepage = desired.homepage
        package.isEssential = desired.isEssential
        package.changedAt = date
        realm.add(package)

        if !desired.dependencies.isEmpty { dependenciesByID[desired.id] = desired.dependencies }

        report.addedCount += 1
        if !report.isFirst { report.added.append(desired.id) }
    }

    /// Writes the properties that differ and returns their names. `name` and `architecture`
    /// follow from the id.
    private mutating func write(
        _ desired: DesiredPackage, over current: DesiredPackage, to package: Package
    ) -> [String] {
        var written: [String] = []
        func set<Value: Equatable>(
            _ name: String,
            _ value: KeyPath<DesiredPackage, Value>,
            _ property: ReferenceWritableKeyPath<Package, Value>
        ) {
            guard desired[keyPath: value] != current[keyPath: value] else { return }
            package[keyPath: property] = desired[keyPath: value]
            written.append(name)
        }
        set("version", \.version, \.version)
        set("summary", \.summary, \.summary)
        set("details", \.details, \.details)
        set("installedSize", \.installedSize, \.installedSize)
        set("downloadSize", \.downloadSize, \.downloadSize)
        set("priority", \.priority, \.priority)
        set("homepage", \.homepage, \.homepage)
        set("isEssential", \.isEssential, \.isEssential)
        if desired.section != current.section {
            package.section = desired.section.flatMap { sectionsByName[$0] }
            written.append("section")
        }
        // By id: one maintainer's name is spelled in several ways.
        if desired.maintainer?.id != current.maintainer?.id {
            package.maintainer = desired.maintainer.flatMap { maintainersByID[$0.id] }
            written.append("maintainer")
        }
        if desired.dependencies != current.dependencies {
            dependenciesByID[desired.id] = desired.dependencies
            written.append("dependencies")
        }
        return written
    }

    private func linkDependencies() {
        for (id, dependencies) in dependenciesByID.sorted(by: { $0.key < $1.key }) {
            guard let package = realm.object(ofType: Package.self, forPrimaryKey: id) else {
                continue
            }
            package.dependencies.removeAll()
            for dependency in dependencies {
                if let needed = realm.object(ofType: Package.self, forPrimaryKey: dependency) {
                    package.dependencies.append(needed)
                }
            }
        }
    }

    private mutating func removePackages(except ids: Set<String>) {
        let all = realm.objects(Package.self)
        // Every id is in the realm by now, so the counts agree when there is nothing else in it.
        guard all.count > ids.count else { return }
        let gone = Array(all.filter { !ids.contains($0.id) })
        report.removed = gone.map(\.id).sorted()
        realm.delete(gone)
    }

    /// Deletes the maintainers and sections that the index does not have any more.
    private func removeUnused(_ desired: DesiredIndex) {
        let maintainers = realm.objects(Maintainer.self)
        if maintainers.count > desired.maintainers.count {
            realm.delete(Array(maintainers.filter { maintainersByID[$0.id] == nil }))
        }
        let sections = realm.objects(Section.self)
        if sections.count > desired.sections.count {
            realm.delete(Array(sections.filter { sectionsByName[$0.name] == nil }))
        }
    }
}
