import Foundation
import Freehold

/// The works about whole files.
///
/// - `first-commit`: the realm is opened, one object read and changed, and committed. Its pages
///   are in memory, and it was closed after a commit.
/// - `first-commit-after-kill`: the same of a file that was changed since, as far as one can
///   tell, so that nobody vouches for its pages.
extension FreeholdEngine {
    func compactHalf() throws -> Sample {
        try withCopy { realm in
            try realm.write { realm.delete(realm.objects(Person.self).where { $0.age < 50 }) }
            let value = try nanoseconds(per: 1) { try realm.compact() }
            return Sample(value: value, answer: realm.objects(Person.self).count)
        }
    }

    func halfDeletedSize() throws -> Sample { try sizeOfHalf { _ in } }

    func compactHalfSize() throws -> Sample { try sizeOfHalf { realm in try realm.compact() } }

    private func sizeOfHalf(_ body: (Realm) throws -> Void) throws -> Sample {
        try withCopy { realm in
            try realm.write { realm.delete(realm.objects(Person.self).where { $0.age < 50 }) }
            try body(realm)
            guard let file = realm.configuration.fileURL else {
                preconditionFailure("A copy has a file.")
            }
            return Sample(
                value: Double(try StoreFiles.size(of: file.deletingLastPathComponent())),
                answer: realm.objects(Person.self).count)
        }
    }

    func writeCopy() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let file = folder.appendingPathComponent("copy.realm")
            let value = try nanoseconds(per: 1) { try base.writeCopy(toFile: file) }
            let copy = try Realm(
                configuration: Realm.Configuration(fileURL: file, objectTypes: [Person.self]))
            return Sample(value: value, answer: copy.objects(Person.self).count)
        }
    }

    func firstCommit(afterKill: Bool) throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let file = Self.file(in: folder)
            try StoreFiles.copy(Self.file(in: baseFolder), to: file)
            do { try Self.commitOnce(Self.open(file)) }
            if afterKill {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date()], ofItemAtPath: file.path)
            }
            var age = 0
            let value = try nanoseconds(per: 1) {
                let realm = try Self.open(file)
                let person = realm.object(
                    ofType: Person.self, forPrimaryKey: dataset.hotIdentifier)!
                try realm.write { person.age += 1 }
                age = person.age
            }
            return Sample(value: value, answer: age)
        }
    }
}
