import FreeholdStorage
import FreeholdTestSupport
import Testing

@Suite struct ScanSortTests {
    /// Null first, then NaN, then the values.
    private static func order(_ a: ScanValue, _ b: ScanValue) -> Int {
        func rank(_ value: ScanValue) -> Int {
            switch value {
            case .null: 0
            case .double(let double): double.isNaN ? 1 : 2
            case .float(let float): float.isNaN ? 1 : 2
            case .decimal(_, let high): high >> 58 & 0x1F == 0x1F ? 1 : 2
            default: 2
            }
        }
        let ranks = (rank(a), rank(b))
        if ranks.0 != ranks.1 { return ranks.0 - ranks.1 }
        if ranks.0 < 2 { return 0 }
        if case .link(let x) = a, case .link(let y) = b { return x == y ? 0 : x < y ? -1 : 1 }
        return ModelScan.order(a, b) ?? 0
    }

    @Test func sortsLikeAStableSortOfTheValues() throws {
        var random = Seed.random()
        for round in 0..<8 {
            let world = ModelWorld(
                rows: round < 2 ? random.int(0...3) : random.int(4...900),
                others: random.int(0...60), using: &random)
            let (source, tables) = world.source(using: &random)
            let engine = ScanEngine(source: source)
            let table = try #require(tables[ModelWorld.first])
            let values = try #require(world.tables[ModelWorld.first])
            let model = ModelScan(world)
            var predicates = RandomPredicates(
                world: world, random: SeededGenerator(seed: random.next()))
            let rowOfKey = values.rowOfKey
            var criteriaLists = table.definition.columns.flatMap { column in
                [true, false].map { [ScanSort(path: ScanPath(column: column.id), ascending: $0)] }
            }
            for _ in 0..<40 {
                criteriaLists.append(
                    (0..<random.int(0...4)).map { _ in
                        ScanSort(path: predicates.path(table.id), ascending: random.once(in: 2))
                    })
            }
            for criterion in criteriaLists.filter({ $0.count == 1 }).map({ $0[0] }) {
                var sorted: [Int64] = []
                let isSorted = engine.forEachSortedKey(
                    in: table, by: criterion, rowsPerPart: random.int(1...300)
                ) { sorted.append($0) }
                guard isSorted else { continue }
                #expect(
                    try sorted == Array(engine.sort(nil, in: table, by: [criterion])),
                    "\(criterion)")
            }
            for criteria in criteriaLists {
                // All rows, some of them in order, or some in any order.
                var keys: [Int64]?
                if random.once(in: 2) {
                    keys = values.keys.filter { _ in random.once(in: 2) }
                    if random.once(in: 2) { keys?.shuffle(using: &random) }
                }
                let given = keys ?? values.keys
                let columns = criteria.map { criterion in
                    given.map { key in
                        rowOfKey[key].flatMap { model.value(criterion.path, table.id, $0)?.value }
                            ?? .null
                    }
                }
                let expected = given.indices.sorted { a, b in
                    for (column, criterion) in zip(columns, criteria) {
                        let order = ScanSortTests.order(column[a], column[b])
                        if order != 0 { return criterion.ascending ? order < 0 : order > 0 }
                    }
                    return a < b
                }.map { given[$0] }
                let sorted = try engine.sort(
                    keys.map { ContiguousArray($0) }, in: table, by: criteria)
                #expect(Array(sorted) == expected, "FREEHOLD_SEED=\(random.seed): \(criteria)")
            }
        }
    }

    /// Long runs of equal prefixes, texts that end inside of one, zero bytes against padding.
    @Test func sortsTextsWithSharedPrefixes() throws {
        var random = Seed.random()
        let definition = TableDefinition(
            id: ModelWorld.first, name: "Texts",
            columns: [
                ColumnDefinition(
                    id: ColumnID(rawValue: 1), name: "text", type: .text, isNullable: false,
                    isIndexed: false)
            ],
            primaryKey: nil, nextColumnID: 2
        )
        let prefixes = [
            "", "a", "the same prefix of some length ",
            "the same prefix of some length and more of the same ", "\u{0}",
            "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
        ]
        let texts: [[UInt8]] = (0..<2000).map { _ in
            Array(
                (random.pick(prefixes)
                    + random.pick([
                        "", "\u{0}", "\u{0}\u{0}", "\(random.int(0...300))",
                        "zzzzzzzzzzzz\(random.int(0...3))",
                    ])).utf8)
        }
        let model = ModelTable(
            definition: definition, keys: (0..<2000).map { Int64($0) },
            rows: texts.map { [.text($0)] })
        let table = model.table(using: &random)
        for ascending in [true, false] {
            let sorted = try ScanEngine(source: MemorySource()).sort(
                nil, in: table,
                by: [ScanSort(path: ScanPath(column: ColumnID(rawValue: 1)), ascending: ascending)])
            let expected = texts.indices.sorted { a, b in
                if texts[a] == texts[b] { return a < b }
                return texts[a].lexicographicallyPrecedes(texts[b]) == ascending
            }
            #expect(sorted.map { Int($0) } == expected, "FREEHOLD_SEED=\(random.seed)")
        }
    }

    @Test func keysWithoutARowCountAsNull() throws {
        var random = Seed.random(7)
        let world = ModelWorld(rows: 50, others: 5, using: &random)
        let (source, tables) = world.source(using: &random)
        let table = try #require(tables[ModelWorld.first])
        let known = try #require(world.tables[ModelWorld.first]).keys
        let keys: ContiguousArray<Int64> = [known[3], .max, known[1], .min]
        let sorted = try ScanEngine(source: source).sort(
            keys, in: table, by: [ScanSort(path: ScanPath(column: ColumnID(rawValue: 1)))])
        #expect(sorted == [.max, .min, known[1], known[3]])
    }
}
