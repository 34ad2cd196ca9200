import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

/// Indexes of which each entry has 4 row keys at most, so that a few rows make values with
/// several entries.
@Suite struct IndexWriterTests {
    private struct Fixture {
        let table: TableID
        let number: ColumnID
        /// What each row's value should be.
        var rows: [Int64: Int64?] = [:]

        init(in writeSet: WriteSet) {
            table = writeSet.createTable(named: "Items")
            let key = writeSet.addColumn(
                to: table, named: "id", type: .integer, isNullable: false, isIndexed: false)
            writeSet.setPrimaryKey(key, of: table)
            number = writeSet.addColumn(
                to: table, named: "number", type: .integer, isNullable: true, isIndexed: true)
        }

        mutating func set(_ key: Int64, _ value: Int64?, _ writeSet: WriteSet) {
            let target = writeSet.mutableTable(table)
            let row =
                target.mutableRow(RowKey(rawValue: key)) ?? target.insertRow(RowKey(rawValue: key))
            if let value { row.setInteger(number, value) } else { row.setNull(number) }
            rows[key] = .some(value)
        }

        mutating func delete(_ keys: [Int64], _ writeSet: WriteSet) throws {
            try writeSet.mutableTable(table).deleteRows(keys.sorted())
            for key in keys { rows.removeValue(forKey: key) }
        }

        func keys(_ isIncluded: (Int64?) -> Bool) -> [Int64] {
            rows.filter { isIncluded($0.value) }.sorted {
                let (a, b) = ($0.value ?? .min, $1.value ?? .min)
                return a != b ? a < b : $0.key < $1.key
            }.map(\.key)
        }
    }

    private static var layout: StorageLayout {
        var layout = StorageLayout.tiny
        layout.keysPerIndexEntry = 4
        return layout
    }

    private static func indexKey(_ value: Int64?) -> IndexKey {
        value.map { .integer($0) } ?? .null
    }

    private func expectEqual(_ snapshot: Snapshot, _ fixture: Fixture, _ comment: Comment) throws {
        let index = try #require(snapshot.table(fixture.table).index(of: fixture.number))
        for value in [nil, -1, 0, 1, 2, 3, 4, 100] as [Int64?] {
            let expected = fixture.keys { $0 == value }
            var found: [Int64] = []
            try index.appendKeys(equalTo: Self.indexKey(value), to: &found)
            #expect(found == expected, comment)
            #expect(try index.count(equalTo: Self.indexKey(value)) == expected.count, comment)
        }
        for low in [nil, 0, 2] as [Int64?] {
            for high in [0, 1, 3] as [Int64] {
                let lower: [(IndexBound, (Int64?) -> Bool)] = [
                    (.unbounded, { _ in true }),
                    (.including(Self.indexKey(low)), { $0 ?? .min >= low ?? .min }),
                    (.excluding(Self.indexKey(low)), { $0 ?? .min > low ?? .min }),
                ]
                let upper: [(IndexBound, (Int64?) -> Bool)] = [
                    (.unbounded, { _ in true }),
                    (.including(.integer(high)), { $0 ?? .min <= high }),
                    (.excluding(.integer(high)), { $0 ?? .min < high }),
                ]
                for (from, isAbove) in lower {
                    for (to, isBelow) in upper {
                        let expected = fixture.keys { isAbove($0) && isBelow($0) }
                        var found: [Int64] = []
                        try index.appendKeys(from: from, to: to, to: &found)
                        #expect(found == expected, comment)
                        #expect(
                            try index.estimatedCount(from: from, to: to, limit: .max)
                                == expected.count, comment)
                    }
                }
            }
        }
    }

    private static func entries(_ store: Store) throws -> [(key: [UInt8], value: [UInt8])] {
        try store.environment.read().entries(.indexes)
    }

    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func randomChanges(seed own: UInt64?) throws {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: Self.layout) { store in
            var (fixture, snapshot) = try write(store) { Fixture(in: $0) }
            var seenFollowed = 0
            var seenAlone = 0
            for number in 0..<Stress.rounds(50) {
                (_, snapshot) = try write(store) { writeSet in
                    for _ in 0..<random.int(1...3) {
                        let value = random.pick([nil, 0, 1, 2, 3] as [Int64?])
                        let same = fixture.keys { $0 == value }
                        switch random.int(0...5) {
                        // The first and the last rows of a value go, and with them its first
                        // and last entries.
                        case 0: try fixture.delete(Array(same.prefix(random.int(0...9))), writeSet)
                        case 1: try fixture.delete(Array(same.suffix(random.int(0...9))), writeSet)
                        case 2:
                            let other = random.pick([nil, 0, 1, 2, 3] as [Int64?])
                            for key in same where random.once(in: 2) {
                                fixture.set(key, other, writeSet)
                            }
                        case 3:
                            try fixture.delete(same.filter { _ in random.once(in: 3) }, writeSet)
                        default:
                            for _ in 0..<random.int(1...12) {
                                fixture.set(
                                    random.once(in: 20)
                                        ? random.pick([.min, .max - 1])
                                        : Int64(random.int(-60...60)), value, writeSet)
                            }
                        }
                    }
                }
                let comment = Comment("FREEHOLD_SEED=\(seed), transaction \(number)")
                try expectEqual(snapshot, fixture, comment)
                let problems = try store.check(snapshot)
                #expect(problems == [], comment)
                let entries = try Self.entries(store)
                let firsts = entries.filter {
                    $0.key.count == 7 || $0.key.count == 15 && $0.key[6] == 1
                }
                #expect(firsts.count == Set(fixture.rows.values).count, comment)
                for first in firsts {
                    let isFollowed = entries.contains {
                        $0.key.count == first.key.count + 8 && $0.key.starts(with: first.key)
                    }
                    #expect(
                        first.value.withUnsafeBytes { IndexEntry.isFollowed($0) } == isFollowed,
                        comment)
                    if isFollowed { seenFollowed += 1 } else { seenAlone += 1 }
                }
                if !problems.isEmpty { return }
            }
            // Whether a run met both shapes often is a question of its seed, and answered for
            // those that never change.
            if [1, 2].contains(seed) {
                let least = Stress.rounds(12)
                #expect(seenFollowed > least && seenAlone > least, "FREEHOLD_SEED=\(seed)")
            }
        }
    }

    /// Values on many pages, of which runs change, vanish and come: the writer steps from entry
    /// to entry, over pages that split and merge.
    @Test(arguments: [nil, 1] as [UInt64?])
    func neighbouringValues(seed own: UInt64?) throws {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: Self.layout) { store in
            var (fixture, snapshot) = try write(store) { writeSet in
                var fixture = Fixture(in: writeSet)
                for key in 0..<2_000 as Range<Int64> {
                    fixture.set(key, key / 2 * 3 % 1_000, writeSet)
                }
                return fixture
            }
            for number in 0..<Stress.rounds(3) {
                (_, snapshot) = try write(store) { writeSet in
                    for _ in 0..<random.int(1...3) {
                        let from = Int64(random.int(-50...1_000))
                        let run = fixture.keys {
                            $0.map { $0 >= from && $0 < from + Int64(random.int(1...600)) }
                                ?? random.once(in: 2)
                        }
                        switch random.int(0...3) {
                        case 0: try fixture.delete(run, writeSet)
                        case 1: try fixture.delete(run.filter { _ in random.once(in: 2) }, writeSet)
                        case 2:
                            for key in run {
                                fixture.set(
                                    key, random.once(in: 9) ? nil : Int64(random.int(-100...1_100)),
                                    writeSet)
                            }
                        default:
                            for _ in 0..<300 {
                                fixture.set(
                                    Int64(random.int(0...3_000)), from + Int64(random.int(0...200)),
                                    writeSet)
                            }
                        }
                    }
                }
                let index = try #require(snapshot.table(fixture.table).index(of: fixture.number))
                var found: [Int64] = []
                try index.appendKeys(from: .unbounded, to: .unbounded, to: &found)
                #expect(
                    found == fixture.keys { _ in true },
                    "FREEHOLD_SEED=\(seed), transaction \(number)")
                let problems = try store.check(snapshot)
                #expect(problems == [], "FREEHOLD_SEED=\(seed), transaction \(number)")
                if !problems.isEmpty { return }
            }
        }
    }

    /// What the entries of one value are after each step: row keys of the first, whether it is
    /// followed, and the later bounds.
    @Test func entriesComeAndGo() throws {
        try withTemporaryStore(layout: Self.layout) { store in
            var (fixture, _) = try write(store) { Fixture(in: $0) }
            func expect(
                _ first: [Int64], followed: Bool, later: [Int64],
                sourceLocation: SourceLocation = #_sourceLocation
            ) throws {
                let entries = try Self.entries(store)
                var keys: [Int64] = []
                if let entry = entries.first {
                    #expect(entry.key.count == 15, sourceLocation: sourceLocation)
                    #expect(
                        entry.value.withUnsafeBytes {
                            IndexEntry.appendKeys($0, bound: nil, to: &keys)
                        }, sourceLocation: sourceLocation)
                    #expect(
                        entry.value.withUnsafeBytes { IndexEntry.isFollowed($0) } == followed,
                        sourceLocation: sourceLocation)
                }
                #expect(keys == first, sourceLocation: sourceLocation)
                #expect(
                    entries.dropFirst().map { $0.key.withUnsafeBytes { IndexEntry.bound(in: $0) } }
                        == later, sourceLocation: sourceLocation)
                #expect(
                    try store.check(try store.newestSnapshot()) == [],
                    sourceLocation: sourceLocation)
            }
            func change(_ body: (WriteSet) throws -> Void) throws { try write(store, body) }
            try change { for key in 1...4 as ClosedRange<Int64> { fixture.set(key * 10, 7, $0) } }
            try expect([10, 20, 30, 40], followed: false, later: [])
            // A second entry, then a third.
            try change { fixture.set(50, 7, $0) }
            try expect([10, 20, 30, 40], followed: true, later: [50])
            try change { for key in 6...9 as ClosedRange<Int64> { fixture.set(key * 10, 7, $0) } }
            try expect([10, 20, 30, 40], followed: true, later: [50, 90])
            // The second entry's bound outlives its first row; a row below it is the first entry's.
            try change { try fixture.delete([50], $0) }
            try expect([10, 20, 30, 40], followed: true, later: [50, 90])
            try change { fixture.set(-5, 7, $0) }
            try expect([-5, 10, 20, 30], followed: true, later: [40, 50, 90])
            // The first entry goes, and a row of the one that takes its place.
            try change { try fixture.delete([-5, 10, 20, 30, 40, 60], $0) }
            try expect([70, 80], followed: true, later: [90])
            // The last one goes.
            try change { try fixture.delete([90], $0) }
            try expect([70, 80], followed: false, later: [])
            try change { for key in 100...103 as ClosedRange<Int64> { fixture.set(key, 7, $0) } }
            try expect([70, 80, 100, 101], followed: true, later: [102])
            // The first and the last go at once, and new rows come.
            try change {
                try fixture.delete([70, 80, 100, 101, 102, 103], $0)
                fixture.set(1, 7, $0)
            }
            try expect([1], followed: false, later: [])
            try change { try fixture.delete([1], $0) }
            try expect([], followed: false, later: [])
        }
    }

    /// Entries that no commit would leave behind, of a value with three.
    enum Damage: CaseIterable {
        case notAnnounced, announcesNothing, firstIsMissing, laterAnnounces, boundTooLow,
            firstHasABound, middleIsMissing, allLaterAreMissing, wrongTotal
    }

    @Test(arguments: Damage.allCases)
    func damageIsFound(_ damage: Damage) throws {
        let directory = try TemporaryDirectory()
        var options = Store.Options(
            path: directory.file("damaged.freehold"), hooks: TestHooks(layout: Self.layout))
        options.isTemporary = true
        let store = try Store.open(options)
        let (fixture, sound) = try write(store) { writeSet in
            var fixture = Fixture(in: writeSet)
            for key in 1...12 as ClosedRange<Int64> { fixture.set(key, 7, writeSet) }
            fixture.set(13, 8, writeSet)
            return fixture
        }
        #expect(try store.check(sound) == [])
        var entries = try Self.entries(store)
        try #require(entries.map(\.key.count) == [15, 23, 23, 15])
        switch damage {
        case .notAnnounced: entries[0].value[1] &= 0x7F
        case .announcesNothing: entries[3].value[1] |= 0x80
        case .firstIsMissing: entries.remove(at: 0)
        case .laterAnnounces: entries[1].value[1] |= 0x80
        case .boundTooLow:
            // The same row keys, 5 to 8, with a bound inside the entry before.
            entries[1].key[22] = 3
            entries[1].value[2] = 2
        case .firstHasABound:
            entries[0].key += [0x80, 0, 0, 0, 0, 0, 0, 1]
            entries[0].value[0..<10] = [4, 0]
            entries[0].value[2] = 0
        case .middleIsMissing: entries.remove(at: 1)
        case .allLaterAreMissing: entries.removeSubrange(1...2)
        case .wrongTotal: entries[0].value[2] = 13
        }
        try store.environment.writer.begin().commit { transaction in
            try transaction.deleteAll(.indexes)
            for entry in entries {
                try entry.key.withUnsafeBytes { key in
                    try entry.value.withUnsafeBytes {
                        try transaction.put(.indexes, key: key, value: $0)
                    }
                }
            }
        }
        let damaged = try Store.open(options)
        let snapshot = try damaged.newestSnapshot()
        #expect(try damaged.check(snapshot).count == 1)
        let index = try #require(snapshot.table(fixture.table).index(of: fixture.number))
        // What a lookup and a walk meet themselves is an error.
        var keys: [Int64] = []
        switch damage {
        case .announcesNothing:
            #expect(throws: StorageError.self) { try index.count(equalTo: .integer(8)) }
            #expect(throws: StorageError.self) {
                try index.appendKeys(equalTo: .integer(8), to: &keys)
            }
            #expect(throws: StorageError.self) {
                try index.appendKeys(from: .unbounded, to: .unbounded, to: &keys)
            }
        case .allLaterAreMissing:
            #expect(throws: StorageError.self) {
                try index.appendKeys(equalTo: .integer(7), to: &keys)
            }
            #expect(throws: StorageError.self) {
                try index.appendKeys(from: .unbounded, to: .excluding(.integer(9)), to: &keys)
            }
        case .notAnnounced:
            #expect(throws: StorageError.self) {
                try index.appendKeys(from: .unbounded, to: .unbounded, to: &keys)
            }
        case .laterAnnounces:
            #expect(throws: StorageError.self) {
                try index.appendKeys(equalTo: .integer(7), to: &keys)
            }
            #expect(throws: StorageError.self) {
                try index.appendKeys(from: .unbounded, to: .unbounded, to: &keys)
            }
        case .firstIsMissing, .firstHasABound: #expect(try index.count(equalTo: .integer(7)) == 0)
        case .boundTooLow, .middleIsMissing, .wrongTotal: break
        }
    }
}
