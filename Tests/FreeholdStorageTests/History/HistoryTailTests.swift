@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// The newest entries of a history, which a plain file has beside the roots of its trees.
@Suite(.disabled(if: EncryptedSuite.isOn, "An encrypted file has no tail."))
struct HistoryTailTests {
    private static let key = EncryptionKey((0..<64).map { UInt8($0) })
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String, _ key: EncryptionKey? = nil) throws -> Store {
        var options = Store.Options(path: directory.file(name))
        options.encryptionKey = key
        return try Store.open(options)
    }

    private func begin(_ store: Store, seconds: Double? = nil) throws -> MergeWorld {
        try write(store) { writeSet in
            writeSet.setHistory(HistoryPolicy(seconds: seconds, keepsValues: true))
            return MergeWorld(in: writeSet)
        }.0
    }

    /// Makes a commit for each of some rows.
    @discardableResult
    private func insert(
        _ keys: ClosedRange<Int64>, _ name: String = "n", in store: Store, _ world: MergeWorld
    ) throws -> Snapshot {
        for key in keys {
            try write(store) { writeSet in
                MergeSide(writeSet: writeSet, world: world).insert(
                    world.items, key, [world.name: .text(name)])
            }
        }
        return try store.newestSnapshot()
    }

    private func rows(_ snapshot: Snapshot) throws -> [Int64] {
        Array(snapshot.table(try #require(snapshot.catalog.history?.id)).allKeys)
    }

    private func tail(_ snapshot: Snapshot) throws -> HistoryTail? {
        guard let id = snapshot.catalog.history?.id else { return nil }
        return try snapshot.transaction.historyTail().flatMap { HistoryTail(decoding: $0, of: id) }
    }

    private func sequences(_ snapshot: Snapshot) throws -> [Int64] {
        try history(of: snapshot).map(\.head.sequence)
    }

    /// One commit by a clock that was years ahead must not keep what follows until then.
    @Test func entriesFromTheFutureExpire() throws {
        let store = try open("a.realm")
        let world = try begin(store, seconds: 10)
        for (key, time) in [(1, 5000.0), (2, 100), (3, 105)] {
            try insert(Int64(key), at: time, in: store, world)
        }
        #expect(try sequences(store.newestSnapshot()) == [1, 2, 3])
        // Number 1 counts as made when the clock was right again.
        try insert(4, at: 115.5, in: store, world)
        #expect(try sequences(store.newestSnapshot()) == [4])
    }

    @Test func deletedEntriesFromTheFutureKeepNothing() throws {
        let store = try open("a.realm")
        let world = try begin(store, seconds: 10)
        try insert(1, at: 5000, in: store, world)
        // The clock is still wrong: the oldest entry is known to be of that time.
        try insert(2, at: 5001, in: store, world)
        try insert(3, at: 100, in: store, world)
        try write(store) { writeSet in
            writeSet.time = 101
            writeSet.firstKeptEntry = 3
        }
        try insert(4, at: 102, in: store, world)
        try insert(5, at: 130, in: store, world)
        #expect(try sequences(store.newestSnapshot()) == [5])
    }

    /// An entry that the clock now calls future is as old as those behind it, not as the first one.
    @Test(arguments: [false, true]) func aClockThatStepsBackExpiresNothingNew(isLong: Bool) throws {
        let store = try open("a.realm")
        let world = try begin(store)
        let name = isLong ? String(repeating: "long", count: 1_000) : "n"
        try insert(1, name, at: 0, in: store, world)
        try insert(2, name, at: 30, in: store, world)
        let found = try HistoryReader(store.newestSnapshot())
        var policy = try #require(found).policy
        policy.seconds = 10
        try write(store) { writeSet in
            writeSet.time = 5
            writeSet.setHistory(policy)
        }
        try insert(3, name, at: 25, in: store, world)
        #expect(try sequences(store.newestSnapshot()) == [2, 3])
    }

    private func insert(
        _ key: Int64, _ name: String = "n", at time: Double, in store: Store, _ world: MergeWorld
    ) throws {
        try write(store) { writeSet in
            writeSet.time = time
            MergeSide(writeSet: writeSet, world: world).insert(
                world.items, key, [world.name: .text(name)])
        }
    }

    @Test func aFullTailBecomesARow() throws {
        let store = try open("a.realm")
        let world = try begin(store)
        #expect(try tail(store.newestSnapshot())?.isEmpty == true)
        let few = try insert(1...3, in: store, world)
        #expect(try rows(few) == [0])
        #expect(try tail(few)?.first == 1)
        #expect(try tail(few)?.next == 4)
        let many = try insert(4...60, in: store, world)
        let keys = try rows(many)
        #expect(keys.count > 2 && keys.count < 20)
        let found = try tail(many)
        let newest = try #require(found)
        #expect(newest.first > keys[keys.count - 1] && !newest.isEmpty)
        #expect(try sequences(many) == Array(1...60))
        #expect(try store.check(many).isEmpty)
    }

    @Test func aLongEntryIsARowBehindTheOthers() throws {
        let store = try open("a.realm")
        let world = try begin(store)
        try insert(1...2, in: store, world)
        let long = try insert(3...3, String(repeating: "long", count: 1_000), in: store, world)
        #expect(try rows(long) == [0, 1, 3])
        #expect(try tail(long)?.isEmpty == true)
        #expect(try sequences(long) == [1, 2, 3])
        let found = try HistoryReader(long)
        let reader = try #require(found)
        #expect(try reader.hasAll(after: reader.newestToken()))
        let later = try insert(4...4, in: store, world)
        #expect(try sequences(later) == [1, 2, 3, 4])
        let (_, kept) = try write(store) { $0.firstKeptEntry = 4 }
        #expect(try rows(kept) == [0])
        #expect(try sequences(kept) == [4])
        #expect(try store.check(kept).isEmpty)
    }

    @Test func copiesHaveTheNewestEntries() throws {
        let store = try open("a.realm")
        let world = try begin(store)
        try insert(1...40, in: store, world)
        try store.compact()
        var last = try store.newestSnapshot()
        #expect(try sequences(last) == Array(1...40))
        // Plain, encrypted, encrypted again and plain again.
        for (index, key) in [nil, Self.key, Self.key, nil].enumerated() {
            let name = "copy \(index).realm"
            try store.copy(last, to: directory.file(name), key: key)
            let copy = try open(name, key)
            let first = try copy.newestSnapshot()
            #expect(try sequences(first) == Array(1...40))
            #expect(try copy.check(first).isEmpty)
            let next = try insert(41...45, in: copy, world)
            #expect(try sequences(next) == Array(1...45))
            #expect(try copy.check(next).isEmpty)
            #expect(try (next.transaction.historyTail() == nil) == (key != nil))
            last = try store.newestSnapshot()
        }
        let encrypted = try open("copy 1.realm", Self.key)
        try encrypted.copy(encrypted.newestSnapshot(), to: directory.file("plain.realm"), key: nil)
        let plain = try open("plain.realm")
        #expect(try plain.newestSnapshot().transaction.historyTail() == nil)
        #expect(try plain.check(plain.newestSnapshot()).isEmpty)
        let next = try insert(46...47, in: plain, world)
        #expect(try sequences(next) == Array(1...47))
        #expect(try tail(next)?.next == 48)
        #expect(try plain.check(next).isEmpty)
    }

    /// The changes of a copy are a transaction of its own.
    @Test func aChangedCopyHasOneEntryMore() throws {
        let store = try open("a.realm")
        let world = try begin(store)
        let snapshot = try insert(1...5, in: store, world)
        for (name, key) in [("plain.realm", nil), ("encrypted.realm", Self.key)] {
            let edits = store.draft(on: snapshot)
            MergeSide(writeSet: edits, world: world).insert(world.items, 6)
            try store.copy(snapshot, with: edits, to: directory.file(name), key: key)
            let copy = try open(name, key)
            #expect(try sequences(copy.newestSnapshot()) == Array(1...6))
            #expect(try copy.check(copy.newestSnapshot()).isEmpty)
        }
    }

    @Test func aDroppedHistoryLeavesNoTail() throws {
        let store = try open("a.realm")
        let world = try begin(store)
        try insert(1...3, in: store, world)
        let (_, without) = try write(store) { $0.setHistory(nil) }
        #expect(try without.transaction.historyTail() == nil)
        #expect(try store.check(without).isEmpty)
        try write(store) { $0.setHistory(HistoryPolicy()) }
        let again = try insert(4...5, in: store, world)
        #expect(try sequences(again) == [1, 2])
        // In one transaction.
        let (_, anew) = try write(store) { writeSet in
            writeSet.setHistory(nil)
            writeSet.setHistory(HistoryPolicy())
        }
        #expect(try sequences(anew) == [])
        #expect(try store.check(anew).isEmpty)
    }

    // MARK: Damage

    private func change(
        _ store: Store, _ body: (WriteTransaction) throws(StorageError) -> Void
    ) throws -> Snapshot {
        try store.snapshot(
            of: store.environment.writer.begin().commit { try body($0) }.1)
    }

    private func flipByte(_ store: Store) throws -> Snapshot {
        try change(store) { transaction throws(StorageError) in
            guard let stored = try transaction.historyTail() else { return }
            var bytes = ContiguousArray(stored)
            bytes[bytes.count / 2] ^= 1
            try bytes.withBytes { bytes throws(StorageError) in
                try transaction.putHistoryTail(bytes)
            }
        }
    }

    /// A commit does not fail, and hides nothing.
    @Test(arguments: [false, true]) func commitsGoOnAfterDamage(isMissing: Bool) throws {
        let store = try open("a.realm")
        let world = try begin(store)
        let before = try HistoryReader(insert(1...40, in: store, world))
        let token = try #require(try before?.newestToken())
        let damaged =
            isMissing
            ? try change(store) { transaction throws(StorageError) in
                try transaction.deleteHistoryTail()
            } : try flipByte(store)
        let found = try HistoryReader(damaged)
        let reader = try #require(found)
        #expect(throws: StorageError.self) { try reader.newestToken() }
        #expect(try reader.entry(1).head.sequence == 1)
        let next = try HistoryReader(insert(41...41, in: store, world))
        let later = try #require(next)
        #expect(later.nextSequence > 41)
        #expect(try later.entry(later.nextSequence - 1).tables.map(\.name) == ["Item"])
        #expect(throws: StorageError.self) { try later.entry(40) }
        #expect(throws: StorageError.self) { try later.hasAll(after: token) }
        #expect(try later.entry(1).head.sequence == 1)
        // Only now: nothing is committed after a check that finds damage.
        #expect(try store.check(damaged).count == 1)
    }

    /// Counting on from such a number would overflow.
    @Test func anImpossibleNumberIsDamage() {
        let table = TableID(rawValue: 7)
        func isRead(_ next: Int64) -> Bool {
            HistoryTail(next: next, lastMark: 1).encoded(of: table).withUnsafeBytes {
                HistoryTail(decoding: $0, of: table) != nil
            }
        }
        #expect(isRead(TableFacts.greatestNextRowKey))
        #expect(!isRead(TableFacts.greatestNextRowKey + 1))
        #expect(!isRead(.max))
    }

    @Test func aTailWithoutHistoryIsFound() throws {
        let store = try open("a.realm")
        let world = try begin(store)
        try insert(1...3, in: store, world)
        let stored = try store.newestSnapshot().transaction.historyTail()
        let bytes = ContiguousArray(try #require(stored))
        try write(store) { $0.setHistory(nil) }
        let stray = try change(store) { transaction throws(StorageError) in
            try bytes.withBytes { bytes throws(StorageError) in
                try transaction.putHistoryTail(bytes)
            }
        }
        #expect(try store.check(stray).count == 1)
    }
}
