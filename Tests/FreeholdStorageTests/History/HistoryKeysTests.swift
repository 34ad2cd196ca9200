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
}
