/// The most recently used decrypted records, up to a number of bytes. A transaction also keeps
/// the records that it reads, whether or not they are still here.
///
/// Thread safe. A record's key is its place, which includes the transaction that wrote it, so a
/// cached record never becomes stale.
final class RecordCache: Sendable {
    private let state: Locked<State>

    fileprivate struct Slot {
        var record: EncryptedRecord
        /// The neighbours in the order of use; -1 at the ends.
        var newer: Int
        var older: Int
    }

    fileprivate struct State {
        var slots: ContiguousArray<Slot?> = []
        var free: ContiguousArray<Int> = []
        var index: [RecordPlace: Int] = [:]
        var newest = -1
        var oldest = -1
        /// The memory used by the cached records, with an allowance for each.
        var byteCount = 0
        let capacity: Int
    }

    init(capacity: Int) { state = Locked(State(capacity: capacity)) }

    func record(at place: RecordPlace) -> EncryptedRecord? { state.withLock { $0.use(place) } }

    /// Adds a record and drops the least recently used ones. Returns the cached record if there
    /// is one for the place already.
    func insert(_ record: EncryptedRecord) -> EncryptedRecord {
        // Released outside of the lock: overwriting a record takes time.
        let (kept, dropped) = state.withLock { state -> (EncryptedRecord, [EncryptedRecord]) in
            if let known = state.use(record.place) { return (known, []) }
            return (record, state.insert(record))
        }
        withExtendedLifetime(dropped) {}
        return kept
    }
}

extension RecordCache.State {
    mutating func use(_ place: RecordPlace) -> EncryptedRecord? {
        guard let slot = index[place], let record = slots[slot]?.record else { return nil }
        if slot != newest {
            unlink(slot)
            linkAsNewest(slot)
        }
        return record
    }

    /// Returns the records that were dropped to make room.
    mutating func insert(_ record: EncryptedRecord) -> [EncryptedRecord] {
        var dropped: [EncryptedRecord] = []
        let size = cost(of: record)
        guard size <= capacity else { return [] }
        while byteCount + size > capacity, oldest >= 0, let victim = slots[oldest]?.record {
            let slot = oldest
            unlink(slot)
            slots[slot] = nil
            free.append(slot)
            index[victim.place] = nil
            byteCount -= cost(of: victim)
            dropped.append(victim)
        }
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
        } else {
            slot = slots.count
            slots.append(nil)
        }
        slots[slot] = RecordCache.Slot(record: record, newer: -1, older: -1)
        index[record.place] = slot
        byteCount += size
        linkAsNewest(slot)
        return dropped
    }

    /// The size of a record, with an allowance for the record object and its slot.
    private func cost(of record: EncryptedRecord) -> Int { record.bytes.count + 192 }

    private mutating func unlink(_ slot: Int) {
        guard let entry = slots[slot] else { return }
        if entry.newer >= 0 {
            slots[entry.newer]?.older = entry.older
        } else {
            newest = entry.older
        }
        if entry.older >= 0 {
            slots[entry.older]?.newer = entry.newer
        } else {
            oldest = entry.newer
        }
    }

    private mutating func linkAsNewest(_ slot: Int) {
        slots[slot]?.older = newest
        slots[slot]?.newer = -1
        if newest >= 0 { slots[newest]?.newer = slot } else { oldest = slot }
        newest = slot
    }
}
