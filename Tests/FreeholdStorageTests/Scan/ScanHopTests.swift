import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Predicates with hops, computed values and mixed values, against a plain evaluation of what was read row by row.
@Suite struct ScanHopTests {
    private static let sizes: [(layout: StorageLayout, rows: Int, rounds: Int)] = [(.tiny, 60, 6), (StorageLayout(), 500, 2)]

    private func ask(_ source: TableSource, _ world: HopWorld, _ count: Int, using random: inout SeededGenerator) throws {
        let plain = PlainScan(reading: source, [world.owners, world.targets])
        let engine = ScanEngine(source: source)
        var predicates = RandomHops(world: world, random: SeededGenerator(seed: random.next()))
        for _ in 0..<count {
            let id = random.pick([world.owners, world.owners, world.targets])
            let table = source.table(id)
            let predicate = predicates.predicate(.rows(id, hasKeys: false), depth: random.int(0...3))
            let expected = plain.keys(predicate, in: id)
            let context = "seed \(random.seed): \(predicate), \(try engine.explain(predicate, in: table))"
            #expect(Array(try engine.keys(predicate, in: table)) == expected, "\(context)")
            #expect(try engine.count(predicate, in: table) == expected.count, "\(context)")
            #expect(try engine.firstKey(predicate, in: table) == expected.first, "\(context)")
            let members = Set(expected)
            let keys = plain.tables[id]?.keys ?? []
            if keys.isEmpty { continue }
            let some = (0..<8).map { _ in random.pick(keys) }
            for key in some {
                #expect(engine.matches(predicate, key: RowKey(rawValue: key), in: table) == members.contains(key), "row \(key), \(context)")
            }
            #expect(engine.keys(predicate, among: ContiguousArray(some), in: table) == ContiguousArray(some.filter { members.contains($0) }), "\(context)")
        }
    }

    @Test func hopsMatchThePlainEvaluation() throws {
        var random = SeededGenerator(test: "hops")
        for (layout, rows, rounds) in Self.sizes {
            for _ in 0..<rounds {
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
}
