/// The changes of one index, collected in memory, then applied in key order.
///
/// Equal values are found by hashing on arrival, so only distinct values are sorted. An index
/// has either few values with many rows, or many values whose first bytes differ. Rows arrive
/// in ascending order, and stay so inside each value.
///
/// Looking up a value takes three dependent memory accesses, all uncached if there are many
/// values. So values are collected in batches, and each step is done for the whole batch before
/// the next step.
struct IndexChanges: ~Copyable {
    // Not private: in debug builds, Swift 6.3 makes a broken module from a buffer of private
    // elements.
    struct Change {
        let group: UInt32
        let isRemoval: Bool
        /// Whether it represents all changes of a run, and `rowKey` is the run's number.
        var isRun = false
        let rowKey: Int64
    }

    /// The changes of a run: consecutive row keys in `removedKeys` or `addedKeys`.
    struct RunKeys {
        let group: UInt32
        let start: Int
        var count = 0
    }

    /// One distinct value: its bytes in `arena`, and the number of its changes.
    struct Group {
        let offset: Int
        let hash: UInt64
        let length: UInt32
        var removals: UInt32 = 0
        var additions: UInt32 = 0
    }

    /// A value that has not been looked up yet: its bytes in `waitingBytes`.
    struct Waiting {
        let offset: Int
        let length: Int
        let hash: UInt64
        let rowKey: Int64
        let isRemoval: Bool
    }

    private static let batchSize = 64

    private var waiting = ScratchBuffer<Waiting>(capacity: batchSize)
    private var waitingBytes = ScratchBuffer<UInt8>(capacity: 4096)
    private var arena = ScratchBuffer<UInt8>()
    private var changes = ScratchBuffer<Change>()
    private var groups = ScratchBuffer<Group>()
    /// Open addressing with linear probing: a group's number plus 1, or 0. At most half full;
    /// the size is a power of 2.
    private var slots = ScratchBuffer<UInt32>()

    /// The row keys of runs, and the range of each run in them.
    private var removedKeys = ScratchBuffer<Int64>()
    private var addedKeys = ScratchBuffer<Int64>()
    private var runs = ScratchBuffer<RunKeys>()

    /// The current runs of removals and additions, of an integer or of null.
    private var removalRun = Run()
    private var additionRun = Run()

    /// A repeated value, as when many rows lose their links to one row. After a few
    /// repetitions, only row keys are collected.
    private struct Run {
        private static let shortest = 8

        /// The repeated value; nil for null.
        private var integer: Int64?
        private var count = 0
        /// The run's number, once it is long enough and all earlier values have been looked up.
        var number: Int?

        @inline(__always)
        func isContinued(by value: Int64?) -> Bool { count > 0 && integer == value }

        /// Counts a value. Returns whether the run should get its number now.
        @inline(__always)
        mutating func isDue(_ value: Int64?) -> Bool {
            if isContinued(by: value) {
                count &+= 1
                return count == Self.shortest
            }
            integer = value
            count = 1
            return false
        }
    }

    init() { slots.fill(0, count: 64) }

    var isEmpty: Bool { changes.isEmpty && waiting.isEmpty }

    mutating func reserve(_ count: Int) { changes.reserve(count) }

    /// Appends a change. The rows of one value must arrive in ascending order, separately for
    /// removals and additions. All values of a column must use this method, or those for
    /// integers and null.
    mutating func append(_ value: IndexKey, rowKey: Int64, isRemoval: Bool) {
        let offset = waitingBytes.count
        value.bytes.withUnsafeBytes { waitingBytes.append(contentsOf: $0) }
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    /// Appends short text without zero bytes, the common case: creates no `IndexKey`.
    mutating func append(plainText text: UnsafeRawBufferPointer, rowKey: Int64, isRemoval: Bool) {
        let offset = waitingBytes.count
        waitingBytes.reserve(text.count + 3)
        waitingBytes.append(1)
        waitingBytes.append(contentsOf: text)
        waitingBytes.append(0)
        waitingBytes.append(0)
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
    }

    /// Appends a non-null integer or link.
    mutating func append(integer: Int64, rowKey: Int64, isRemoval: Bool) {
        append(integerOrNull: integer, rowKey: rowKey, isRemoval: isRemoval)
    }

    mutating func appendNull(rowKey: Int64, isRemoval: Bool) {
        append(integerOrNull: nil, rowKey: rowKey, isRemoval: isRemoval)
    }

    @inline(__always)
    private mutating func append(integerOrNull value: Int64?, rowKey: Int64, isRemoval: Bool) {
        if isRemoval, removalRun.number != nil {
            if removalRun.isContinued(by: value) { return removedKeys.append(rowKey) }
            endRun(isRemoval: true)
        } else if !isRemoval, additionRun.number != nil {
            if additionRun.isContinued(by: value) { return addedKeys.append(rowKey) }
            endRun(isRemoval: false)
        }
        let isDue = isRemoval ? removalRun.isDue(value) : additionRun.isDue(value)
        let offset = waitingBytes.count
        if let value {
            waitingBytes.append(1)
            withUnsafeBytes(of: (UInt64(bitPattern: value) ^ (1 << 63)).bigEndian) {
                waitingBytes.append(contentsOf: $0)
            }
        } else {
            waitingBytes.append(0)
        }
        append(from: offset, rowKey: rowKey, isRemoval: isRemoval)
        if isDue { beginRun(isRemoval: isRemoval) }
    }

    /// Gives a run for the last value its group, after looking up all waiting values.
    @inline(never)
    private mutating func beginRun(isRemoval: Bool) {
        lookUpWaiting()
        let group = changes.unsafeStart[changes.count - 1].group
        changes.append(
            Change(group: group, isRemoval: isRemoval, isRun: true, rowKey: Int64(runs.count)))
        if isRemoval { removalRun.number = runs.count } else { additionRun.number = runs.count }
        runs.append(RunKeys(group: group, start: isRemoval ? removedKeys.count : addedKeys.count))
    }

    @inline(never)
    private mutating func endRun(isRemoval: Bool) {
        guard let number = isRemoval ? removalRun.number : additionRun.number else { return }
        let run = runs.unsafeStart + number
        let group = groups.unsafeStart + Int(run.pointee.group)
        if isRemoval {
            removalRun = Run()
            run.pointee.count = removedKeys.count - run.pointee.start
            group.pointee.removals += UInt32(run.pointee.count)
        } else {
            additionRun = Run()
            run.pointee.count = addedKeys.count - run.pointee.start
            group.pointee.additions += UInt32(run.pointee.count)
        }
    }

    @inline(__always)
    private mutating func append(_ change: Change) {
        if change.isRemoval {
            groups.unsafeStart[Int(change.group)].removals += 1
        } else {
            groups.unsafeStart[Int(change.group)].additions += 1
        }
        changes.reserve(1)
        changes.append(change)
    }

    /// Appends the bytes of `waitingBytes` from `offset` on as a value.
    @inline(__always)
    private mutating func append(from offset: Int, rowKey: Int64, isRemoval: Bool) {
        let length = waitingBytes.count &- offset
        let hash = Checksum.xxh64(
            UnsafeRawBufferPointer(start: waitingBytes.unsafeStart + offset, count: length))
        waiting.append(
            Waiting(
                offset: offset, length: length, hash: hash, rowKey: rowKey, isRemoval: isRemoval))
        if waiting.count == Self.batchSize { lookUpWaiting() }
    }

    /// Completes the changes: after the last value, before ``forEachValue(_:)``.
    mutating func finish() {
        lookUpWaiting()
        endRun(isRemoval: true)
        endRun(isRemoval: false)
    }

    private mutating func lookUpWaiting() {
        while (groups.count + waiting.count) * 2 > slots.count { growSlots() }
        prefetch()
        for index in 0..<waiting.count {
            let value = waiting.unsafeStart[index]
            append(
                Change(group: group(of: value), isRemoval: value.isRemoval, rowKey: value.rowKey))
        }
        waiting.removeAll()
        waitingBytes.removeAll()
    }

    /// Prefetches the memory that the first probe of each waiting value reads.
    private func prefetch() {
        let mask = slots.count - 1
        let (slots, groups, arena) = (slots.unsafeStart, groups.unsafeStart, arena.unsafeStart)
        let values = waiting.unsafeElements
        for value in values {
            Memory.prefetch(slots + (Int(truncatingIfNeeded: value.hash) & mask))
        }
        for value in values {
            let number = slots[Int(truncatingIfNeeded: value.hash) & mask]
            if number != 0 { Memory.prefetch(groups + Int(number &- 1)) }
        }
        for value in values {
            let number = slots[Int(truncatingIfNeeded: value.hash) & mask]
            if number != 0 { Memory.prefetch(arena + groups[Int(number &- 1)].offset) }
        }
    }

    /// The group of a waiting value, created if necessary.
    @inline(__always)
    private mutating func group(of value: Waiting) -> UInt32 {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: value.hash) & mask
        while slots.unsafeStart[slot] != 0 {
            let number = slots.unsafeStart[slot] &- 1
            let known = groups.unsafeStart + Int(number)
            if known.pointee.hash == value.hash, Int(known.pointee.length) == value.length,
                ByteComparison.areEqual(
                    arena.unsafeStart + known.pointee.offset,
                    waitingBytes.unsafeStart + value.offset, count: value.length)
            {
                return number
            }
            slot = (slot &+ 1) & mask
        }
        groups.append(Group(offset: arena.count, hash: value.hash, length: UInt32(value.length)))
        arena.append(
            contentsOf: UnsafeRawBufferPointer(
                start: waitingBytes.unsafeStart + value.offset, count: value.length))
        slots.unsafeStart[slot] = UInt32(groups.count)
        return UInt32(groups.count - 1)
    }

    private mutating func growSlots() {
        slots.fill(0, count: slots.count * 4)
        let mask = slots.count - 1
        for (number, group) in groups.unsafeElements.enumerated() {
            var slot = Int(truncatingIfNeeded: group.hash) & mask
            while slots.unsafeStart[slot] != 0 { slot = (slot + 1) & mask }
            slots.unsafeStart[slot] = UInt32(number + 1)
        }
    }
}

// MARK: - In order

extension IndexChanges {
    /// Calls `body` once for each value, in order of the values, with its removals and
    /// additions in ascending order of row keys. The arguments are valid during the call.
    ///
    /// O(changes + values log values). After ``finish()``.
    func forEachValue(
        _ body: (
            _ value: UnsafeRawBufferPointer, _ removed: UnsafeBufferPointer<Int64>,
            _ added: UnsafeBufferPointer<Int64>
        ) throws(StorageError) -> Void
    ) throws(StorageError) {
        precondition(
            waiting.isEmpty && removalRun.number == nil && additionRun.number == nil,
            "finish() comes before forEachValue().")
        let order = sortedGroups()
        // A counting sort of the changes into the order of the values: the removals of each
        // value, then its additions.
        var places = ScratchBuffer<Int>()
        places.fill(0, count: groups.count * 2)
        var end = 0
        for record in order.unsafeElements {
            let number = Int(record.payload)
            let group = groups.unsafeStart[number]
            places.unsafeStart[number &* 2] = end
            end += Int(group.removals)
            places.unsafeStart[number &* 2 &+ 1] = end
            end += Int(group.additions)
        }
        var rowKeys = ScratchBuffer<Int64>(capacity: end)
        for change in changes.unsafeElements {
            let place = places.unsafeStart + (Int(change.group) &* 2 &+ (change.isRemoval ? 0 : 1))
            if change.isRun {
                let run = runs.unsafeStart[Int(change.rowKey)]
                let keys = change.isRemoval ? removedKeys.unsafeStart : addedKeys.unsafeStart
                (rowKeys.unsafeStart + place.pointee).update(
                    from: keys + run.start, count: run.count)
                place.pointee &+= run.count
            } else {
                rowKeys.unsafeStart[place.pointee] = change.rowKey
                place.pointee &+= 1
            }
        }
        rowKeys.unsafeTake(end)
        var next = UnsafePointer(rowKeys.unsafeStart)
        for record in order.unsafeElements {
            let group = groups.unsafeStart[Int(record.payload)]
            let removed = UnsafeBufferPointer(start: next, count: Int(group.removals))
            let added = UnsafeBufferPointer(
                start: next + removed.count, count: Int(group.additions))
            next += removed.count + added.count
            try body(bytes(of: group), removed, added)
        }
    }

    private func bytes(of record: SortRecord) -> UnsafeRawBufferPointer {
        bytes(of: groups.unsafeStart[Int(record.payload)])
    }

    private func bytes(of group: Group) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena.unsafeStart + group.offset, count: Int(group.length))
    }

    /// The length of the common prefix of all values except null. Null is the only value of one
    /// byte and sorts below all others anyway.
    private func commonLength() -> Int {
        var first: UnsafeRawBufferPointer?
        var common = 0
        for group in groups.unsafeElements where group.length > 1 {
            let bytes = bytes(of: group)
            guard let first else {
                first = bytes
                common = bytes.count
                continue
            }
            common = min(common, bytes.count)
            var same = 0
            while same < common, bytes[same] == first[same] { same += 1 }
            common = same
        }
        return common
    }

    /// The groups' numbers in order of their values. The first 8 bytes after the common prefix
    /// of all non-null values decide most of the order.
    private func sortedGroups() -> ScratchBuffer<SortRecord> {
        let skipped = commonLength()
        var records = ScratchBuffer<SortRecord>(capacity: groups.count)
        for (number, group) in groups.unsafeElements.enumerated() {
            let bytes = bytes(of: group)
            var rank: UInt64 = 0
            for index in skipped..<(skipped + 8) {
                rank = rank << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
            }
            records.append(SortRecord(rank: rank, payload: Int64(number)))
        }
        let scratch = ScratchBuffer<SortRecord>(capacity: groups.count)
        let sorted = UnsafeMutableBufferPointer(start: records.unsafeStart, count: records.count)
        RadixSort.sort(
            sorted,
            scratch: UnsafeMutableBufferPointer(start: scratch.unsafeStart, count: records.count))
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted[end].rank == sorted[start].rank { end += 1 }
            if end - start > 1 {
                sorted[start..<end].sort {
                    ByteComparison.compare(bytes(of: $0), bytes(of: $1)) < 0
                }
            }
            start = end
        }
        return records
    }
}
