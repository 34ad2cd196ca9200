import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// A file whose classes change.
struct MigratedFile {
    let directory: TemporaryDirectory
    /// Of an encrypted file.
    var key: Data?

    func configuration(_ types: [ObjectBase.Type], version: UInt64, _ block: MigrationBlock? = nil)
        -> Realm.Configuration
    {
        Realm.Configuration(
            fileURL: directory.file(), encryptionKey: key, schemaVersion: version,
            migrationBlock: block, objectTypes: types)
    }

    /// Opens the file with some classes, runs `body`, checks the file, and closes it.
    @discardableResult
    func with<Result>(
        _ types: [ObjectBase.Type], version: UInt64, migrating block: MigrationBlock? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Realm) throws -> Result
    ) throws -> Result {
        let realm = try Realm(configuration: configuration(types, version: version, block))
        let result = try body(realm)
        let problems = try realm.check()
        #expect(problems == [], sourceLocation: sourceLocation)
        return result
    }

    /// The error that a migration ends with.
    func error(_ types: [ObjectBase.Type], version: UInt64, migrating block: MigrationBlock? = nil)
        -> (any Error)?
    {
        do {
            _ = try Realm(configuration: configuration(types, version: version, block))
            return nil
        } catch {
            return error
        }
    }

    /// Expects a migration to fail with a message of Realm's.
    func expectRefusal(
        _ message: String, _ types: [ObjectBase.Type], version: UInt64,
        migrating block: MigrationBlock? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            error(types, version: version, migrating: block) as? Realm.Error
                == Realm.Error(.schemaMismatch, message, fileURL: directory.file()),
            sourceLocation: sourceLocation)
    }
}

/// Runs `body` with a file that does not exist yet.
func withMigratedFile(isEncrypted: Bool = false, _ body: (MigratedFile) throws -> Void) throws {
    try withTemporaryDirectory {
        try body(MigratedFile(directory: $0, key: isEncrypted ? Data(0..<64) : nil))
    }
}

/// Declares a class of one version of a model: the name in the file is the same in all versions.
class Versioned: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class VersionedEmbedded: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
