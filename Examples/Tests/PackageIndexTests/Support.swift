import DebianIndex
import Foundation
import Freehold
import Testing

@testable import PackageIndex

/// A package for every architecture.
func package(
    _ name: String,
    version: String = "1",
    maintainer: String? = "Ann <ann@example.org>",
    section: String? = "libs",
    installedSize: Int? = nil
) throws -> DesiredPackage {
    DesiredPackage(
        PackageRecord(
            name: name,
            architecture: "all",
            version: try DebianVersion(version),
            summary: "about \(name)",
            details: nil,
            section: section,
            maintainer: maintainer.flatMap(DebianIndex.Maintainer.init(field:)),
            installedSize: installedSize,
            downloadSize: nil,
            priority: nil,
            homepage: nil,
            isEssential: false
        ))
}

/// Runs a body with a realm in a temporary directory, then checks that the file is sound.
func withRealm<Result>(_ body: (Realm) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("PackageIndexTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appendingPathComponent("deep/index.realm").path
    try IndexRealm.makeDirectory(for: path)
    let realm = try Realm(configuration: IndexRealm.configuration(path: path))
    let result = try body(realm)
    #expect(try realm.check() == [])
    return result
}
