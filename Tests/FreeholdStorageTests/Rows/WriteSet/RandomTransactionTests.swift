import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Random transactions against a plain model: after each, the write set, the new snapshot and
/// the old one say what they should, and the file passes its check.
@Suite struct RandomTransactionTests {
    @Test(arguments: [
        (UInt64?.none, StorageLayout.tiny, 40, 12), (1, .tiny, 40, 12), (2, .tiny, 60, 30),
        (3, StorageLayout(), 25, 400),
        (UInt64?.none, StorageLayout(), 15, 600),
    ])
    func transactions(
        seed own: UInt64?, layout: StorageLayout, transactionCount: Int, operationCount: Int
    ) throws {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: layout) { store in
            var (tables, snapshot) = try write(store) { writeSet in
                let targets = StoredModelTable.create(
                    in: writeSet, named: "Target", primaryKeyIsRowKey: true)
                let sources = StoredModelTable.create(
                    in: writeSet, named: "Source", primaryKeyIsRowKey: false, target: targets.id)
                return (sources, targets)
            }
            var kept: [(Snapshot, StoredModelTable, StoredModelTable)] = []
            for number in 0..<Stress.rounds(transactionCount / 4) {
                let before = tables
                let writeSet = try store.beginWrite()
                for _ in 0..<Int.random(in: 1...operationCount, using: &random) {
                    try Self.change(&tables.0, &tables.1, writeSet, &random)
                }
                tables.0.expectEqual(to: writeSet)
                tables.1.expectEqual(to: writeSet)
                if Int.random(in: 0..<6, using: &random) == 0 {
                    store.cancel(writeSet)
                    tables = before
                } else {
                    snapshot = try store.commit(writeSet)
                }
                tables.0.expectEqual(to: snapshot)
                tables.1.expectEqual(to: snapshot)
                let problems = try store.check(snapshot)
                #expect(problems.isEmpty, "FREEHOLD_SEED=\(seed), transaction \(number)")
                if !problems.isEmpty { return }
                if number % 8 == 0 { kept.append((snapshot, tables.0, tables.1)) }
            }
            for (old, sources, targets) in kept {
                sources.expectEqual(to: old)
                targets.expectEqual(to: old)
            }
        }
    }

    /// Transactions that share a commit: each goes on from a savepoint of the one before, some are
    /// dropped, and the last one that stands is committed.
    @Test(arguments: [
        (UInt64?.none, StorageLayout.tiny, 12), (1, .tiny, 12), (2, StorageLayout(), 200),
        (UInt64?.none, StorageLayout(), 60),
    ])
    func savepointTransactions(seed own: UInt64?, layout: StorageLayout, operationCount: Int) throws
    {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: layout) { store in
            var (tables, _) = try write(store) { writeSet in
                let targets = StoredModelTable.create(
                    in: writeSet, named: "Target", primaryKeyIsRowKey: true)
                let sources = StoredModelTable.create(
                    in: writeSet, named: "Source", primaryKeyIsRowKey: false, target: targets.id)
                return (sources, targets)
            }
            for group in 0..<Stress.rounds(3) {
                let beforeGroup = tables
                var standing = try store.beginWrite()
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let before = tables
                    let savepoint = standing.savepoint()
                    for _ in 0..<Int.random(in: 1...operationCount, using: &random) {
                        try Self.change(&tables.0, &tables.1, savepoint, &random)
                    }
                    tables.0.expectEqual(to: savepoint)
                    tables.1.expectEqual(to: savepoint)
                    // The write set that it goes on from has not moved.
                    before.0.expectEqual(to: standing)
                    before.1.expectEqual(to: standing)
                    if Int.random(in: 0..<3, using: &random) == 0 {
                        tables = before
                    } else {
                        standing = savepoint
                    }
                }
                let snapshot: Snapshot
                if Int.random(in: 0..<5, using: &random) == 0 {
                    store.cancel(standing)
                    tables = beforeGroup
                    snapshot = try store.newestSnapshot()
                } else {
                    // What goes on from it may be read while the writer thread writes it.
                    let reader = standing.savepoint()
                    snapshot = try store.commit(standing)
                    tables.0.expectEqual(to: reader)
                    tables.1.expectEqual(to: reader)
                }
                tables.0.expectEqual(to: snapshot)
                tables.1.expectEqual(to: snapshot)
                let problems = try store.check(snapshot)
                #expect(problems.isEmpty, "FREEHOLD_SEED=\(seed), group \(group)")
                if !problems.isEmpty { return }
            }
        }
    }

    static func change(
        _ sources: inout StoredModelTable, _ targets: inout StoredModelTable, _ writeSet: WriteSet,
        _ random: inout SeededGenerator
    ) throws {
        let isSource = Bool.random(using: &random)
        let operation = Int.random(in: 0..<100, using: &random)
        if operation < 45 {
            let key: Int64
            if isSource {
                key = writeSet.mutableTable(sources.id).nextRowKey().rawValue
                sources.insert(key, in: writeSet)
            } else {
                let wanted = [
                    Int64.random(in: -1000...1000, using: &random),
                    (targets.rows.keys.filter { $0 < 1 << 62 }.max() ?? 0) + 1, .min, .max,
                ].randomElement(using: &random)!
                if targets.rows[wanted] != nil { return }
                key = wanted
                targets.insert(key, in: writeSet)
            }
            let linkable = targets.rows.keys.sorted()
            for column in isSource ? sources.columns : targets.columns
            where Int.random(in: 0..<3, using: &random) > 0 {
                if isSource {
                    try sources.set(
                        column, of: key,
                        to: sources.randomValue(of: column, using: &random, targets: linkable),
                        in: writeSet)
                } else {
                    try targets.set(
                        column, of: key,
                        to: targets.randomValue(of: column, using: &random, targets: []),
                        in: writeSet)
                }
            }
        } else if operation < 80 {
            guard
                let key = (isSource ? sources : targets).rows.keys.sorted().randomElement(
                    using: &random)
            else { return }
            let linkable = targets.rows.keys.sorted()
            if isSource {
                let column = sources.columns.randomElement(using: &random)!
                try sources.set(
                    column, of: key,
                    to: sources.randomValue(of: column, using: &random, targets: linkable),
                    in: writeSet)
            } else {
                let column = targets.columns.randomElement(using: &random)!
                try targets.set(
                    column, of: key,
                    to: targets.randomValue(of: column, using: &random, targets: []), in: writeSet)
            }
        } else {
            let share = [1, 1, 1, 2, 10, 100].randomElement(using: &random)!
            let doomed = (isSource ? sources : targets).rows.keys.sorted().filter { _ in
                Int.random(in: 0..<100, using: &random) < share
            }
            var noSources = StoredModelTable(id: sources.id, columns: [])
            if isSource {
                try sources.delete(doomed, in: writeSet, linkedFrom: &noSources)
            } else {
                try targets.delete(doomed, in: writeSet, linkedFrom: &sources)
            }
        }
    }
}
