import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Realms that are open when the medium fails under them.
@Suite("Failing medium")
struct FailingMediumTests {
    /// Found by `torture faults`: the realm was behind a commit that no reader had seen when the
    /// file stopped, and `refresh()` ended the process.
    @Test func refreshingARealmWhoseFileStoppedStaysWhereItIs() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Fixture.Dog.self, Fixture.Person.self])
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Rex"]) }
            try stopTheFile(configuration)
            try #require(!realm.refresh())
            try #require(realm.objects(Fixture.Dog.self).map(\.name) == ["Rex"])
            #expect(throws: Realm.Error.self) { try realm.write { realm.deleteAll() } }
            try #require(realm.objects(Fixture.Dog.self).count == 1)
        }
    }

    /// Found by `torture machine`: each has to begin reading, which the file refuses, and ended
    /// the process.
    @Test func copyingAndCheckingAFileThatStoppedThrow() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Fixture.Dog.self, Fixture.Person.self])
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Rex"]) }
            try stopTheFile(configuration)
            realm.invalidate()
            let copy = directory.file("copy.realm")
            #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: copy) }
            #expect(throws: Realm.Error.self) {
                try realm.writeCopy(configuration: Realm.Configuration(fileURL: copy))
            }
            #expect(throws: Realm.Error.self) { try realm.check() }
            try #require(!FileManager.default.fileExists(atPath: copy.path))
        }
    }
}

/// Makes a commit fail in such a way that nothing can be read or written until the file is
/// opened again, on another thread.
private func stopTheFile(_ configuration: Realm.Configuration) throws {
    try runThreads(1) { _ in
        let other = try Realm(configuration: configuration)
        try other.write { other.create(Fixture.Dog.self, value: ["name": "Fido"]) }
        let path = try #require(configuration.fileURL).path
        // From now on meta pages cannot be written.
        let full = open("/dev/full", O_WRONLY)
        for descriptor in try synchronousDescriptors(of: path) {
            try #require(dup2(full, descriptor) == descriptor)
        }
        do {
            try other.write { other.create(Fixture.Dog.self, value: ["name": "Lost"]) }
            Issue.record("The commit must fail.")
        } catch let error as Realm.Error {
            try #require(error.code == .fileAccess)
        }
    }
}

/// The descriptors of a file whose writes are waited for: LMDB's for meta pages.
private func synchronousDescriptors(of path: String) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        .filter { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)")
            return target == path && fcntl(descriptor, F_GETFL) & O_DSYNC != 0
        }
}
