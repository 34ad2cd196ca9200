import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

@Suite struct IndexEntryTests {
    @Test func keysComeBack() {
        var random = Seed.random()
        for _ in 0..<500 {
            let keys = Set(
                (0..<random.int(1...50)).map { _ in
                    Bool.random(using: &random)
                        ? Int64(random.int(-300...300))
                        : Int64.random(in: .min ... .max, using: &random)
                }
            )
            .union(random.once(in: 3) ? [.min, .max] : []).sorted()
            for bound in [nil, keys[0], Int64.min] {
                for total in bound == nil ? [nil, keys.count + random.int(1...1_000_000)] : [nil] {
                    var bytes = ScratchBuffer<UInt8>(capacity: 1)
                    keys.withUnsafeBufferPointer {
                        IndexEntry.encode($0, bound: bound, total: total, into: &bytes)
                    }
                    let stored = ContiguousArray(bytes.unsafeBytes)
                    var found: [Int64] = []
                    #expect(
                        stored.withUnsafeBytes {
                            IndexEntry.appendKeys($0, bound: bound, to: &found)
                        }, "FREEHOLD_SEED=\(random.seed)")
                    #expect(found == keys, "FREEHOLD_SEED=\(random.seed)")
                    var again = ScratchBuffer<Int64>(capacity: 1)
                    again.append(7)
                    let isPossible = stored.withUnsafeBytes {
                        IndexEntry.appendKeys($0, bound: bound, to: &again)
                    }
                    #expect(isPossible, "FREEHOLD_SEED=\(random.seed)")
                    let all = Array(again.unsafeElements)
                    #expect(all == [7] + keys, "FREEHOLD_SEED=\(random.seed)")
                    #expect(stored.withUnsafeBytes { IndexEntry.count($0) } == keys.count)
                    #expect(stored.withUnsafeBytes { IndexEntry.isFollowed($0) } == (total != nil))
                    guard bound == nil else { continue }
                    #expect(
                        stored.withUnsafeBytes { IndexEntry.totalCount(ofFirst: $0) } == total
                            ?? keys.count)
                    guard let total else { continue }
                    IndexEntry.setTotalCount(total + 1, in: bytes)
                    let changed = ContiguousArray(bytes.unsafeBytes)
                    #expect(
                        changed.withUnsafeBytes { IndexEntry.totalCount(ofFirst: $0) } == total + 1)
                    var ended = ScratchBuffer<UInt8>()
                    changed.withUnsafeBytes { IndexEntry.encode(ending: $0, into: &ended) }
                    var alone = ScratchBuffer<UInt8>()
                    keys.withUnsafeBufferPointer { IndexEntry.encode($0, bound: nil, into: &alone) }
                    #expect(
                        ContiguousArray(ended.unsafeBytes) == ContiguousArray(alone.unsafeBytes),
                        "FREEHOLD_SEED=\(random.seed)")
                }
            }
        }
    }

    @Test func theCountHasFifteenBits() {
        let keys = Array(-5..<Int64(IndexEntry.maximumCount) - 5)
        var encoded = ScratchBuffer<UInt8>()
        var found: [Int64] = []
        keys.withUnsafeBufferPointer {
            IndexEntry.encode($0, bound: nil, total: keys.count + 1, into: &encoded)
        }
        let bytes = ContiguousArray(encoded.unsafeBytes)
        #expect(bytes.withUnsafeBytes { IndexEntry.appendKeys($0, bound: nil, to: &found) })
        #expect(found == keys)
        #expect(
            bytes.withUnsafeBytes {
                IndexEntry.count($0) == keys.count && IndexEntry.isFollowed($0)
            })
    }

    /// Each list has one spelling, so that `check()` finds every changed byte.
    @Test(
        arguments: [
            [], [1], [0, 0], [1, 0], [1, 0, 0x80], [1, 0, 0x80, 0], [1, 0, 5, 0], [2, 0, 5],
            [2, 0, 5, 0], [2, 0, 0, 0],
            [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2], [0, 0x80, 0],
            [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0],
        ] as [[UInt8]])
    func impossibleBytesAreRefused(_ bytes: [UInt8]) {
        for bound in [nil, 0] as [Int64?] {
            var keys: [Int64] = []
            #expect(
                !bytes.withUnsafeBytes { IndexEntry.appendKeys($0, bound: bound, to: &keys) },
                "\(String(describing: bound))")
            var again = ScratchBuffer<Int64>(capacity: 1)
            let isPossible = bytes.withUnsafeBytes {
                IndexEntry.appendKeys($0, bound: bound, to: &again)
            }
            #expect(!isPossible && again.isEmpty, "\(String(describing: bound))")
        }
    }

    @Test func onlyFirstEntriesMayAnnounceOthers() {
        var keys: [Int64] = []
        let followed = [1, 0x80, 2, 0, 0, 0, 0, 0, 0, 0, 5] as [UInt8]
        #expect(!followed.withUnsafeBytes { IndexEntry.appendKeys($0, bound: 0, to: &keys) })
        #expect(
            !([1, 0x80, 5] as [UInt8]).withUnsafeBytes {
                IndexEntry.appendKeys($0, bound: 0, to: &keys)
            })
        #expect(followed.withUnsafeBytes { IndexEntry.appendKeys($0, bound: nil, to: &keys) })
        #expect(keys == [-3])
    }

    /// A value with several entries has more row keys than the first of them, and not more than
    /// a file has room for.
    @Test(
        arguments: [
            [0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1, 0],
            [2, 0, 0, 0, 0, 0, 0, 0x80], [2, 0, 0],
        ] as [[UInt8]])
    func impossibleTotalsAreRefused(_ total: [UInt8]) {
        let bytes = [1, 0x80] + total + [5]
        var keys: [Int64] = []
        #expect(bytes.withUnsafeBytes { IndexEntry.totalCount(ofFirst: $0) } == nil)
        #expect(!bytes.withUnsafeBytes { IndexEntry.appendKeys($0, bound: nil, to: &keys) })
    }

    @Test func anEntryHasARowKey() {
        var keys: [Int64] = []
        for bytes in [[0, 0], [0, 0, 5], [0, 0, 5, 5], [0, 0x80, 5, 0, 0, 0, 0, 0, 0, 0, 5]]
            as [[UInt8]]
        {
            #expect(!bytes.withUnsafeBytes { IndexEntry.appendKeys($0, bound: nil, to: &keys) })
        }
    }

    @Test func theTotalIsReadUpToItsLastByte() {
        let bytes: [UInt8] = [1, 0x80, 5, 0, 0, 0, 0, 0, 0, 0]
        #expect(bytes.withUnsafeBytes { IndexEntry.totalCount(ofFirst: $0) } == 5)
        #expect(bytes.dropLast().withUnsafeBytes { IndexEntry.totalCount(ofFirst: $0) } == nil)
    }

    /// A later entry's key is a first entry's and 8 bytes more: no other value may begin with
    /// those.
    @Test func noValueBeginsWithAnother() {
        var random = Seed.random()
        var texts: [[UInt8]] = [[], [0], [0, 0], [0, 0xFF], [0, 1]]
        for length in [1, 2, 3, 8, 9, 10, 198, 199, 200, 201, 202, 208, 209, 210, 300] {
            for byte in [0, 1, 0xFF] as [UInt8] {
                texts.append([UInt8](repeating: byte, count: length))
            }
            for _ in 0..<20 {
                texts.append((0..<length).map { _ in random.pick([0, 1, 0xFF, 97]) })
            }
        }
        // Values that go on where others end.
        let ends: [[UInt8]] = [[0], [0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [1], [0xFF]]
        for text in texts { texts += ends.map { text + $0 } }
        let integers = [Int64.min, -1, 0, 1, 255, 256, .max].map { IndexKey.integer($0) }
        let doubles = [-Double.infinity, -1, 0, 1, .infinity, .nan].map { IndexKey.double($0) }
        let twelve = [(UInt64(0), UInt32(0)), (0, 1), (1, 0), (.max, .max)].map {
            IndexKey.fixed(FixedValue($0))
        }
        let sixteen = [(UInt64(0), UInt64(0)), (0, 1), (1, 0), (.max, .max)].map {
            IndexKey.fixed(FixedValue($0))
        }
        let columns: [[IndexKey]] = [
            integers, doubles, twelve, sixteen, [.boolean(false), .boolean(true)],
            texts.map { $0.withUnsafeBytes { .bytes($0) } },
        ]
        for values in columns {
            let sorted = Set(([.null] + values).map(\.bytes)).sorted {
                $0.lexicographicallyPrecedes($1)
            }
            // In byte order, what begins with a value stands right behind it.
            for (value, next) in zip(sorted, sorted.dropFirst()) {
                #expect(!next.starts(with: value), "\(value) and \(next)")
            }
        }
    }
}
