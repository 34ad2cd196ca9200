import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What differs between two trees on LMDB's pages, against what LMDB says about all of their
/// entries.
@Suite(.disabled(if: EncryptedSuite.isOn, "reads plain pages")) struct TreeComparisonTests {
    /// Several versions of one database that are all being read.
    private struct Versions {
        let directory: TemporaryDirectory
        let path: String
        let environment: Environment
        var views: [ReadTransaction] = []
        /// The entries of each version.
        var entries: [[[UInt8]: [UInt8]]] = [[:]]

        init() throws {
            directory = try TemporaryDirectory()
            path = directory.file("a.realm")
            environment = try Environment.open(.init(path) { $0.durability = .none })
            views = [try environment.read()]
        }

        mutating func commit(deleting gone: [[UInt8]], putting values: [([UInt8], [UInt8])]) throws
        {
            let (_, view) = try environment.writer.begin().commit { transaction in
                for key in gone {
                    try key.withUnsafeBytes { _ = try transaction.delete(.clusters, key: $0) }
                }
                for (key, value) in values {
                    try key.withUnsafeBytes { key in
                        try value.withUnsafeBytes {
                            try transaction.put(.clusters, key: key, value: $0)
                        }
                    }
                }
            }
            views.append(view)
            var now = entries[entries.count - 1]
            for key in gone { now[key] = nil }
            for (key, value) in values { now[key] = value }
            entries.append(now)
        }

        /// The newest version's keys, in order.
        var keys: [[UInt8]] {
            entries[entries.count - 1].keys.sorted { $0.lexicographicallyPrecedes($1) }
        }

        static func tree(_ view: ReadTransaction) throws -> MappedTree {
            try #require(try view.mappedTree(.clusters))
        }
    }

    private static func byPages(_ old: MappedTree, _ new: MappedTree) -> (
        keys: [[UInt8]], pageCount: Int?
    ) {
        var keys: [[UInt8]] = []
        let pageCount = try? TreeComparison(from: old, to: new).forEachDifference {
            keys.append(Array($0))
        }
        return (keys, pageCount)
    }

    private static func byCursors(_ old: ReadTransaction, _ new: ReadTransaction) throws
        -> [[UInt8]]
    {
        var keys: [[UInt8]] = []
        try CursorComparison.forEachDifference(.clusters, from: old, to: new) {
            keys.append(Array($0))
        }
        return keys
    }

    private static func key(_ random: inout SeededGenerator, _ shape: Int) -> [UInt8] {
        switch shape {
        case 0: (0..<random.int(1...40)).map { _ in UInt8(random.int(0...255)) }
        case 1: Array("key ".utf8) + Array(String(random.int(0...4000)).utf8)
        case 2: [UInt8](repeating: 7, count: random.int(1...300))
        // Long ones, of which few lie on a page, so that trees become high.
        default:
            [UInt8](repeating: 9, count: 400)
                + (0..<random.int(1...100)).map { _ in UInt8(random.int(0...3)) }
        }
    }

    private static func value(_ random: inout SeededGenerator) -> [UInt8] {
        [UInt8](
            repeating: UInt8(random.int(0...3)),
            count: random.pick([0, 1, 8, 60, 60, 2000, 2100, 4080, 4081, 9000]))
    }

    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func findsWhatDiffers(seed own: UInt64?) throws {
        var random = Seed.random(own)
        let seed = random.seed
        var versions = try Versions()
        // From nothing to a single leaf to several levels, and back.
        let steps: [(additions: Int, share: Int)] = [
            (1, 0), (2, 0), (8, 0), (300, 10), (3, 0), (0, 1), (1500, 5), (1, 0), (0, 1), (40, 1),
            (0, 60), (600, 3), (0, 97), (0, 100), (5, 0), (0, 100), (900, 0),
        ]
        for step in steps {
            let known = versions.keys
            let gone = Set(known.filter { _ in random.int(1...100) <= step.share })
            // Some are put again as they are.
            let again = known.filter { _ in random.once(in: 200) }.map { key in
                (key, random.once(in: 2) ? Self.value(&random) : versions.entries.last?[key] ?? [])
            }
            try versions.commit(
                deleting: Array(gone),
                putting: again.filter { !gone.contains($0.0) }
                    + (0..<step.additions).map { _ in
                        (Self.key(&random, random.int(0...3)), Self.value(&random))
                    })
        }
        #expect(Set(try versions.views.map { try Versions.tree($0).depth }).count >= 4)
        for (index, old) in versions.views.enumerated() {
            for (other, new) in versions.views.enumerated()
            where abs(index - other) <= 1 || random.once(in: max(1, 60 / Stress.factor)) {
                let comment = Comment("FREEHOLD_SEED=\(seed): version \(index) to \(other)")
                let (before, now) = (versions.entries[index], versions.entries[other])
                let expected =
                    (Array(before.keys.filter { before[$0] != now[$0] })
                    + now.keys.filter { before[$0] == nil }).sorted {
                        $0.lexicographicallyPrecedes($1)
                    }
                let found = Self.byPages(try Versions.tree(old), try Versions.tree(new))
                #expect(found.pageCount != nil && found.keys == expected, comment)
                #expect(try Self.byCursors(old, new) == expected, comment)
            }
        }
    }

    /// The cost follows from what changed, not from the file.
    @Test func readsChangedPagesOnly() throws {
        var random = Seed.random()
        var versions = try Versions()
        func key(_ number: Int) -> [UInt8] {
            Array("a key of some length \(10_000_000 + number)".utf8)
        }
        try versions.commit(
            deleting: [], putting: (0..<30_000).map { (key($0), [UInt8](repeating: 1, count: 60)) })
        let depth = try Versions.tree(versions.views[1]).depth
        #expect(depth >= 3)
        for _ in 0..<20 {
            let number = random.int(0...29_999)
            let old = versions.views[versions.views.count - 1]
            try versions.commit(
                deleting: [],
                putting: [(key(number), [UInt8](repeating: UInt8(random.int(2...255)), count: 60))])
            let found = Self.byPages(
                try Versions.tree(old), try Versions.tree(versions.views[versions.views.count - 1]))
            #expect(found.keys == (found.keys.isEmpty ? [] : [key(number)]))
            #expect(found.pageCount == 2 * depth)
        }
        // Splits and merges change a few pages more, of each level.
        let old = versions.views[versions.views.count - 1]
        let gone = (0..<200).map(key)
        let new: [[UInt8]] = (0..<200).map { key(20_000) + [UInt8($0)] }
        try versions.commit(
            deleting: gone, putting: new.map { ($0, [UInt8](repeating: 1, count: 60)) })
        let found = Self.byPages(
            try Versions.tree(old), try Versions.tree(versions.views[versions.views.count - 1]))
        #expect(found.keys == gone + new)
        #expect(try #require(found.pageCount) < 40)
    }

    /// Whatever the pages say, the walk ends, and neither reads nor hands out anything outside
    /// of them.
    @Test func damagedPages() throws {
        var random = Seed.random()
        var versions = try Versions()
        for count in [400, 40, 40] {
            let gone = versions.keys.filter { _ in random.once(in: 9) }
            try versions.commit(
                deleting: gone,
                putting: (0..<count).map { _ in
                    (Self.key(&random, random.int(0...3)), Self.value(&random))
                })
        }
        let trees = try versions.views.map(Versions.tree)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: versions.path)))
        let (lastPage, size) = (Int(trees.map(\.lastPage).max()!), trees[0].pageSize)
        let memory = try GuardedMemory(count: (lastPage + 1) * size)
        func copy(_ tree: MappedTree) -> MappedTree {
            MappedTree(
                base: memory.start, root: tree.root, depth: tree.depth, lastPage: UInt64(lastPage),
                pageSize: size)
        }
        func restore() {
            for index in 0..<memory.bytes.count {
                memory.bytes[index] = index < bytes.count ? bytes[index] : 0
            }
        }
        restore()
        #expect(
            Self.byPages(copy(trees[1]), copy(trees[3])).keys
                == (try Self.byCursors(versions.views[1], versions.views[3])))

        var outcomes: [Bool: Int] = [:]
        for _ in 0..<3000 {
            var undo: [(Int, UInt8)] = []
            for _ in 0..<random.int(1...6) {
                let page =
                    random.once(in: 4)
                    ? Int(random.pick(trees.filter { !$0.isEmpty }).root) : random.int(2...lastPage)
                let offset = random.once(in: 2) ? random.int(0...60) : random.int(0...size - 1)
                let place = page * size + offset
                undo.append((place, memory.bytes[place]))
                memory.bytes[place] =
                    random.once(in: 2)
                    ? memory.bytes[place] ^ UInt8(1 << random.int(0...7))
                    : UInt8(random.pick([0, 1, 2, 127, 255]))
            }
            let (old, new) = (random.pick(trees), random.pick(trees))
            var isInside = true
            let pageCount = try? TreeComparison(from: copy(old), to: copy(new)).forEachDifference {
                key in
                isInside =
                    isInside && key.baseAddress! >= memory.start
                    && key.baseAddress! + key.count <= memory.start + memory.bytes.count
            }
            #expect(isInside)
            outcomes[pageCount != nil, default: 0] += 1
            for (place, byte) in undo.reversed() { memory.bytes[place] = byte }
        }
        #expect(outcomes[true, default: 0] > 100 && outcomes[false, default: 0] > 100)
    }

    /// Children that lead back to where they are would be walked through for ever.
    @Test func pagesThatContainThemselves() throws {
        let size = pageSizeOfNewFiles
        let memory = try GuardedMemory(count: 8 * size)
        // Branches of 20 children at pages 2 to 6, each child the page below the next higher
        // one, which takes 20^5 steps; and a leaf.
        for number in 2..<8 {
            let start = number * size
            memory.put(UInt64(number), at: start)
            memory.put(UInt16(number < 7 ? 1 : 2), at: start + 10)
            memory.put(UInt16(16 + 2 * 20), at: start + 12)
            for index in 0..<20 {
                let node = size - 16 * (index + 1)
                memory.put(UInt16(node), at: start + 16 + 2 * index)
                memory.put(UInt32(number < 7 ? number + 1 : 0), at: start + node)
                memory.put(UInt16(4), at: start + node + 6)
                memory.put(UInt32(index).bigEndian, at: start + node + 8)
            }
        }
        func tree(_ root: UInt64, _ depth: Int) -> MappedTree {
            MappedTree(base: memory.start, root: root, depth: depth, lastPage: 7, pageSize: size)
        }
        #expect(Self.byPages(tree(2, 6), tree(7, 1)).pageCount == nil)
        #expect(Self.byPages(tree(7, 1), tree(2, 6)).pageCount == nil)
        #expect(Self.byPages(tree(7, 1), tree(7, 1)).pageCount == 0)
        // Impossible records.
        for depth in [0, -1, 33, 65535] {
            #expect(Self.byPages(tree(2, depth), tree(7, 1)).pageCount == nil)
        }
        for root: UInt64 in [0, 1, 8, 1 << 60] {
            #expect(Self.byPages(tree(root, 3), tree(7, 1)).pageCount == nil)
        }
    }
}
