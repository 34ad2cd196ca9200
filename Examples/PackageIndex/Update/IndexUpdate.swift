import DebianIndex
import Foundation
import Freehold

/// Updates a realm to match an index, in one write transaction. A reader sees the state before or
/// after it, and an interrupted update leaves the state before.
///
/// In batches, an update takes several transactions. Then a reader may see packages without their
/// dependencies, and the next update completes an interrupted one.
///
/// Objects that match are read, not written. Maintainers and sections are written first, because
/// packages link to them. Those without packages are deleted last.
struct IndexUpdate {
    let realm: Realm
    /// The time that is stored in each changed object.
    let date: Date
    private var report: UpdateReport
    private var maintainersByID: [String: Maintainer] = [:]
    private var sectionsByName: [String: Section] = [:]
    /// The packages whose dependencies change. They are set when all packages exist.
    private var dependenciesByID: [String: [String]] = [:]

    /// Updates the realm with the packages of an index, and returns a report.
    ///
    /// `unreadableNames` are the packages with malformed stanzas in the index. The realm keeps
    /// their objects: a malformed stanza does not mean that its package is gone. `progress` is
    /// called with the number of packages done. With a `batchSize` the update commits after every
    /// such number of packages. Throws what `realm.write` throws; then only committed batches are
    /// stored.
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
        // The kept packages were compared with themselves.
        report.unchangedCount -= kept.count

        removePackages(except: ids)
        linkDependencies()
        removeUnused(desired)
    }

    /// The packages with these names that are in the realm but not in the index.
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

    /// Adds a package after all its properties are set, which costs one insertion.
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
        // By id, because a maintainer's name may be spelled in several ways.
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
        // Here every id is in the realm, so equal counts mean that it has nothing else.
        guard all.count > ids.count else { return }
        let gone = Array(all.filter { !ids.contains($0.id) })
        report.removed = gone.map(\.id).sorted()
        realm.delete(gone)
    }

    /// Deletes the maintainers and sections that are not in the index.
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
