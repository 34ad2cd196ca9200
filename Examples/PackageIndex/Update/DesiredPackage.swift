import DebianIndex

/// A package as the realm should store it: plain values, no objects.
///
/// An update compares these with the stored objects, and writes the properties that differ. Both
/// initialisers (from an index, from an object) represent missing values in the same way. So what
/// one update writes compares equal in the next.
struct DesiredPackage: Equatable {
    var id: String
    var name: String
    var architecture: String
    var version: String
    var summary: String
    var details: String?
    var section: String?
    var maintainer: DebianIndex.Maintainer?
    var installedSize: Int
    var downloadSize: Int
    var priority: String
    var homepage: String?
    var isEssential: Bool
    /// The ids of the package's dependencies.
    var dependencies: [String]

    /// The package as an index describes it.
    init(_ record: PackageRecord, dependencies: [String] = []) {
        id = record.id
        name = record.name
        architecture = record.architecture
        version = record.version.text
        summary = record.summary
        details = record.details
        section = record.section
        maintainer = record.maintainer
        installedSize = record.installedSize ?? 0
        downloadSize = record.downloadSize ?? 0
        // dpkg's own word for a package without a priority.
        priority = record.priority ?? "unknown"
        homepage = record.homepage
        isEssential = record.isEssential
        self.dependencies = dependencies
    }
}
