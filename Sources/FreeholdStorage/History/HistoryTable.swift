/// The history's table in a write transaction, and its tail.
///
/// The table's records are the policy, with the key 0, and rows of entries (``HistoryRow``). A
/// plain file has the newest entries in the tail (``HistoryTail``), which follows the rows.
struct HistoryTable {
    private var records: RecordTable
    /// The last row, if more entries may go there; nil with a tail.
    private var last: HistoryRow?
    /// Nil in an encrypted file.
    private var tail: HistoryTail?
    private var isTailChanged = false
    /// Whether the policy does not say yet that there is a tail.
    let hasNewTail: Bool
    /// The mark of the last entry; nil without one, or if it cannot be read, which a reader of
    /// the history finds.
    private(set) var lastMark: UInt64?
    /// The number of the next entry.
    private(set) var nextSequence: Int64 = 1

    /// The most entries, and about the most bytes, that one commit deletes because of their age.
    static let mostExpired = 8
    static let mostExpiredBytes = 1 << 20

    /// - Parameter hasTail: Whether the stored policy says that there is a tail.
    /// - Throws: `corrupted` if the facts are damaged.
    init(
        _ id: TableID, hasTail: Bool, _ transaction: WriteTransaction, _ layout: StorageLayout,
        path: String
    ) throws(StorageError) {
        records = try RecordTable(id, transaction, layout, path: path)
        hasNewTail = transaction.hasHistoryTail && !hasTail
        if hasTail,
            let tail = try transaction.historyTail().flatMap({
                HistoryTail(decoding: $0, of: id)
            })
        {
            self.tail = tail
            nextSequence = tail.next
            lastMark = tail.lastMark == 0 ? nil : tail.lastMark
            return
        }
        if records.facts.rowCount > 1 {
            try findLast()
        } else {
            nextSequence = max(records.facts.nextRowKey, 1)
        }
        // More than a tail has: readers find that these entries are not there.
        if hasTail {
            nextSequence += Int64(mostBytes)
            lastMark = nil
        }
        if transaction.hasHistoryTail {
            tail = HistoryTail(next: nextSequence, lastMark: lastMark ?? 0)
            isTailChanged = true
            last = nil
        }
    }

    private var mostBytes: Int { HistoryRow.mostBytes(records.layout) }

    private mutating func findLast() throws(StorageError) {
        let key = records.facts.nextRowKey - 1
        switch try row(key) {
        case .several(let row):
            last = row
            lastMark = row.head(of: row.end - 1)?.mark
            nextSequence = row.end
        case .one(let head):
            lastMark = head?.mark
            nextSequence = key + 1
        case nil:
            // More than such a row has: readers find that these entries are not there.
            nextSequence = key + Int64(mostBytes)
        }
    }

    // MARK: Reading

    private enum Row {
        case several(HistoryRow)
        /// An entry that is too long to share a row.
        case one(HistoryEntry.Head?)
    }

    /// The number of the first entry of the first row at or after a key. The tail is the last row.
    private func firstRow(from key: Int64) throws(StorageError) -> Int64? {
        if let found = try records.firstKey(from: key) { return found }
        guard let tail, !tail.isEmpty, tail.first >= key else { return nil }
        return tail.first
    }

    private func isTail(_ key: Int64) -> Bool {
        tail.map { !$0.isEmpty && $0.first == key } ?? false
    }

    /// Nil if the row is missing or damaged.
    private func row(_ key: Int64) throws(StorageError) -> Row? {
        if let tail, isTail(key) { return tail.row.map { .several($0) } }
        guard let (bytes, isBlob) = try records.cell(key) else { return nil }
        guard isBlob else { return HistoryRow(first: key, decoding: bytes).map { .several($0) } }
        let (id, transaction) = (records.id, records.transaction)
        return try StorageKey.blob(id, RecordTable.column, rowKey: key, chunk: 0).withBytes {
            name throws(StorageError) in
            guard let stored = try transaction.value(.blobs, key: name),
                stored.count > StoredBlob.headerSize,
                StoredBlob.hasRightChecksum(stored, id, RecordTable.column, rowKey: key, chunk: 0)
            else { return .one(nil) }
            return .one(
                HistoryEntry.head(
                    ofRow: UnsafeRawBufferPointer(rebasing: stored[StoredBlob.headerSize...]), key))
        }
    }

    // MARK: Writing

    mutating func put(_ policy: HistoryPolicy) throws(StorageError) {
        if records.facts.rowCount > 0 { _ = try records.delete(0) }
        try records.insert(policy.encoded(withTail: tail != nil), as: 0)
    }

    /// Adds an entry, whose number is ``nextSequence``.
    mutating func append(_ entry: HistoryEntry) throws(StorageError) {
        let bytes = entry.encoded()
        let most = mostBytes
        if tail != nil {
            try appendToTail(bytes, entry.head)
        } else if var row = last, row.bytes.count + bytes.count + HistoryRow.lengthSize <= most {
            row.append(bytes)
            try records.put(row.bytes, as: row.first, longest: most)
            last = row
        } else {
            var row = HistoryRow(first: nextSequence)
            row.append(bytes)
            try records.insert(row.bytes, as: row.first, longest: most)
            last = row.bytes.count <= most ? row : nil
        }
        lastMark = entry.head.mark
        nextSequence += 1
    }

    private mutating func appendToTail(_ entry: ContiguousArray<UInt8>, _ head: HistoryEntry.Head)
        throws(StorageError)
    {
        guard var tail = self.tail.take() else { return }
        let count = entry.count + HistoryRow.lengthSize
        if !tail.isEmpty, tail.bytes.count + count > mostBytes {
            try records.insert(tail.bytes, as: tail.first, longest: mostBytes)
            tail.removeAll()
        }
        if count <= mostBytes {
            tail.append(entry, mark: head.mark)
        } else {
            var row = HistoryRow(first: nextSequence)
            row.append(entry)
            try records.insert(row.bytes, as: row.first, longest: mostBytes)
            tail.skip(mark: head.mark)
        }
        self.tail = tail
        isTailChanged = true
    }

    /// Makes the tail of another file, which this one continues, a row.
    mutating func insert(_ tail: HistoryTail) throws(StorageError) {
        if tail.isEmpty { return }
        try records.insert(tail.bytes, as: tail.first, longest: mostBytes)
    }

    // MARK: Deleting

    /// Deletes the entries before one, which stays, as do all that follow.
    mutating func deleteAll(before sequence: Int64) throws(StorageError) {
        let end = min(sequence, nextSequence - 1)
        while let first = try firstRow(from: 1), first < end {
            noteUnknownOldest()
            guard case .several(let row) = try row(first) else {
                // A large entry, or a row that cannot be read: up to the next one.
                if try firstRow(from: first + 1) == nil { return }
                _ = try records.delete(first)
                continue
            }
            _ = try delete(Int(min(end, row.end) - row.first), of: row)
        }
    }

    /// Deletes some of the entries that were made before a time, and never the last entry: tokens
    /// of it stay valid.
    ///
    /// - Parameters:
    ///   - overdue: Until then entries wait, if a row has others that have not expired, so that
    ///     not each commit writes the first row again.
    ///   - now: The current time. An entry that was made later, by a clock that was wrong, counts
    ///     as made when it was first found to be the oldest one, and no later than an entry behind
    ///     it in its row. Encrypted files, which cannot note the former, keep it until its time
    ///     has come.
    mutating func deleteExpired(before time: Double, overdue: Double, now: Double)
        throws(StorageError)
    {
        if let tail, tail.oldest >= time, tail.oldest <= now { return }
        var (count, byteCount) = (0, 0)
        while count < Self.mostExpired, byteCount < Self.mostExpiredBytes,
            let first = try firstRow(from: 1)
        {
            switch try row(first) {
            case .one(let head):
                note(oldest: head, in: nil, now)
                guard first < nextSequence - 1, let head, self.time(of: head, in: nil, now) < time
                else { return }
                noteUnknownOldest()
                byteCount += try records.delete(first)
                count += 1
            case .several(let row):
                note(oldest: row.head(of: first), in: row, now)
                let most = min(row.count, Self.mostExpired - count, Int(nextSequence - 1 - first))
                var expired = 0
                while expired < most,
                    let head = row.head(of: first + Int64(expired)),
                    self.time(of: head, in: row, now) < time
                { expired += 1 }
                guard expired > 0 else { return }
                if expired < min(row.count, Self.mostExpired),
                    row.head(of: first).map({ self.time(of: $0, in: row, now) }) ?? 0 >= overdue
                {
                    return
                }
                noteUnknownOldest()
                byteCount += try delete(expired, of: row)
                count += expired
            case nil: return
            }
        }
    }

    /// When an entry was made, as far as that can be known.
    ///
    /// - Parameter row: The row with the entry; nil if the entry is alone there.
    private func time(of head: HistoryEntry.Head, in row: HistoryRow?, _ now: Double) -> Double {
        guard head.time > now, let tail else { return head.time }
        var time = now
        if let row {
            for later in head.sequence + 1..<row.end {
                time = min(time, row.head(of: later)?.time ?? now)
            }
        }
        // What was noted is of the first entry.
        let isFirst = row.map { $0.first == head.sequence } ?? true
        return isFirst && tail.oldest.isFinite ? min(time, tail.oldest) : time
    }

    private mutating func note(oldest head: HistoryEntry.Head?, in row: HistoryRow?, _ now: Double)
    {
        guard let head, let tail else { return }
        let oldest = time(of: head, in: row, now)
        if tail.oldest == oldest { return }
        self.tail?.oldest = oldest
        isTailChanged = true
    }

    /// The first entry is about to be deleted.
    private mutating func noteUnknownOldest() {
        guard let tail, tail.oldest != -.infinity else { return }
        self.tail?.oldest = -.infinity
        isTailChanged = true
    }

    /// Deletes the first entries of a row. Returns about how many bytes they had.
    private mutating func delete(_ count: Int, of row: HistoryRow) throws(StorageError) -> Int {
        let rest = count < row.count ? row.dropping(count) : nil
        if isTail(row.first), let rest {
            tail?.keep(rest)
            isTailChanged = true
            return row.bytes.count - rest.bytes.count
        }
        let byteCount = try records.delete(row.first)
        guard let rest else { return byteCount }
        try records.insert(rest.bytes, as: rest.first, longest: mostBytes)
        if tail == nil, rest.end == nextSequence { last = rest }
        return row.bytes.count - rest.bytes.count
    }

    func finish() throws(StorageError) {
        try records.finish()
        guard isTailChanged, let tail else { return }
        let transaction = records.transaction
        try tail.encoded(of: records.id).withBytes { bytes throws(StorageError) in
            try transaction.putHistoryTail(bytes)
        }
    }
}
