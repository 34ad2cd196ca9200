import FreeholdStorage
import Testing

/// The planner, on indexes that a test filled.
@Suite struct ScanIndexTests {
    private static let indexable: Set<ColumnType> = [.integer, .boolean, .timestamp, .double, .text, .bytes, .fixed12, .fixed16, .link]

    /// Fills indexes over random columns.
    ///
    /// - Parameter world: What the indexes describe, which need not be what the table holds.
    private static func addIndexes(to table: MemoryTable, of world: ModelWorld, using random: inout SeededGenerator) -> ReadTransaction {
        let transaction = ReadTransaction()
        guard let model = world.tables[table.id] else { return transaction }
        for (position, column) in model.definition.columns.enumerated() {
            guard indexable.contains(column.type), column.id != model.definition.primaryKey, column.type == .link || !random.once(in: 4) else { continue }
            var entries: ContiguousArray<ReadTransaction.Entry> = []
            for (row, key) in model.keys.enumerated() { entries.append(.init(key: indexKey(model.rows[row][position]), row: key)) }
            transaction.entries[column.id] = ContiguousArray(entries.sorted())
            table.indexes[column.id] = IndexReader(transaction: transaction, table: table.id, column: column.id)
        }
        return transaction
    }

    private static func indexKey(_ value: ScanValue) -> IndexKey {
        switch value {
        case .integer(let integer): .integer(integer)
        case .link(let key): .integer(key.rawValue)
        case .boolean(let boolean): .boolean(boolean)
        case .double(let double): .double(double)
        case .text(let bytes), .bytes(let bytes): bytes.withUnsafeBytes { .bytes($0) }
        case .fixed12(let first, let second): .fixed12((first, second))
        case .fixed16(let first, let second): .fixed16((first, second))
        default: .null
        }
    }

    private static func check(_ predicate: ScanPredicate, _ engine: ScanEngine, _ table: TableView, _ model: ModelScan, seed: UInt64) throws {
        guard let values = model.world.tables[table.id] else { return }
        let expected = values.keys.indices.filter { model.matches(predicate, table.id, $0) }.map { values.keys[$0] }
        let plan = try engine.explain(predicate, in: table)
        #expect(Array(try engine.keys(predicate, in: table)) == expected, "seed \(seed): \(predicate), \(plan)")
        #expect(try engine.count(predicate, in: table) == expected.count, "seed \(seed): \(predicate), \(plan)")
        #expect(try engine.firstKey(predicate, in: table) == expected.first, "seed \(seed): \(predicate), \(plan)")
    }

    @Test func indexesAnswerLikeScans() throws {
        var random = SeededGenerator(test: "indexes")
        for _ in 0..<6 {
            let world = ModelWorld(rows: random.int(100...1500), others: random.int(1...200), using: &random)
            let (source, tables) = world.source(using: &random)
            let engine = ScanEngine(source: source)
            let table = try #require(tables[ModelWorld.first])
            let transaction = ScanIndexTests.addIndexes(to: table, of: world, using: &random)
            if let other = tables[ModelWorld.second] { _ = ScanIndexTests.addIndexes(to: other, of: world, using: &random) }
            let model = ModelScan(world)
            var predicates = RandomPredicates(world: world, random: SeededGenerator(seed: random.next()))
            for _ in 0..<60 { try ScanIndexTests.check(predicates.leaf(table.id), engine, table, model, seed: random.seed) }
            for _ in 0..<40 { try ScanIndexTests.check(predicates.tree(depth: 2), engine, table, model, seed: random.seed) }
            #expect(transaction.lookups > 0)
        }
    }

    /// In an open transaction the indexes describe the version before; clusters that changed are scanned.
    @Test func touchedClustersAreScanned() throws {
        var random = SeededGenerator(test: "touched")
        for _ in 0..<6 {
            let world = ModelWorld(rows: random.int(200...1500), others: random.int(1...100), using: &random)
            let (source, tables) = world.source(using: &random)
            let engine = ScanEngine(source: source)
            let table = try #require(tables[ModelWorld.first])
            // Before, the touched clusters had other values, other rows, and rows that are gone.
            var before = world
            for index in 0..<table.clusterCount where index == 0 || random.once(in: 4) {
                table.touched.insert(index)
                let cluster = table.cluster(at: index)
                for row in 0..<cluster.count {
                    let key = cluster.key(at: row).rawValue
                    guard let position = before.tables[table.id]?.keys.firstIndex(of: key) else { continue }
                    if random.once(in: 3) {
                        before.tables[table.id]?.keys.remove(at: position)
                        before.tables[table.id]?.rows.remove(at: position)
                    } else if let other = world.tables[table.id]?.rows {
                        before.tables[table.id]?.rows[position] = random.pick(other)
                    }
                }
            }
            before.tables[table.id]?.keys.append(Int64.max - 3)
            before.tables[table.id]?.rows.append(random.pick(world.tables[table.id]?.rows ?? []))
            _ = ScanIndexTests.addIndexes(to: table, of: before, using: &random)
            let model = ModelScan(world)
            var predicates = RandomPredicates(world: world, random: SeededGenerator(seed: random.next()))
            for _ in 0..<60 { try ScanIndexTests.check(predicates.leaf(table.id), engine, table, model, seed: random.seed) }
            for _ in 0..<40 { try ScanIndexTests.check(predicates.tree(depth: 2), engine, table, model, seed: random.seed) }
        }
    }

    @Test func choosesTheMostSelectiveIndex() throws {
        var random = SeededGenerator(seed: 11)
        let columns = [
            ColumnDefinition(id: ColumnID(rawValue: 1), name: "id", type: .integer, isNullable: false, isIndexed: false),
            ColumnDefinition(id: ColumnID(rawValue: 2), name: "rare", type: .integer, isNullable: false, isIndexed: true),
            ColumnDefinition(id: ColumnID(rawValue: 3), name: "common", type: .integer, isNullable: false, isIndexed: true),
            ColumnDefinition(id: ColumnID(rawValue: 4), name: "name", type: .text, isNullable: false, isIndexed: true),
        ]
        let definition = TableDefinition(id: ModelWorld.first, name: "People", columns: columns, primaryKey: ColumnID(rawValue: 1), nextColumnID: 5)
        let count = 20_000
        var world = ModelWorld(rows: 0, others: 0, using: &random)
        var rows: [[ScanValue]] = []
        for row in 0..<Int64(count) {
            let name: [UInt8] = Array("name \(row / 10)".utf8)
            rows.append([.integer(row), .integer(row / 2), .integer(row % 2), .text(name)])
        }
        world.tables[ModelWorld.first] = ModelTable(definition: definition, keys: (0..<count).map { Int64($0) }, rows: rows)
        let (source, tables) = world.source(using: &random)
        let table = try #require(tables[ModelWorld.first])
        let transaction = ReadTransaction()
        for position in 1...3 {
            let id = columns[position].id
            let entries = world.tables[table.id]?.rows.enumerated().map { ReadTransaction.Entry(key: ScanIndexTests.indexKey($1[position]), row: Int64($0)) }
            transaction.entries[id] = ContiguousArray((entries ?? []).sorted())
            table.indexes[id] = IndexReader(transaction: transaction, table: table.id, column: id)
        }
        let engine = ScanEngine(source: source)
        let rare = ScanPredicate.compare(ScanPath(column: ColumnID(rawValue: 2)), .equal, .integer(7))
        let common = ScanPredicate.compare(ScanPath(column: ColumnID(rawValue: 3)), .equal, .integer(1))
        let prefix = ScanPredicate.text(ScanPath(column: ColumnID(rawValue: 4)), .beginsWith, Array("name 777".utf8), [])
        let key = ScanPredicate.compare(ScanPath(column: ColumnID(rawValue: 1)), .equal, .integer(5))
        let range = ScanPredicate.between(ScanPath(column: ColumnID(rawValue: 1)), .integer(5), .integer(9), includesUpper: true)
        #expect(try engine.explain(.and([common, rare]), in: table).hasPrefix("index rare, 1 value, then test common"))
        #expect(try engine.explain(prefix, in: table) == "index name, range")
        #expect(try engine.explain(.or([rare, prefix]), in: table).hasPrefix("union of index"))
        // In a small cluster a scan is as cheap as a test of the row.
        let byKey = try engine.explain(.and([common, key]), in: table)
        #expect(byKey.hasPrefix("1 row key, then test common") || byKey.hasPrefix("scan 1 of"))
        #expect(Array(try engine.keys(.and([common, key]), in: table)) == [5])
        let byRange = try engine.explain(.and([common, range]), in: table)
        #expect(!byRange.hasPrefix("scan \(table.clusterCount) of"))
        #expect(Array(try engine.keys(.and([common, range]), in: table)) == [5, 7, 9])
        #expect(try engine.explain(.not(rare), in: table).hasPrefix("scan"))
        #expect(Array(try engine.keys(.and([common, rare]), in: table)) == [15])
        #expect(try engine.keys(prefix, in: table).count == 10)
        // A count of one value asks the index once, and nothing else.
        let lookups = transaction.lookups
        #expect(try engine.count(rare, in: table) == 2)
        #expect(transaction.lookups == lookups + 1)
    }
}
