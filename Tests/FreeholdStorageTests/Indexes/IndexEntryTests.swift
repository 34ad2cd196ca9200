import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

@Suite struct IndexEntryTests {
    @Test func keysComeBack() {
        var random = SeededGenerator(test: "index entry")
        for _ in 0..<500 {
            let keys = Set((0..<random.int(1...50)).map { _ in Bool.random(using: &random) ? Int64(random.int(-300...300)) : Int64.random(in: .min ... .max, using: &random) })
                .union(random.once(in: 3) ? [.min, .max] : []).sorted()
            let bound = random.once(in: 2) ? keys[0] : Int64.min
            var bytes = ContiguousArray<UInt8>()
            IndexEntry.encode(keys[...], bound: bound, into: &bytes)
            var found: [Int64] = []
            #expect(bytes.withUnsafeBytes { IndexEntry.appendKeys($0, bound: bound, to: &found) }, "seed \(random.seed)")
            #expect(found == keys, "seed \(random.seed)")
        }
    }

    /// Each list has one spelling, so that `check()` finds every changed byte.
    @Test(arguments: [
        [], [1], [0, 0], [1, 0], [1, 0, 0x80], [1, 0, 0x80, 0], [1, 0, 5, 0], [2, 0, 5], [2, 0, 5, 0], [2, 0, 0, 0],
        [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2],
    ] as [[UInt8]])
    func impossibleBytesAreRefused(_ bytes: [UInt8]) {
        var keys: [Int64] = []
        #expect(!bytes.withUnsafeBytes { IndexEntry.appendKeys($0, bound: 0, to: &keys) })
    }
}
