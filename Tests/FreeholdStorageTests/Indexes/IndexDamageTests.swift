import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

/// Each damage that one entry of an index can have, of a value with several entries and of one with
/// one: nothing traps, `check()` reports it, and a commit that comes by it is refused.
@Suite(.disabled(if: EncryptedSuite.isOn, "writes plain records")) struct IndexDamageTests {
    private typealias Entry = (key: [UInt8], value: [UInt8])

    /// The first 12 rows have 7, the next one 8, the last one 9. Only even keys, so that rows
    /// can come between.
    private static func makeFile(_ options: Store.Options) throws -> (
        Environment, TableID, ColumnID
    ) {
        let store = try Store.open(options)
        let (table, number) = try write(store) { writeSet in
            let table = writeSet.createTable(named: "Items")
            let number = writeSet.addColumn(
                to: table, named: "number", type: .integer, isNullable: true, isIndexed: true)
            for key in 1...14 as ClosedRange<Int64> {
                let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: key * 2))
                row.setInteger(number, key > 12 ? key - 5 : 7)
            }
            return (table, number)
        }.0
        return (store.environment, table, number)
    }

    private static func replaceAll(_ entries: [Entry], _ environment: Environment) throws {
        try environment.writer.begin().commit { transaction in
            try transaction.deleteAll(.indexes)
            for entry in entries {
                try entry.key.withUnsafeBytes { key in
                    try entry.value.withUnsafeBytes {
                        try transaction.put(.indexes, key: key, value: $0)
                    }
                }
            }
        }
    }

    private static func damages(of entries: [Entry]) -> [(name: String, entries: [Entry])] {
        var found: [(String, [Entry])] = []
        for index in entries.indices {
            func add(_ name: String, _ change: (inout [Entry]) -> Void) {
                var damaged = entries
                change(&damaged)
                found.append(("entry \(index): \(name)", damaged))
            }
            add("missing") { $0.remove(at: index) }
            for count in 0..<entries[index].value.count {
                add("\(count) bytes") { $0[index].value.removeSubrange(count...) }
            }
            add("a byte more") { $0[index].value.append(1) }
            for bit in 0..<entries[index].value.count * 8 {
                add("bit \(bit)") { $0[index].value[bit / 8] ^= 1 << UInt8(bit % 8) }
            }
            for other in entries.indices where other != index {
                add("that of \(other)") { $0[index].value = entries[other].value }
            }
        }
        return found
    }

    /// How many of the questions and of the commits met the damage.
    private struct Met {
        var reads = 0
        var commits = 0
    }

    private func ask(_ index: IndexReader, _ met: inout Met, _ name: String) {
        func meets(_ body: () throws -> Void) {
            do {
                try body()
            } catch {
                #expect((error as? StorageError)?.code == .corrupted, "\(name): \(error)")
                met.reads += 1
            }
        }
        for value in [7, 8, 9] as [Int64] {
            var keys: [Int64] = []
            meets { try index.appendKeys(equalTo: .integer(value), to: &keys) }
            // Loops go as far as a count says.
            meets {
                let count = try index.count(equalTo: .integer(value))
                #expect(count <= 1 << 20, "\(name)")
            }
            for key in [1, 2, 15, 24, 26, 40] as [Int64] {
                meets { _ = try index.contains(.integer(value), key) }
            }
        }
        var keys: [Int64] = []
        meets { try index.appendKeys(from: .unbounded, to: .unbounded, to: &keys) }
        meets {
            try index.appendKeys(
                from: .excluding(.integer(7)), to: .including(.integer(9)), to: &keys)
        }
        for ascending in [true, false] {
            meets { _ = try index.forEachKey(type: .integer, ascending: ascending) { _ in true } }
        }
    }

    /// Each change is one of a transaction of its own, so that it meets the damage first.
    private func change(
        _ store: Store, _ table: TableID, _ number: ColumnID, _ met: inout Met, _ name: String
    ) throws {
        let changes: [(MutableTable) throws -> Void] = [
            { $0.mutableRow(RowKey(rawValue: 2))?.setInteger(number, 8) },
            { $0.mutableRow(RowKey(rawValue: 14))?.setInteger(number, 9) },
            { $0.mutableRow(RowKey(rawValue: 26))?.setInteger(number, 7) },
            { $0.insertRow(RowKey(rawValue: 15)).setInteger(number, 7) },
            { try $0.deleteRows([18, 20, 22, 24]) },
            { try $0.deleteRows([2, 4, 6]) },
        ]
        for change in changes {
            guard let writeSet = try? store.beginWrite() else { return }
            do {
                try change(writeSet.mutableTable(table))
                _ = try store.commit(writeSet)
            } catch {
                #expect((error as? StorageError)?.code == .corrupted, "\(name): \(error)")
                met.commits += 1
            }
        }
    }

    @Test func everyDamageOfAnEntry() throws {
        let directory = try TemporaryDirectory()
        var options = Store.Options(path: directory.file("damaged.freehold"), hooks: .tiny)
        options.isTemporary = true
        let (environment, table, number) = try Self.makeFile(options)
        let sound = try environment.read().entries(.indexes)
        try #require(sound.count == 6)
        let content = try Database.allCases.map { ($0, try environment.read().entries($0)) }
        var met = Met()
        for (name, damaged) in Self.damages(of: sound) {
            try Self.replaceAll(damaged, environment)
            // A store of its own: what it remembers of damage ends with it.
            do {
                let store = try Store.open(options)
                let snapshot = try store.newestSnapshot()
                #expect((try? store.check(snapshot)) != [], "\(name)")
            }
            do {
                let store = try Store.open(options)
                let snapshot = try store.newestSnapshot()
                ask(try #require(snapshot.table(table).index(of: number)), &met, name)
            }
            try change(try Store.open(options), table, number, &met, name)
            // The other databases as they were.
            try environment.writer.begin().commit { transaction in
                for (database, entries) in content where database != .indexes && database != .meta {
                    try transaction.deleteAll(database)
                    for entry in entries {
                        try entry.key.withUnsafeBytes { key in
                            try entry.value.withUnsafeBytes {
                                try transaction.put(database, key: key, value: $0)
                            }
                        }
                    }
                }
            }
        }
        #expect(met.reads > 100)
        #expect(met.commits > 100)
    }
}
