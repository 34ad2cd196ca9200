import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite("Full disk")
struct FullDiskTests {
    /// Found by `torture full-disk`: nothing that a realm deleted might use the reserve that is
    /// kept for it.
    @Test(.enabled(if: geteuid() == 0)) func objectsCanBeDeletedWhenTheDiskIsFull() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=4m") { mount in
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                let realm = try Realm(
                    configuration: FullDiskTests.configuration(URL(fileURLWithPath: path)))
                for _ in 0..<3 {
                    try FullDiskTests.fill(realm)
                    let dogs = realm.objects(Fixture.Dog.self)
                    try #require(dogs.count > 20)
                    while let dog = dogs.first { try realm.write { realm.delete(dog) } }
                }
                try #require(try realm.check().isEmpty)
            }
        }
    }

    /// What a deletion freed can be used by the next transaction, and a compaction finds room.
    @Test(.enabled(if: geteuid() == 0)) func whatDeletionsFreedCanBeUsedAtOnce() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=4m") { mount in
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                let url = URL(fileURLWithPath: path)
                let realm = try Realm(configuration: FullDiskTests.configuration(url))
                try FullDiskTests.fill(realm)
                let dogs = realm.objects(Fixture.Dog.self)
                try realm.write { realm.delete(dogs.dropFirst(3).map(\.self)) }
                // A realm at the newest version, as another thread would have it, holds nothing up.
                for number in 0..<20 {
                    try realm.write { realm.create(Fixture.Dog.self, value: ["name": "\(number)"]) }
                }
                #expect(dogs.count == 23)
                try #require(try realm.check().isEmpty)
            }
        }
    }

    /// Another program took the rest of the disk after the deletion: the first commit is refused,
    /// and frees what the second one uses.
    @Test(.enabled(if: geteuid() == 0)) func aRefusedCommitMakesRoomForTheNext() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=4m") { mount in
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                let realm = try Realm(
                    configuration: FullDiskTests.configuration(URL(fileURLWithPath: path)))
                try realm.write {
                    for _ in 0..<20 {
                        realm.create(
                            Fixture.Dog.self,
                            value: ["name": String(repeating: "x", count: 100_000)])
                    }
                }
                try realm.write { realm.delete(realm.objects(Fixture.Dog.self)) }
                FullDiskTests.fillTheDisk(path + ".other")
                func add() throws {
                    try realm.write {
                        for _ in 0..<5 {
                            realm.create(
                                Fixture.Dog.self,
                                value: ["name": String(repeating: "y", count: 100_000)])
                        }
                    }
                }
                do { try add() } catch Realm.Error.outOfDiskSpace { try add() }
                #expect(realm.objects(Fixture.Dog.self).count == 5)
                try #require(try realm.check().isEmpty)
            }
        }
    }

    /// A small file on a disk that others filled. The reserve counts in pages: the path from
    /// the roots to an object has as many of them in a file of large pages, each of which is
    /// written anew.
    @Test(.enabled(if: geteuid() == 0), arguments: [4_096, 16_384, 32_768])
    func objectsCanBeDeletedWhenOthersFillTheDisk(pageSize: Int) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=8m") { mount in
            await #expect(processExitsWith: .success) {
                [path = (mount + "/a.realm") as String, pageSize = pageSize as Int] in
                let configuration = FullDiskTests.configuration(URL(fileURLWithPath: path))
                let realm = try withPagesOfNewFiles(of: pageSize) {
                    try Realm(configuration: configuration)
                }
                try realm.write {
                    for number in 0..<20 {
                        realm.create(Fixture.Dog.self, value: ["name": "\(number)"])
                    }
                }
                FullDiskTests.fillTheDisk(path + ".other")
                let dogs = realm.objects(Fixture.Dog.self)
                while let dog = dogs.first { try realm.write { realm.delete(dog) } }
                try #require(try realm.check().isEmpty)
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func compactionUsesTheRoomOfFreePages() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=4m") { mount in
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                let url = URL(fileURLWithPath: path)
                let realm = try Realm(configuration: FullDiskTests.configuration(url))
                try FullDiskTests.fill(realm)
                let refusal = #expect(throws: Realm.Error.self) { try realm.compact() }
                // It says how much it needs, and how much there is.
                #expect(
                    refusal?.message.contains("bytes are needed") == true,
                    "\(refusal?.message ?? "")")
                let dogs = realm.objects(Fixture.Dog.self)
                try realm.write { realm.delete(dogs.dropFirst(3).map(\.self)) }
                #expect(try realm.compact() > 3 << 20)
                #expect(dogs.count == 3)
                try #require(try realm.check().isEmpty)
                try realm.write {
                    realm.create(
                        Fixture.Dog.self, value: ["name": String(repeating: "z", count: 1 << 20)])
                }
            }
        }
    }

    fileprivate static func configuration(_ url: URL) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, objectTypes: [Fixture.Dog.self, Fixture.Person.self])
    }

    /// Until no byte fits.
    fileprivate static func fillTheDisk(_ path: String) {
        let filler = open(path, O_WRONLY | O_CREAT, 0o600)
        while write(filler, [UInt8](repeating: 1, count: 4096), 4096) > 0 {}
        close(filler)
    }

    /// Until no object of 10 characters fits.
    fileprivate static func fill(_ realm: Realm) throws {
        var length = 50_000
        while length > 10 {
            do {
                try realm.write {
                    realm.create(
                        Fixture.Dog.self, value: ["name": String(repeating: "x", count: length)])
                }
            } catch Realm.Error.outOfDiskSpace {
                length /= 2
            }
        }
    }
}
