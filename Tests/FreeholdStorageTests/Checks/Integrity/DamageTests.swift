import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Stored bytes that no commit would write. Nothing traps on them; the check reports them;
/// nothing is committed on top of them.
@Suite struct DamageTests {
    /// A turn that leads to no transaction is the next writer's, although its owner still has
    /// the grant.
    @Test func aGrantInADamagedFileIsReturned() throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(Store.Options(path: directory.file("damaged.freehold")))
        store.noteDamage(StorageError(.corrupted, "planted", path: store.path))
        let grant = try store.environment.writer.begin()
        #expect(storageCode { _ = try store.beginWrite(with: grant) } == .corrupted)
        let next = try store.environment.writer.begin(timeout: .zero)
        next.cancel()
        withExtendedLifetime(grant) {}
    }

    /// A file in which one value after the other is damaged. Each damage is met by a store that
    /// knows of no other.
    private struct DamagedFile {
        let directory: TemporaryDirectory
        let options: Store.Options
        let environment: Environment
        let world: ModelWorld
        /// The sound entries of every database.
        let entries: [(database: Database, key: [UInt8], value: [UInt8])]

        init(
            _ directory: TemporaryDirectory, _ layout: StorageLayout, rows: Int,
            using random: inout SeededGenerator
        ) throws {
            self.directory = directory
            var options = Store.Options(
                path: directory.file("damaged.freehold"), hooks: TestHooks(layout: layout))
            // Nothing waits for the disk.
            options.isTemporary = true
            self.options = options
            let store = try Store.open(options)
            environment = store.environment
            let plain = ModelWorld(rows: rows, others: rows / 4 + 1, using: &random)
            world = try write(store) { try StoredWorld(plain, in: $0, using: &random) }.0.world
            #expect(try store.check(try store.newestSnapshot()) == [])
            let transaction = try environment.read()
            var entries: [(database: Database, key: [UInt8], value: [UInt8])] = []
            for database in Database.allCases {
                for entry in try transaction.entries(database) {
                    entries.append((database, entry.key, entry.value))
                }
            }
            self.entries = entries
        }

        /// Makes the file sound but for one entry's value.
        func replace(_ index: Int, with value: [UInt8]) throws {
            try environment.writer.begin().commit { transaction in
                for database in Database.allCases { try transaction.deleteAll(database) }
                for (number, entry) in entries.enumerated() {
                    try entry.key.withUnsafeBytes { key in
                        try (number == index ? value : entry.value).withUnsafeBytes {
                            try transaction.put(entry.database, key: key, value: $0)
                        }
                    }
                }
            }
        }
    }

    /// A few bytes flipped, most often in a header; or the value is cut, made longer, or rubbish.
    private func damaged(_ value: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var result = value
        switch random.int(0...9) {
        case 0 where !value.isEmpty: result.removeLast(random.int(1...value.count))
        case 1: result += (0..<random.int(1...20)).map { _ in UInt8(random.int(0...255)) }
        case 2: result = value.map { _ in UInt8(random.int(0...255)) }
        default:
            for _ in 0..<random.int(1...3) where !value.isEmpty {
                let place = random.int(
                    0...(random.once(in: 2) ? min(15, value.count - 1) : value.count - 1))
                result[place] =
                    random.once(in: 2)
                    ? result[place] ^ 1 << UInt8(random.int(0...7))
                    : random.pick([0, 1, 0x7F, 0x80, 0xFF])
            }
        }
        return result
    }

    /// The code of a storage error; anything else is a failure of the test.
    private func code(_ body: () throws -> Void) throws -> StorageError.Code? {
        do {
            try body()
            return nil
        } catch let error as StorageError {
            return error.code
        }
    }

    /// Reads every value of a source and asks it questions.
    private func readEverything(
        _ source: TableSource, _ world: ModelWorld, using random: inout SeededGenerator
    ) throws {
        let engine = ScanEngine(source: source)
        for id in world.tables.keys.sorted() {
            let table = source.table(id)
            var bytes = 0
            for index in 0..<table.clusterCount {
                let cluster = table.cluster(at: index)
                for row in 0..<cluster.count {
                    for column in table.definition.columns {
                        if case .bytes(let value) = StoredModelTable.read(
                            column, cluster, row, of: table)
                        {
                            bytes += value.count
                        }
                    }
                    _ = table.locate(cluster.key(at: row))
                }
            }
            for position in 0..<min(table.count, 300) { _ = table.locate(position: position) }
            for column in table.definition.columns {
                _ = try engine.sort(
                    nil, in: table,
                    by: [ScanSort(path: ScanPath(column: column.id), ascending: random.once(in: 2))]
                )
                guard [.integer, .float, .double].contains(column.type) else { continue }
                _ = try engine.sum(column: column.id, in: table, of: .matching(.all))
                _ = try engine.min(column: column.id, in: table, of: .matching(.all))
                _ = try engine.max(column: column.id, in: table, of: .matching(.all))
            }
        }
        let first = source.table(ModelWorld.first)
        var predicates = RandomPredicates(
            world: world, random: SeededGenerator(seed: random.next()))
        for number in 0..<30 {
            let predicate = number < 20 ? predicates.leaf(first.id) : predicates.tree(depth: 2)
            _ = try engine.keys(predicate, in: first)
            _ = try engine.count(predicate, in: first)
        }
    }

    /// Sets every value of every row that the tables seem to have, so that every stored column
    /// is written again.
    private func rewriteEverything(_ writeSet: WriteSet, _ world: ModelWorld) {
        for id in world.tables.keys.sorted() {
            let table = writeSet.mutableTable(id)
            for index in 0..<table.clusterCount {
                for row in 0..<table.cluster(at: index).count {
                    guard let target = table.mutableRow(table.cluster(at: index).key(at: row))
                    else { continue }
                    for column in table.definition.columns
                    where column.id != table.definition.primaryKey {
                        switch column.type {
                        case .integer: target.setInteger(column.id, Int64(row))
                        case .boolean: target.setBoolean(column.id, row % 2 == 0)
                        case .float: target.setFloat(column.id, Float(row))
                        case .double, .timestamp: target.setDouble(column.id, Double(row))
                        case .fixed12: target.setFixed12(column.id, (UInt64(row), 0))
                        case .fixed16, .decimal: target.setFixed16(column.id, (UInt64(row), 0))
                        case .text, .bytes:
                            [UInt8](repeating: 0x61, count: row % 40).withUnsafeBytes {
                                target.setBytes(column.id, $0)
                            }
                        case .link: target.setNull(column.id)
                        case .mixed: target.setMixed(column.id, nil)
                        }
                    }
                }
            }
        }
    }

    /// Sound records in the places of others, of the same length if there are such: chunks of
    /// long values were not told apart.
    @Test func recordsOfOtherPlacesAreDamage() throws {
        var random = Seed.random()
        let file = try DamagedFile(try TemporaryDirectory(), .tiny, rows: 60, using: &random)
        for database in [Database.clusters, .directory, .blobs, .elements] {
            let places = file.entries.indices.filter { file.entries[$0].database == database }
            let lengths = Dictionary(grouping: places) { file.entries[$0].value.count }
            for _ in 0..<40 where !places.isEmpty {
                let group =
                    random.once(in: 4)
                    ? places : lengths.values.sorted { ($0.count, $0[0]) > ($1.count, $1[0]) }[0]
                let (index, other) = (random.pick(group), random.pick(group))
                let (entry, value) = (file.entries[index], file.entries[other].value)
                if value == entry.value { continue }
                try file.replace(index, with: value)
                let store = try Store.open(file.options)
                var problems: [String] = []
                let failure = try code { problems = try store.check(try store.newestSnapshot()) }
                #expect(
                    failure == .corrupted || !problems.isEmpty,
                    """
                    FREEHOLD_SEED=\(random.seed): \(database) \(entry.key) has what \
                    \(file.entries[other].key) had
                    """
                )
            }
        }
    }

    /// A column under the number of one that the table never had: it read as one that was added
    /// later, null in every row.
    @Test func columnsThatATableNeverHadAreDamage() throws {
        var random = Seed.random()
        let file = try DamagedFile(try TemporaryDirectory(), .tiny, rows: 20, using: &random)
        for index in file.entries.indices
        where file.entries[index].database == .clusters && random.once(in: 20) {
            var entry = file.entries[index]
            let key = entry.key
            entry.key[12] = 0x7F
            try file.environment.writer.begin().commit { transaction in
                _ = try key.withUnsafeBytes { try transaction.delete(.clusters, key: $0) }
                try entry.key.withUnsafeBytes { key in
                    try entry.value.withUnsafeBytes {
                        try transaction.put(.clusters, key: key, value: $0)
                    }
                }
            }
            let store = try Store.open(file.options)
            var problems: [String] = []
            let failure = try code { problems = try store.check(try store.newestSnapshot()) }
            #expect(
                failure == .corrupted || !problems.isEmpty,
                "FREEHOLD_SEED=\(random.seed): \(key) became \(entry.key)")
            return
        }
    }

    @Test(arguments: [(StorageLayout.tiny, 40, 38), (StorageLayout(), 700, 10)])
    func damageIsFoundAndNeverTraps(layout: StorageLayout, rows: Int, rounds: Int) throws {
        var random = Seed.random()
        let file = try DamagedFile(try TemporaryDirectory(), layout, rows: rows, using: &random)
        let victims: [Database] = [.clusters, .clusters, .directory, .indexes, .indexes, .blobs]
        for _ in 0..<Stress.rounds(rounds) {
            let database = random.pick(victims)
            let index = random.pick(
                file.entries.indices.filter { file.entries[$0].database == database })
            let entry = file.entries[index]
            let value = damaged(entry.value, using: &random)
            if value == entry.value || value.isEmpty { continue }
            let comment = Comment(
                """
                FREEHOLD_SEED=\(random.seed): \(database) \(entry.key): \(entry.value.prefix(40)) \
                became \(value.prefix(40))
                """
            )

            // The check reports it, and nothing is committed from then on.
            try file.replace(index, with: value)
            do {
                let store = try Store.open(file.options)
                let snapshot = try store.newestSnapshot()
                var problems: [String] = []
                let failure = try code { problems = try store.check(snapshot) }
                #expect(failure == .corrupted || !problems.isEmpty, comment)
                #expect(try code { store.cancel(try store.beginWrite()) } == .corrupted, comment)
            }
            // Reading never traps, and throws nothing else.
            do {
                let store = try Store.open(file.options)
                let snapshot = try store.newestSnapshot()
                let failure = try code { try readEverything(snapshot, file.world, using: &random) }
                #expect(failure == nil || failure == .corrupted, comment)
            }
            // Neither do writing and deleting, and no damaged column is written as if it were
            // sound.
            do {
                let store = try Store.open(file.options)
                let failure = try code { try write(store) { rewriteEverything($0, file.world) } }
                #expect(failure == nil || failure == .corrupted, comment)
                let isRowKeys = entry.key.suffix(2) == [0, 0]
                if database == .clusters, !isRowKeys { #expect(failure == .corrupted, comment) }
            }
            try file.replace(index, with: value)
            do {
                let store = try Store.open(file.options)
                let failure = try code {
                    try write(store) { writeSet in
                        let keys = file.world.tables[ModelWorld.first]?.keys ?? []
                        try writeSet.mutableTable(ModelWorld.first).deleteRows(
                            keys.filter { $0 % 3 == 0 })
                        _ = writeSet.mutableTable(ModelWorld.first).insertRow(
                            RowKey(rawValue: .max - 1))
                        try readEverything(writeSet, file.world, using: &random)
                    }
                }
                #expect(failure == nil || failure == .corrupted, comment)
            }
        }
    }

    /// The old value of an indexed text, of which the transaction read nothing: only the commit
    /// compares it with the new one.
    @Test(arguments: [false, true]) func damageThatOnlyTheCommitComesBy(isFullText: Bool) throws {
        let directory = try TemporaryDirectory()
        let options = Store.Options(path: directory.file("damaged.freehold"), hooks: .tiny)
        let (table, text) = try write(try Store.open(options)) { writeSet in
            let table = writeSet.createTable(named: "Row")
            let text = writeSet.addColumn(
                to: table, named: "text", type: .text, isNullable: false, isIndexed: !isFullText)
            if isFullText { writeSet.setFullText(true, column: text, of: table) }
            for key in 1...3 as ClosedRange<Int64> {
                let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: key))
                Array(String(repeating: "word\(key) ", count: 150).utf8).withUnsafeBytes {
                    row.setBytes(text, $0)
                }
            }
            return (table, text)
        }.0
        let environment = try Store.open(options).environment
        var entry = try #require(try environment.read().entries(.blobs).first)
        entry.value[500] ^= 1
        try environment.writer.begin().commit { transaction in
            try entry.key.withUnsafeBytes { key in
                try entry.value.withUnsafeBytes { try transaction.put(.blobs, key: key, value: $0) }
            }
        }
        let store = try Store.open(options)
        let version = try store.newestSnapshot().version
        let writeSet = try store.beginWrite()
        let row = try #require(writeSet.mutableTable(table).mutableRow(RowKey(rawValue: 1)))
        Array("short".utf8).withUnsafeBytes { row.setBytes(text, $0) }
        #expect(try code { _ = try store.commit(writeSet) } == .corrupted)
        #expect(try environment.read().version == version)
    }
}
