import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Lookups that read LMDB's pages against LMDB's own.
@Suite(.disabled(if: EncryptedSuite.isOn, "reads plain pages")) struct TreeDescentTests {
    private static func key(_ random: inout SeededGenerator, _ shape: Int) -> [UInt8] {
        switch shape {
        // Keys that differ early, or late behind what all have in common; prefixes of each other; long ones, of which few lie on a page.
        case 0: (0..<random.int(1...40)).map { _ in UInt8(random.int(0...255)) }
        case 1: Array("0123456Name 000".utf8) + Array(String(random.int(0...4000)).utf8)
        case 2: [UInt8](repeating: 7, count: random.int(1...300))
        default: [UInt8](repeating: 9, count: 400) + (0..<random.int(1...100)).map { _ in UInt8(random.int(0...3)) }
        }
    }

    /// What a lookup that asks LMDB for nothing says.
    private static func answer(_ view: ReadTransaction, _ key: UnsafeRawBufferPointer) throws -> String {
        switch try #require(view.indexes).find(key) {
        case .found(let value): "\(Array(value))"
        case .missing: "missing"
        case .unknown: "unknown"
        }
    }

    /// What it has to say: only an empty tree, and a value on pages of its own, are left to LMDB.
    private static func answer(_ expected: [UInt8]?, isLeftToLMDB: Bool) -> String { isLeftToLMDB ? "unknown" : expected.map { "\($0)" } ?? "missing" }

    private static let longestValue = 6000

    @Test(arguments: [UInt64.random(in: 0 ... .max), 1])
    func findsWhatLMDBFinds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(.init(directory.file("a.realm")) { $0.durability = .none })
        var known: [[UInt8]] = []
        var older: [ReadTransaction] = []
        var hadLargeValue: Set<[UInt8]> = []
        for (round, additions) in [0, 1, 3, 60, 700, 3000].enumerated() {
            let new = (0..<additions).map { _ in Self.key(&random, random.int(0...3)) }
            let gone = known.filter { _ in random.once(in: 4) }
            let longest = round == 5 ? Self.longestValue : 60
            let values = new.map { _ in [UInt8](repeating: UInt8(random.int(0...255)), count: random.once(in: 50) ? longest : random.int(0...60)) }
            hadLargeValue.formUnion(zip(new, values).filter { $0.1.count == longest && longest == Self.longestValue }.map(\.0))
            let (_, view) = try environment.writer.begin().commit { transaction in
                for key in gone { try key.withUnsafeBytes { _ = try transaction.delete(.indexes, key: $0) } }
                for (key, value) in zip(new, values) {
                    try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(.indexes, key: key, value: $0) } }
                }
            }
            known += new
            older.append(view)
            // Versions that are still read keep their answers while others are written.
            for view in older {
                for sought in known.shuffled(using: &random).prefix(400) + (0..<100).map({ _ in Self.key(&random, random.int(0...3)) }) {
                    try sought.withUnsafeBytes { bytes in
                        let expected = try view.value(.indexes, key: bytes).map(Array.init)
                        #expect(try view.indexValue(bytes).map(Array.init) == expected, "seed \(seed): \(sought)")
                        let answer = try Self.answer(view, bytes)
                        // A value that takes the place of a large one stays on the pages of that.
                        if expected != nil, hadLargeValue.contains(sought), answer == "unknown" { return }
                        let isLeft = view.entryCount(.indexes) == 0 || expected?.count == Self.longestValue
                        #expect(answer == Self.answer(expected, isLeftToLMDB: isLeft), "seed \(seed): \(sought)")
                    }
                }
            }
        }
    }
}
