import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Rows that lose their links because other rows go, and whatever else happens to them in the
/// same transaction.
@Suite struct LostLinkTests {
    /// Rows with a link and a number, and rows that they link to.
    private struct World {
        let sources: TableID
        let targets: TableID
        let link: ColumnID
        let number: ColumnID
        var links: [Int64: Int64?] = [:]
        var linkable: [Int64]
        var gone: [Int64] = []

        init(in writeSet: WriteSet, targetCount: Int) {
            sources = writeSet.createTable(named: "Source")
            targets = writeSet.createTable(named: "Target")
            link = writeSet.addColumn(
                to: sources, named: "link", type: .link, isNullable: true, isIndexed: true,
                target: targets)
            number = writeSet.addColumn(
                to: sources, named: "number", type: .integer, isNullable: true, isIndexed: false)
            linkable = []
            addTargets(targetCount, in: writeSet)
        }

        mutating func addTargets(_ count: Int, in writeSet: WriteSet) {
            let table = writeSet.mutableTable(targets)
            // Far apart, so that links of every width are stored.
            for _ in 0..<count {
                linkable.append(
                    table.insertRow(RowKey(rawValue: (linkable.last ?? 0) * 3 + 1)).key.rawValue)
            }
        }

        mutating func insert(_ key: Int64, linkingTo target: Int64?, in writeSet: WriteSet) {
            let row = writeSet.mutableTable(sources).insertRow(RowKey(rawValue: key))
            row.setInteger(number, key)
            if let target { row.setInteger(link, target) }
            links[key] = .some(target)
        }

        mutating func deleteTargets(_ doomed: [Int64], in writeSet: WriteSet) throws {
            try writeSet.mutableTable(targets).deleteRows(doomed)
            linkable.removeAll { doomed.contains($0) }
            gone += doomed
            for (key, target) in links where target.map(doomed.contains) ?? false {
                links[key] = .some(nil)
            }
        }

        func expectEqual(to source: TableSource, _ context: String) throws {
            let table = source.table(sources)
            #expect(table.count == links.count, "\(context)")
            for (key, target) in links {
                guard let place = table.locate(RowKey(rawValue: key)) else {
                    Issue.record("\(context): row \(key) is gone.")
                    continue
                }
                let view = place.cluster.columns[link.position]
                #expect(
                    (view.isNull(at: place.row) ? nil : view.integer(at: place.row)) == target,
                    "\(context), row \(key)")
                #expect(
                    place.cluster.columns[number.position].integer(at: place.row) == key,
                    "\(context), row \(key)")
            }
            let engine = ScanEngine(source: source)
            for target in (linkable + gone).map({ ScanValue.link(RowKey(rawValue: $0)) }) + [.null]
            {
                let expected = links.filter {
                    $0.value.map { .link(RowKey(rawValue: $0)) } ?? .null == target
                }.keys.sorted()
                #expect(
                    Array(
                        try engine.keys(.compare(ScanPath(column: link), .equal, target), in: table)
                    ) == expected, "\(context), \(target)")
            }
        }
    }

    @Test(arguments: [
        (UInt64?.none, StorageLayout.tiny, 40), (1, .tiny, 60), (2, StorageLayout(), 700),
        (UInt64?.none, StorageLayout(), 700),
    ])
    func everythingElseStaysAsItIs(seed own: UInt64?, layout: StorageLayout, rows: Int) throws {
        var random = Seed.random(own)
        let seed = random.seed
        for round in 0..<6 {
            try withTemporaryStore(layout: layout) { store in
                var (world, snapshot) = try write(store) { writeSet in
                    var world = World(in: writeSet, targetCount: random.pick([1, 2, 5, 30]))
                    // Some links are null from the start, in some rounds none.
                    let isComplete = random.once(in: 2)
                    for key in 0..<Int64(rows) {
                        world.insert(
                            key * 2,
                            linkingTo: isComplete || random.once(in: 2)
                                ? random.pick(world.linkable) : nil, in: writeSet)
                    }
                    return world
                }
                for transaction in 0..<5 {
                    let before = world
                    var writeSet = try store.beginWrite()
                    for operation in 0..<random.int(1...6) {
                        let context =
                            """
                            FREEHOLD_SEED=\(seed), round \(round), transaction \(transaction), \
                            operation \(operation)
                            """
                        try Self.change(&world, &writeSet, rows, using: &random)
                        try world.expectEqual(to: writeSet, context)
                    }
                    if random.once(in: 5) {
                        store.cancel(writeSet)
                        world = before
                    } else {
                        snapshot = try store.commit(writeSet)
                    }
                    try world.expectEqual(
                        to: snapshot,
                        "FREEHOLD_SEED=\(seed), round \(round), after transaction \(transaction)")
                    #expect(
                        try store.check(snapshot).isEmpty,
                        "FREEHOLD_SEED=\(seed), round \(round), transaction \(transaction)")
                }
            }
        }
    }

    private static func change(
        _ world: inout World, _ writeSet: inout WriteSet, _ rows: Int,
        using random: inout SeededGenerator
    ) throws {
        let some = world.links.keys.sorted().filter { _ in random.once(in: 50) }
        switch random.int(0...10) {
        case 0...3:
            try world.deleteTargets(world.linkable.filter { _ in random.once(in: 3) }, in: writeSet)
        case 4:
            for key in some {
                let target =
                    world.linkable.isEmpty || random.once(in: 3) ? nil : random.pick(world.linkable)
                let row = try #require(
                    writeSet.mutableTable(world.sources).mutableRow(RowKey(rawValue: key)))
                if let target {
                    row.setInteger(world.link, target)
                } else {
                    row.setNull(world.link)
                }
                world.links[key] = .some(target)
            }
        case 5:
            try writeSet.mutableTable(world.sources).deleteRows(some)
            for key in some { world.links[key] = nil }
        case 6:
            for key in Set((0..<5).map { _ in Int64(random.int(0...rows * 2)) })
            where world.links[key] == nil {
                world.insert(
                    key, linkingTo: world.linkable.isEmpty ? nil : random.pick(world.linkable),
                    in: writeSet)
            }
        case 7:
            world.addTargets(2, in: writeSet)
        case 8:
            // Changes clusters, but not their links.
            for key in some {
                writeSet.mutableTable(world.sources).mutableRow(RowKey(rawValue: key))?.setInteger(
                    world.number, key)
            }
        default:
            writeSet = writeSet.savepoint()
        }
    }
}
