import Foundation

/// The answers for programs: one JSON value each, with stable names. Sizes are in bytes.
struct PackageAnswer: Codable {
    var id: String
    var name: String
    var architecture: String
    var version: String
    var summary: String
    var details: String?
    var section: String?
    var maintainer: MaintainerAnswer?
    var installedSize: Int
    var downloadSize: Int
    var priority: String
    var homepage: String?
    var isEssential: Bool
    var changedAt: Date

    init(_ package: Package) {
        id = package.id
        name = package.name
        architecture = package.architecture
        version = package.version
        summary = package.summary
        details = package.details
        section = package.section?.name
        maintainer = package.maintainer.map(MaintainerAnswer.init)
        installedSize = package.installedSize
        downloadSize = package.downloadSize
        priority = package.priority
        homepage = package.homepage
        isEssential = package.isEssential
        changedAt = package.changedAt
    }
}

struct NeededAnswer: Codable {
    var id: String
    var dependentCount: Int

    init(_ package: Package) {
        id = package.id
        dependentCount = package.dependents.count
    }
}

struct MaintainerAnswer: Codable {
    var name: String
    var email: String?
    var packageCount: Int

    init(_ maintainer: Maintainer) {
        name = maintainer.name
        email = maintainer.email
        packageCount = maintainer.packageCount
    }
}

struct SectionAnswer: Codable {
    var name: String
    var packageCount: Int

    init(_ section: Section) {
        name = section.name
        packageCount = section.packageCount
    }
}

/// The beginning of a list, and the list's length.
struct ListAnswer<Element: Codable>: Codable {
    var count: Int
    var shown: [Element]
}

/// Prints a value as JSON, sorted and indented, with dates in ISO 8601.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
