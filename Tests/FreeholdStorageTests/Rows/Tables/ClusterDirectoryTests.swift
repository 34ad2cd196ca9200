import FreeholdStorage
import FreeholdTestSupport
import Testing

/// In which cluster a key belongs, against a look at all of them.
@Suite struct ClusterDirectoryTests {
    /// First keys at distances of many shapes, ascending.
    private static func firstKeys(_ random: inout SeededGenerator, _ shape: Int) -> [Int64] {
        let count = random.int(0...200)
        let keys: [Int64]
        switch shape {
        case 0: keys = (0..<count).map { Int64($0) * 2048 }
        case 1: keys = (0..<count).map { Int64($0) - 100 }
        case 2:
            keys =
                (0..<count).map { _ in Int64.random(in: .min ... .max, using: &random) } + [
                    .min, .max,
                ]
        case 3: keys = (0..<count).map { _ in Int64.random(in: -300...300, using: &random) }
        default: keys = (0..<count).map { Int64($0) } + (0..<count).map { .max - Int64($0) * 3 }
        }
        return Set(keys).sorted()
    }

    private static func sought(_ keys: [Int64], _ random: inout SeededGenerator) -> [Int64] {
        let others = (0..<50).map { _ in Int64.random(in: .min ... .max, using: &random) }
        let neighbours: [Int64] = keys.flatMap { [$0 &+ 1, $0 &- 1] }
        return keys + neighbours + [.min, .max, 0] + others
    }

    private static func expectFound(
        _ directory: ClusterDirectory, _ keys: [Int64], _ random: inout SeededGenerator
    ) {
        for key in sought(keys, &random) {
            #expect(
                directory.clusterIndex(covering: key) == keys.lastIndex { $0 <= key },
                "FREEHOLD_SEED=\(random.seed), key \(key) in \(keys)")
        }
    }

    @Test(arguments: [nil, 1] as [UInt64?])
    func keysBelongInTheLastClusterThatBeginsNotAboveThem(seed own: UInt64?) {
        var random = Seed.random(own)
        for round in 0..<50 {
            let keys = Self.firstKeys(&random, round % 5)
            Self.expectFound(
                ClusterDirectory(
                    firstKeys: ContiguousArray(keys),
                    counts: ContiguousArray(repeating: 1, count: keys.count)), keys, &random)
        }
    }

    @Test(arguments: [nil, 1] as [UInt64?])
    func keysAreFoundWhileClustersComeAndGo(seed own: UInt64?) {
        var random = Seed.random(own)
        for shape in 0..<5 {
            var directory = ClusterDirectory()
            var keys: [Int64] = []
            for (index, key) in Self.firstKeys(&random, shape).shuffled(using: &random).enumerated()
            {
                let place = keys.firstIndex { $0 > key } ?? keys.count
                keys.insert(key, at: place)
                directory.insert(firstKey: key, count: 1, at: place)
                if random.once(in: 3) {
                    let gone = random.int(0...keys.count - 1)
                    keys.remove(at: gone)
                    directory.remove(at: gone)
                }
                if index % 20 == 0 { Self.expectFound(directory, keys, &random) }
            }
            Self.expectFound(directory, keys, &random)
        }
    }

    /// Of a damaged file.
    @Test func keysInNoOrderAreHarmless() {
        for keys: ContiguousArray<Int64> in [
            [5, 1], [3, 3], [1, 9, 2, 8], [.max, .min], [0, .max, .min, 4],
        ] {
            let directory = ClusterDirectory(
                firstKeys: keys, counts: ContiguousArray(repeating: 1, count: keys.count))
            for key in [Int64.min, -1, 0, 1, 2, 3, 5, 8, .max] {
                let found = directory.clusterIndex(covering: key)
                #expect(found.map { keys.indices.contains($0) } ?? true)
            }
        }
    }
}
