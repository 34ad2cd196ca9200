import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Predicates with hops, computed values and mixed values, against a plain evaluation of what
/// was read row by row.
@Suite struct ScanHopTests {
    private static let sizes: [(layout: StorageLayout, rows: Int, rounds: Int)] = [
        (.tiny, 60, 2), (StorageLayout(), 500, 1),
    ]

    private func ask(
        _ source: TableSource, _ world: HopWorld, _ count: Int, using random: inout SeededGenerator
    ) throws {
        let plain = PlainScan(reading: source, [world.owners, world.targets])
        let engine = ScanEngine(source: source)
        var predicates = RandomHops(world: world, random: SeededGenerator(seed: random.next()))
        for _ in 0..<count {
            let id = random.pick([world.owners, world.owners, world.targets])
            let table = source.table(id)
            let predicate = predicates.predicate(
                .rows(id, hasKeys: false), depth: random.int(0...3))
            let expected = plain.keys(predicate, in: id)
            let context =
                """
                FREEHOLD_SEED=\(random.seed): \(predicate), \
                \(try engine.explain(predicate, in: table))
                """
            #expect(Array(try engine.keys(predicate, in: table)) == expected, "\(context)")
            #expect(try engine.count(predicate, in: table) == expected.count, "\(context)")
            #expect(try engine.firstKey(predicate, in: table) == expected.first, "\(context)")
            let members = Set(expected)
            let keys = plain.tables[id]?.keys ?? []
            if keys.isEmpty { continue }
            let some = (0..<8).map { _ in random.pick(keys) }
            for key in some {
                #expect(
                    engine.matches(predicate, key: RowKey(rawValue: key), in: table)
                        == members.contains(key), "row \(key), \(context)")
            }
            #expect(
                engine.keys(predicate, among: ContiguousArray(some), in: table)
                    == ContiguousArray(some.filter { members.contains($0) }), "\(context)")
        }
    }

    @Test func hopsMatchThePlainEvaluation() throws {
        var random = Seed.random()
        for (layout, rows, rounds) in Self.sizes {
            for _ in 0..<Stress.rounds(rounds) {
                try withTemporaryStore(layout: layout) { store in
                    let (made, snapshot) = try write(store) { writeSet in
                        var world = try HopWorld(in: writeSet, using: &random)
                        try world.grow(by: random.int(0...rows), in: writeSet, using: &random)
                        return world
                    }
                    try ask(snapshot, made, 120, using: &random)
                    var world = made
                    let (_, after) = try write(store) { writeSet in
                        for _ in 0..<3 {
                            try world.change(in: writeSet, using: &random)
                            try ask(writeSet, world, 60, using: &random)
                        }
                    }
                    try ask(after, world, 60, using: &random)
                    try ask(snapshot, made, 30, using: &random)
                }
            }
        }
    }

    /// Booleans have no order, but can be equal. Operands at random are rarely both booleans.
    @Test(arguments: ScanComparison.allCases) func booleansBehindHops(comparison: ScanComparison)
        throws
    {
        try withTemporaryStore { store in
            let ((table, flag, flags), snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Row")
                let flag = writeSet.addColumn(
                    to: table, named: "flag", type: .boolean, isNullable: false, isIndexed: false)
                let flags = writeSet.addColumn(
                    to: table, named: "flags",
                    collection: StoredCollectionKind(.list, of: .boolean, isNullable: false))
                for (value, elements) in [
                    (true, [true, true]), (true, [false]), (false, [false, true]), (false, []),
                ] {
                    let key = writeSet.mutableTable(table).nextRowKey()
                    _ = writeSet.mutableTable(table).insertRow(key)
                    try #require(writeSet.mutableTable(table).mutableRow(key)).setBoolean(
                        flag, value)
                    let list = try #require(
                        writeSet.mutableTable(table).mutableCollection(of: flags, key: key))
                    for element in elements { list.insert(.scalar(.boolean(element)), at: 0) }
                }
                return (table, flag, flags)
            }
            let predicate = ScanPredicate.anyCompared(
                [ScanHop(.elements(flags))], .path(ScanPath(column: .element)), comparison,
                .path(ScanPath(column: flag)),
                isNegated: false)
            let plain = PlainScan(reading: snapshot, [table]).keys(predicate, in: table)
            let keys = try ScanEngine(source: snapshot).keys(predicate, in: snapshot.table(table))
            #expect(Array(keys) == plain)
            let count = [.equal: 2, .notEqual: 2][comparison] ?? 0
            #expect(keys.count == count)
        }
    }

    /// Doubles beyond all integers, and those next to them: as constants, and as elements that each
    /// row compares with.
    @Test func integersAgainstLargeDoubles() throws {
        let integers: [Int64] = [.min, .min + 1, -1, 0, .max - 1, .max]
        let doubles = [
            -Double.infinity, -0x1p64, (-0x1p63).nextDown, -0x1p63, (0x1p63).nextDown, 0x1p63,
            (0x1p63).nextUp, .infinity,
        ]
        func order(_ integer: Int64, _ double: Double) -> Int {
            Int64(exactly: double).map { integer < $0 ? -1 : integer == $0 ? 0 : 1 }
                ?? (double > 0 ? -1 : 1)
        }
        try withTemporaryStore { store in
            let ((table, column, elements), snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Row")
                let column = writeSet.addColumn(
                    to: table, named: "integer", type: .integer, isNullable: false, isIndexed: false
                )
                let elements = writeSet.addColumn(
                    to: table, named: "doubles",
                    collection: StoredCollectionKind(.list, of: .double, isNullable: false))
                // Each integer beside each double.
                for (index, integer) in integers.enumerated() {
                    for (other, double) in doubles.enumerated() {
                        let key = RowKey(rawValue: Int64(index * doubles.count + other))
                        writeSet.mutableTable(table).insertRow(key).setInteger(column, integer)
                        try #require(
                            writeSet.mutableTable(table).mutableCollection(of: elements, key: key)
                        ).insert(.scalar(.double(double)), at: 0)
                    }
                }
                return (table, column, elements)
            }
            let engine = ScanEngine(source: snapshot)
            let rows = integers.flatMap { integer in doubles.map { (integer, $0) } }
            for (comparison, holds) in [(ScanComparison.less, -1), (.equal, 0), (.greater, 1)] {
                for double in doubles {
                    let predicate = ScanPredicate.compareOperands(
                        .path(ScanPath(column: column)), comparison, .constant(.double(double)))
                    let expected = rows.indices.filter { order(rows[$0].0, double) == holds }
                    #expect(
                        try engine.keys(predicate, in: snapshot.table(table)).map { Int($0) }
                            == expected, "\(comparison) \(double)")
                }
                let beside = ScanPredicate.anyCompared(
                    [ScanHop(.elements(elements))], .path(ScanPath(column: .element)),
                    comparison.mirrored, .path(ScanPath(column: column)), isNegated: false)
                let expected = rows.indices.filter { order(rows[$0].0, rows[$0].1) == holds }
                #expect(
                    try engine.keys(beside, in: snapshot.table(table)).map { Int($0) } == expected,
                    "\(comparison)")
            }
        }
    }
}
