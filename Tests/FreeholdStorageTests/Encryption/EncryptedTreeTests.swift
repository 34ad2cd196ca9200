import FreeholdStorage
import FreeholdTestSupport
import Testing

/// The trees of encrypted files against sorted arrays.
@Suite struct EncryptedTreeTests {
    static let key = EncryptionKey((0..<64).map { UInt8($0) })

    private struct Model {
        var entries: [(key: [UInt8], value: [UInt8])] = []

        func lowerBound(_ key: [UInt8]) -> Int {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].key.lexicographicallyPrecedes(key) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }

        func index(of key: [UInt8]) -> Int? {
            let index = lowerBound(key)
            return index < entries.count && entries[index].key == key ? index : nil
        }

        mutating func put(_ key: [UInt8], _ value: [UInt8]) {
            if let index = index(of: key) {
                entries[index].value = value
            } else {
                entries.insert((key, value), at: lowerBound(key))
            }
        }

        mutating func delete(_ key: [UInt8]) -> Bool {
            guard let index = index(of: key) else { return false }
            entries.remove(at: index)
            return true
        }
    }

    private static func randomKey(_ random: inout SeededGenerator) -> [UInt8] {
        let length =
            Int.random(in: 1...4, using: &random) == 4
            ? Int.random(in: 1...511, using: &random) : Int.random(in: 1...4, using: &random)
        return (0..<length).map { _ in UInt8.random(in: 0...5, using: &random) }
    }

    private static func randomValue(_ random: inout SeededGenerator) -> [UInt8] {
        let length = [0, 3, 40, 256, 257, 1000, 5000][Int.random(in: 0...6, using: &random)]
        return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func options(_ path: String, capacity: Int) -> Environment.Options {
        let hooks = TestHooks {
            $0.layout.encryptedNodeCapacity = capacity
            $0.recordCacheSize = 20_000
        }
        return Environment.Options(path, hooks: hooks) { $0.encryptionKey = key }
    }

    /// A cursor goes on from its key, whatever happens to the tree: to the next key above it,
    /// or below it, of those that are there then.
    @Test(arguments: [60, 1000]) func cursorsGoOnWhileTheTreeChanges(capacity: Int) throws {
        var random = Seed.random()
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(
            Self.options(directory.file("tree.freehold"), capacity: capacity))
        try environment.writer.begin().commit { transaction in
            var model = Model()
            func change() throws {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let key = [
                        UInt8.random(in: 0...3, using: &random),
                        UInt8.random(in: 0...255, using: &random),
                    ]
                    if Bool.random(using: &random) {
                        try key.withUnsafeBytes { key in
                            try [7, 8].withUnsafeBytes {
                                try transaction.put(.clusters, key: key, value: $0)
                            }
                        }
                        model.put(key, [7, 8])
                    } else {
                        let isThere = try key.withUnsafeBytes {
                            try transaction.delete(.clusters, key: $0)
                        }
                        #expect(isThere == model.delete(key))
                    }
                }
            }
            for _ in 0..<100 { try change() }
            for _ in 0..<40 {
                var cursor = try transaction.cursor(.clusters)
                var key = try cursor.first().map { Array($0.key) }
                for step in 0..<60 {
                    guard let here = key else { break }
                    try change()
                    let place = model.lowerBound(here)
                    if Bool.random(using: &random) {
                        let next = model.index(of: here) == nil ? place : place + 1
                        key = try cursor.next().map { Array($0.key) }
                        #expect(
                            key == (next < model.entries.count ? model.entries[next].key : nil),
                            "step \(step)")
                    } else {
                        key = try cursor.previous().map { Array($0.key) }
                        #expect(
                            key == (place > 0 ? model.entries[place - 1].key : nil), "step \(step)")
                    }
                }
            }
        }
    }

    @Test(arguments: [60, 200, 1000, 8_120])
    func randomChangesAgreeWithASortedArray(capacity: Int) throws {
        var random = Seed.random()
        let directory = try TemporaryDirectory()
        let options = Self.options(directory.file("tree.freehold"), capacity: capacity)
        var model = Model()
        var past: [(ReadTransaction, Model)] = []
        for round in 0..<30 {
            // Opened again now and then, so that nothing depends on what is in memory.
            let environment = try Environment.open(options)
            var changed = model
            let isKept = Int.random(in: 0...5, using: &random) > 0
            do {
                let (_, view) = try environment.writer.begin().commit { transaction in
                    try Self.change(transaction, &changed, &random, isGrowing: round % 10 < 6)
                    try Self.compare(
                        transaction.cursor(.clusters), count: transaction.entryCount(.clusters),
                        changed, &random)
                    if !isKept { throw Cancelled() }
                }
                model = changed
                past.append((view, model))
            } catch is Cancelled {}
            let view = try environment.read()
            try Self.compare(
                view.cursor(.clusters), count: view.entryCount(.clusters), model, &random)
            for (key, value) in model.entries {
                #expect(
                    try key.withUnsafeBytes { try view.value(.clusters, key: $0).map(Array.init) }
                        == value)
            }
            #expect(try view.encryptionProblems().isEmpty)
            try Self.compareVersions(past, &random)
            if Int.random(in: 0...3, using: &random) == 0 { past.removeAll() }
            if past.count > 4 { past.removeFirst() }
        }
    }

    private struct Cancelled: Error {}

    private static func change(
        _ transaction: WriteTransaction, _ model: inout Model, _ random: inout SeededGenerator,
        isGrowing: Bool
    ) throws {
        if Int.random(in: 0...25, using: &random) == 0 {
            try transaction.deleteAll(.clusters)
            model = Model()
        }
        var cursor = try transaction.cursor(.clusters)
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let isKnown = !model.entries.isEmpty && Bool.random(using: &random)
            let key =
                isKnown
                ? model.entries[Int.random(in: 0..<model.entries.count, using: &random)].key
                : randomKey(&random)
            switch Int.random(in: 0...(isGrowing ? 9 : 20), using: &random) {
            case 0...2:
                let value = randomValue(&random)
                try key.withUnsafeBytes { key in
                    try value.withUnsafeBytes {
                        try transaction.put(.clusters, key: key, value: $0)
                    }
                }
                model.put(key, value)
            case 3...4:
                let value = randomValue(&random)
                let target = try key.withUnsafeBytes {
                    try transaction.reserve(.clusters, key: $0, count: value.count)
                }
                target.copyBytes(from: value)
                model.put(key, value)
            case 5:
                let value = randomValue(&random)
                try key.withUnsafeBytes { key in
                    try value.withUnsafeBytes { try cursor.put(key: key, value: $0) }
                }
                model.put(key, value)
                let next = try cursor.next().map { Array($0.key) }
                let index = try #require(model.index(of: key)) + 1
                #expect(next == (index < model.entries.count ? model.entries[index].key : nil))
            case 6:
                if let entry = try key.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) {
                    let isKnown = model.delete(Array(entry.key))
                    #expect(isKnown)
                    try cursor.deleteFound()
                }
            case 7:
                let value = try key.withUnsafeBytes {
                    try transaction.value(.clusters, key: $0).map(Array.init)
                }
                #expect(value == model.index(of: key).map { model.entries[$0].value })
            default:
                let (deleted, expected) = (
                    try key.withUnsafeBytes { try transaction.delete(.clusters, key: $0) },
                    model.delete(key)
                )
                #expect(deleted == expected)
            }
        }
    }

    /// Walks and seeks.
    private static func compare(
        _ cursor: consuming Cursor, count: Int, _ model: Model, _ random: inout SeededGenerator
    ) throws {
        #expect(count == model.entries.count)
        var index = 0
        while let entry = try cursor.next() {
            guard index < model.entries.count else { break }
            #expect(
                Array(entry.key) == model.entries[index].key
                    && Array(entry.value) == model.entries[index].value)
            index += 1
        }
        #expect(index == model.entries.count)
        index = model.entries.count
        var entry = try cursor.last()
        while let current = entry, index > 0 {
            index -= 1
            #expect(Array(current.key) == model.entries[index].key)
            entry = try cursor.previous()
        }
        #expect(index == 0 && entry == nil)
        for _ in 0..<10 {
            let key = randomKey(&random)
            let bound = model.lowerBound(key)
            let after = try key.withUnsafeBytes {
                try cursor.seek(atOrAfter: $0).map { Array($0.key) }
            }
            #expect(after == (bound < model.entries.count ? model.entries[bound].key : nil))
            let exact = model.index(of: key)
            let found = try key.withUnsafeBytes {
                try cursor.seek(exactly: $0).map { Array($0.key) }
            }
            #expect(found == exact.map { model.entries[$0].key })
            let before = exact ?? (bound > 0 ? bound - 1 : nil)
            let below = try key.withUnsafeBytes {
                try cursor.seek(atOrBefore: $0).map { Array($0.key) }
            }
            #expect(below == before.map { model.entries[$0].key })
        }
    }

    /// What differs between two versions, by the trees and by all entries.
    private static func compareVersions(
        _ past: [(ReadTransaction, Model)], _ random: inout SeededGenerator
    ) throws {
        guard past.count > 1 else { return }
        let (old, new) = (
            past[Int.random(in: 0..<past.count, using: &random)],
            past[Int.random(in: 0..<past.count, using: &random)]
        )
        var byTrees: [[UInt8]] = []
        var byEntries: [[UInt8]] = []
        #expect(
            try new.0.forEachDifference(.clusters, from: old.0) {
                byTrees.append(Array($0))
            } != nil)
        try CursorComparison.forEachDifference(.clusters, from: old.0, to: new.0) {
            byEntries.append(Array($0))
        }
        #expect(byTrees == byEntries)
        let values = Dictionary(uniqueKeysWithValues: new.1.entries.map { ($0.key, $0.value) })
        let before = Dictionary(uniqueKeysWithValues: old.1.entries.map { ($0.key, $0.value) })
        #expect(
            Set(byTrees) == Set(values.keys).union(before.keys).filter { values[$0] != before[$0] })
    }

    @Test func aDifferenceReadsWhatChanged() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(
            Self.options(directory.file("tree.freehold"), capacity: 300))
        func number(_ number: Int) -> [UInt8] {
            withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
        }
        let old = try environment.writer.begin().commit { transaction in
            for index in 0..<5_000 {
                let key = number(index)
                try key.withUnsafeBytes { key in
                    try transaction.put(.clusters, key: key, value: key, appending: true)
                }
            }
        }.1
        let new = try environment.writer.begin().commit { transaction in
            let key = number(2_500)
            try key.withUnsafeBytes { key in
                try [1, 2].withUnsafeBytes { try transaction.put(.clusters, key: key, value: $0) }
            }
        }.1
        var found: [[UInt8]] = []
        let count = try new.forEachDifference(.clusters, from: old) {
            found.append(Array($0))
        }
        #expect(found == [number(2_500)])
        #expect(try #require(count) < 20)
    }

    @Test func appendedEntriesFillTheirNodes() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment.open(
            Self.options(directory.file("tree.freehold"), capacity: 8_120))
        let view = try environment.writer.begin().commit { transaction in
            for index in 0..<20_000 {
                try withUnsafeBytes(of: UInt64(index).bigEndian) { key in
                    try transaction.put(.clusters, key: key, value: key, appending: true)
                }
            }
        }.1
        // 24 bytes an entry: about 340 in a node.
        #expect(try view.encryptionProblems().isEmpty)
        #expect(try view.encryptedNodeCount(.clusters) < 70)
    }
}
