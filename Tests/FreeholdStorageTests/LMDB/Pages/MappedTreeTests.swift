import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Lookups on LMDB's pages, of random trees and of older versions, against what was put in.
@Suite(.disabled(if: EncryptedSuite.isOn, "reads plain pages")) struct MappedTreeTests {
    private static func key(_ random: inout SeededGenerator, _ shape: Int) -> [UInt8] {
        switch shape {
        // Keys that differ early, or late behind what all have in common; prefixes of each
        // other; long ones, of which few lie on a page.
        case 0: (0..<random.int(1...40)).map { _ in UInt8(random.int(0...255)) }
        case 1: Array("0123456Name 000".utf8) + Array(String(random.int(0...4000)).utf8)
        case 2: [UInt8](repeating: 7, count: random.int(1...300))
        default:
            [UInt8](repeating: 9, count: 400)
                + (0..<random.int(1...100)).map { _ in UInt8(random.int(0...3)) }
        }
    }

    private static let longestValue = 6000

    @Test(arguments: [nil, 1] as [UInt64?])
    func findsWhatWasPut(seed own: UInt64?) throws {
        var random = Seed.random(own)
        let seed = random.seed
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(
            .init(directory.file("a.realm")) { $0.durability = .none })
        var content: [[UInt8]: [UInt8]] = [:]
        var older: [(view: ReadTransaction, content: [[UInt8]: [UInt8]])] = []
        for (round, additions) in [0, 1, 3, 60, 700, 3000].enumerated() {
            let new = (0..<additions).map { _ in Self.key(&random, random.int(0...3)) }
            let gone = content.keys.sorted { $0.lexicographicallyPrecedes($1) }.filter { _ in
                random.once(in: 4)
            }
            let longest = round == 5 ? Self.longestValue : 60
            let values = new.map { _ in
                [UInt8](
                    repeating: UInt8(random.int(0...255)),
                    count: random.once(in: 50) ? longest : random.int(0...60))
            }
            let (_, view) = try environment.writer.begin().commit { transaction in
                for key in gone {
                    try key.withUnsafeBytes { _ = try transaction.delete(.indexes, key: $0) }
                }
                for (key, value) in zip(new, values) {
                    try key.withUnsafeBytes { key in
                        try value.withUnsafeBytes {
                            try transaction.put(.indexes, key: key, value: $0)
                        }
                    }
                }
            }
            for key in gone { content[key] = nil }
            for (key, value) in zip(new, values) { content[key] = value }
            older.append((view, content))
            // Versions that are still read keep their answers while others are written.
            for (view, content) in older {
                let known = content.keys.sorted { $0.lexicographicallyPrecedes($1) }
                for sought in known.shuffled(using: &random).prefix(400) + gone.prefix(100)
                    + (0..<100).map({ _ in Self.key(&random, random.int(0...3)) })
                {
                    let found = try sought.withUnsafeBytes {
                        try view.value(.indexes, key: $0).map(Array.init)
                    }
                    #expect(found == content[sought], "FREEHOLD_SEED=\(seed): \(sought)")
                }
            }
        }
    }
}
