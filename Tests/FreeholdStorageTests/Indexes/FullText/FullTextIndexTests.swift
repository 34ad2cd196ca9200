@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Searches over stored texts find what a plain evaluation of the words finds: with and without
/// an index, in open transactions, on older versions.
@Suite struct FullTextIndexTests {
    /// A table of texts, and what it should hold.
    private struct World {
        var table = TableID(rawValue: 1)
        var text = ColumnID(rawValue: 1)
        var number = ColumnID(rawValue: 2)
        var rows: [Int64: (words: [String]?, number: Int64)] = [:]

        mutating func create(in writeSet: WriteSet) {
            table = writeSet.createTable(named: "Texts")
            text = writeSet.addColumn(
                to: table, named: "text", type: .text, isNullable: true, isIndexed: false)
            number = writeSet.addColumn(
                to: table, named: "number", type: .integer, isNullable: false, isIndexed: true)
        }

        mutating func set(_ key: Int64, in writeSet: WriteSet, using random: inout SeededGenerator)
        {
            let table = writeSet.mutableTable(table)
            let row =
                table.contains(RowKey(rawValue: key))
                ? table.mutableRow(RowKey(rawValue: key)) : table.insertRow(RowKey(rawValue: key))
            guard let row else { return }
            let number = Int64(random.int(0...9))
            row.setInteger(self.number, number)
            if random.once(in: 15) {
                row.setNull(text)
                return rows[key] = (nil, number)
            }
            // Some texts are longer than what stands in a row.
            let made = WordModel.text(
                random.once(in: 20) ? random.int(100...300) : random.int(0...12), using: &random)
            Array(made.text.utf8).withUnsafeBytes { row.setBytes(text, $0) }
            rows[key] = (made.words, number)
        }

        mutating func change(
            _ writeSet: WriteSet, _ count: Int, greatest: Int, using random: inout SeededGenerator
        ) throws {
            for _ in 0..<count {
                let key = Int64(random.int(0...greatest))
                if random.once(in: 4), rows[key] != nil {
                    try writeSet.mutableTable(table).deleteRows([key])
                    rows[key] = nil
                } else {
                    set(key, in: writeSet, using: &random)
                }
            }
        }

        /// Asks random searches, alone and combined, and answers how many used the index.
        func ask(_ source: TableSource, _ count: Int, using random: inout SeededGenerator) throws
            -> Int
        {
            let engine = ScanEngine(source: source)
            let view = source.table(table)
            var indexed = 0
            for _ in 0..<count {
                let search = WordModel.search(depth: random.int(0...3), using: &random)
                var predicate = ScanPredicate.fullText(
                    ScanPath(column: text), FullTextQuery(parsing: search.text))
                var holds: (Int64) -> Bool = { key in (rows[key]?.words).map(search.holds) ?? false
                }
                if random.once(in: 4) {
                    let inner = holds
                    predicate = .not(predicate)
                    holds = { !inner($0) }
                }
                if random.once(in: 3) {
                    let (inner, limit, isAnd) = (
                        holds, Int64(random.int(0...9)), random.once(in: 2)
                    )
                    let other = ScanPredicate.compare(
                        ScanPath(column: number), .less, .integer(limit))
                    predicate = isAnd ? .and([other, predicate]) : .or([predicate, other])
                    holds = { key in
                        let isLess = (rows[key]?.number ?? 0) < limit
                        return isAnd ? inner(key) && isLess : inner(key) || isLess
                    }
                }
                let expected = rows.keys.sorted().filter(holds)
                let explanation = try engine.explain(predicate, in: view)
                if explanation.description.contains("full-text index") { indexed += 1 }
                let comment = Comment(
                    rawValue: "\(search.text): \(explanation), FREEHOLD_SEED=\(random.seed)")
                #expect(Array(try engine.keys(predicate, in: view)) == expected, comment)
                #expect(try engine.count(predicate, in: view) == expected.count, comment)
                #expect(try engine.firstKey(predicate, in: view) == expected.first, comment)
                if let key = rows.keys.randomElement(using: &random) {
                    #expect(
                        engine.matches(predicate, key: RowKey(rawValue: key), in: view)
                            == expected.contains(key), comment)
                }
            }
            return indexed
        }
    }

    @Test(arguments: [(StorageLayout.tiny, 60, 2), (StorageLayout(), 700, 1)])
    func searchesFindWhatWordsSay(layout: StorageLayout, rows: Int, rounds: Int) throws {
        var random = Seed.random()
        var indexed = 0
        for _ in 0..<rounds {
            try withTemporaryStore(layout: layout) { store in
                var world = World()
                let isFirst = random.once(in: 2)
                var (_, snapshot) = try write(store) { writeSet in
                    world.create(in: writeSet)
                    if isFirst { writeSet.setFullText(true, column: world.text, of: world.table) }
                    for key in 0..<Int64(rows) where !random.once(in: 5) {
                        world.set(key, in: writeSet, using: &random)
                    }
                }
                if !isFirst {
                    #expect(try world.ask(snapshot, 20, using: &random) == 0)
                    (_, snapshot) = try write(store) {
                        $0.setFullText(true, column: world.text, of: world.table)
                    }
                }
                #expect(try store.check(snapshot) == [])
                for _ in 0..<Stress.rounds(1) {
                    indexed += try world.ask(snapshot, 25, using: &random)
                    let before = (world, snapshot)
                    (_, snapshot) = try write(store) { writeSet in
                        try world.change(
                            writeSet, random.int(1...rows / 3), greatest: rows + 5, using: &random)
                        indexed += try world.ask(writeSet, 20, using: &random)
                        try world.change(writeSet, 3, greatest: rows + 5, using: &random)
                        _ = try world.ask(writeSet, 10, using: &random)
                    }
                    #expect(try store.check(snapshot) == [])
                    _ = try before.0.ask(before.1, 10, using: &random)
                }
                // Without rows, no words are left.
                (_, snapshot) = try write(store) { writeSet in
                    try writeSet.mutableTable(world.table).deleteRows(world.rows.keys.sorted())
                }
                #expect(try snapshot.transaction.entries(.indexes).isEmpty)
            }
        }
        #expect(indexed > Stress.rounds(12))
    }

    /// Ordered, of words, none: in one transaction and in several, forth and back.
    @Test func indexesChangeTheirKind() throws {
        var random = Seed.random()
        try withTemporaryStore(layout: .tiny) { store in
            var world = World()
            var (_, snapshot) = try write(store) { writeSet in
                world.create(in: writeSet)
                for key in 0..<Int64(50) { world.set(key, in: writeSet, using: &random) }
            }
            for _ in 0..<30 {
                (_, snapshot) = try write(store) { writeSet in
                    for _ in 0..<random.int(1...4) {
                        let isOrdered = random.once(in: 3)
                        writeSet.setIndexed(false, column: world.text, of: world.table)
                        writeSet.setFullText(
                            !isOrdered && random.once(in: 2), column: world.text, of: world.table)
                        if isOrdered {
                            writeSet.setIndexed(true, column: world.text, of: world.table)
                        }
                    }
                    try world.change(writeSet, random.int(0...5), greatest: 60, using: &random)
                    _ = try world.ask(writeSet, 5, using: &random)
                }
                #expect(try store.check(snapshot) == [], "FREEHOLD_SEED=\(random.seed)")
                _ = try world.ask(snapshot, 5, using: &random)
            }
        }
    }

    /// The check finds what is missing, too much or wrong; a commit that needs it refuses.
    @Test func damageIsFound() throws {
        var random = Seed.random()
        let directory = try TemporaryDirectory()
        var options = Store.Options(path: directory.file("damaged.freehold"), hooks: .tiny)
        options.isTemporary = true
        let store = try Store.open(options)
        var world = World()
        let (_, sound) = try write(store) { writeSet in
            world.create(in: writeSet)
            writeSet.setFullText(true, column: world.text, of: world.table)
            for key in 0..<Int64(60) { world.set(key, in: writeSet, using: &random) }
        }
        let prefix = IndexEntry.prefix(world.table, world.text)
        let entries = try sound.transaction.entries(.indexes).filter { entry in
            entry.key.withUnsafeBytes { prefix.matches($0) }
        }
        #expect(entries.count > 20)
        let environment = store.environment
        for number in 0..<60 {
            let entry = random.pick(entries)
            var key = entry.key
            var value: [UInt8]? = entry.value
            switch number % 4 {
            case 0: value = nil
            case 1: value?[random.int(0...entry.value.count - 1)] ^= 1 << UInt8(random.int(0...7))
            case 2: key[random.int(7...key.count - 3)] ^= 1
            default: value = (0..<random.int(1...20)).map { _ in UInt8(random.int(0...255)) }
            }
            try environment.writer.begin().commit { transaction in
                _ = try entry.key.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
                if let value {
                    try key.withUnsafeBytes { key in
                        try value.withUnsafeBytes {
                            try transaction.put(.indexes, key: key, value: $0)
                        }
                    }
                }
            }
            let damaged = try Store.open(options)
            do {
                let problems = try damaged.check(try damaged.newestSnapshot())
                #expect(
                    !problems.isEmpty || (value == entry.value && key == entry.key),
                    "\(entry.key) FREEHOLD_SEED=\(random.seed)")
            } catch {
                #expect(error.code == .corrupted)
            }
            // Searching never traps.
            let snapshot = try Store.open(options).newestSnapshot()
            for _ in 0..<10 {
                let search = WordModel.search(depth: 2, using: &random)
                do {
                    _ = try ScanEngine(source: snapshot).keys(
                        .fullText(
                            ScanPath(column: world.text), FullTextQuery(parsing: search.text)),
                        in: snapshot.table(world.table))
                } catch {
                    #expect(error.code == .corrupted)
                }
            }
            try environment.writer.begin().commit { transaction in
                if value != nil {
                    _ = try key.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
                }
                for entry in entries {
                    try entry.key.withUnsafeBytes { key in
                        try entry.value.withUnsafeBytes {
                            try transaction.put(.indexes, key: key, value: $0)
                        }
                    }
                }
            }
        }
    }
}
