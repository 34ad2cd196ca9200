import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Values looked up by an index inside a write transaction, between its changes.
@Suite struct DirtyLookupTests {
    // MARK: Answers

    /// A condition on indexed columns, and whether a row of the model satisfies it.
    private struct Question {
        let predicate: ScanPredicate
        let matches: ([ColumnID: ModelValue]) -> Bool
    }

    private static func scanValue(_ value: ModelValue, _ type: ColumnType) -> ScanValue {
        switch value {
        case .null: .null
        case .integer(let integer):
            type == .link ? .link(RowKey(rawValue: integer)) : .integer(integer)
        case .boolean(let boolean): .boolean(boolean)
        case .float(let bits): .float(Float(bitPattern: bits))
        case .double(let bits): .double(Double(bitPattern: bits))
        case .fixed12(let a, let b): .fixed(FixedValue((a, b)))
        case .fixed16(let a, let b): .fixed(FixedValue((a, b)))
        case .bytes(let bytes): type == .text ? .text(bytes) : .bytes(bytes)
        }
    }

    private static func isSame(_ a: ModelValue, _ b: ModelValue) -> Bool {
        if case .double(let first) = a, case .double(let second) = b {
            return Double(bitPattern: first) == Double(bitPattern: second)
        }
        return a == b
    }

    private func leaf(
        _ table: StoredModelTable, _ targets: [Int64], using random: inout SeededGenerator
    ) -> Question {
        let column = random.pick(table.columns.filter(\.isIndexed))
        let path = ScanPath(column: column.id)
        var values: [ModelValue] = []
        for _ in 0..<random.pick([1, 1, 1, 3]) {
            // Most of the time a value that some row has, or had.
            let row = random.once(in: 4) ? nil : table.rows.randomElement(using: &random)?.value
            values.append(
                row.map { $0[column.id] ?? StoredModelTable.defaultValue(of: column) }
                    ?? table.randomValue(of: column, using: &random, targets: targets))
        }
        let sought = values.map { Self.scanValue($0, column.type) }
        return Question(
            predicate: sought.count == 1 ? .compare(path, .equal, sought[0]) : .oneOf(path, sought)
        ) { row in
            values.contains {
                Self.isSame($0, row[column.id] ?? StoredModelTable.defaultValue(of: column))
            }
        }
    }

    private func question(
        _ table: StoredModelTable, _ targets: [Int64], using random: inout SeededGenerator
    ) -> Question {
        let first = leaf(table, targets, using: &random)
        let second = leaf(table, targets, using: &random)
        switch random.int(0...5) {
        case 0:
            return Question(predicate: .or([first.predicate, second.predicate])) {
                first.matches($0) || second.matches($0)
            }
        case 1:
            return Question(predicate: .and([first.predicate, second.predicate])) {
                first.matches($0) && second.matches($0)
            }
        default: return first
        }
    }

    private func ask(
        _ table: StoredModelTable, _ targets: [Int64], _ writeSet: WriteSet,
        using random: inout SeededGenerator
    ) throws -> Bool {
        let question = question(table, targets, using: &random)
        let expected = table.rows.filter { question.matches($0.value) }.keys.sorted()
        let engine = ScanEngine(source: writeSet)
        let view = writeSet.table(table.id)
        let plan = try engine.explain(question.predicate, in: view).description
        #expect(
            Array(try engine.keys(question.predicate, in: view)) == expected,
            "FREEHOLD_SEED=\(random.seed): \(question.predicate), \(plan)")
        #expect(
            try engine.count(question.predicate, in: view) == expected.count,
            "FREEHOLD_SEED=\(random.seed): \(question.predicate), \(plan)")
        return plan.contains("index ")
    }

    private func change(
        _ table: inout StoredModelTable, _ targets: inout StoredModelTable, isSource: Bool,
        _ writeSet: WriteSet, using random: inout SeededGenerator
    ) throws {
        let keys = table.rows.keys.sorted()
        let linkable = targets.rows.keys.sorted()
        switch random.int(0...9) {
        case 0, 1:
            let key =
                isSource
                ? writeSet.mutableTable(table.id).nextRowKey().rawValue
                : Int64(random.int(-2_000...2_000))
            if table.rows[key] != nil { return }
            table.insert(key, in: writeSet)
            for column in table.columns where !random.once(in: 3) {
                try table.set(
                    column, of: key,
                    to: table.randomValue(of: column, using: &random, targets: linkable),
                    in: writeSet)
            }
        case 2:
            let start = random.int(0...max(0, keys.count - 1))
            let doomed = Array(keys[start..<min(keys.count, start + random.pick([1, 1, 1, 2, 9]))])
            var noSources = StoredModelTable(id: table.id, columns: [])
            try table.delete(doomed, in: writeSet, linkedFrom: &noSources)
        default:
            guard !keys.isEmpty else { return }
            let column = random.pick(table.columns)
            try table.set(
                column, of: random.pick(keys),
                to: table.randomValue(of: column, using: &random, targets: linkable), in: writeSet)
        }
    }

    /// Random changes and lookups in turn, of a table with generated row keys (rows are added
    /// at the end) and one whose primary key is the row key (they are added anywhere, so
    /// clusters split and the first one grows downwards).
    @Test(arguments: [(StorageLayout.tiny, 500, 300), (StorageLayout(), 1200, 150)])
    func lookupsSeeEveryChange(layout: StorageLayout, rows: Int, steps: Int) throws {
        var random = Seed.random()
        try withTemporaryStore(layout: layout) { store in
            var (targets, sources) = try write(store) { writeSet in
                var targets = StoredModelTable.create(
                    in: writeSet, named: "Target", primaryKeyIsRowKey: true)
                var sources = StoredModelTable.create(
                    in: writeSet, named: "Source", primaryKeyIsRowKey: false, target: targets.id)
                let linkable = (0..<Int64(rows)).map { $0 * 2 - 500 }
                for key in linkable {
                    targets.insert(key, in: writeSet)
                    for column in targets.columns {
                        try targets.set(
                            column, of: key,
                            to: targets.randomValue(of: column, using: &random, targets: []),
                            in: writeSet)
                    }
                }
                for key in 0..<Int64(rows) {
                    sources.insert(key, in: writeSet)
                    for column in sources.columns {
                        try sources.set(
                            column, of: key,
                            to: sources.randomValue(of: column, using: &random, targets: linkable),
                            in: writeSet)
                    }
                }
                return (targets, sources)
            }.0
            for _ in 0..<2 {
                let writeSet = try store.beginWrite()
                var indexed = 0
                for step in 0..<steps {
                    // Targets are not deleted while there are links to them: that is not what
                    // this is about.
                    let isSource = step % 2 == 0
                    if isSource {
                        try change(&sources, &targets, isSource: true, writeSet, using: &random)
                    } else {
                        var before = targets
                        try change(&targets, &before, isSource: false, writeSet, using: &random)
                        sources.forgetLinks(to: targets)
                    }
                    // Changes come in bursts and so do lookups, so that clusters are as stored,
                    // changed and hashed.
                    if random.once(in: 3) { continue }
                    for _ in 0..<random.pick([1, 1, 2, 20]) {
                        if try ask(
                            isSource ? sources : targets, targets.rows.keys.sorted(), writeSet,
                            using: &random)
                        {
                            indexed += 1
                        }
                    }
                }
                #expect(indexed > steps / 4, "FREEHOLD_SEED=\(random.seed)")
                #expect(
                    writeSet.mutableTable(sources.id).lookupWork.hashedRows > 0,
                    "FREEHOLD_SEED=\(random.seed)")
                #expect(
                    writeSet.mutableTable(targets.id).lookupWork.hashedRows > 0,
                    "FREEHOLD_SEED=\(random.seed)")
                let snapshot = try store.commit(writeSet)
                sources.expectEqual(to: snapshot)
                targets.expectEqual(to: snapshot)
            }
        }
    }

    /// Rows that lose their links have null from then on, also in clusters that were as stored
    /// or hashed when a lookup saw them last.
    @Test func lookupsSeeLinksThatWereLost() throws {
        var layout = StorageLayout()
        layout.rowsPerCluster = 20
        try withTemporaryStore(layout: layout) { store in
            let (ids, link) = try write(store) { writeSet in
                let targets = writeSet.createTable(named: "Target"),
                    sources = writeSet.createTable(named: "Source")
                let link = writeSet.addColumn(
                    to: sources, named: "link", type: .link, isNullable: true, isIndexed: true,
                    target: targets)
                _ = writeSet.addColumn(
                    to: sources, named: "number", type: .integer, isNullable: false,
                    isIndexed: false)
                for key in 0..<Int64(100) {
                    _ = writeSet.mutableTable(targets).insertRow(RowKey(rawValue: key))
                }
                for key in 0..<Int64(Self.base) {
                    writeSet.mutableTable(sources).insertRow(RowKey(rawValue: key)).setInteger(
                        link, key * 7 % 100)
                }
                return ((targets: targets, sources: sources), link)
            }.0
            try write(store) { writeSet in
                let table = writeSet.mutableTable(ids.sources)
                // Touches all clusters, but no link.
                for key in stride(from: 0, to: Int64(Self.base), by: 10) {
                    table.mutableRow(RowKey(rawValue: key))?.setInteger(ColumnID(rawValue: 2), key)
                }
                let engine = ScanEngine(source: writeSet)
                for target in 0..<Int64(60) {
                    let lost = (0..<Int64(Self.base)).filter { $0 * 7 % 100 < target }
                    let ofNull = ScanPredicate.compare(ScanPath(column: link), .equal, .null)
                    #expect(
                        try engine.explain(ofNull, in: table).description.contains("index ")
                            || target > 5)
                    // From some lookups on, clusters are hashed.
                    for _ in 0..<(target % 10 == 0 ? 20 : 1) {
                        #expect(Array(try engine.keys(ofNull, in: table)) == lost)
                    }
                    #expect(
                        try engine.count(
                            .compare(
                                ScanPath(column: link), .equal, .link(RowKey(rawValue: target))),
                            in: table) == 20)
                    try writeSet.mutableTable(ids.targets).deleteRows([target])
                    #expect(
                        try engine.count(
                            .compare(
                                ScanPath(column: link), .equal, .link(RowKey(rawValue: target))),
                            in: table) == 0)
                }
                #expect(table.lookupWork.hashedRows > 0)
            }
        }
    }

    // MARK: Work

    private static let number = ColumnID(rawValue: 1)
    private static let name = ColumnID(rawValue: 2)
    private static let base = 2_000

    /// What `lookups` transactions of one kind cost inside one transaction, on a table of 2,000
    /// rows in clusters of 20.
    private func work(_ lookups: Int, _ body: (MutableTable, ScanEngine, Int) throws -> Void) throws
        -> LookupWork
    {
        var layout = StorageLayout()
        layout.rowsPerCluster = 20
        return try withTemporaryStore(layout: layout) { store in
            let id = try write(store) { writeSet in
                let id = writeSet.createTable(named: "Items")
                _ = writeSet.addColumn(
                    to: id, named: "number", type: .integer, isNullable: false, isIndexed: false)
                _ = writeSet.addColumn(
                    to: id, named: "name", type: .text, isNullable: false, isIndexed: true)
                for index in 0..<Self.base { add(index, to: writeSet.mutableTable(id)) }
                return id
            }.0
            return try write(store) { writeSet in
                let table = writeSet.mutableTable(id)
                for lookup in 0..<lookups { try body(table, ScanEngine(source: writeSet), lookup) }
                return table.lookupWork
            }.0
        }
    }

    private func add(_ index: Int, to table: MutableTable) {
        let row = table.insertRow(RowKey(rawValue: Int64(index)))
        row.setInteger(Self.number, Int64(index))
        Array("name \(index)".utf8).withUnsafeBytes { row.setBytes(Self.name, $0) }
    }

    private func find(_ index: Int, _ engine: ScanEngine, _ table: MutableTable) throws -> [Int64] {
        let predicate = ScanPredicate.compare(
            ScanPath(column: Self.name), .equal, .text(Array("name \(index)".utf8)))
        #expect(try engine.explain(predicate, in: table).description.hasPrefix("index name"))
        return Array(try engine.keys(predicate, in: table))
    }

    /// An import that adds what it does not find: however many rows it added, a lookup costs
    /// the same.
    @Test func lookupsOfAnImportCostTheSameThroughout() throws {
        func importing(_ count: Int) throws -> LookupWork {
            try work(count) { table, engine, lookup in
                // Every third comes a second time.
                for index in [Self.base + lookup, Self.base + lookup * 2 / 3] {
                    if try find(index, engine, table).isEmpty { add(index, to: table) }
                }
            }
        }
        let (short, long) = (try importing(600), try importing(2_400))
        // The last cluster, and the one that a value is found in.
        #expect(long.scannedClusters <= 2 * 2_400 * 4)
        #expect(long.hashedRows <= 2 * 2_400 * 3)
        #expect(Double(long.scannedClusters) <= 4.4 * Double(short.scannedClusters))
        #expect(Double(long.hashedRows) <= 4.4 * Double(short.hashedRows))
    }

    /// Changing other properties of what is found leaves the stored index right.
    @Test func changesOfOtherColumnsCostLookupsNothing() throws {
        let work = try work(1_500) { table, engine, lookup in
            let found = try find(lookup, engine, table)
            #expect(found == [Int64(lookup)])
            table.mutableRow(RowKey(rawValue: found[0]))?.setInteger(Self.number, -1)
        }
        #expect(work.scannedClusters == 0)
        #expect(work.hashedRows == 0)
    }

    /// Each lookup changes what it found: a cluster is scanned while its change is new, and
    /// hashed once it is not.
    @Test func changesOfTheColumnCostWhatIsNew() throws {
        let work = try work(1_500) { table, engine, lookup in
            // In another cluster each time.
            let index = lookup * 20 % Self.base + lookup / 100
            let before = try find(index, engine, table)
            #expect(before == [Int64(index)])
            Array("name \(index + Self.base)".utf8).withUnsafeBytes {
                table.mutableRow(RowKey(rawValue: Int64(index)))?.setBytes(Self.name, $0)
            }
            let after = try find(index + Self.base, engine, table)
            #expect(after == before)
        }
        #expect(work.scannedClusters <= 2 * 1_500 * 18)
        #expect(work.hashedRows <= 1_500 * 20)
        #expect(work.hashedRows > 0)
    }
}

extension StoredModelTable {
    /// What deleting rows of a table does to links to it.
    fileprivate mutating func forgetLinks(to targets: StoredModelTable) {
        for link in columns where link.type == .link && link.target == targets.id {
            for (key, values) in rows {
                if case .integer(let target)? = values[link.id], targets.rows[target] == nil {
                    rows[key]?[link.id] = .null
                }
            }
        }
    }
}
