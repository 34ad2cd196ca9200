internal import CLMDB
internal import Glibc

/// The changes of one index, gathered in memory, then applied in key order.
///
/// Equal values are found by hashing as they come in, so only the distinct values are sorted: an index has few values with many
/// rows, or many values whose first bytes differ. Rows come in ascending order and stay so inside each value.
///
/// Looking a value up takes three places in memory, of which each tells where the next one is and none is cached where there are
/// many values. So values wait until some have come, and then each step is taken for all of them before the next.
struct IndexChanges {
    private struct Change {
        let group: UInt32
        let isRemoval: Bool
        let rowKey: Int64
    }

    /// One distinct value: its bytes in `arena`.
    private struct Group {
        let offset: Int
        let length: Int
        let hash: UInt64
    }

    /// A value that was not looked up yet: its bytes in `waitingBytes`.
    private struct Waiting {
        let offset: Int
        let length: Int
        let hash: UInt64
        let rowKey: Int64
        let isRemoval: Bool
    }

    private static let batchSize = 64

    private var waiting = ContiguousArray<Waiting>()
    private var waitingBytes = ContiguousArray<UInt8>()
    private var arena = ContiguousArray<UInt8>()
    private var changes = ContiguousArray<Change>()
    private var groups = ContiguousArray<Group>()
    /// Open addressing with linear probing: a group's number plus 1, or 0. At most half full.
    private var slots = ContiguousArray<UInt32>(repeating: 0, count: 64)

    var isEmpty: Bool { changes.isEmpty && waiting.isEmpty }

    mutating func reserve(_ count: Int) { changes.reserveCapacity(count) }

    /// Rows of one value must come in ascending order, removals and additions each for themselves.
    mutating func append(_ value: IndexKey, rowKey: Int64, isRemoval: Bool) {
        let offset = waitingBytes.count
        waitingBytes.append(contentsOf: value.bytes)
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    /// For text without zero bytes that is short enough, the common case: no `IndexKey` is made.
    mutating func append(plainText text: UnsafeRawBufferPointer, rowKey: Int64, isRemoval: Bool) {
        let offset = waitingBytes.count
        waitingBytes.append(1)
        waitingBytes.append(contentsOf: text)
        waitingBytes.append(0)
        waitingBytes.append(0)
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    /// For integers and links that are not null.
    mutating func append(integer: Int64, rowKey: Int64, isRemoval: Bool) {
        let offset = waitingBytes.count
        waitingBytes.append(1)
        withUnsafeBytes(of: (UInt64(bitPattern: integer) ^ (1 << 63)).bigEndian) { waitingBytes.append(contentsOf: $0) }
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    /// Takes the bytes of `waitingBytes` from `offset` on as a value.
    private mutating func append(from offset: Int, rowKey: Int64, isRemoval: Bool) {
        let hash = waitingBytes.withUnsafeBytes { Checksum.xxh64(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        let length = waitingBytes.count - offset
        waiting.append(Waiting(offset: offset, length: length, hash: hash, rowKey: rowKey, isRemoval: isRemoval))
        if waiting.count == Self.batchSize { finish() }
    }

    /// Looks up the values that wait. After the last value, before ``forEachValue(_:)``.
    mutating func finish() {
        while (groups.count + waiting.count) * 2 > slots.count { growSlots() }
        prefetch()
        for value in waiting {
            changes.append(Change(group: group(of: value), isRemoval: value.isRemoval, rowKey: value.rowKey))
        }
        waiting.removeAll(keepingCapacity: true)
        waitingBytes.removeAll(keepingCapacity: true)
    }

    /// Asks for what the first probe of each waiting value will read.
    private func prefetch() {
        let mask = slots.count - 1
        slots.withUnsafeBufferPointer { slots in
            for value in waiting { freehold_prefetch(slots.baseAddress.unsafelyUnwrapped + (Int(truncatingIfNeeded: value.hash) & mask)) }
            groups.withUnsafeBufferPointer { groups in
                guard let first = groups.baseAddress else { return }
                for value in waiting {
                    let number = slots[Int(truncatingIfNeeded: value.hash) & mask]
                    if number != 0 { freehold_prefetch(first + Int(number - 1)) }
                }
                arena.withUnsafeBufferPointer { arena in
                    guard let start = arena.baseAddress else { return }
                    for value in waiting {
                        let number = slots[Int(truncatingIfNeeded: value.hash) & mask]
                        if number != 0 { freehold_prefetch(start + groups[Int(number - 1)].offset) }
                    }
                }
            }
        }
    }

    /// The group of a waiting value; a new one if there is none yet.
    private mutating func group(of value: Waiting) -> UInt32 {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: value.hash) & mask
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            let known = groups[Int(number)]
            if known.hash == value.hash, known.length == value.length, isSame(known, value) { return number }
            slot = (slot + 1) & mask
        }
        groups.append(Group(offset: arena.count, length: value.length, hash: value.hash))
        waitingBytes.withUnsafeBytes { arena.append(contentsOf: $0[value.offset..<(value.offset + value.length)]) }
        slots[slot] = UInt32(groups.count)
        return UInt32(groups.count - 1)
    }

    private func isSame(_ known: Group, _ value: Waiting) -> Bool {
        arena.withUnsafeBytes { arena in
            waitingBytes.withUnsafeBytes { waiting in
                memcmp(
                    arena.baseAddress.unsafelyUnwrapped + known.offset, waiting.baseAddress.unsafelyUnwrapped + value.offset,
                    value.length) == 0
            }
        }
    }

    private mutating func growSlots() {
        slots = .init(repeating: 0, count: slots.count * 4)
        let mask = slots.count - 1
        for (number, group) in groups.enumerated() {
            var slot = Int(truncatingIfNeeded: group.hash) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// Calls `body` once per value in order of the values, with its removals and additions in ascending order of the row keys.
    ///
    /// O(changes + values log values). After ``finish()``.
    func forEachValue(
        _ body: (_ value: UnsafeRawBufferPointer, _ removed: ArraySlice<Int64>, _ added: ArraySlice<Int64>) throws(StorageError) -> Void
    ) throws(StorageError) {
        precondition(waiting.isEmpty, "finish() comes before forEachValue().")
        let order = sortedGroups()
        // A counting sort of the changes by group: removals first, then additions.
        var ends = ContiguousArray<Int>(repeating: 0, count: groups.count * 2 + 1)
        for change in changes { ends[Int(change.group) * 2 + (change.isRemoval ? 1 : 2)] += 1 }
        for index in 1..<ends.count { ends[index] += ends[index - 1] }
        let starts = ends
        var rowKeys = ContiguousArray<Int64>(repeating: 0, count: changes.count)
        for change in changes {
            let bucket = Int(change.group) * 2 + (change.isRemoval ? 0 : 1)
            rowKeys[ends[bucket]] = change.rowKey
            ends[bucket] += 1
        }
        for number in order {
            let group = groups[Int(number)]
            let bucket = Int(number) * 2
            let value = arena[group.offset..<(group.offset + group.length)]
            try value.withBytes { bytes throws(StorageError) in
                try body(bytes, rowKeys[starts[bucket]..<starts[bucket + 1]], rowKeys[starts[bucket + 1]..<starts[bucket + 2]])
            }
        }
    }

    /// The groups in order of their values. The first 8 bytes behind what all values have in common decide most comparisons.
    private func sortedGroups() -> ContiguousArray<UInt32> {
        struct Key {
            let prefix: UInt64
            let number: UInt32
        }
        return arena.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let first = groups.first else { return [] }
            var common = first.length
            for group in groups.dropFirst() {
                common = min(common, group.length)
                var same = 0
                while same < common, bytes[first.offset + same] == bytes[group.offset + same] { same += 1 }
                common = same
            }
            var keys = ContiguousArray<Key>()
            keys.reserveCapacity(groups.count)
            for (number, group) in groups.enumerated() {
                var prefix: UInt64 = 0
                for index in 0..<8 {
                    let position = common + index
                    prefix = prefix << 8 | (position < group.length ? UInt64(bytes[group.offset + position]) : 0)
                }
                keys.append(Key(prefix: prefix, number: UInt32(number)))
            }
            keys.sort { a, b in
                if a.prefix != b.prefix { return a.prefix < b.prefix }
                let (left, right) = (groups[Int(a.number)], groups[Int(b.number)])
                let order = memcmp(start + left.offset, start + right.offset, min(left.length, right.length))
                return order != 0 ? order < 0 : left.length < right.length
            }
            return ContiguousArray(keys.map(\.number))
        }
    }
}
