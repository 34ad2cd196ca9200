import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite("Full disk")
struct FullDiskTests {
    /// Found by `torture full-disk`: nothing that a realm deleted might use the reserve that is kept for it.
    @Test(.enabled(if: geteuid() == 0)) func objectsCanBeDeletedWhenTheDiskIsFull() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let mount = directory.file("mount").path
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
        try call("/bin/mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", mount])
        defer { try? call("/bin/umount", [mount]) }
        await #expect(processExitsWith: .success) { [mount = mount as String] in
            let realm = try Realm(configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: mount + "/a.realm"), objectTypes: [Fixture.Dog.self, Fixture.Person.self]))
            for _ in 0..<3 {
                var length = 50_000
                while length > 10 {
                    do {
                        try realm.write { realm.create(Fixture.Dog.self, value: ["name": String(repeating: "x", count: length)]) }
                    } catch Realm.Error.outOfDiskSpace {
                        length /= 2
                    }
                }
                let dogs = realm.objects(Fixture.Dog.self)
                try #require(dogs.count > 20)
                while let dog = dogs.first { try realm.write { realm.delete(dog) } }
            }
            try #require(try realm.check().isEmpty)
        }
    }

    private func call(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
