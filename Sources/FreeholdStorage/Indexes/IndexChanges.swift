import Glibc

/// The changes of one index, gathered in memory, then applied in key order.
///
/// Equal values are found by hashing as they come in, so only the distinct values are sorted: an index has few values with many
/// rows, or many values whose first bytes differ. Rows come in ascending order and stay so inside each value.
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

    private var arena = ContiguousArray<UInt8>()
    private var changes = ContiguousArray<Change>()
    private var groups = ContiguousArray<Group>()
    /// Open addressing with linear probing: a group's number plus 1, or 0. At most half full.
    private var slots = ContiguousArray<UInt32>(repeating: 0, count: 64)

    var isEmpty: Bool { changes.isEmpty }

    mutating func reserve(_ count: Int) { changes.reserveCapacity(count) }

    /// Rows of one value must come in ascending order, removals and additions each for themselves.
    mutating func append(_ value: IndexKey, rowKey: Int64, isRemoval: Bool) {
        let offset = arena.count
        arena.append(contentsOf: value.bytes)
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    /// For text without zero bytes that is short enough, the common case: no `IndexKey` is made.
    mutating func append(plainText text: UnsafeRawBufferPointer, rowKey: Int64, isRemoval: Bool) {
        let offset = arena.count
        arena.append(1)
        arena.append(contentsOf: text)
        arena.append(0)
        arena.append(0)
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    /// For integers and links that are not null.
    mutating func append(integer: Int64, rowKey: Int64, isRemoval: Bool) {
        let offset = arena.count
        arena.append(1)
        withUnsafeBytes(of: (UInt64(bitPattern: integer) ^ (1 << 63)).bigEndian) { arena.append(contentsOf: $0) }
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    private mutating func append(from offset: Int, rowKey: Int64, isRemoval: Bool) {
        let group = group(from: offset)
        changes.append(Change(group: group, isRemoval: isRemoval, rowKey: rowKey))
    }

    /// The group of the value that begins at `offset` of the arena and ends with it; takes the value out again if it is known.
    private mutating func group(from offset: Int) -> UInt32 {
        let length = arena.count - offset
        let hash = arena.withUnsafeBytes { Checksum.xxh64(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        if groups.count * 2 >= slots.count { growSlots() }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            let known = groups[Int(number)]
            if known.hash == hash, known.length == length, isSame(known.offset, offset, length) {
                arena.removeLast(length)
                return number
            }
            slot = (slot + 1) & mask
        }
        groups.append(Group(offset: offset, length: length, hash: hash))
        slots[slot] = UInt32(groups.count)
        return UInt32(groups.count - 1)
    }

    private func isSame(_ a: Int, _ b: Int, _ length: Int) -> Bool {
        arena.withUnsafeBytes { memcmp($0.baseAddress.unsafelyUnwrapped + a, $0.baseAddress.unsafelyUnwrapped + b, length) == 0 }
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
    /// O(changes + values log values).
    func forEachValue(
        _ body: (_ value: UnsafeRawBufferPointer, _ removed: ArraySlice<Int64>, _ added: ArraySlice<Int64>) throws(StorageError) -> Void
    ) throws(StorageError) {
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
