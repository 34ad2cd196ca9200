import Foundation
import Freehold
import FreeholdRealmTestSupport
import Glibc
import FreeholdTestSupport
import Testing

/// Realms that can only be read: beside a writer, on media that cannot be written, and without
/// permission.
@Suite struct ReadOnlyTests {
    static let isRoot = geteuid() == 0

    private static func readOnly(_ path: String) -> Realm.Configuration {
        var configuration = World.configuration(URL(fileURLWithPath: path))
        configuration.readOnly = true
        return configuration
    }

    /// Another process writes; this one reads, goes on reading what it has, and sees what is
    /// new when it asks.
    @Test func besideAProcessThatWrites() async throws {
        let turn = await ChildThatWaits.turn()
        defer { turn.end() }
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let writer = try onOtherThread(directory) { realm in try realm.write { World.fill(realm) } }
        let requests = directory.file("requests").path
        let answers = directory.file("answers").path
        try requireZero(mkfifo(requests, 0o600))
        try requireZero(mkfifo(answers, 0o600))
        async let child: Void = {
            await #expect(processExitsWith: .success) {
                [
                    path = directory.file().path as String, requests = requests as String,
                    answers = answers as String
                ] in
                let realm = try Realm(configuration: ReadOnlyTests.readOnly(path))
                let people = realm.objects(Fixture.Person.self)
                let frozen = realm.freeze()
                precondition(people.count == 300)
                let ask = open(requests, O_WRONLY)
                let hear = open(answers, O_RDONLY)
                var byte: UInt8 = 0
                for round in 1...20 {
                    precondition(write(ask, &byte, 1) == 1)
                    precondition(read(hear, &byte, 1) == 1)
                    try #require(people.count == 300 + round - 1)
                    try #require(realm.refresh())
                    try #require(people.count == 300 + round)
                    try #require(!realm.refresh())
                    try #require(frozen.objects(Fixture.Person.self).count == 300)
                }
                try #require(try realm.check().isEmpty)
                try #require(
                    realmCode { try realm.writeCopy(toFile: URL(fileURLWithPath: path + ".copy")) }
                        == nil)
            }
        }()
        try await awaitThread {
            let hear = open(requests, O_RDONLY)
            let answer = open(answers, O_WRONLY)
            defer {
                close(hear)
                close(answer)
            }
            var byte: UInt8 = 0
            var round = 0
            while read(hear, &byte, 1) == 1 {
                round += 1
                let id = 10_000 + round
                try writer.run { realm in try realm.write { realm.add(Fixture.Person(id: id)) } }
                precondition(write(answer, &byte, 1) == 1)
            }
            #expect(round == 20)
        }
        await child
        writer.end()
    }

    @Test(.enabled(if: isRoot)) func onAMediumThatCannotBeWritten() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try await withSmallDisk(directory, "size=8m") { mount in
            await #expect(processExitsWith: .success) { [path = (mount + "/a.realm") as String] in
                let realm = try Realm(
                    configuration: World.configuration(URL(fileURLWithPath: path)))
                try realm.write { World.fill(realm) }
            }
            // Once with what the writer left beside it, once alone, as on a disc.
            for isAlone in [false, true] {
                if isAlone {
                    for name in ["a.realm-lock", "a.realm.control"] {
                        try FileManager.default.removeItem(atPath: mount + "/" + name)
                    }
                }
                try run("/bin/mount", ["-o", "remount,ro", mount])
                await #expect(processExitsWith: .success) {
                    [
                        path = (mount + "/a.realm") as String,
                        copy = directory.file("copy\(isAlone)").path as String
                    ] in
                    try #require(
                        realmCode {
                            _ = try Realm(
                                configuration: World.configuration(URL(fileURLWithPath: path)))
                        } == .filePermissionDenied)
                    let realm = try Realm(configuration: ReadOnlyTests.readOnly(path))
                    try #require(
                        realm.objects(Fixture.Person.self).where { $0.name == "name 3" }.count == 18
                    )
                    try #require(!realm.refresh())
                    try #require(realm.freeze().objects(Fixture.Holder.self).count == 20)
                    try #require(try realm.check().isEmpty)
                    try realm.writeCopy(toFile: URL(fileURLWithPath: copy))
                    // A seed may lie there, too.
                    var seeded = World.configuration(URL(fileURLWithPath: copy + ".seeded"))
                    seeded.seedFilePath = URL(fileURLWithPath: path)
                    try #require(
                        try Realm(configuration: seeded).objects(Fixture.Person.self).count == 300)
                }
                try run("/bin/mount", ["-o", "remount,rw", mount])
            }
        }
    }

    @Test(.enabled(if: isRoot)) func inADirectoryThatThisUserMayNotWrite() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: directory.url.path)
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            try realm.write { World.fill(realm) }
        }
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            try requireZero(setgid(65534))
            try requireZero(setuid(65534))
            try #require(
                realmCode {
                    _ = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
                } == .filePermissionDenied)
            try #require(
                realmCode { _ = try Realm.deleteFiles(for: ReadOnlyTests.readOnly(path)) }
                    == .filePermissionDenied)
            try #require(
                realmCode { _ = try Realm(configuration: ReadOnlyTests.readOnly(path + "2")) }
                    == .fileNotFound)
            let realm = try Realm(configuration: ReadOnlyTests.readOnly(path))
            try #require(realm.objects(Fixture.Person.self).count == 300)
            try #require(try realm.check().isEmpty)
            // Nothing can be put beside it.
            try #require(
                realmCode { try realm.writeCopy(toFile: URL(fileURLWithPath: path + ".copy")) }
                    == .filePermissionDenied)
        }
        try expectSound(World.configuration(directory.file()))
    }
}
