import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Damaged bytes of collections, in their cells, their nodes and their backlinks: reading,
/// searching and changing them never traps, check() says that something is wrong, and nothing
/// is committed.
@Suite struct CollectionDamageTests {
    @Test(arguments: [(StorageLayout.tiny, 75), (StorageLayout(), 20)])
    func damageIsFoundAndNeverTraps(layout: StorageLayout, rounds: Int) throws {
        var random = Seed.random()
        let directory = try TemporaryDirectory()
        var options = Store.Options(
            path: directory.file("damaged.freehold"), hooks: TestHooks(layout: layout))
        options.isTemporary = true
        let environment = try Store.open(options).environment
        let (model, entries) = try content(options, environment, &random)
        var missed = 0
        for _ in 0..<Stress.rounds(rounds) {
            let candidates = entries.indices.filter {
                [.elements, .elements, .clusters, .indexes].contains(entries[$0].database)
            }
            let index =
                candidates.filter { entries[$0].database == .elements }.randomElement(
                    using: &random
                ).flatMap { Bool.random(using: &random) ? $0 : nil }
                ?? candidates.randomElement(using: &random)!
            var value = entries[index].value
            let place = Int.random(in: 0..<value.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: value.removeLast(Int.random(in: 1...value.count, using: &random))
            case 1: value += [0, 1, 2]
            default: value[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try environment.writer.begin().commit { transaction in
                for database in Database.allCases { try transaction.deleteAll(database) }
                for (number, entry) in entries.enumerated() {
                    try entry.key.withUnsafeBytes { key in
                        try (number == index ? value : entry.value).withUnsafeBytes {
                            try transaction.put(entry.database, key: key, value: $0)
                        }
                    }
                }
            }
            if !isFound(options) { missed += 1 }
            try use(model, options, &random)
        }
        #expect(missed == 0, "check() missed \(missed) of \(rounds)")
    }

    /// A leaf with one element less than its branch says, or a branch with one less than its cell
    /// says, each under a right checksum: that of the same list without its last element.
    @Test func nodesWithAnotherCountAreDamage() throws {
        func options(_ directory: TemporaryDirectory) -> Store.Options {
            let options = Store.Options(path: directory.file("list.freehold"), hooks: .tiny)
            return options
        }
        func make(_ options: Store.Options, isShorter: Bool) throws -> (
            TableID, ColumnID, nodes: [[UInt8]: [UInt8]]
        ) {
            let store = try Store.open(options)
            let (table, column) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Owner")
                let column = writeSet.addColumn(
                    to: table, named: "list",
                    collection: StoredCollectionKind(.list, of: .integer, isNullable: false))
                let key = writeSet.mutableTable(table).insertRow(RowKey(rawValue: 1)).key
                let tree = try #require(
                    writeSet.mutableTable(table).mutableCollection(of: column, key: key))
                for index in 0..<20 {
                    tree.insert(at: index).setInteger(
                        MutableStoredCollection.values, Int64(index * index))
                }
                return (table, column)
            }.0
            if isShorter {
                try write(store) { writeSet in
                    try #require(
                        writeSet.mutableTable(table).mutableCollection(
                            of: column, key: RowKey(rawValue: 1))
                    ).remove(19..<20)
                }
            }
            let entries = try store.newestSnapshot().transaction.entries(.elements)
            return (
                table, column, Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
            )
        }
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let (table, column, whole) = try make(options(directory), isShorter: false)
        let shorter = try make(options(other), isShorter: true).nodes
        let changed = whole.keys.filter { shorter[$0] != nil && shorter[$0] != whole[$0] }
        try #require(changed.count > 1)
        for key in changed {
            let environment = try Store.open(options(directory)).environment
            func put(_ value: [UInt8]?) throws {
                let value = try #require(value)
                try environment.writer.begin().commit { transaction in
                    try key.withUnsafeBytes { key in
                        try value.withUnsafeBytes {
                            try transaction.put(.elements, key: key, value: $0)
                        }
                    }
                }
            }
            try put(shorter[key])
            do {
                let store = try Store.open(options(directory))
                let snapshot = try store.newestSnapshot()
                let elements = try #require(
                    snapshot.table(table).collection(of: column, key: RowKey(rawValue: 1)))
                withExtendedLifetime(snapshot) { _ = ModelCollection(reading: elements) }
                #expect(storageCode { _ = try store.beginWrite() } == .corrupted, "\(key)")
            }
            try put(whole[key])
        }
    }

    // Each a store of its own: what it remembers of damage ends with it.

    private func isFound(_ options: Store.Options) -> Bool {
        do {
            let store = try Store.open(options)
            return try !store.check(store.newestSnapshot()).isEmpty
        } catch {
            return true
        }
    }

    private func use(
        _ model: StoredCollectionModel, _ options: Store.Options, _ random: inout SeededGenerator
    ) throws {
        let store = try Store.open(options)
        guard let snapshot = try? store.newestSnapshot() else { return }
        try read(model, snapshot)
        guard let writeSet = try? store.beginWrite() else { return }
        var changed = model
        for _ in 0..<40 {
            do { try changed.changeBlindly(in: writeSet, &random) } catch { break }
        }
        // A change may have taken the damaged part out; else the commit fails.
        _ = try? store.commit(writeSet)
    }

    private func content(
        _ options: Store.Options, _ environment: Environment, _ random: inout SeededGenerator
    ) throws -> (StoredCollectionModel, [(database: Database, key: [UInt8], value: [UInt8])]) {
        let store = try Store.open(options)
        var (model, _) = try write(store) { StoredCollectionModel.create(in: $0) }
        for _ in 0..<4 {
            _ = try write(store) { writeSet in
                for _ in 0..<400 { try model.change(in: writeSet, &random) }
            }
        }
        let snapshot = try store.newestSnapshot()
        #expect(try store.check(snapshot) == [])
        let transaction = try environment.read()
        var entries: [(database: Database, key: [UInt8], value: [UInt8])] = []
        for database in Database.allCases {
            for entry in try transaction.entries(database) {
                entries.append((database, entry.key, entry.value))
            }
        }
        return (model, entries)
    }

    private func read(_ model: StoredCollectionModel, _ source: TableSource) throws {
        let table = source.table(model.id)
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                for column in model.columns {
                    let elements = table.collection(of: column.id, cluster, row: row)
                    _ = ModelCollection(reading: elements)
                    if elements.kind.shape == .map {
                        _ = [97, 98].withUnsafeBytes { elements.find(key: $0) }
                    }
                }
            }
        }
        for column in table.definition.columns where column.countsBacklinks {
            for key in model.targetKeys {
                _ = try? table.backlinkCount(
                    of: column, to: LinkTarget(table: model.targets, key: key))
            }
        }
    }
}

extension StoredCollectionModel {
    /// A random change of whatever the storage says is there.
    fileprivate mutating func changeBlindly(in writeSet: WriteSet, _ random: inout SeededGenerator)
        throws
    {
        let table = writeSet.mutableTable(id)
        guard let key = rows.keys.sorted().randomElement(using: &random) else { return }
        if Int.random(in: 0..<12, using: &random) == 0 {
            try table.deleteRows([key])
            return
        }
        if Int.random(in: 0..<12, using: &random) == 0,
            let target = targetKeys.randomElement(using: &random)
        {
            try writeSet.mutableTable(targets).deleteRows([target])
            return
        }
        let column = columns.randomElement(using: &random)!
        guard let tree = table.mutableCollection(of: column.id, key: RowKey(rawValue: key)) else {
            return
        }
        let index = tree.count == 0 ? 0 : Int.random(in: 0..<tree.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where tree.count > 0: tree.remove(index..<(index + 1))
        case 1: tree.removeAll()
        case 2 where tree.count > 0 && tree.kind.shape == .list: tree.move(from: index, to: 0)
        default:
            guard !tree.kind.carriesLinks else {
                return tree.kind.type == .link
                    ? tree.insert(link: nil, at: index) : tree.insert(mixed: nil, at: index)
            }
            _ = tree.insert(at: index)
        }
    }
}
