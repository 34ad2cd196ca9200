import FreeholdStorage
import FreeholdTestSupport
import Testing

@Suite struct ScanAggregateTests {
    private static func numbers(_ values: [ScanValue]) -> [Double] {
        values.compactMap {
            switch $0 {
            case .double(let double): double
            case .float(let float): Double(float)
            default: nil
            }
        }
    }

    private static func isClose(_ a: Double, _ b: Double, _ values: [Double]) -> Bool {
        if a == b || (a.isNaN && b.isNaN) { return true }
        // Partial sums may overflow where a loop does not, and the other way round.
        let size = values.reduce(0) { $0 + $1.magnitude }
        return !size.isFinite || (a - b).magnitude <= size * 1e-12
    }

    @Test func aggregatesMatchThePlainValues() throws {
        var random = Seed.random()
        for _ in 0..<8 {
            let world = ModelWorld(rows: random.int(0...900), others: 20, using: &random)
            let (source, tables) = world.source(using: &random)
            let engine = ScanEngine(source: source)
            let table = try #require(tables[ModelWorld.first])
            let model = ModelScan(world)
            let values = try #require(world.tables[ModelWorld.first])
            let rowOfKey = values.rowOfKey
            var predicates = RandomPredicates(
                world: world, random: SeededGenerator(seed: random.next()))
            for column in table.definition.columns {
                for choice in 0..<4 {
                    let rows: ScanRows
                    let chosen: [Int]
                    switch choice {
                    case 0:
                        rows = .matching(.all)
                        chosen = Array(values.keys.indices)
                    case 1, 2:
                        let predicate = predicates.tree(depth: 1)
                        rows = .matching(predicate)
                        chosen = values.keys.indices.filter {
                            model.matches(predicate, table.id, $0)
                        }
                    default:
                        // With repetitions and a key without a row.
                        let keys = (0..<random.int(0...400)).compactMap { _ in
                            values.keys.isEmpty ? nil : random.pick(values.keys)
                        }
                        rows = .keys(ContiguousArray(keys + [Int64.max]))
                        chosen = keys.compactMap { rowOfKey[$0] }
                    }
                    let position = try #require(values.position(of: column.id))
                    let found = chosen.map { values.rows[$0][position] }.filter { $0 != .null }
                    let context = "FREEHOLD_SEED=\(random.seed), \(column.name), \(choice)"
                    let sum = try engine.sum(column: column.id, in: table, of: rows)
                    let least = try engine.min(column: column.id, in: table, of: rows)
                    let most = try engine.max(column: column.id, in: table, of: rows)
                    #expect(sum.count == found.count, "\(context)")
                    switch column.type {
                    case .integer:
                        let integers: [Int64] = found.compactMap {
                            if case .integer(let integer) = $0 { integer } else { nil }
                        }
                        #expect(
                            sum.integer == integers.reduce(Int128(0)) { $0 + Int128($1) },
                            "\(context)")
                        #expect(least == integers.min().map { .integer($0) }, "\(context)")
                        #expect(most == integers.max().map { .integer($0) }, "\(context)")
                        #expect(
                            (try engine.average(column: column.id, in: table, of: rows) == nil)
                                == integers.isEmpty)
                    case .float, .double, .timestamp:
                        let doubles = ScanAggregateTests.numbers(found)
                        #expect(
                            ScanAggregateTests.isClose(sum.double, doubles.reduce(0, +), doubles),
                            "\(context): \(sum.double), \(doubles.reduce(0, +))")
                        let ordered = doubles.filter { !$0.isNaN }
                        #expect(
                            ScanAggregateTests.numbers([least ?? .null]).first == ordered.min(),
                            "\(context)")
                        #expect(
                            ScanAggregateTests.numbers([most ?? .null]).first == ordered.max(),
                            "\(context)")
                    case .decimal:
                        var decimals: [ScanValue] = []
                        try engine.forEachDecimal(column: column.id, in: table, of: rows) {
                            decimals.append(.decimal($0, $1))
                        }
                        #expect(decimals.count == found.count, "\(context)")
                        let ordered = found.filter { ModelScan.order($0, $0) != nil }
                        let smallest = ordered.min { (ModelScan.order($0, $1) ?? 0) < 0 }
                        let largest = ordered.max { (ModelScan.order($0, $1) ?? 0) < 0 }
                        #expect(
                            smallest.map { ModelScan.order($0, least ?? .null) == 0 }
                                ?? (least == nil), "\(context)")
                        #expect(
                            largest.map { ModelScan.order($0, most ?? .null) == 0 }
                                ?? (most == nil), "\(context)")
                    default:
                        #expect(least == nil && most == nil, "\(context)")
                    }
                }
            }
        }
    }

    @Test func averageDividesByTheValuesThatAreNotNull() throws {
        var random = Seed.random(3)
        let definition = TableDefinition(
            id: ModelWorld.first, name: "Numbers",
            columns: [
                ColumnDefinition(
                    id: ColumnID(rawValue: 1), name: "number", type: .integer, isNullable: true,
                    isIndexed: false)
            ],
            primaryKey: nil, nextColumnID: 2
        )
        let table = ModelTable(
            definition: definition, keys: [1, 2, 3, 4],
            rows: [[.integer(1)], [.null], [.integer(4)], [.integer(4)]]
        ).table(using: &random)
        let engine = ScanEngine(source: MemorySource())
        #expect(
            try engine.average(column: ColumnID(rawValue: 1), in: table, of: .matching(.all)) == 3)
        #expect(
            try engine.average(column: ColumnID(rawValue: 1), in: table, of: .matching(.none))
                == nil)
    }
}
