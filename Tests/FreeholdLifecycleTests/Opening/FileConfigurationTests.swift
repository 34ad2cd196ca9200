import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Settings of files, what contradicts, and what realms of one file must agree about.
@Suite struct FileConfigurationTests {
    @Test func contradictionsAreRefused() throws {
        try withTemporaryDirectory { directory in
            var configuration = World.configuration(directory.file())
            configuration.readOnly = true
            configuration.shouldCompactOnLaunch = { _, _ in true }
            expectRefused(
                configuration, "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.",
                .invalidInput)
            configuration = World.configuration(directory.file())
            configuration.seedFilePath = URL(string: "https://example.org/seed.realm")
            expectRefused(configuration, "does not name a file", .invalidInput)
            let names = try files(in: directory)
            #expect(names.isEmpty)
        }
    }

    @Test func realmsOfOneFileAgree() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file().path
            let configuration = World.configuration(directory.file())
            let realm = try Realm(configuration: configuration)
            var other = configuration
            other.readOnly = true
            expectRefused(
                other, "Realm at path '\(path)' already opened with different read permissions",
                .alreadyOpen)
            other = configuration
            other.schemaVersion = 3
            expectRefused(
                other, "Realm at path '\(path)' already opened with different schema version.",
                .alreadyOpen)
            other = configuration
            other.durability = .none
            expectRefused(
                other, "Realm at path '\(path)' already opened with different durability settings",
                .alreadyOpen)
            // These are each realm's own.
            other = configuration
            other.maximumNumberOfActiveVersions = 7
            other.shouldCompactOnLaunch = { _, _ in fatalError("The file is open.") }
            other.seedFilePath = directory.file("none")
            #expect(try Realm(configuration: other) == realm)
        }
    }

    @Test func aFileInMemoryAndALastingOneAreDifferent() throws {
        let identifier = "both\(getpid())"
        let memory = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: identifier, objectTypes: Fixture.all))
        let path = try #require(inMemoryFiles(identifier).first { $0.hasSuffix(".realm") })
        let configuration = World.configuration(
            URL(fileURLWithPath: inMemoryDirectory + "/" + path))
        expectRefused(
            configuration, "already opened with different inMemory settings", .alreadyOpen)
        #expect(memory.isEmpty)
    }

    /// `/dev/shm` is everybody's.
    @Test func filesInMemoryAreOfTheirUserOnly() throws {
        let identifier = "mode\(getpid())"
        let memory = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: identifier, objectTypes: Fixture.all))
        let names = inMemoryFiles(identifier)
        #expect(names.count == 3)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: inMemoryDirectory + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        #expect(memory.isEmpty)
    }

    @Test func theDescriptionNamesAllSettings() {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "/a"), shouldCompactOnLaunch: { _, _ in true },
            seedFilePath: URL(fileURLWithPath: "/s"))
        configuration.maximumNumberOfActiveVersions = 5
        configuration.durability = .relaxed
        configuration.expectedFileIdentifier = UUID(
            uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10")
        configuration.minimumVersion = 77
        for part in [
            "expectedFileIdentifier = 01020304-0506-0708-090A-0B0C0D0E0F10", "minimumVersion = 77",
            "shouldCompactOnLaunch = a closure", "seedFilePath = file:///s",
            "maximumNumberOfActiveVersions = 5", "durability = relaxed",
        ] {
            #expect(configuration.description.contains(part))
        }
    }

    // MARK: Files

    @Test func filesAreFoundAndDeleted() throws {
        try withTemporaryDirectory { directory in
            let configuration = World.configuration(directory.file())
            #expect(!Realm.fileExists(for: configuration))
            #expect(try !Realm.deleteFiles(for: configuration))
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                #expect(Realm.fileExists(for: configuration))
                let message = realmMessage { _ = try Realm.deleteFiles(for: configuration) }
                #expect(
                    message
                        == """
                        Cannot delete files of an open Realm: '\(directory.file().path)' \
                        is still in use.
                        """
                )
                #expect(realmCode { _ = try Realm.deleteFiles(for: configuration) } == .alreadyOpen)
                try realm.write { realm.add(Fixture.Person(id: 1)) }
            }
            for name in [
                "test.realm.creating", "test.realm.compacting", "test.realm.compacting-lock",
                "test.realm.copying", "test.realm.sharing", "test.realm.sharing-snapshot",
                "test.realm.sharing-snapshot.copying", "test.realm.sharing-snapshot.zst",
                "test.realm.backup",
            ] {
                try Data("left".utf8).write(to: directory.file(name))
            }
            #expect(try Realm.deleteFiles(for: configuration))
            // What is not the realm's stays.
            #expect(try files(in: directory) == ["test.realm.backup"])
            #expect(!Realm.fileExists(for: configuration))
            #expect(try Realm(configuration: configuration).isEmpty)
        }
    }

    @Test func aFileThatAnotherProcessHasOpenIsNotDeleted() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let here = try onOtherThread(directory) { realm in
            try realm.write { realm.add(Fixture.Person(id: 1)) }
        }
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let message = realmMessage {
                _ = try Realm.deleteFiles(for: World.configuration(URL(fileURLWithPath: path)))
            }
            try #require(
                message == "Cannot delete files of an open Realm: '\(path)' is still in use.")
        }
        try here.run { realm in
            let problems = try realm.check()
            #expect(problems.isEmpty)
            #expect(realm.objects(Fixture.Person.self).count == 1)
        }
        here.end()
    }

    // MARK: In memory

    @Test func realmsInMemoryLeaveNothing() throws {
        let identifier = "left\(getpid())"
        let configuration = Realm.Configuration(
            inMemoryIdentifier: identifier, objectTypes: Fixture.all)
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { World.fill(realm) }
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).objects(Fixture.Person.self).count
                } == 300)
            #expect(Realm.fileExists(for: configuration))
        }
        #expect(inMemoryFiles(identifier).isEmpty)
        #expect(!Realm.fileExists(for: configuration))
        #expect(try Realm(configuration: configuration).isEmpty)
    }

    /// What a killed process left is removed by the next one that opens a realm in memory,
    /// whatever its name.
    @Test func realmsInMemoryOfKilledProcessesAreRemoved() async throws {
        let identifier = "killed\(getpid())"
        await #expect(processExitsWith: .signal(SIGKILL)) { [identifier = identifier as String] in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: identifier, objectTypes: Fixture.all))
            try realm.write { World.fill(realm) }
            // Here and not later, when other tests' processes may have removed it.
            try #require(!inMemoryFiles(identifier).isEmpty)
            kill(getpid(), SIGKILL)
            withExtendedLifetime(realm) {}
        }
        // One that is alive is left.
        let alive = "alive\(getpid())"
        let open = OtherThread(
            Realm.Configuration(inMemoryIdentifier: alive, objectTypes: Fixture.all))
        try open.run { realm in try realm.write { realm.add(Fixture.Dog()) } }
        await #expect(processExitsWith: .success) { [identifier = identifier as String] in
            // Not shared, either.
            try #require(
                try Realm(
                    configuration: Realm.Configuration(
                        inMemoryIdentifier: identifier, objectTypes: Fixture.all)
                ).isEmpty)
        }
        #expect(inMemoryFiles(identifier).isEmpty)
        #expect(!inMemoryFiles(alive).isEmpty)
        open.end()
    }

    /// What others put into the memory file system, which is everybody's, leads to no file of
    /// this user's.
    @Test func linksOfOthersInTheMemoryFileSystemAreLeft() async throws {
        let directory = try TemporaryDirectory()
        let victim = directory.file("victim").path
        try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
        let link = "/dev/shm/freehold-1-\(getpid()).realm"
        try requireZero(symlink(victim, link))
        defer { unlink(link) }
        await #expect(processExitsWith: .success) {
            let configuration = Realm.Configuration(
                inMemoryIdentifier: "links", objectTypes: Fixture.all)
            try #require(try Realm(configuration: configuration).isEmpty)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("mine".utf8))
        directory.delete()
    }

    /// Another user has made a directory of the name, and a link under the next.
    @Test(.enabled(if: geteuid() == 0)) func directoriesOfOthersAreNotUsed() async throws {
        let user = 1_000_000 + Int(getpid())
        let names = (0..<3).map { "/dev/shm/freehold-\(user)" + ($0 == 0 ? "" : "-\($0)") }
        for name in names { try? FileManager.default.removeItem(atPath: name) }
        try FileManager.default.createDirectory(
            atPath: names[0], withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o777])
        try requireZero(symlink("/tmp", names[1]))
        defer { for name in names { try? FileManager.default.removeItem(atPath: name) } }
        await #expect(processExitsWith: .success) {
            [user = user as Int, own = names[2] as String] in
            try requireZero(setuid(uid_t(user)))
            let configuration = Realm.Configuration(
                inMemoryIdentifier: "others", objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Fixture.Dog()) }
            try #require(try !FileManager.default.contentsOfDirectory(atPath: own).isEmpty)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: names[0]).isEmpty)
    }

    /// The link stays, and leads to the new file.
    @Test func deletingWhatALinkLeadsToMakesItAnew() throws {
        let directory = try TemporaryDirectory()
        let (target, link) = (directory.file("target.realm"), directory.file("link.realm"))
        var configuration = Realm.Configuration(
            fileURL: target, schemaVersion: 2, objectTypes: Fixture.all)
        try onNewThread { [configuration] in _ = try Realm(configuration: configuration) }
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        configuration = Realm.Configuration(
            fileURL: link, schemaVersion: 1, deleteRealmIfMigrationNeeded: true,
            objectTypes: Fixture.all)
        try onNewThread { [configuration] in
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Fixture.Dog()) }
            #expect(try realm.check() == [])
        }
        #expect(FileManager.default.fileExists(atPath: target.path))
        directory.delete()
    }

    private func expectRefused(
        _ configuration: Realm.Configuration, _ message: String, _ code: Realm.Error.Code,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = realmMessage { _ = try Realm(configuration: configuration) }
        #expect(
            found?.contains(message) == true, "\(found ?? "no error")",
            sourceLocation: sourceLocation)
        #expect(
            realmCode { _ = try Realm(configuration: configuration) } == code,
            sourceLocation: sourceLocation)
    }
}

/// The user's directory for realms in memory, and the files of an identifier in it.
private let inMemoryDirectory = "/dev/shm/freehold-\(geteuid())"

private func inMemoryFiles(_ identifier: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: inMemoryDirectory)) ?? []).filter {
        $0.contains("-" + identifier + ".realm")
    }
}
