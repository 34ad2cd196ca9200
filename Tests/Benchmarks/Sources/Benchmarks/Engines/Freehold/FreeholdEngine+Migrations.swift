import Dispatch
import Foundation
import Freehold

/// Later versions of ``Person``.
enum Later {
    class Version: Object {
        override class func className() -> String { "Person" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Added: Version {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var age: Int
        @Persisted var score: Double
        @Persisted var active: Bool
        @Persisted var bio: String
        @Persisted var joined: Date
        @Persisted var added: Int
        @Persisted var note: String?
    }

    final class Renamed: Version {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var age: Int
        @Persisted var score: Double
        @Persisted var active: Bool
        @Persisted var biography: String
        @Persisted var joined: Date
    }

    final class Converted: Version {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name: String
        @Persisted var age: String
        @Persisted var score: Double
        @Persisted var active: Bool
        @Persisted var bio: String
        @Persisted var joined: Date
    }
}

/// Files whose classes changed, and many classes.
///
/// - `migrate-…`: from `Realm(configuration:)` with a higher schema version to its end, commit
///   and sync included. The file is a copy of the base's.
/// - `open-200-classes`: discovery and reflection of the classes and a new file, the first time
///   in the process; and, with another realm open, on a thread that has none.
extension FreeholdEngine {
    func migrate(_ types: [ObjectBase.Type], perRow: Bool = false, _ block: MigrationBlock?) throws
        -> Sample
    {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let file = Self.file(in: folder)
            try FileManager.default.copyItem(at: Self.file(in: baseFolder), to: file)
            // So that the file has all that belongs to one in use; without its control file it
            // would be walked.
            do {
                _ = try Realm(
                    configuration: Realm.Configuration(fileURL: file, objectTypes: [Person.self]))
            }
            try StoreFiles.sync(file)
            let configuration = Realm.Configuration(
                fileURL: file, schemaVersion: 1, migrationBlock: block, objectTypes: types)
            var value = 0.0
            let growth = try ResidentMemory.peakGrowth {
                value = try nanoseconds(per: perRow ? dataset.rows.count : 1) {
                    _ = try Realm(configuration: configuration)
                }
            }
            return Sample(value: value, answer: growth.map { $0 >> 20 })
        }
    }

    func openManyClasses() throws -> Sample {
        let configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("many.realm"),
            objectTypes: Benchmarks.manyClasses)
        let value = try nanoseconds(per: 1) {
            manyClasses = try Realm(configuration: configuration)
        }
        return Sample(value: value, answer: nil)
    }

    func openManyClassesAgain() throws -> Sample {
        if manyClasses == nil { _ = try openManyClasses() }
        let configuration = Realm.Configuration(
            fileURL: directory.appendingPathComponent("many.realm"),
            objectTypes: Benchmarks.manyClasses)
        let queue = DispatchQueue(label: "benchmark.open")
        return try queue.sync {
            var realm: Realm?
            let value = try nanoseconds(per: 1) {
                realm = try Realm(configuration: configuration, queue: queue)
            }
            withExtendedLifetime(realm) {}
            return Sample(value: value, answer: nil)
        }
    }
}
