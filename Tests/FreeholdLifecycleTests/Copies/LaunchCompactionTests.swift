import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// `shouldCompactOnLaunch`.
@Suite struct LaunchCompactionTests {
    @Test func theFirstToOpenTheFileIsAsked() throws {
        try withTemporaryDirectory { directory in
            try makeWastefulFile(directory)
            let before = try byteCount(directory.file())
            let asked = Locker<[[Int]]>([])
            var configuration = World.configuration(directory.file())
            configuration.shouldCompactOnLaunch = { total, used in
                asked.update { $0.append([total, used]) }
                return used < total / 2
            }
            let realm = try Realm(configuration: configuration)
            #expect(asked.value.count == 1)
            #expect(asked.value.first?[0] == before)
            let used = try #require(asked.value.first?[1])
            #expect(used > 0 && used < before / 2)
            let after = try byteCount(directory.file())
            #expect(after < before / 2)
            #expect(abs(after - used) < before / 10)
            #expect(try Realm(configuration: configuration) == realm)
            try onNewThread { [configuration] in _ = try Realm(configuration: configuration) }
            #expect(asked.value.count == 1)
            #expect(realm.objects(Fixture.Person.self).count == 100)
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func whoIsToldNoLeavesTheFileAsItIs() throws {
        try withTemporaryDirectory { directory in
            try makeWastefulFile(directory)
            let before = try byteCount(directory.file())
            let configuration = Realm.Configuration(
                fileURL: directory.file(), shouldCompactOnLaunch: { _, _ in false },
                objectTypes: Fixture.all)
            _ = try Realm(configuration: configuration)
            #expect(try byteCount(directory.file()) >= before)
        }
    }

    @Test func whenItIsOpenedForAnActorAndByACallback() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try makeWastefulFile(directory)
        let before = try byteCount(directory.file())
        let configuration = Realm.Configuration(
            fileURL: directory.file(), shouldCompactOnLaunch: { _, _ in true },
            objectTypes: Fixture.all)
        let queue = DispatchQueue(label: "opened")
        let count = try await withCheckedThrowingContinuation { continuation in
            Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
                continuation.resume(
                    with: Result { try result.get().objects(Fixture.Person.self).count })
            }
        }
        #expect(count == 100)
        #expect(try byteCount(directory.file()) < before / 2)
    }

    /// Another process is in a write transaction for as long as the file is opened.
    @Test func compactionDoesNotWaitForWriters() async throws {
        let turn = await ChildThatWaits.turn()
        defer { turn.end() }
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        try makeWastefulFile(directory)
        let before = try byteCount(directory.file())
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
                let realm = try Realm(
                    configuration: World.configuration(URL(fileURLWithPath: path)))
                realm.beginWrite()
                let ask = open(requests, O_WRONLY)
                let hear = open(answers, O_RDONLY)
                var byte: UInt8 = 0
                precondition(write(ask, &byte, 1) == 1)
                precondition(read(hear, &byte, 1) == 1)
                realm.cancelWrite()
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
            #expect(read(hear, &byte, 1) == 1)
            let asked = Locker(0)
            var configuration = World.configuration(directory.file())
            configuration.shouldCompactOnLaunch = { _, _ in
                asked.update { $0 += 1 }
                return true
            }
            let realm = try Realm(configuration: configuration)
            #expect(asked.value == 1)
            #expect(realm.objects(Fixture.Person.self).count == 100)
            #expect(try byteCount(directory.file()) >= before)
            #expect(write(answer, &byte, 1) == 1)
            #expect(try realm.check().isEmpty)
        }
        await child
    }

    private func makeWastefulFile(_ directory: TemporaryDirectory) throws {
        try onNewThread {
            let realm = try Realm(configuration: World.configuration(directory.file()))
            try realm.write { World.fill(realm, people: 20_000) }
            try realm.write {
                realm.delete(realm.objects(Fixture.Person.self).where { $0.age >= 100 })
            }
        }
    }
}
