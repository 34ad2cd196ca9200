import Foundation
import Freehold
import FreeholdRealmTestSupport
@testable import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import Testing
import UpstreamConformance

struct RealmFileUpstreamTests {
    @Test(arguments: UpstreamCheck.allCases)
    func conforms(_ check: UpstreamCheck) async throws {
        let directory = try TemporaryDirectory()
        let upstream = RealmFileUpstream(directory.file("log.realm"))
        try await check(upstream)
        directory.delete()
    }

    /// One file for many realms, with a key.
    @Test func conformsWithAKey() async throws {
        let directory = try TemporaryDirectory()
        let key = Data((0..<64).map { UInt8($0) })
        let upstream = RealmFileUpstream(directory.file("log.realm"), encryptionKey: key)
        for check in [UpstreamCheck.appends, .snapshots, .trims, .epochsFromSnapshots, .waits] {
            try await check(upstream)
        }
        await expectError(.serverFailed) {
            try await RealmFileUpstream(directory.file("log.realm")).create("other")
        }
        directory.delete()
    }

    /// An epoch begins while another client writes the snapshot of one: no piece of it stays.
    @Test func piecesOfAnEpochThatDoesNotBegin() async throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("log.realm")
        let upstream = RealmFileUpstream(url)
        try await upstream.create("orders")
        let one = try await upstream.connect(to: "orders", as: .random())
        let two = try await upstream.connect(to: "orders", as: .random())
        let request = UpstreamEpochRequest(endedEpoch: 1, expectedHead: 0, epoch: 2, head: 0)
        let snapshot = UpstreamSnapshot(epoch: 2, sequence: 0, byteCount: 5, isEncrypted: false)
        let count = Locked(0)
        let begun = try await one.beginEpoch(request, with: snapshot) {
            let number = count.withLock {
                $0 += 1; return $0
            }
            if number == 3 {
                let state = try await two.beginEpoch(request, with: nil) { nil }
                #expect(state?.epoch == 2)
            }
            return number > 5 ? nil : Data(count: 1)
        }
        #expect(begun == nil)
        #expect(try await one.newestSnapshot() == nil)
        await one.close()
        await two.close()
        var configuration = Realm.Configuration(fileURL: url, schemaVersion: 1)
        configuration.objectTypes = [UpstreamFileSnapshot.self, UpstreamFilePiece.self]
        let file = try await Realm.open(configuration: configuration)
        #expect(file.objects(UpstreamFilePiece.self).isEmpty)
        #expect(file.objects(UpstreamFileSnapshot.self).isEmpty)
        directory.delete()
    }

    /// A wait ends by the change notifications of the file.
    @Test func commitsOfAnotherProcess() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("log.realm").path
        let upstream = RealmFileUpstream(URL(fileURLWithPath: path))
        try await upstream.create("orders")
        let reader = try await upstream.connect(to: "orders", as: .random())
        let seen = Task {
            var all: [LoggedCommit] = []
            while all.count < 6 {
                let after = Int64(all.count)
                try await reader.waitForHead(above: after)
                all += try await reader.commits(after: after, in: 1, upTo: 1 << 20)
            }
            return all.map(\.clientSequence)
        }
        let child = await ChildThatWaits.turn()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let writer = try await RealmFileUpstream(URL(fileURLWithPath: path))
                .connect(to: "orders", as: .random())
            for number in Int64(1)...3 {
                _ = try await writer.push(
                    [.numbered(number * 2 - 1), .numbered(number * 2)], in: 1, expecting: nil)
            }
        }
        child.end()
        #expect(try await seen.value == Array(1...6))
        await reader.close()
        directory.delete()
    }

    /// A file without the newest commits, restored beside an open connection, takes nothing behind
    /// a gap, and the same commit again has another stamp.
    @Test func noPushIsBehindAGap() async throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("log.realm")
        let upstream = RealmFileUpstream(url)
        try await upstream.create("orders")
        let client = UpstreamClient.random()
        let first = try await upstream.connect(to: "orders", as: client)
        try await first.push(1...2)
        let before = try await first.allCommits()
        let file = try await Realm.open(
            configuration: Realm.Configuration(
                fileURL: url, schemaVersion: 1, objectTypes: UpstreamFile.types))
        try file.write {
            file.delete(file.objects(UpstreamFileCommit.self).filter { $0.clientSequence == 2 })
            file.objects(UpstreamFileRealm.self).first?.head = 1
            file.objects(UpstreamFileClient.self).first?.lastSequence = 1
        }
        await expectError(.unreachable) { try await first.push(3...3) }
        await first.close()
        let second = try await upstream.connect(to: "orders", as: client.again())
        #expect(try await second.push(2...3) == .appended(last: 3))
        let after = try await second.allCommits()
        #expect(after.map(\.clientSequence) == [1, 2, 3])
        #expect(after[0] == before[0] && after[1].appendStamp != before[1].appendStamp)
        await second.close()
        directory.delete()
    }

    /// A payload of more than a property can have is kept in pieces, which end with it.
    @Test func longCommits() async throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("log.realm")
        let upstream = RealmFileUpstream(url)
        try await upstream.create("orders")
        let client = UpstreamClient.random()
        let one = try await upstream.connect(to: "orders", as: client)
        let sizes = [4, 16_999_999, (1 << 20) - 1, 1 << 20, 0]
        let commits = sizes.enumerated().map { number, size in
            PushedCommit(
                clientSequence: Int64(number + 1), format: 1,
                payload: Data(repeating: UInt8(number), count: size) + [UInt8(number + 50)])
        }
        #expect(try await one.push(commits, in: 1, expecting: 0) == .appended(last: 5))
        var found: [LoggedCommit] = []
        var counts: [Int] = []
        while found.count < sizes.count {
            let next = try await one.commits(
                after: Int64(found.count), in: 1, upTo: 1 << 20)
            counts.append(next.count)
            found += next
        }
        // The one that reaches the bound ends what is read at once.
        #expect(counts == [2, 1, 1, 1])
        #expect(found.map(\.payload) == commits.map(\.payload))
        let file = try await Realm.open(
            configuration: Realm.Configuration(
                fileURL: url, schemaVersion: 1, objectTypes: UpstreamFile.types))
        func pieceCount() -> Int {
            file.refresh()
            return file.objects(UpstreamFilePiece.self).count
        }
        #expect(pieceCount() == 17 + 2)
        // A part that is gone is no shorter commit.
        try file.write {
            let key = UpstreamFilePiece.key(UpstreamFileCommit.key(1, 4), 1)
            let part = file.object(ofType: UpstreamFilePiece.self, forPrimaryKey: key)
            file.delete(try #require(part))
        }
        await expectError(.serverFailed) {
            _ = try await one.commits(after: 3, in: 1, upTo: 1 << 20)
        }
        // What is trimmed takes its pieces with it; the commit of the floor stays.
        let snapshot = UpstreamSnapshot(epoch: 1, sequence: 3, byteCount: 0, isEncrypted: false)
        try await one.write(snapshot) { nil }
        try await one.trim(olderThan: .seconds(-10))
        #expect(pieceCount() == 1)
        // So does what an epoch ends, also where a commit is missing, whose remedy it is.
        try file.write {
            let key = UpstreamFileCommit.key(1, 5)
            let commit = file.object(ofType: UpstreamFileCommit.self, forPrimaryKey: key)
            file.delete(try #require(commit))
        }
        await expectError(.serverFailed) {
            _ = try await one.commits(after: 4, in: 1, upTo: 1 << 20)
        }
        let request = UpstreamEpochRequest(endedEpoch: 1, expectedHead: 5, epoch: 2, head: 5)
        #expect(try await one.beginEpoch(request, with: nil) { nil } != nil)
        #expect(pieceCount() == 0 && file.objects(UpstreamFileCommit.self).isEmpty)
        await one.close()
        directory.delete()
    }

    /// The classes of the upstream's file are in no program's default schema.
    @Test func addsNoClassToPrograms() {
        for type in [
            UpstreamFileRealm.self, UpstreamFileClient.self, UpstreamFileCommit.self,
            UpstreamFileSnapshot.self, UpstreamFilePiece.self,
        ] as [ObjectBase.Type] {
            #expect(!type.shouldIncludeInDefaultSchema())
        }
    }

    /// A file of a program's own is not taken for an upstream's.
    @Test func refusesOtherFiles() async throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("own.realm")
        try makeForeignFile(url)
        await expectError(.unsupportedVersion) { try await RealmFileUpstream(url).create("orders") }
        await expectError(.unknownRealm) {
            _ = try await RealmFileUpstream(directory.file("none.realm"))
                .connect(to: "orders", as: .random())
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("none.realm").path))
        directory.delete()
    }

    private func makeForeignFile(_ url: URL) throws {
        _ = try Realm(
            configuration: Realm.Configuration(fileURL: url, schemaVersion: 7, objectTypes: []))
    }
}
