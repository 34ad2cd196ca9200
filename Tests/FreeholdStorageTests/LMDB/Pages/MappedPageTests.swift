import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Pages of LMDB's as they lie in memory, sound and damaged.
@Suite struct MappedPageTests {
    private static let size = pageSizeOfNewFiles

    /// Memory of one page: who reads outside of it ends the process.
    private final class GuardedPage {
        private let memory: GuardedMemory

        init() throws { memory = try GuardedMemory(count: size) }

        var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

        var page: MappedPage { MappedPage(start: memory.start, size: size) }

        /// A tree of this one page, the first one that a tree may have.
        var tree: MappedTree {
            MappedTree(
                base: memory.start - 2 * size, root: 2, depth: 1, lastPage: 2, pageSize: size)
        }

        func put(_ number: some FixedWidthInteger, at offset: Int) {
            memory.put(number, at: offset)
        }

        /// A sound page with the keys in their order: a leaf with their values, or a branch.
        func fill(_ entries: [(key: [UInt8], value: [UInt8])], isLeaf: Bool) {
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            put(UInt64(2), at: 0)
            put(UInt16(isLeaf ? 2 : 1), at: 10)
            put(UInt16(16 + 2 * entries.count), at: 12)
            var end = size
            for (index, entry) in entries.enumerated() {
                let value = isLeaf ? entry.value : []
                end -= (8 + entry.key.count + value.count + 1) & ~1
                put(UInt16(end), at: 16 + 2 * index)
                put(UInt32(isLeaf ? value.count : index + 100), at: end)
                put(UInt16(0), at: end + 4)
                put(UInt16(entry.key.count), at: end + 6)
                for (offset, byte) in (entry.key + value).enumerated() {
                    bytes[end + 8 + offset] = byte
                }
            }
            put(UInt16(end), at: 14)
        }
    }

    private static func entries(_ random: inout SeededGenerator) -> [(key: [UInt8], value: [UInt8])]
    {
        let keys = Set(
            (0..<random.int(1...60)).map { _ in
                (0..<random.int(1...20)).map { _ in UInt8(random.int(0...3)) }
            })
        return keys.sorted { $0.lexicographicallyPrecedes($1) }.map { key in
            (key, (0..<random.int(0...20)).map { _ in UInt8(random.int(0...255)) })
        }
    }

    @Test func soundPages() throws {
        var random = Seed.random()
        let memory = try GuardedPage()
        for _ in 0..<200 {
            let entries = Self.entries(&random)
            let strange = (0..<20).map { _ in
                (0..<random.int(1...20)).map { _ in UInt8(random.int(0...3)) }
            }
            memory.fill(entries, isLeaf: true)
            let count = try #require(memory.page.count)
            #expect(count == entries.count && memory.page.isLeaf && memory.page.number == 2)
            for sought in entries.map(\.key) + strange {
                let expected = entries.first { $0.key == sought }?.value
                switch sought.withUnsafeBytes({ memory.tree.find($0) }) {
                case .found(let value): #expect(Array(value) == expected)
                case .missing: #expect(expected == nil)
                case .unknown: Issue.record("a sound page is known")
                }
            }
            for (index, entry) in entries.enumerated() {
                let found = try #require(memory.page.entry(at: index))
                #expect(Array(found.key) == entry.key && Array(found.value) == entry.value)
            }
            memory.fill(entries, isLeaf: false)
            for sought in entries.map(\.key) + strange {
                let expected = entries.dropFirst().count {
                    !sought.lexicographicallyPrecedes($0.key)
                }
                #expect(
                    sought.withUnsafeBytes { memory.page.child(for: $0, count) }
                        == UInt64(expected + 100))
            }
        }
    }

    /// Whatever a page says, nothing outside of it is read or handed out.
    @Test func damagedPages() throws {
        var random = Seed.random()
        let memory = try GuardedPage()
        var outcomes: [String: Int] = [:]
        for round in 0..<6000 {
            let entries = Self.entries(&random)
            if round % 3 == 0 {
                for index in 0..<Self.size {
                    memory.bytes[index] = UInt8(truncatingIfNeeded: random.next())
                }
                if random.once(in: 2) { memory.put(UInt16(random.int(0...600)), at: 12) }
            } else {
                memory.fill(entries, isLeaf: round % 3 == 1)
                // In the head, in the places of the nodes, in the nodes; single bits and whole
                // bytes.
                for _ in 0..<random.int(1...8) {
                    let place =
                        switch random.int(0...3) {
                        case 0: random.int(8...15)
                        case 1: random.int(16...16 + 2 * entries.count)
                        case 2: random.int(Self.size - 200...Self.size - 1)
                        default: random.int(0...Self.size - 1)
                        }
                    memory.bytes[place] =
                        random.once(in: 2)
                        ? memory.bytes[place] ^ UInt8(1 << random.int(0...7))
                        : UInt8(random.pick([0, 1, 127, 255]))
                }
            }
            guard let count = memory.page.count else {
                outcomes["no count", default: 0] += 1
                continue
            }
            #expect(count >= 1 && 16 + 2 * count <= Self.size)
            let sought = (0..<5).map { _ in
                random.once(in: 2)
                    ? random.pick(entries).key
                    : (0..<random.int(1...520)).map { _ in UInt8(random.int(0...255)) }
            }
            for key in sought {
                switch key.withUnsafeBytes({ memory.tree.find($0) }) {
                case .found(let value):
                    expectInside(value, memory)
                    outcomes["found", default: 0] += 1
                case .missing: outcomes["missing", default: 0] += 1
                case .unknown: outcomes["unknown", default: 0] += 1
                }
                _ = key.withUnsafeBytes { memory.page.child(for: $0, count) }
            }
            for index in 0..<count {
                guard let entry = memory.page.entry(at: index) else {
                    outcomes["no entry", default: 0] += 1
                    continue
                }
                expectInside(entry.key, memory)
                expectInside(entry.value, memory)
            }
        }
        for outcome in ["found", "missing", "unknown", "no count", "no entry"] {
            #expect(outcomes[outcome, default: 0] > 100, "\(outcome)")
        }
    }

    private func expectInside(_ part: UnsafeRawBufferPointer, _ memory: GuardedPage) {
        guard let page = memory.bytes.baseAddress, let start = part.baseAddress else { return }
        #expect(start >= page && start + part.count <= page + Self.size)
    }

    /// A file from a machine with larger pages: its map begins at a page of ours, so an address
    /// does not say where a page of the file begins.
    @Test func pagesThatAreLargerThanTheSystems() {
        #expect(MappedPage.findableSize(4096, systemPageSize: 4096) == 4096)
        #expect(MappedPage.findableSize(4096, systemPageSize: 65536) == 4096)
        #expect(MappedPage.findableSize(65536, systemPageSize: 65536) == 65536)
        #expect(MappedPage.findableSize(65536, systemPageSize: 4096) == nil)
        #expect(MappedPage.findableSize(16384, systemPageSize: 4096) == nil)
        for impossible in [0, -4096, 100, 4095, 3072] {
            #expect(MappedPage.findableSize(impossible, systemPageSize: 4096) == nil)
        }
    }
}
