@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Row keys as runs.
@Suite struct HistoryKeysTests {
    private func randomKeys(_ random: inout SeededGenerator) -> ContiguousArray<Int64> {
        let count = Int.random(in: 0...60, using: &random)
        let all: [Int64] = (0..<count).map { _ in
            [.min, .min + 1, .max - 1, .max].randomElement(using: &random)
                .flatMap { Int.random(in: 0..<10, using: &random) == 0 ? $0 : nil }
                ?? Int64.random(in: -40...40, using: &random)
        }
        return ContiguousArray(Set(all).sorted())
    }

    @Test func placesAndUnionsAreThoseOfTheKeys() {
        var random = Seed.random()
        for _ in 0..<500 {
            let columns = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                randomKeys(&random)
            }
            for keys in columns {
                let runs = HistoryKeys(keys)
                #expect(Array(runs) == Array(keys) && runs.count == keys.count)
                for (place, key) in keys.enumerated() where runs.place(of: key) != place {
                    Issue.record("the place of \(key) in \(keys)")
                }
                let others = Set<Int64>([-41, 0, 7, 41, .min, .max]).subtracting(keys)
                #expect(others.allSatisfy { runs.place(of: $0) == nil })
            }
            let union = HistoryKeys(union: columns.map { HistoryKeys($0) })
            let wanted = ContiguousArray(Set(columns.joined()).sorted())
            #expect(union == HistoryKeys(wanted), "\(columns)")
        }
    }

    /// A few bytes can name more keys than any table has.
    @Test func hugeRunsAreDamage() throws {
        var out = ArchiveWriter()
        out.put(number: 1)
        out.put(varint: 0)
        out.put(varint: UInt64(1) << 60)
        #expect(throws: ArchiveDamage.self) {
            try out.bytes.withUnsafeBytes { bytes throws(ArchiveDamage) in
                var reader = ArchiveReader(bytes)
                return try reader.historyKeys()
            }
        }
    }

    // MARK: Entries of impossibly many keys

    private static let most: Int64 = 1 << 48

    /// A run of as many keys as are possible at most.
    private func run(from first: Int64) throws -> HistoryKeys {
        var out = ArchiveWriter()
        out.put(number: 1)
        out.put(varint: UInt64(bitPattern: first &<< 1 ^ first >> 63))
        out.put(varint: UInt64(Self.most) - 1)
        return try out.bytes.withUnsafeBytes { bytes in
            var reader = ArchiveReader(bytes)
            return try reader.historyKeys()
        }
    }

    private func expectDamage(
        _ tables: [HistoryEntry.Table], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let bytes = HistoryEntry(
            head: HistoryEntry.Head(sequence: 1, mark: 1, previousMark: 1, time: 0),
            processName: "", processID: 1, tables: tables, targets: [:]
        ).encoded()
        #expect(throws: ArchiveDamage.self, sourceLocation: sourceLocation) {
            try bytes.withUnsafeBytes { try HistoryEntry(decoding: $0, sequence: 1) }
        }
    }

    @Test func hugeUnionsOfColumnsAreDamage() throws {
        var table = HistoryEntry.Table(name: "Item")
        table.columns = [
            HistoryEntry.Column(
                definition: ColumnDefinition(
                    id: ColumnID(rawValue: 1), name: "count", type: .integer, isNullable: false,
                    isIndexed: false))
        ]
        // Together 2^63 keys.
        for place in 0..<(1 << 15) as Range<Int64> {
            let keys = try run(from: .min + place * Self.most)
            table.modified.append(HistoryEntry.Cells(column: 0, keys: keys))
        }
        expectDamage([table])
    }

    @Test func hugeSumsAreDamage() throws {
        var table = HistoryEntry.Table(name: "Item")
        table.deleted = try run(from: 0)
        expectDamage(Array(repeating: table, count: 1 << 15))
        table.inserted = try run(from: -Self.most)
        expectDamage([table])
    }

    /// An array of the keys would reserve memory for all of them.
    @Test func manyKeysAreNotEstimated() throws {
        let keys = try run(from: 0)
        #expect(keys.count == Int(Self.most))
        #expect(keys.underestimatedCount <= 1 << 16)
        #expect(HistoryKeys([1, 2, 5]).underestimatedCount == 3)
    }
}
