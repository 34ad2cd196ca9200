import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Orders, first rows and distinct ones, with mixed values, against the plain values.
@Suite struct ScanOrderTests {
    private static func order(_ a: PlainValue?, _ b: PlainValue?) -> Int {
        func isNaN(_ value: ScanValue) -> Bool {
            value != .null && ModelScan.order(value, value) == nil
        }
        switch (a, b) {
        case (.scalar(_, let x)?, .scalar(_, let y)?):
            if x == .null || y == .null { return (x == .null ? 0 : 1) - (y == .null ? 0 : 1) }
            if case .link(let x) = x, case .link(let y) = y { return x < y ? -1 : x == y ? 0 : 1 }
            if isNaN(x) || isNaN(y) { return (isNaN(x) ? 0 : 1) - (isNaN(y) ? 0 : 1) }
            return ModelScan.order(x, y) ?? 0
        case (.mixed(let x)?, .mixed(let y)?): return MixedValue.compare(x, y)
        default: return 0
        }
    }

    @Test(arguments: [(StorageLayout.tiny, 70, 4), (StorageLayout(), 300, 2)])
    func ordersMatchThePlainValues(layout: StorageLayout, rows: Int, rounds: Int) throws {
        var random = Seed.random()
        for _ in 0..<rounds {
            try withTemporaryStore(layout: layout) { store in
                let (made, snapshot) = try write(store) { writeSet in
                    var world = try HopWorld(in: writeSet, using: &random)
                    try world.grow(by: random.int(2...rows), in: writeSet, using: &random)
                    return world
                }
                try ask(snapshot, made, using: &random)
                var world = made
                let (_, after) = try write(store) { writeSet in
                    try world.change(in: writeSet, using: &random)
                    try ask(writeSet, world, using: &random)
                }
                try ask(after, world, using: &random)
            }
        }
    }

    private func ask(_ source: TableSource, _ world: HopWorld, using random: inout SeededGenerator)
        throws
    {
        let id = world.owners
        let table = source.table(id)
        let plain = PlainScan(reading: source, [world.owners, world.targets])
        let engine = ScanEngine(source: source)
        let columns = (world.definitions[id]?.columns ?? []).filter { $0.collection == nil }
        var predicates = RandomHops(world: world, random: SeededGenerator(seed: random.next()))
        for number in 0..<50 {
            var paths: [ScanPath] = []
            for _ in 0..<(number < 25 ? 1 : random.int(1...3)) {
                var path = ScanPath(
                    column: number < columns.count ? columns[number].id : random.pick(columns).id)
                if random.once(in: 4), let link = columns.first(where: { $0.type == .link }),
                    let target = link.target,
                    let column = world.definitions[target]?.columns.filter({ $0.collection == nil })
                        .randomElement(using: &random)
                {
                    path = ScanPath(links: [link.id], column: column.id)
                }
                if random.once(in: 15) { path = ScanPath(column: .rowKeys) }
                paths.append(path)
            }
            let criteria = paths.map {
                ScanSort(
                    path: $0, ascending: random.once(in: 2),
                    nullLinks: random.pick([.areNulls, .areLast]))
            }
            let predicate =
                random.once(in: 2)
                ? ScanPredicate.all : predicates.predicate(.rows(id, hasKeys: false), depth: 1)
            let keys = plain.keys(predicate, in: id)
            let values = keys.map { key in paths.map { plain.value($0, .row(id, key, key: nil)) } }
            func isCut(_ path: ScanPath, _ key: Int64) -> Bool {
                guard let link = path.links.first,
                    case .scalar(_, let value)? = plain.value(
                        ScanPath(column: link), .row(id, key, key: nil))
                else { return false }
                return value == .null
            }
            let sorted = keys.indices.sorted { a, b in
                for (criterion, (x, y)) in zip(criteria, zip(values[a], values[b])) {
                    var order = Self.order(x, y)
                    if criterion.nullLinks == .areLast {
                        let (first, second) = (
                            isCut(criterion.path, keys[a]), isCut(criterion.path, keys[b])
                        )
                        if first || second { order = (first ? 1 : 0) - (second ? 1 : 0) }
                    }
                    if order != 0 { return (order < 0) == criterion.ascending }
                }
                return a < b
            }.map { keys[$0] }
            let context = "FREEHOLD_SEED=\(random.seed): \(predicate), \(criteria)"
            #expect(
                try Array(engine.sort(ContiguousArray(keys), in: table, by: criteria)) == sorted,
                "\(context)")
            for limit in [0, 1, 3, random.int(0...keys.count + 2)] {
                #expect(
                    try Array(engine.keys(predicate, in: table, sortedBy: criteria, limit: limit))
                        == Array(sorted.prefix(limit)), "\(limit) of \(context)")
                #expect(
                    try Array(engine.keys(predicate, in: table, limit: limit))
                        == Array(keys.prefix(limit)), "\(limit) of \(context)")
            }
            // The first of each combination, in any order.
            let given = random.once(in: 2) ? sorted : keys
            var firsts: [Int64] = []
            var seen: [[PlainValue?]] = []
            for key in given where !paths.contains(where: { isCut($0, key) }) {
                let combination = paths.map { plain.value($0, .row(id, key, key: nil)) }
                if seen.contains(where: {
                    zip($0, combination).allSatisfy { Self.order($0, $1) == 0 }
                }) {
                    continue
                }
                seen.append(combination)
                firsts.append(key)
            }
            #expect(
                try Array(engine.distinct(ContiguousArray(given), in: table, by: paths)) == firsts,
                "\(context)")
        }
    }

    /// Values of which the index has a part, and values of many entries.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func firstRowsOfAnIndexedColumn(layout: StorageLayout) throws {
        let long = String(repeating: "p", count: 200)
        let texts = [
            "", "\u{0}", "\u{0}\u{0}", "a", "a\u{0}", "ab", "b", "long \(long)z", "long \(long)a",
        ]
        try withTemporaryStore(layout: layout) { store in
            for isLong in [false, true] {
                let (column, snapshot) = try write(store) { writeSet in
                    let table = writeSet.createTable(named: "Texts \(isLong)")
                    let column = writeSet.addColumn(
                        to: table, named: "text", type: .text, isNullable: true, isIndexed: true)
                    for index in 0..<2_000 {
                        let row = writeSet.mutableTable(table).insertRow(
                            RowKey(rawValue: Int64(index)))
                        let number = index * 7 % (isLong ? texts.count : texts.count - 2)
                        if index % 11 == 0 {
                            row.setNull(column)
                        } else {
                            Array(texts[number].utf8).withUnsafeBytes { row.setBytes(column, $0) }
                        }
                    }
                    return column
                }
                let table = snapshot.table(snapshot.catalog.tables.last!.id)
                let engine = ScanEngine(source: snapshot)
                for ascending in [true, false] {
                    let sort = ScanSort(path: ScanPath(column: column), ascending: ascending)
                    let all = try engine.sort(nil, in: table, by: [sort])
                    for limit in [1, 5, 100, 249] {
                        #expect(
                            try engine.keys(.all, in: table, sortedBy: [sort], limit: limit)
                                == ContiguousArray(all.prefix(limit)))
                        let odd = ScanPredicate.compare(
                            ScanPath(column: column), .notEqual, .text(Array("a".utf8)))
                        let some = try engine.sort(
                            engine.keys(odd, in: table), in: table, by: [sort])
                        #expect(
                            try engine.keys(odd, in: table, sortedBy: [sort], limit: limit)
                                == ContiguousArray(some.prefix(limit)))
                    }
                }
            }
        }
    }

    @Test func explanationsSayWhatWasFound() throws {
        try withTemporaryStore { store in
            let (column, snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Numbers")
                let column = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: false, isIndexed: true)
                for index in 0..<Int64(5_000) {
                    writeSet.mutableTable(table).insertRow(RowKey(rawValue: index)).setInteger(
                        column, index)
                }
                return column
            }
            let engine = ScanEngine(source: snapshot)
            let table = snapshot.table(TableID(rawValue: 1))
            let range = ScanPredicate.between(
                ScanPath(column: column), .integer(10), .integer(19), includesUpper: true)
            let found = try engine.explain(range, in: table, running: true)
            #expect(
                found.access
                    == ScanExplanation.Access(
                        kind: .index, text: "index number in 10 ... 19", estimatedRows: 10,
                        foundRows: 10))
            #expect(found.rest == nil && found.estimatedRows == 10 && found.matchingRows == 10)
            #expect(found.description == "index number in 10 ... 19; about 10 rows, found 10")
            let scan = try engine.explain(.not(range), in: table)
            let all = table.clusterCount
            #expect(
                scan.access
                    == ScanExplanation.Access(
                        kind: .scan, text: "scan \(all) of \(all) clusters of Numbers",
                        estimatedRows: 5_000))
            #expect(scan.rest == "not number in 10 ... 19")
            #expect(scan.estimatedRows == 5_000 && scan.matchingRows == nil)
        }
    }
}
