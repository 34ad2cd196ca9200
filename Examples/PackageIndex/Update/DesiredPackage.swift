import DebianIndex

/// A package as the realm should have it: plain values, no objects.
///
/// An update compares these with the objects that are there and writes the properties that
/// differ. Both ways into this type (from an index, from an object) agree on how missing values
/// are stored, so what was written in one update compares equal in the next.
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
    /// The ids of what the package needs.
    var dependencies: [String]

    /// What an index says.
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
