import Foundation
@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// The local file of a shared realm.
@Suite struct SharedFileTests {
    private func withFile(_ body: (Store, SharedFile) throws -> Void) throws {
        let folder = try StoreFolder()
        let store = try folder.open("a")
        try store.write { SharedWorld.addClasses(to: $0) }
        try body(store, try SharedFile(store, name: "r", key: nil))
        #expect(try store.check(try store.newestSnapshot()).isEmpty)
    }

    private func change(_ store: Store, _ count: Int64) throws {
        try store.write { writeSet in
            var commit = SharedCommit()
            commit.inserted = [
                .init(SharedReference("Thing", .integer(1)), ["int": .integer(count)])
            ]
            commit.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(commit)
        }
    }

    @Test func commitsAreNumbered() throws {
        try withFile { store, file in
            for number in 1...3 { try change(store, Int64(number)) }
            try file.loadOutbox()
            #expect(file.outbox.commits.map(\.sequence) == [1, 2, 3])
        }
    }

    @Test func reservedNumbersAreGivenOnce() throws {
        try withFile { store, file in
            #expect(try file.reserve(2) == 1...2)
            #expect(try file.reserve(2) == 3...4)
            try change(store, 7)
            try file.loadOutbox()
            #expect(file.outbox.commits.map(\.sequence) == [5])
            #expect(try file.reserve(2) == 6...7)
            try change(store, 8)
            #expect(
                try SharedFile(store, name: "r", key: nil).outbox.commits.map(\.sequence) == [5, 8])
        }
    }

    /// Removed records are not looked at, so nothing else may change their table.
    @Test func recordsAreRemovedLast() async throws {
        let folder = try StoreFolder()
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [path = folder.path("a") as String] in
            var options = Store.Options(path: path)
            options.durability = .none
            let store = try Store.open(options)
            try store.write { SharedWorld.addClasses(to: $0) }
            let file = try SharedFile(store, name: "r", key: nil)
            try SharedFileTests().change(store, 1)
            try? file.write { writeSet in
                let outbox = try file.tables(of: writeSet).outbox
                try writeSet.removeRecords([1], of: outbox)
                SharingTables.put([], 2, of: outbox, in: writeSet)
            }
            exit(0)
        }
        // The trap, and no error of what led to it.
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("A transaction that removes records"), "\(text)")
    }

    /// Own commits leave the outbox when the log has them: records of commits, with blobs and
    /// without, and rows that share a cluster.
    @Test(arguments: [false, true], [false, true])
    func appliedCommitsLeaveTheOutbox(isEncrypted: Bool, sharesClusters: Bool) throws {
        let folder = try StoreFolder()
        let key = isEncrypted ? EncryptionKey(Data(repeating: 7, count: 64)) : nil
        let store = try folder.open("a", key: key)
        try store.write { SharedWorld.addClasses(to: $0) }
        let file = try SharedFile(store, name: "r", key: key)
        for number in 1...6 { try changeName(store, length: number == 2 ? 40_000 : number) }
        try file.loadOutbox()
        let pending = Array(file.outbox.commits)
        let table = try file.tables(of: try store.newestSnapshot()).outbox
        if sharesClusters {
            try file.write { writeSet in
                try writeSet.deleteRows([1, 2, 3, 4, 5, 6], of: table, areUnlinked: true)
                for pending in pending {
                    SharingTables.put(
                        pending.entry.encoded(), pending.sequence, of: table, in: writeSet)
                }
            }
        }
        let before = try store.newestSnapshot()
        for (count, left) in [(2, [3, 4, 5, 6]), (1, [4, 5, 6]), (3, [])] {
            let logged = file.outbox.commits.prefix(count).map {
                LoggedCommit(
                    sequence: $0.sequence, client: file.state.client,
                    clientSequence: $0.sequence, format: 1, payload: Data($0.entry.commit))
            }
            let applied = try file.apply(logged[...])
            #expect(applied.settled.count == count && applied.rejected.isEmpty)
            #expect(file.outbox.commits.map(\.sequence) == left.map(Int64.init))
            let snapshot = try store.newestSnapshot()
            #expect(snapshot.table(table).allKeys == left.map(Int64.init))
            #expect(snapshot.table(table).count == left.count)
            let again = try SharedFile(store, name: "r", key: key)
            #expect(again.outbox.commits.map(\.sequence) == left.map(Int64.init))
            #expect(
                again.outbox.commits.map(\.entry.commit)
                    == pending.suffix(left.count).map(\.entry.commit))
            #expect(try store.check(snapshot).isEmpty)
        }
        #expect(before.table(table).allKeys == [1, 2, 3, 4, 5, 6])
        #expect(SharingTables.bytes(2, of: table, in: before)?.isEmpty == false)
        try changeName(store, length: 3)
        try file.loadOutbox()
        #expect(file.outbox.commits.map(\.sequence) == [7])
    }

    private func changeName(_ store: Store, length: Int) throws {
        try store.write { writeSet in
            var commit = SharedCommit()
            commit.inserted = [
                .init(
                    SteppedClient.counted,
                    ["text": .text(ContiguousArray(String(repeating: "x", count: length).utf8))])
            ]
            commit.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(commit)
        }
    }

    /// Pending objects keep their rows when others change what pending commits changed: live
    /// objects of the program stay valid.
    @Test(arguments: [false, true]) func pendingObjectsKeepTheirRows(withSnapshot: Bool) throws {
        let folder = try StoreFolder()
        let store = try folder.open("a")
        try store.write { SharedWorld.addClasses(to: $0) }
        let file = try SharedFile(store, name: "r", key: nil)
        func commit(_ count: Int64) throws -> SharedCommit {
            var commit = SharedCommit()
            commit.inserted = [
                .init(SharedReference("Thing", .integer(1)), ["int": .integer(count)])
            ]
            commit.define(by: try store.newestSnapshot().catalog)
            return commit
        }
        try file.update { $0.epoch = 1 }
        _ = try file.apply([logged(try commit(1), 1)])
        if withSnapshot { _ = try file.makeSnapshot(at: folder.path("snapshot"), epoch: 2) }
        let name = SharedReference("Named", .text(ContiguousArray("mine".utf8)))
        try store.write { writeSet in
            var pending = try commit(2)
            pending.inserted.append(
                .init(
                    name,
                    [
                        "part": .object(["int": .integer(5)]),
                        "any": .list([.integer(1), .list([.integer(2)])]),
                    ]))
            pending.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(pending)
        }
        func rows() throws -> [[Int64]] {
            let snapshot = try store.newestSnapshot()
            return try ["Named", "Part"].map {
                snapshot.table(try #require(snapshot.catalog[$0]).id).allKeys.map { $0 }
            }
        }
        let before = try rows()
        if withSnapshot {
            _ = try file.apply(
                snapshotAt: folder.path("snapshot"), epoch: 2, isEncrypted: false, pushed: 0)
        } else {
            _ = try file.apply([logged(try commit(3), 2)])
        }
        #expect(try rows() == before)
        #expect(file.outbox.commits.count == 1)
        #expect(try store.check(try store.newestSnapshot()).isEmpty)
    }

    private func logged(_ commit: SharedCommit, _ sequence: Int64) -> LoggedCommit {
        LoggedCommit(
            sequence: sequence, client: Self.other, clientSequence: sequence,
            format: SharedCommit.format, payload: Data(commit.encoded()))
    }

    private static let other = UUID()
}
