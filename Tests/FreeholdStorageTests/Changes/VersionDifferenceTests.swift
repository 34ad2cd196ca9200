@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// The rows in which two versions differ, against plain models of both.
@Suite struct VersionDifferenceTests {
    /// One version, with what it should hold.
    private struct Version<Model> {
        let snapshot: Snapshot
        let view: ReadTransaction
        let model: Model
    }

    private func expectSameEntries(
        _ old: ReadTransaction, _ new: ReadTransaction, _ comment: Comment
    ) throws {
        for database in Database.allCases {
            var (fast, slow): ([[UInt8]], [[UInt8]]) = ([], [])
            #expect(
                try new.forEachDifference(database, from: old) { fast.append(Array($0)) } != nil,
                comment)
            try CursorComparison.forEachDifference(database, from: old, to: new) {
                slow.append(Array($0))
            }
            #expect(fast == slow, comment)
        }
    }

    /// Compares with models of one table, nil where the version does not have it.
    private func expectChanges(
        _ difference: VersionDifference, of table: TableID, _ old: StoredModelTable?,
        _ new: StoredModelTable?, _ comment: Comment
    ) {
        let changes = difference.changes(of: table)
        let (before, now) = (
            Set(old?.rows.keys.map { $0 } ?? []), Set(new?.rows.keys.map { $0 } ?? [])
        )
        #expect(Array(changes.deletions) == before.subtracting(now).sorted(), comment)
        #expect(Array(changes.insertions) == now.subtracting(before).sorted(), comment)
        var modifications: [ColumnID: ContiguousArray<Int64>] = [:]
        for key in before.intersection(now).sorted() {
            for column in new?.columns ?? [] {
                let standard = StoredModelTable.defaultValue(of: column)
                if old?.rows[key]?[column.id] ?? standard != new?.rows[key]?[column.id] ?? standard
                {
                    modifications[column.id, default: []].append(key)
                }
            }
        }
        #expect(changes.modifications == modifications, comment)
        #expect(changes.isEmpty == (before == now && modifications.isEmpty), comment)
        if !changes.isEmpty { #expect(difference.changedTables.contains(table), comment) }
        #expect(
            Array(changes.modifiedRows(in: nil))
                == Set(modifications.values.flatMap { $0 }).sorted(), comment)
        let some = Set(new?.columns.map(\.id).filter { $0.rawValue % 3 == 0 } ?? [])
        let modified = Set(modifications.filter { some.contains($0.key) }.values.flatMap { $0 })
        #expect(Array(changes.modifiedRows(in: some)) == modified.sorted(), comment)
        for key in before.union(now).sorted().prefix(30) {
            #expect(changes.isModified(key, in: some) == modified.contains(key), comment)
            #expect(
                changes.isModified(key, in: nil)
                    == modifications.values.contains { $0.contains(key) }, comment)
            for column in new?.columns ?? [] {
                let isChanged =
                    before.contains(key) != now.contains(key)
                    || modifications[column.id]?.contains(key) ?? false
                #expect(
                    difference.isChanged(column.id, of: RowKey(rawValue: key), in: table)
                        == isChanged, comment)
            }
        }
        #expect(
            !difference.isChanged(ColumnID(rawValue: 1), of: RowKey(rawValue: 1 << 61), in: table),
            comment)
    }

    @Test(arguments: [
        (UInt64?.none, StorageLayout.tiny, 30, 12), (1, .tiny, 30, 30),
        (UInt64?.none, .tiny, 12, 200),
        (2, StorageLayout(), 14, 60), (UInt64?.none, StorageLayout(), 12, 500),
    ])
    func rows(seed own: UInt64?, layout: StorageLayout, transactionCount: Int, operationCount: Int)
        throws
    {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: layout) { store in
            var versions: [Version<(StoredModelTable, StoredModelTable)?>] = [
                Version(
                    snapshot: try store.newestSnapshot(), view: try store.environment.read(),
                    model: nil)
            ]
            var tables = try write(store) { writeSet in
                let targets = StoredModelTable.create(
                    in: writeSet, named: "Target", primaryKeyIsRowKey: true)
                return (
                    StoredModelTable.create(
                        in: writeSet, named: "Source", primaryKeyIsRowKey: false, target: targets.id
                    ), targets
                )
            }.0
            versions.append(
                Version(
                    snapshot: try store.newestSnapshot(), view: try store.environment.read(),
                    model: tables))
            for number in 0..<transactionCount {
                try write(store) { writeSet in
                    if random.once(in: 5) { Self.addColumn(to: &tables.0, writeSet, &random) }
                    for _ in 0..<random.int(1...operationCount) {
                        try RandomTransactionTests.change(&tables.0, &tables.1, writeSet, &random)
                    }
                    if number == transactionCount - 3 {
                        var noSources = StoredModelTable(id: tables.0.id, columns: [])
                        try tables.0.delete(
                            tables.0.rows.keys.sorted(), in: writeSet, linkedFrom: &noSources)
                    }
                    if random.once(in: 3) { try Self.reinsert(&tables.0, writeSet, &random) }
                }
                if random.once(in: 2) || number + 4 > transactionCount {
                    versions.append(
                        Version(
                            snapshot: try store.newestSnapshot(),
                            view: try store.environment.read(), model: tables))
                }
            }
            for (index, old) in versions.enumerated() {
                // Each with the next one, and some at a distance and backwards.
                for (other, new) in versions.enumerated()
                where other == index + 1 || random.once(in: 5) {
                    let comment = Comment("FREEHOLD_SEED=\(seed): \(index) to \(other)")
                    try expectSameEntries(old.view, new.view, comment)
                    let difference = try VersionDifference(from: old.snapshot, to: new.snapshot)
                    for table in [tables.0.id, tables.1.id] {
                        let (before, now) = (
                            table == tables.0.id ? old.model?.0 : old.model?.1,
                            table == tables.0.id ? new.model?.0 : new.model?.1
                        )
                        expectChanges(difference, of: table, before, now, comment)
                    }
                }
            }
        }
    }

    /// Versions that are not committed: a write set, what continues it, and a snapshot of other
    /// changes, each with each.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()]) func writeSets(layout: StorageLayout)
        throws
    {
        var random = Seed.random()
        let seed = random.seed
        for round in 0..<Stress.rounds(layout == .tiny ? 12 : 4) {
            try withTemporaryStore(layout: layout) { store in
                typealias Tables = (StoredModelTable, StoredModelTable)
                var tables: Tables = try write(store) { writeSet in
                    let targets = StoredModelTable.create(
                        in: writeSet, named: "Target", primaryKeyIsRowKey: true)
                    return (
                        StoredModelTable.create(
                            in: writeSet, named: "Source", primaryKeyIsRowKey: false,
                            target: targets.id), targets
                    )
                }.0
                func change(_ tables: Tables, _ writeSet: WriteSet) throws -> Tables {
                    var tables = tables
                    for _ in 0..<random.int(0...60) {
                        try RandomTransactionTests.change(
                            &tables.0, &tables.1, writeSet, &random)
                    }
                    return tables
                }
                tables = try write(store) { try change(tables, $0) }.0
                var versions: [(source: TableSource, model: Tables)] = [
                    (try store.newestSnapshot(), tables)
                ]
                let first = try store.beginWrite()
                let continued = first.savepoint()
                versions.append((first, tables))
                versions.append((continued, try change(tables, continued)))
                for _ in 0..<2 {
                    guard let standing = versions.last, let writeSet = standing.source as? WriteSet
                    else { continue }
                    let fork = writeSet.savepoint()
                    versions.append((fork, try change(standing.model, fork)))
                }
                let sibling = continued.savepoint()
                versions.append((sibling, try change(versions[2].model, sibling)))
                let other = first.savepoint()
                let committed = try change(tables, other)
                versions.append((try store.commit(other), committed))
                for (index, old) in versions.enumerated() {
                    for (number, new) in versions.enumerated() {
                        let comment = Comment(
                            "FREEHOLD_SEED=\(seed), round \(round): \(index) to \(number)")
                        let difference = try VersionDifference(from: old.source, to: new.source)
                        expectChanges(
                            difference, of: tables.0.id, old.model.0, new.model.0, comment)
                        expectChanges(
                            difference, of: tables.1.id, old.model.1, new.model.1, comment)
                    }
                }
            }
        }
    }

    private static func addColumn(
        to table: inout StoredModelTable, _ writeSet: WriteSet, _ random: inout SeededGenerator
    ) {
        let type = random.pick(ColumnType.allCases.filter { $0 != .mixed && $0 != .link })
        let column = writeSet.addColumn(
            to: table.id, named: "added \(table.columns.count)", type: type,
            isNullable: random.once(in: 2), isIndexed: false)
        table = StoredModelTable(
            id: table.id, columns: table.columns + [writeSet.catalog[table.id]![column]!],
            rows: table.rows)
    }

    /// Deletes some rows and adds rows with their keys, most with their values: only what has
    /// another value then is modified.
    private static func reinsert(
        _ table: inout StoredModelTable, _ writeSet: WriteSet, _ random: inout SeededGenerator
    ) throws {
        let known = table.rows.filter { _ in random.once(in: 10) }
        var noSources = StoredModelTable(id: table.id, columns: [])
        try table.delete(known.keys.sorted(), in: writeSet, linkedFrom: &noSources)
        for (key, values) in known {
            table.insert(key, in: writeSet)
            for column in table.columns {
                guard let value = values[column.id], !random.once(in: 20) else { continue }
                try table.set(column, of: key, to: value, in: writeSet)
            }
        }
    }

    // MARK: Collections

    /// What is stored of a collection or a mixed value: the cell, and the nodes under their
    /// numbers.
    private func stored(
        _ column: ColumnID, of key: Int64, in version: Version<StoredCollectionModel>,
        _ nodes: [[UInt8]: [[UInt8]]]
    ) throws -> [[UInt8]] {
        let table = version.snapshot.table(version.model.id)
        let place = try #require(table.locate(RowKey(rawValue: key)))
        var parts = [table.withBytes(place.cluster, column, place.row) { Array($0) }]
        if place.cluster.columns[column.position].isNull(at: place.row) { parts.append([]) }
        var prefix: [UInt8] = []
        withUnsafeBytes(of: version.model.id.rawValue.bigEndian) { prefix += $0 }
        withUnsafeBytes(of: column.rawValue.bigEndian) { prefix += $0 }
        withUnsafeBytes(of: (UInt64(bitPattern: key) ^ 1 << 63).bigEndian) { prefix += $0 }
        return parts + (nodes[prefix] ?? [])
    }

    @Test(arguments: [
        (UInt64?.none, StorageLayout.tiny, 10, 40), (1, .tiny, 8, 120),
        (UInt64?.none, StorageLayout(), 5, 700),
    ])
    func collections(
        seed own: UInt64?, layout: StorageLayout, transactionCount: Int, operationCount: Int
    ) throws {
        var random = Seed.random(own)
        let seed = random.seed
        try withTemporaryStore(layout: layout) { store in
            var model = try write(store) { StoredCollectionModel.create(in: $0) }.0
            var versions: [Version<StoredCollectionModel>] = []
            for _ in 0..<transactionCount {
                try write(store) { writeSet in
                    for _ in 0..<random.int(1...operationCount) {
                        try model.change(in: writeSet, &random)
                    }
                }
                versions.append(
                    Version(
                        snapshot: try store.newestSnapshot(), view: try store.environment.read(),
                        model: model))
            }
            // By what their keys begin with: table, column and row.
            let nodes = try versions.map { version in
                Dictionary(
                    try version.view.entries(.elements).map {
                        (Array($0.key.prefix(14)), [$0.key, $0.value])
                    }
                ) { $0 + $1 }
            }
            var modificationCount = 0
            for (index, old) in versions.enumerated() {
                for (other, new) in versions.enumerated()
                where other == index + 1 || (other > index && random.once(in: 5)) {
                    let comment = Comment("FREEHOLD_SEED=\(seed): \(index) to \(other)")
                    try expectSameEntries(old.view, new.view, comment)
                    let difference = try VersionDifference(from: old.snapshot, to: new.snapshot)
                    let changes = difference.changes(of: model.id)
                    let (before, now) = (Set(old.model.rows.keys), Set(new.model.rows.keys))
                    #expect(Array(changes.deletions) == before.subtracting(now).sorted(), comment)
                    #expect(Array(changes.insertions) == now.subtracting(before).sorted(), comment)
                    for key in before.intersection(now) {
                        for column in model.columns.map(\.id) + [model.mixed] {
                            let isSame =
                                try stored(column, of: key, in: old, nodes[index])
                                == stored(column, of: key, in: new, nodes[other])
                            #expect(changes.isModified(key, in: [column]) == !isSame, comment)
                            #expect(
                                difference.isChanged(
                                    column, of: RowKey(rawValue: key), in: model.id) == !isSame,
                                comment)
                            let isEqual =
                                column == model.mixed
                                ? old.model.mixedValues[key] == new.model.mixedValues[key]
                                : old.model.rows[key]?[column] ?? .init() == new.model.rows[key]?[
                                    column] ?? .init()
                            if !isEqual { #expect(changes.isModified(key, in: [column]), comment) }
                            if !isSame { modificationCount += 1 }
                        }
                    }
                }
            }
            #expect(modificationCount > 20)
        }
    }

    /// Of all columns only the keys differ: the rows have equal values, and the cluster as many as
    /// before. Its keys are not consecutive before or after, so the directory does not tell.
    @Test func onlyKeysThatDiffer() throws {
        try withTemporaryStore { store in
            let ((table, number), before) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Row")
                let number = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: false, isIndexed: false)
                for key in [1, 3, 5] as [Int64] {
                    writeSet.mutableTable(table).insertRow(RowKey(rawValue: key)).setInteger(
                        number, 7)
                }
                return (table, number)
            }
            let (_, after) = try write(store) { writeSet in
                let rows = writeSet.mutableTable(table)
                try writeSet.deleteRows([5], of: table)
                rows.insertRow(RowKey(rawValue: 7)).setInteger(number, 7)
            }
            #expect(
                try before.transaction.entries(.directory).map(\.value)
                    == after.transaction.entries(.directory).map(\.value))
            for (old, new, gone, come) in [(before, after, 5, 7), (after, before, 7, 5)]
                as [(Snapshot, Snapshot, Int64, Int64)]
            {
                let changes = try VersionDifference(from: old, to: new).changes(of: table)
                #expect(
                    Array(changes.deletions) == [gone] && Array(changes.insertions) == [come]
                        && changes.modifications.isEmpty)
            }
        }
    }
}
