import FreeholdStorage
import FreeholdTestSupport
import Testing

/// The planner on the tables of a store, whose indexes its commits filled.
@Suite struct ScanIndexTests {
    /// The layout, how many rows each round has at most, and how many rounds there are.
    private static let sizes: [(layout: StorageLayout, rows: Int, rounds: Int)] = [
        (.tiny, 150, 2), (StorageLayout(), 1200, 1),
    ]

    /// Asks random questions of the first table. Answers how many of them an index answered.
    private func ask(
        _ source: TableSource, _ world: ModelWorld, leaves: Int, trees: Int,
        using random: inout SeededGenerator
    ) throws -> Int {
        let engine = ScanEngine(source: source)
        let table = source.table(ModelWorld.first)
        let model = ModelScan(world)
        let keys = world.tables[table.id]?.keys ?? []
        var predicates = RandomPredicates(
            world: world, random: SeededGenerator(seed: random.next()))
        var indexed = 0
        for number in 0..<leaves + trees {
            let predicate = number < leaves ? predicates.leaf(table.id) : predicates.tree(depth: 2)
            let expected = keys.indices.filter { model.matches(predicate, table.id, $0) }.map {
                keys[$0]
            }
            let plan = try engine.explain(predicate, in: table).description
            if plan.contains("index ") { indexed += 1 }
            #expect(
                Array(try engine.keys(predicate, in: table)) == expected,
                "FREEHOLD_SEED=\(random.seed): \(predicate), \(plan)")
            #expect(
                try engine.count(predicate, in: table) == expected.count,
                "FREEHOLD_SEED=\(random.seed): \(predicate), \(plan)")
            #expect(
                try engine.firstKey(predicate, in: table) == expected.first,
                "FREEHOLD_SEED=\(random.seed): \(predicate), \(plan)")
        }
        return indexed
    }

    @Test func indexesAnswerLikeScans() throws {
        var random = Seed.random()
        var indexed = 0
        for (layout, rows, rounds) in Self.sizes {
            for _ in 0..<Stress.rounds(rounds) {
                try withTemporaryStore(layout: layout) { store in
                    let plain = ModelWorld(
                        rows: random.int(100...rows), others: random.int(1...100), using: &random)
                    let (stored, snapshot) = try write(store) {
                        try StoredWorld(plain, in: $0, using: &random)
                    }
                    indexed += try ask(
                        snapshot, stored.world, leaves: 60, trees: 40, using: &random)
                }
            }
        }
        #expect(indexed > 0)
    }

    /// In an open transaction the indexes describe the version before; clusters that changed
    /// are scanned.
    @Test func dirtyClustersAreScanned() throws {
        var random = Seed.random()
        var indexed = 0
        for (layout, rows, rounds) in Self.sizes {
            for _ in 0..<Stress.rounds(rounds) {
                try withTemporaryStore(layout: layout) { store in
                    let plain = ModelWorld(
                        rows: random.int(100...rows), others: random.int(1...100), using: &random)
                    let (before, snapshot) = try write(store) {
                        try StoredWorld(plain, in: $0, using: &random)
                    }
                    var stored = before
                    let (_, after) = try write(store) { writeSet in
                        for _ in 0..<2 {
                            try stored.change(in: writeSet, using: &random)
                            indexed += try ask(
                                writeSet, stored.world, leaves: 40, trees: 20, using: &random)
                        }
                    }
                    // The commit brings the indexes up to date; the version before keeps its own.
                    _ = try ask(after, stored.world, leaves: 40, trees: 10, using: &random)
                    _ = try ask(snapshot, before.world, leaves: 20, trees: 0, using: &random)
                }
            }
        }
        #expect(indexed > 0)
    }

    /// Values that an index does not tell apart, because it keeps their first 200 bytes only,
    /// are compared.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func longTextsOfOnePrefixAreComparedWhole(layout: StorageLayout) throws {
        let prefix = String(repeating: "p", count: 200)
        let texts =
            (0..<400).map { prefix + String(repeating: "x", count: $0 % 3) + "\($0 / 3)" } + [
                prefix, String(prefix.dropLast()),
            ]
        try withTemporaryStore(layout: layout) { store in
            let (column, snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Texts")
                let column = writeSet.addColumn(
                    to: table, named: "text", type: .text, isNullable: true, isIndexed: true)
                for index in 0..<texts.count * 3 {
                    let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: Int64(index)))
                    Array(texts[index % texts.count].utf8).withUnsafeBytes {
                        row.setBytes(column, $0)
                    }
                }
                return column
            }
            let engine = ScanEngine(source: snapshot)
            let table = snapshot.table(TableID(rawValue: 1))
            let path = ScanPath(column: column)
            for (number, text) in texts.enumerated() where number % 20 == 0 || number >= 400 {
                let expected = (0..<Int64(3)).map { Int64(number) + $0 * Int64(texts.count) }
                let equal = ScanPredicate.compare(path, .equal, .text(Array(text.utf8)))
                #expect(try engine.explain(equal, in: table).description.hasPrefix("index text"))
                #expect(Array(try engine.keys(equal, in: table)) == expected)
                #expect(try engine.count(equal, in: table) == 3)
                let above = ScanPredicate.compare(path, .greater, .text(Array(text.utf8)))
                #expect(try engine.count(above, in: table) == 3 * texts.count { $0 > text })
            }
            #expect(
                try engine.count(.text(path, .beginsWith, Array(prefix.utf8), []), in: table) == 3
                    * (texts.count - 1))
            #expect(
                try engine.count(
                    .text(path, .beginsWith, Array((prefix + "x1").utf8), []), in: table) == 3
                    * texts.count { $0.hasPrefix(prefix + "x1") })
            #expect(
                try engine.count(
                    .compare(path, .equal, .text(Array((prefix + "absent").utf8))), in: table) == 0)
        }
    }

    /// The smallest integer comes after the largest one where they wrap, but not where they are
    /// ordered or added up.
    @Test func integersThatWrapAreNoSequence() throws {
        try withTemporaryStore { store in
            let (column, snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Integers")
                let column = writeSet.addColumn(
                    to: table, named: "value", type: .integer, isNullable: false, isIndexed: false)
                for (key, value) in [Int64.max - 1, .max, .min, .min + 1].enumerated() {
                    writeSet.mutableTable(table).insertRow(RowKey(rawValue: Int64(key))).setInteger(
                        column, value)
                }
                return column
            }
            let engine = ScanEngine(source: snapshot)
            let table = snapshot.table(TableID(rawValue: 1))
            let path = ScanPath(column: column)
            #expect(
                Array(try engine.keys(.compare(path, .less, .integer(0)), in: table)) == [2, 3])
            #expect(
                Array(try engine.keys(.compare(path, .greater, .integer(0)), in: table)) == [0, 1])
            #expect(try engine.count(.compare(path, .lessOrEqual, .integer(.min)), in: table) == 1)
            #expect(
                try engine.count(.compare(path, .greaterOrEqual, .integer(.max)), in: table) == 1)
        }
    }

    /// Ranges of an index are counted page by page: values of one and of many entries, bounds
    /// between, at and beyond values, null below all.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func countsRangesOverManyPages(layout: StorageLayout) throws {
        var random = Seed.random()
        try withTemporaryStore(layout: layout) { store in
            let count = layout == .tiny ? 3_000 : 12_000
            var numbers: [Int64?] = []
            for _ in 0..<count {
                numbers.append(
                    random.once(in: 20)
                        ? nil
                        : Int64(
                            random.once(in: 3)
                                ? random.int(0...5) * 1_000 : random.int(-9_000...9_000)))
            }
            let (columns, snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Numbers")
                let number = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: true, isIndexed: true)
                let text = writeSet.addColumn(
                    to: table, named: "text", type: .text, isNullable: true, isIndexed: true)
                for (index, value) in numbers.enumerated() {
                    let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: Int64(index)))
                    guard let value else { continue }
                    row.setInteger(number, value)
                    Array("\(value)".utf8).withUnsafeBytes { row.setBytes(text, $0) }
                }
                return (number: number, text: text)
            }
            let engine = ScanEngine(source: snapshot)
            let table = snapshot.table(TableID(rawValue: 1))
            let index = try #require(table.index(of: columns.number))
            let texts = try #require(table.index(of: columns.text))
            for _ in 0..<300 {
                let first = Int64(random.int(-9_500...9_500))
                let last = first + Int64(random.int(0...(random.once(in: 2) ? 30 : 9_000)))
                let inside = numbers.count { $0.map { first <= $0 && $0 <= last } ?? false }
                let between = numbers.count { $0.map { first < $0 && $0 < last } ?? false }
                #expect(
                    try index.estimatedCount(
                        from: .including(.integer(first)), to: .including(.integer(last)),
                        limit: .max) == inside, "FREEHOLD_SEED=\(random.seed)")
                #expect(
                    try index.estimatedCount(
                        from: .excluding(.integer(first)), to: .excluding(.integer(last)),
                        limit: .max) == between, "FREEHOLD_SEED=\(random.seed)")
                #expect(
                    try index.estimatedCount(
                        from: .unbounded, to: .excluding(.integer(first)), limit: .max)
                        == numbers.count { ($0 ?? .min) < first })
                #expect(
                    try engine.count(
                        .between(
                            ScanPath(column: columns.number), .integer(first), .integer(last),
                            includesUpper: true), in: table) == inside)
                let prefix = "\(first)".prefix(random.int(1...3))
                let beginning = numbers.count { $0.map { "\($0)".hasPrefix(prefix) } ?? false }
                #expect(
                    try engine.count(
                        .text(ScanPath(column: columns.text), .beginsWith, Array(prefix.utf8), []),
                        in: table) == beginning)
            }
            #expect(
                try index.estimatedCount(from: .unbounded, to: .unbounded, limit: .max) == count)
            #expect(
                try index.estimatedCount(from: .excluding(.null), to: .unbounded, limit: .max)
                    == numbers.count { $0 != nil })
            #expect(
                try texts.estimatedCount(from: .excluding(.null), to: .unbounded, limit: .max)
                    == numbers.count { $0 != nil })
        }
    }

    @Test func choosesTheMostSelectiveIndex() throws {
        try withTemporaryStore { store in
            let (_, snapshot) = try write(store) { writeSet in
                let id = writeSet.createTable(named: "People")
                let key = writeSet.addColumn(
                    to: id, named: "id", type: .integer, isNullable: false, isIndexed: false)
                let rare = writeSet.addColumn(
                    to: id, named: "rare", type: .integer, isNullable: false, isIndexed: true)
                let common = writeSet.addColumn(
                    to: id, named: "common", type: .integer, isNullable: false, isIndexed: true)
                let name = writeSet.addColumn(
                    to: id, named: "name", type: .text, isNullable: false, isIndexed: true)
                writeSet.setPrimaryKey(key, of: id)
                let table = writeSet.mutableTable(id)
                for index in 0..<Int64(20_000) {
                    let row = table.insertRow(RowKey(rawValue: index))
                    row.setInteger(rare, index / 2)
                    row.setInteger(common, index % 2)
                    Array("name \(index / 10)".utf8).withUnsafeBytes { row.setBytes(name, $0) }
                }
            }
            let table = snapshot.table(TableID(rawValue: 1))
            let engine = ScanEngine(source: snapshot)
            let rare = ScanPredicate.compare(
                ScanPath(column: ColumnID(rawValue: 2)), .equal, .integer(7))
            let common = ScanPredicate.compare(
                ScanPath(column: ColumnID(rawValue: 3)), .equal, .integer(1))
            let prefix = ScanPredicate.text(
                ScanPath(column: ColumnID(rawValue: 4)), .beginsWith, Array("name 777".utf8), [])
            let key = ScanPredicate.compare(
                ScanPath(column: ColumnID(rawValue: 1)), .equal, .integer(5))
            let range = ScanPredicate.between(
                ScanPath(column: ColumnID(rawValue: 1)), .integer(5), .integer(9),
                includesUpper: true)
            #expect(
                try engine.explain(.and([common, rare]), in: table).description.hasPrefix(
                    "index rare == 7, then test common == 1;"))
            #expect(
                try engine.explain(prefix, in: table).description.hasPrefix(
                    "index name in \"name 777\" ..< \"name 778\";"))
            #expect(
                try engine.explain(.or([rare, prefix]), in: table).description.hasPrefix(
                    "union of index"))
            // In a small cluster a scan is as cheap as a test of the row.
            let byKey = try engine.explain(.and([common, key]), in: table).description
            #expect(
                byKey.hasPrefix("row 5, then test common == 1;") || byKey.hasPrefix("scan 1 of"))
            #expect(Array(try engine.keys(.and([common, key]), in: table)) == [5])
            let byRange = try engine.explain(.and([common, range]), in: table).description
            #expect(!byRange.hasPrefix("scan \(table.clusterCount) of"))
            #expect(Array(try engine.keys(.and([common, range]), in: table)) == [5, 7, 9])
            #expect(try engine.explain(.not(rare), in: table).description.hasPrefix("scan"))
            #expect(Array(try engine.keys(.and([common, rare]), in: table)) == [15])
            #expect(try engine.keys(prefix, in: table).count == 10)
            #expect(try engine.count(rare, in: table) == 2)
        }
    }

    /// Of texts without a zero byte, equal ones are found by one lookup; the others have
    /// another form in the index.
    @Test func textsWithZeroBytes() throws {
        let texts = ["a", "a\0", "a\0b", "\0", "", "ab"].map { Array($0.utf8) }
        try withTemporaryStore { store in
            let ((table, column), snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Row")
                let column = writeSet.addColumn(
                    to: table, named: "text", type: .text, isNullable: false, isIndexed: true)
                for (key, text) in texts.enumerated() {
                    let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: Int64(key)))
                    text.withUnsafeBytes { row.setBytes(column, $0) }
                }
                return (table, column)
            }
            let engine = ScanEngine(source: snapshot)
            for (key, text) in texts.enumerated() {
                let predicate = ScanPredicate.compare(ScanPath(column: column), .equal, .text(text))
                #expect(
                    Array(try engine.keys(predicate, in: snapshot.table(table))) == [Int64(key)])
                #expect(try engine.count(predicate, in: snapshot.table(table)) == 1)
                #expect(try engine.firstKey(predicate, in: snapshot.table(table)) == Int64(key))
            }
        }
    }

    /// A condition on few targets becomes a lookup of their backlinks.
    @Test func linksToFewTargetsAreLookedUp() throws {
        try withTemporaryStore { store in
            let ((people, towns, town, number), snapshot) = try write(store) { writeSet in
                let towns = writeSet.createTable(named: "Town")
                let number = writeSet.addColumn(
                    to: towns, named: "number", type: .integer, isNullable: false, isIndexed: true)
                let people = writeSet.createTable(named: "Person")
                let town = writeSet.addColumn(
                    to: people, named: "town", type: .link, isNullable: true, isIndexed: true,
                    target: towns)
                for index in 0..<Int64(500) {
                    writeSet.mutableTable(towns).insertRow(RowKey(rawValue: index)).setInteger(
                        number, index)
                }
                for index in 0..<Int64(10_000) {
                    writeSet.mutableTable(people).insertRow(RowKey(rawValue: index)).setInteger(
                        town, index % 500)
                }
                return (people, towns, town, number)
            }
            let predicate = ScanPredicate.compare(
                ScanPath(links: [town], column: number), .equal, .integer(7))
            let engine = ScanEngine(source: snapshot)
            #expect(snapshot.table(towns).count == 500)
            #expect(try engine.keys(predicate, in: snapshot.table(people)).count == 20)
            let plan = try engine.explain(predicate, in: snapshot.table(people)).description
            #expect(plan.hasPrefix("index town"), "\(plan)")
        }
    }

    /// A range without an end is said without it.
    @Test(arguments: [ColumnType.fixed12, .fixed16, .decimal]) func rangesOfWideValuesAreSaid(
        type: ColumnType
    ) throws {
        try withTemporaryStore { store in
            let ((table, column), snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Row")
                let column = writeSet.addColumn(
                    to: table, named: "wide", type: type, isNullable: false, isIndexed: false)
                _ = writeSet.mutableTable(table).insertRow(RowKey(rawValue: 1))
                return (table, column)
            }
            let value: ScanValue =
                switch type {
                case .fixed12: .fixed(FixedValue((1, UInt32(2))))
                case .fixed16: .fixed(FixedValue((1, UInt64(2))))
                default: .decimal(1, 6176 << 49)
                }
            for (comparison, sign) in [
                (ScanComparison.greaterOrEqual, " >= "), (.lessOrEqual, " <= "), (.equal, " == "),
            ] {
                let plan = try ScanEngine(source: snapshot).explain(
                    .compare(ScanPath(column: column), comparison, value), in: snapshot.table(table)
                ).description
                #expect(plan.contains("wide" + sign), "\(plan)")
            }
        }
    }
}
