import Foundation
import Freehold
import FreeholdRealmTestSupport
import Glibc
import FreeholdTestSupport
import Testing

/// `maximumNumberOfActiveVersions`, and versions that dead processes read.
@Suite struct ActiveVersionTests {
    private func configuration(_ directory: TemporaryDirectory, _ limit: UInt?)
        -> Realm.Configuration
    {
        var configuration = World.configuration(directory.file())
        configuration.maximumNumberOfActiveVersions = limit
        return configuration
    }

    @Test func aCommitBeyondTheLimitFails() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(configuration: configuration(directory, 3))
            // Nothing keeps a version.
            for id in 0..<10 { try realm.write { realm.add(Fixture.Person(id: id)) } }
            var frozen: Realm? = realm.freeze()
            for id in 10..<13 { try realm.write { realm.add(Fixture.Person(id: id)) } }
            for _ in 0..<2 {
                let message = realmMessage { try realm.write { realm.add(Fixture.Person(id: 13)) } }
                #expect(
                    message == "Number of active versions (4) in the Realm exceeded the limit of 3")
                #expect(
                    realmCode { try realm.write { realm.add(Fixture.Person(id: 13)) } }
                        == .tooManyReaders)
            }
            #expect(!realm.isInWriteTransaction)
            #expect(realm.objects(Fixture.Person.self).count == 13)
            #expect(frozen?.objects(Fixture.Person.self).count == 10)
            // What changes nothing needs no version.
            try realm.write {}
            frozen = nil
            try realm.write { realm.add(Fixture.Person(id: 13)) }
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func asynchronousWritesFailLikewise() throws {
        try withTemporaryDirectory { directory in
            let queue = DispatchQueue(label: "limited")
            let outcomes = Locker<[Realm.Error.Code?]>([])
            nonisolated(unsafe) var kept: [Realm] = []
            try queue.sync {
                let realm = try Realm(configuration: configuration(directory, 1), queue: queue)
                kept = [realm, realm.freeze()]
                try realm.write { realm.add(Fixture.Person(id: 1)) }
                realm.writeAsync {
                    realm.add(Fixture.Person(id: 2))
                } onComplete: { error in
                    outcomes.update { $0.append((error as? Realm.Error)?.code) }
                }
            }
            while outcomes.value.isEmpty { queue.sync {} }
            #expect(outcomes.value == [.tooManyReaders])
            queue.sync {
                #expect(kept[0].objects(Fixture.Person.self).count == 1)
                kept = []
            }
        }
    }

    @Test func versionsOfOtherProcessesCountWhileTheseLive() async throws {
        let turn = await ChildThatWaits.turn()
        defer { turn.end() }
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let here = OtherThread(configuration(directory, 3))
        try here.run { realm in try realm.write { realm.add(Fixture.Person(id: 0)) } }
        // A child that reads a version says so, and ends only when it is killed.
        let pipe = directory.file("pipe").path
        try requireZero(mkfifo(pipe, 0o600))
        async let child: Void = {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = directory.file().path as String, pipe = pipe as String] in
                let realm = try Realm(
                    configuration: World.configuration(URL(fileURLWithPath: path)))
                let frozen = realm.freeze()
                let descriptor = open(pipe, O_WRONLY)
                let line = Array("\(getpid())\n".utf8)
                precondition(write(descriptor, line, line.count) == line.count)
                while true { pause() }
                withExtendedLifetime(frozen) {}
            }
        }()
        // Blocks until the child has opened its end.
        let process = try await awaitThread { () throws -> pid_t in
            let descriptor = open(pipe, O_RDONLY)
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = read(descriptor, &bytes, bytes.count)
            return try #require(
                pid_t(String(decoding: bytes.prefix(max(count - 1, 0)), as: UTF8.self)))
        }
        try here.run { realm in
            for id in 1..<4 { try realm.write { realm.add(Fixture.Person(id: id)) } }
            #expect(
                realmMessage { try realm.write { realm.add(Fixture.Person(id: 4)) } }
                    == "Number of active versions (4) in the Realm exceeded the limit of 3")
        }
        kill(process, SIGKILL)
        await child
        try here.run { realm in
            for id in 4..<20 { try realm.write { realm.add(Fixture.Person(id: id)) } }
            let problems = try realm.check()
            #expect(problems.isEmpty)
        }
        here.end()
    }

    /// A process that was killed with a version open keeps no space: not when the file is
    /// opened again, nor, while others have it open, for more than some hundred commits.
    @Test func deadReadersKeepNoSpace() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let here = OtherThread(configuration(directory, nil))
        try here.run { realm in
            try realm.write { for id in 0..<2000 { realm.add(Fixture.Person(id: id)) } }
        }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.file().path as String] in
            let realm = try Realm(configuration: World.configuration(URL(fileURLWithPath: path)))
            let frozen = realm.freeze()
            try #require(frozen.objects(Fixture.Person.self).count == 2000)
            kill(getpid(), SIGKILL)
        }
        try here.run { realm in
            func rewrite(_ times: Int) throws {
                for round in 0..<times {
                    try realm.write {
                        for id in stride(from: 0, to: 2000, by: 100) {
                            realm.object(ofType: Fixture.Person.self, forPrimaryKey: id)?.age =
                                round
                        }
                    }
                }
            }
            try rewrite(300)
            let size = try byteCount(directory.file())
            try rewrite(300)
            #expect(try byteCount(directory.file()) <= size + 1 << 20)
        }
        here.end()
    }
}
