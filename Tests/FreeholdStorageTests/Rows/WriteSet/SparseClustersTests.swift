@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Changing rows of a large table whose directory is not loaded: what it costs, and that the
/// result is right.
@Suite("Rows: changes before the directory is loaded") struct SparseClustersTests {
    enum FirstChange: CaseIterable {
        case value, missingRow, lastRow, rowBehindAll, clusterBehindAll, rowBetween, deletion
    }

    @Test(arguments: FirstChange.allCases, [2_000, 12_000])
    func theFirstCommitReadsAFewEntries(change: FirstChange, rows: Int) throws {
        // Four rows a cluster: the last one is full, or has room for one row.
        let file = try LargeFile(rows: change == .clusterBehindAll ? rows : rows - 1)
        let store = try file.reopened()
        let (key, last) = (file.keys[rows / 3], file.keys[file.keys.count - 1])
        let reads = try file.reads {
            try write(store) { writeSet in
                let table = writeSet.mutableTable(file.table)
                func set(_ key: Int64) {
                    table.mutableRow(RowKey(rawValue: key))?.setInteger(LargeFile.number, -1)
                }
                switch change {
                case .value: set(key)
                case .missingRow: #expect(table.mutableRow(RowKey(rawValue: key + 1)) == nil)
                case .lastRow: set(last)
                case .rowBehindAll, .clusterBehindAll:
                    _ = table.insertRow(RowKey(rawValue: last + 1))
                    #expect(table.count == file.keys.count + 1)
                case .rowBetween:
                    // The deletion makes room.
                    try table.deleteRows([key])
                    _ = table.insertRow(RowKey(rawValue: key + 1))
                    #expect(table.count == file.keys.count)
                case .deletion:
                    try table.deleteRows([key])
                    #expect(table.count == file.keys.count - 1)
                }
            }
        }
        #expect(reads <= 8, "\(change) in \(rows) rows")
        #expect(try store.check(try store.newestSnapshot()) == [])
    }

    /// A deletion finds the links to the row by its backlinks, and changes only their clusters.
    @Test func aDeletionOfALinkedRowReadsAFewEntries() throws {
        let file = try LargeFile(rows: 2_000)
        let first = try file.reopened()
        let (links, link) = try write(first) { writeSet in
            let id = writeSet.createTable(named: "Links")
            let link = writeSet.addColumn(
                to: id, named: "item", type: .link, isNullable: true, isIndexed: true,
                target: file.table)
            let table = writeSet.mutableTable(id)
            for key in Int64(0)..<2_000 {
                table.insertRow(RowKey(rawValue: key)).setInteger(link, file.keys[Int(key / 5)])
            }
            return (id, link)
        }.0
        let store = try file.reopened()
        let reads = try file.reads {
            try write(store) {
                try $0.mutableTable(file.table).deleteRows([file.keys[200]])
            }
        }
        #expect(reads <= 12)
        let table = try store.newestSnapshot().table(links)
        for key in Int64(0)..<2_000 {
            let place = try #require(table.locate(RowKey(rawValue: key)))
            #expect(
                place.cluster.columns[link.position].isNull(at: place.row)
                    == (1_000..<1_005).contains(key))
        }
        #expect(try store.check(try store.newestSnapshot()) == [])
    }

    /// Adding many rows loads the directory at some point, and goes on from there.
    @Test func manyNewRows() throws {
        let file = try LargeFile(rows: 2_000)
        let store = try file.reopened()
        let keys = (1...100).map { file.keys[1_999] + $0 }
        try write(store) { writeSet in
            let table = writeSet.mutableTable(file.table)
            for key in keys {
                table.insertRow(RowKey(rawValue: key)).setInteger(LargeFile.number, key)
            }
        }
        let snapshot = try store.newestSnapshot()
        #expect(snapshot.table(file.table).allKeys == file.keys + keys)
        #expect(try store.check(snapshot) == [])
    }

    /// Another thread loads the directory of the version that a transaction is based on.
    @Test func theBaseLoadsItsDirectoryMeanwhile() throws {
        let file = try LargeFile(rows: 2_000)
        let store = try file.reopened()
        let writeSet = try store.beginWrite()
        let table = writeSet.mutableTable(file.table)
        let new = file.keys[1_999] + 1
        _ = table.insertRow(RowKey(rawValue: new))
        #expect(try store.newestSnapshot().table(file.table).clusterCount == 500)
        let snapshot = try store.commit(writeSet)
        #expect(snapshot.table(file.table).allKeys == file.keys + [new])
        #expect(try store.check(snapshot) == [])
    }

    /// Short transactions in a store that knows no directory, against a plain model: changes, rows
    /// that come and go, reads of all kinds in between, savepoints, cancelled transactions.
    @Test(arguments: [nil, 1, 2, 3] as [UInt64?])
    func randomTransactions(seed own: UInt64?) throws {
        var random = Seed.random(own)
        let file = try LargeFile(rows: random.int(600...2_000), distance: 5)
        var model = Dictionary(uniqueKeysWithValues: file.keys.map { ($0, $0 * 2) })
        for round in 0..<Stress.rounds(40) {
            let comment: Comment = "FREEHOLD_SEED=\(random.seed), round \(round)"
            let store = try file.reopened()
            let before = model
            var writeSet = try store.beginWrite()
            for _ in 0..<random.int(1...8) {
                try Self.change(&writeSet, file, &model, &random, comment)
            }
            if random.once(in: 5) {
                store.cancel(writeSet)
                model = before
            } else {
                _ = try store.commit(writeSet)
            }
            let snapshot = try store.newestSnapshot()
            for key in model.keys.shuffled(using: &random).prefix(5) {
                #expect(file.number(key, in: snapshot.table(file.table)) == model[key], comment)
            }
            #expect(snapshot.table(file.table).count == model.count, comment)
            let fresh = try file.reopened().newestSnapshot().table(file.table)
            #expect(fresh.allKeys == model.keys.sorted(), comment)
            #expect(try store.check(snapshot) == [], comment)
        }
    }

    private static func change(
        _ writeSet: inout WriteSet, _ file: LargeFile, _ model: inout [Int64: Int64],
        _ random: inout SeededGenerator, _ comment: Comment
    ) throws {
        let table = writeSet.mutableTable(file.table)
        let keys = model.keys.sorted()
        let key = random.pick(keys)
        switch random.int(0...11) {
        case 0...3:
            table.mutableRow(RowKey(rawValue: key))?.setInteger(LargeFile.number, -key)
            model[key] = -key
        case 4, 5:
            let new = table.nextRowKey().rawValue
            table.insertRow(RowKey(rawValue: new)).setInteger(LargeFile.number, new)
            model[new] = new
        case 6:
            let new = key + Int64(random.int(-3...3))
            guard model[new] == nil else { return }
            table.insertRow(RowKey(rawValue: new)).setInteger(LargeFile.number, new)
            model[new] = new
        case 7, 8:
            try table.deleteRows([key])
            model[key] = nil
        case 9:
            let some = (0..<random.int(1...4)).map { _ in random.pick(keys) }
            try table.deleteRows(some.sorted())
            for key in some { model[key] = nil }
        case 10:
            #expect(file.number(key, in: table) == model[key], comment)
            #expect(table.count == model.count, comment)
            if random.once(in: 3) { #expect(table.allKeys == keys, comment) }
        default: writeSet = writeSet.savepoint()
        }
    }
}
