import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// `seedFilePath`.
@Suite struct SeedTests {
    @Test func aNewFileBeginsWithTheSeed() throws {
        try withTemporaryDirectory { directory in
            let content = try makeSeed(directory)
            let names = try files(in: directory)
            let configuration = seeded(directory)
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                expectSame(World.content(realm), content)
                try realm.write { realm.add(Fixture.Person(id: 5000)) }
                #expect(try realm.check().isEmpty)
            }
            // The seed is as it was, and is not looked at any more.
            #expect(try files(in: directory).filter { $0.hasPrefix("seed") } == names)
            #expect(
                try onNewThread {
                    try Realm(configuration: World.configuration(directory.file("seed.realm")))
                        .objects(Fixture.Person.self).count
                } == 300)
            try FileManager.default.removeItem(at: directory.file("seed.realm"))
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).objects(Fixture.Person.self).count
                } == 301)
        }
    }

    @Test func aSeedThatIsInUseIsCopiedBetweenItsCommits() throws {
        try withTemporaryDirectory { directory in
            _ = try makeSeed(directory)
            let seed = try Realm(configuration: World.configuration(directory.file("seed.realm")))
            try seed.write { seed.delete(seed.objects(Fixture.Person.self)) }
            let content = World.content(seed)
            try onNewThread {
                let realm = try Realm(configuration: seeded(directory))
                expectSame(World.content(realm), content)
                #expect(try realm.check().isEmpty)
            }
        }
    }

    @Test(
        .disabled(
            if: EncryptedSuite.isOn,
            "A realm in memory is not encrypted, so its seed is not, either."))
    func readOnlyAndInMemory() throws {
        try withTemporaryDirectory { directory in
            let content = try makeSeed(directory)
            var configuration = seeded(directory)
            configuration.readOnly = true
            expectSame(World.content(try Realm(configuration: configuration)), content)
            configuration = seeded(directory)
            configuration.inMemoryIdentifier = "seeded\(getpid())"
            let memory = try Realm(configuration: configuration)
            expectSame(World.content(memory), content)
            try memory.write { memory.deleteAll() }
        }
    }

    @Test func aBadSeedIsAnErrorAndLeavesNothing() throws {
        try withTemporaryDirectory { directory in
            _ = try makeSeed(directory)
            let whole = try Data(contentsOf: directory.file("seed.realm"))
            func expectFailure(_ code: Realm.Error.Code, _ line: UInt = #line) throws {
                let found = realmCode { _ = try Realm(configuration: seeded(directory)) }
                #expect(found == code, "line \(line)")
                #expect(
                    realmMessage { _ = try Realm(configuration: seeded(directory)) }?.contains(
                        "The seed of") == true, "line \(line)")
                #expect(
                    try files(in: directory).filter { $0.hasPrefix("test") } == [], "line \(line)")
            }
            for name in ["seed.realm-lock", "seed.realm.control"] {
                try FileManager.default.removeItem(at: directory.file(name))
            }
            try whole.prefix(whole.count / 2).write(to: directory.file("seed.realm"))
            try expectFailure(.invalidDatabase)
            try Data(repeating: 3, count: 100_000).write(to: directory.file("seed.realm"))
            try expectFailure(.invalidDatabase)
            try Data().write(to: directory.file("seed.realm"))
            try expectFailure(.invalidDatabase)
            try FileManager.default.removeItem(at: directory.file("seed.realm"))
            try expectFailure(.fileNotFound)
            try FileManager.default.createDirectory(
                at: directory.file("seed.realm"), withIntermediateDirectories: false)
            try expectFailure(.fileAccess)
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func aFullDiskLeavesNothing() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try onNewThread {
            let realm = try Realm(configuration: World.configuration(directory.file("seed.realm")))
            try realm.write {
                for id in 0..<500 {
                    realm.add(Fixture.Tagged(tag: "\(id)" + String(repeating: "x", count: 10_000)))
                }
            }
        }
        try await withSmallDisk(directory, "size=2m") { mount in
            await #expect(processExitsWith: .success) {
                [mount = mount as String, seed = directory.file("seed.realm").path as String] in
                var configuration = World.configuration(URL(fileURLWithPath: mount + "/a.realm"))
                configuration.seedFilePath = URL(fileURLWithPath: seed)
                #expect(
                    realmCode { _ = try Realm(configuration: configuration) } == .outOfDiskSpace)
                let names = try FileManager.default.contentsOfDirectory(atPath: mount)
                #expect(names.isEmpty)
            }
        }
    }

    private func makeSeed(_ directory: TemporaryDirectory) throws -> [String] {
        try onNewThread {
            let realm = try Realm(configuration: World.configuration(directory.file("seed.realm")))
            try realm.write { World.fill(realm) }
            return World.content(realm)
        }
    }

    private func seeded(_ directory: TemporaryDirectory) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: directory.file(), objectTypes: Fixture.all,
            seedFilePath: directory.file("seed.realm"))
    }
}
