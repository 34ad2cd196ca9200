import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Every kind of predicate against a plain evaluation of the same values.
@Suite struct ScanPredicateTests {
    private static func check(
        _ predicate: ScanPredicate, _ engine: ScanEngine, _ table: TableView, _ model: ModelScan,
        _ random: inout SeededGenerator
    ) throws {
        guard let values = model.world.tables[table.id] else { return }
        let expected = values.keys.indices.filter { model.matches(predicate, table.id, $0) }.map {
            values.keys[$0]
        }
        let keys = try engine.keys(predicate, in: table)
        #expect(Array(keys) == expected, "FREEHOLD_SEED=\(random.seed): \(predicate)")
        #expect(
            try engine.count(predicate, in: table) == expected.count,
            "FREEHOLD_SEED=\(random.seed): \(predicate)")
        #expect(
            try engine.firstKey(predicate, in: table) == expected.first,
            "FREEHOLD_SEED=\(random.seed): \(predicate)")
        let members = Set(expected)
        for _ in 0..<min(8, values.keys.count) {
            let key = random.pick(values.keys)
            #expect(
                engine.matches(predicate, key: RowKey(rawValue: key), in: table)
                    == members.contains(key),
                "FREEHOLD_SEED=\(random.seed), row \(key): \(predicate)")
        }
        #expect(!engine.matches(predicate, key: RowKey(rawValue: .min + 5), in: table))
    }

    @Test func leavesMatchThePlainEvaluation() throws {
        var random = Seed.random()
        for round in 0..<12 {
            let world = ModelWorld(
                rows: round == 0 ? 0 : random.int(1...900), others: random.int(0...300),
                using: &random)
            let (source, tables) = world.source(using: &random)
            let engine = ScanEngine(source: source)
            let table = try #require(tables[ModelWorld.first])
            let model = ModelScan(world)
            var predicates = RandomPredicates(
                world: world, random: SeededGenerator(seed: random.next()))
            for _ in 0..<80 {
                try ScanPredicateTests.check(
                    predicates.leaf(ModelWorld.first), engine, table, model, &random)
            }
        }
    }

    @Test func treesMatchThePlainEvaluation() throws {
        var random = Seed.random()
        for _ in 0..<10 {
            let world = ModelWorld(
                rows: random.int(1...700), others: random.int(1...100), using: &random)
            let (source, tables) = world.source(using: &random)
            let engine = ScanEngine(source: source)
            let table = try #require(tables[ModelWorld.first])
            let model = ModelScan(world)
            var predicates = RandomPredicates(
                world: world, random: SeededGenerator(seed: random.next()))
            for _ in 0..<50 {
                try ScanPredicateTests.check(
                    predicates.tree(depth: 3), engine, table, model, &random)
            }
        }
    }

    /// Every comparison on every column with a value that occurs in it.
    @Test func everyColumnComparesInEveryWay() throws {
        var random = Seed.random()
        for _ in 0..<3 {
            let world = ModelWorld(rows: 500, others: 40, using: &random)
            let (source, tables) = world.source(using: &random)
            let engine = ScanEngine(source: source)
            let table = try #require(tables[ModelWorld.first])
            let model = ModelScan(world)
            var predicates = RandomPredicates(
                world: world, random: SeededGenerator(seed: random.next()))
            for column in table.definition.columns {
                let path = ScanPath(column: column.id)
                for comparison in ScanComparison.allCases {
                    for _ in 0..<3 {
                        try ScanPredicateTests.check(
                            .compare(path, comparison, predicates.constant(path, table.id)), engine,
                            table, model, &random)
                    }
                }
            }
        }
    }

    /// A column that came after the rows is not stored: each row has zero.
    @Test func intervalsOfNumbersThatAreNotStored() throws {
        try withTemporaryStore { store in
            let table = try write(store) { writeSet in
                let id = writeSet.createTable(named: "Items")
                let table = writeSet.mutableTable(id)
                for _ in 0..<5 { _ = table.insertRow(table.nextRowKey()) }
                return id
            }.0
            for type in [ColumnType.double, .float, .timestamp, .integer] {
                let column = try write(store) {
                    $0.addColumn(
                        to: table, named: "\(type)", type: type, isNullable: false,
                        isIndexed: false)
                }.0
                let snapshot = try store.newestSnapshot()
                let engine = ScanEngine(source: snapshot)
                let path = ScanPath(column: column)
                for (lower, upper) in [(-2, -1), (-1, 0), (-1, 1), (0, 1), (1, 2)] {
                    func value(_ number: Int) -> ScanValue {
                        switch type {
                        case .float: .float(Float(number))
                        case .integer: .integer(Int64(number))
                        default: .double(Double(number))
                        }
                    }
                    let predicate = ScanPredicate.between(
                        path, value(lower), value(upper), includesUpper: true)
                    let expected = lower <= 0 && 0 <= upper ? 5 : 0
                    let view = snapshot.table(table)
                    #expect(
                        try engine.count(predicate, in: view) == expected,
                        "\(type) from \(lower) to \(upper)")
                    #expect(
                        try engine.count(.not(predicate), in: view) == 5 - expected,
                        "\(type) not from \(lower) to \(upper)")
                }
            }
        }
    }
}
