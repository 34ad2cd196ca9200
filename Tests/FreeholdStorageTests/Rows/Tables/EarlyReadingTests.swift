import Dispatch
@testable import FreeholdStorage
import FreeholdTestSupport
import Synchronization
import Testing

/// Reading a large table while its directory is not loaded: what it costs, and that the answers
/// are those of the loaded one.
@Suite("Rows: reading before the directory is loaded") struct EarlyReadingTests {
    /// The first use of a table, whose cost does not grow with it.
    enum FirstUse: CaseIterable {
        case key, missingKey, count, first, last, integerIndex, textIndex, query, sortedQuery,
            transaction
    }

    @Test(arguments: FirstUse.allCases, [2_000, 12_000])
    func theFirstUseReadsAFewEntries(use: FirstUse, rows: Int) throws {
        let file = try LargeFile(rows: rows)
        let store = try file.reopened()
        let key = file.keys[rows / 3]
        let reads = try file.reads {
            let snapshot = try store.newestSnapshot()
            let table = snapshot.table(file.table)
            func query(_ column: ColumnID, _ value: ScanValue) -> ScanPredicate {
                .compare(ScanPath(column: column), .equal, value)
            }
            let engine = ScanEngine(source: snapshot)
            switch use {
            case .key: #expect(file.number(key, in: table) == key * 2)
            case .missingKey: #expect(file.number(key + 1, in: table) == nil)
            case .count: #expect(table.count == rows)
            case .first: #expect(table.locate(position: 0)?.cluster.firstKey == file.keys[0])
            case .last:
                let place = try #require(table.locate(position: rows - 1))
                #expect(place.cluster.key(at: place.row).rawValue == file.keys.last)
            case .integerIndex:
                let number = query(LargeFile.number, .integer(key * 2))
                #expect(try engine.count(number, in: table) == 1)
            case .textIndex:
                let text = ScanValue.text(Array("text \(key)".utf8))
                #expect(try engine.firstKey(query(LargeFile.text, text), in: table) == key)
            case .query:
                let both = ScanPredicate.and([
                    query(LargeFile.number, .integer(key * 2)),
                    query(LargeFile.text, .text(Array("text \(key)".utf8))),
                ])
                #expect(try engine.keys(both, in: table) == [key])
            case .sortedQuery:
                let keys = try engine.keys(query(LargeFile.number, .integer(key * 2)), in: table)
                let sort = ScanSort(path: ScanPath(column: LargeFile.text), ascending: true)
                #expect(try engine.sort(keys, in: table, by: [sort]) == [key])
            case .transaction:
                let writeSet = try store.beginWrite()
                defer { store.cancel(writeSet) }
                #expect(file.number(key, in: writeSet.mutableTable(file.table)) == key * 2)
                #expect(writeSet.mutableTable(file.table).count == rows)
            }
        }
        #expect(reads <= 4, "\(use) in \(rows) rows")
    }

    /// The comparison of two versions needs the changed clusters only.
    @Test func aChangeOfOneRowIsFoundInAFewEntries() throws {
        let file = try LargeFile(rows: 4_000)
        let key = file.keys[1_000]
        let old = try file.reopened().newestSnapshot()
        try write(try file.reopened()) {
            $0.mutableTable(file.table).mutableRow(RowKey(rawValue: key))?.setInteger(
                LargeFile.number, 1)
        }
        let new = try file.reopened().newestSnapshot()
        let reads = try file.reads {
            let changes = try VersionDifference(from: old, to: new).changes(of: file.table)
            #expect(changes.modifications == [LargeFile.number: [key]])
        }
        #expect(reads <= 8)
    }

    /// Many look-ups load the directory, so that they cost no descent any more.
    @Test func manyLookUpsLoadTheDirectory() throws {
        let file = try LargeFile(rows: 4_000)
        let table = try file.reopened().newestSnapshot().table(file.table)
        let reads = file.reads {
            for key in file.keys { #expect(file.number(key, in: table) == key * 2) }
        }
        #expect(reads < 1_000 + 200)
        #expect(table.unsafeLocate(file.keys[7]) != nil)
        #expect(file.reads { _ = file.number(file.keys[3_999], in: table) } == 0)
    }

    /// A table that takes about one page is loaded at once.
    @Test func aSmallDirectoryIsLoadedAtOnce() throws {
        let file = try LargeFile(rows: 100)
        let table = try file.reopened().newestSnapshot().table(file.table)
        _ = file.number(file.keys[0], in: table)
        #expect(table.unsafeLocate(file.keys[0]) != nil)
    }

    /// Look-ups, positions and scans in any order, while commits make new versions, against what
    /// the versions should hold. Kept versions load their directories long after later commits.
    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func randomReads(seed own: UInt64?) throws {
        var random = Seed.random(own)
        var file = try LargeFile(rows: random.int(600...3_000), distance: 5)
        let store = try file.reopened()
        var values = Dictionary(uniqueKeysWithValues: file.keys.map { ($0, $0 * 2) })
        var kept: [(Snapshot, [Int64], [Int64: Int64])] = []
        for round in 0..<40 {
            // A store that knows no directory, or the one that does.
            let reader = random.once(in: 2) ? try Store.open(file.options) : store
            kept.append((try reader.newestSnapshot(), file.keys, values))
            let (snapshot, keys, model) = random.pick(kept)
            let table = snapshot.table(file.table)
            let comment: Comment = "FREEHOLD_SEED=\(random.seed), round \(round)"
            for _ in 0..<random.int(1...40) {
                let key = random.once(in: 3) ? Int64(random.int(-5...17_000)) : random.pick(keys)
                #expect(file.number(key, in: table) == model[key], comment)
                if random.once(in: 12) {
                    let position = random.pick([0, keys.count - 1, random.int(0...keys.count - 1)])
                    let place = table.locate(position: position)
                    #expect(place?.cluster.key(at: place?.row ?? 0).rawValue == keys[position])
                }
                if random.once(in: 20) { #expect(table.count == keys.count, comment) }
                if random.once(in: 60) { #expect(table.allKeys == keys, comment) }
            }
            let changed = (0..<random.int(1...20)).map { _ in random.pick(file.keys) }
            let deleted = Set((0..<random.int(0...8)).map { _ in random.pick(file.keys) })
            let added = (0..<random.int(0...8)).map { _ in Int64(random.int(0...16_000)) * 5 + 1 }
            try write(store) { writeSet in
                let table = writeSet.mutableTable(file.table)
                for key in changed {
                    table.mutableRow(RowKey(rawValue: key))?.setInteger(LargeFile.number, -key)
                    values[key] = -key
                }
                try table.deleteRows(deleted.sorted())
                for key in deleted { values[key] = nil }
                for key in Set(added) where values[key] == nil {
                    table.insertRow(RowKey(rawValue: key)).setInteger(LargeFile.number, key)
                    values[key] = key
                }
            }
            file.keys = values.keys.sorted()
        }
        #expect(try store.check(try store.newestSnapshot()) == [])
    }

    /// Eight threads use one version first, each in its own order.
    @Test func threadsReadOneVersionFirst() throws {
        let file = try LargeFile(rows: 4_000)
        for round in 0..<10 {
            let table = try file.reopened().newestSnapshot().table(file.table)
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                var random = SeededGenerator(seed: UInt64(round * 8 + thread))
                for step in 0..<200 {
                    let key = random.pick(file.keys)
                    if file.number(key, in: table) != key * 2 { Issue.record("key \(key)") }
                    if let place = table.unsafeLocate(key),
                        place.cluster.takeUnretainedValue().key(at: place.row).rawValue != key
                    {
                        Issue.record("unsafeLocate(\(key))")
                    }
                    if step == 150, thread == 3 { #expect(table.clusterCount == 1_000) }
                }
            }
            // One cluster each, whoever found it.
            let first = table.locate(RowKey(rawValue: file.keys[0]))
            #expect(first?.cluster === table.cluster(at: 0))
        }
    }

    /// A cluster that was found early is the same one once the directory is loaded.
    @Test func clustersStayTheSame() throws {
        let file = try LargeFile(rows: 4_000)
        let table = try file.reopened().newestSnapshot().table(file.table)
        let before = [0, 1_999, 3_999].map { table.cluster(covering: file.keys[$0]) }
        #expect(table.unsafeLocate(file.keys[0]) == nil, "the directory is not loaded")
        #expect(table.clusterCount == 1_000)
        #expect(before[0] === table.cluster(at: 0))
        #expect(before[1] === table.cluster(at: 499))
        #expect(before[2] === table.cluster(at: 999))
    }
}

/// Damage that is met before the directory is loaded is remembered, as when it is loaded.
extension EarlyReadingTests {
    enum Damage: CaseIterable { case entry, nextEntry, overlap, facts, wrongFacts }

    @Test(arguments: Damage.allCases, [false, true])
    func damageIsRemembered(damage: Damage, loads: Bool) throws {
        let file = try LargeFile(rows: 4_000)
        let key = file.keys[2_001]
        try file.environment.writer.begin().commit { transaction in
            func put(_ database: Database, _ key: [UInt8], _ value: [UInt8]) throws {
                try key.withUnsafeBytes { key in
                    try value.withUnsafeBytes { try transaction.put(database, key: key, value: $0) }
                }
            }
            let entries = try file.environment.read().entries(.directory)
            let meta = try file.environment.read().entries(.meta)
            let facts = try #require(meta.first { $0.key.first == UInt8(ascii: "t") })
            switch damage {
            case .entry, .nextEntry:
                var (entryKey, value) = entries[damage == .entry ? 500 : 501]
                value[0] ^= 1
                try put(.directory, entryKey, value)
            case .overlap:
                // An entry of the same kind within the keys of this cluster's rows.
                var (entryKey, _) = entries[500]
                entryKey[11] += 1
                let sound = DirectoryEntry(count: 4, consecutiveFrom: nil, columnCount: 3)
                    .encoded(of: file.table, firstKey: file.keys[2_000] + 1)
                try put(.directory, entryKey, Array(sound))
            case .facts:
                var value = facts.value
                value[8] ^= 1
                try put(.meta, facts.key, value)
            case .wrongFacts:
                let wrong = TableFacts(nextRowKey: 1 << 40, rowCount: 4_001)
                try put(.meta, facts.key, Array(wrong.encoded(of: file.table)))
            }
        }
        let store = try file.reopened()
        let snapshot = try store.newestSnapshot()
        let table = snapshot.table(file.table)
        switch damage {
        case .facts, .wrongFacts:
            #expect(table.locate(position: 0)?.cluster.firstKey == file.keys[0])
            #expect(file.number(key, in: table) == key * 2)
            // Wrong facts with a right checksum are found when the directory is loaded.
            if loads || damage == .wrongFacts { #expect(table.allKeys == file.keys) }
            #expect(table.locate(position: 4_000) == nil)
            _ = snapshot.facts(of: file.table)
        case .entry, .nextEntry, .overlap:
            if loads { _ = table.clusterCount }
            // Zero in a cluster of which no column is found.
            #expect([nil, 0, key * 2].contains(file.number(key, in: table)))
        }
        #expect(store.isDamaged)
        #expect(try !store.check(snapshot).isEmpty)
    }
}
