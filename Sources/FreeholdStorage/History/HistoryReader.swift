/// The history as one version has it. Any thread may use it.
///
/// Entries are read with a cursor or from the tail; the table's directory is not. Each is verified:
/// by the checksums of its bytes, and by the mark of the entry before.
package struct HistoryReader: Sendable {
    /// A place in a history: after the entry with this number and mark.
    package struct Token: Hashable, Sendable {
        package var lineage: UniqueIdentifier
        package var sequence: Int64
        package var mark: UInt64

        package init(lineage: UniqueIdentifier, sequence: Int64, mark: UInt64) {
            self.lineage = lineage
            self.sequence = sequence
            self.mark = mark
        }
    }

    package let policy: HistoryPolicy
    /// The number of the next entry, and of the first one.
    package let nextSequence: Int64
    package let firstSequence: Int64
    private let snapshot: Snapshot
    private let id: TableID
    /// The entries of the tail; nil without one.
    private let tail: HistoryRow?
    /// The number of the first entry that is in no row of the table, though the tail may be
    /// damaged.
    private let endOfRows: Int64

    /// Nil if the version has no history.
    package init?(_ snapshot: Snapshot) throws(StorageError) {
        guard let definition = snapshot.catalog.history else { return nil }
        self.snapshot = snapshot
        id = definition.id
        let transaction = snapshot.transaction
        let facts = try StorageKey.tableFacts(definition.id).withBytes {
            key throws(StorageError) in
            try transaction.value(.meta, key: key).flatMap {
                TableFacts(decoding: $0, of: definition.id)
            }
        }
        guard let facts, facts.rowCount > 0, facts.rowCount <= facts.nextRowKey,
            case let stored = try Self.policy(of: snapshot, definition.id)
        else { throw Self.damaged("The facts of the history are damaged.", snapshot) }
        let hasTail = stored.hasTail
        policy = stored.policy
        let firstRow =
            try StorageKey.column(id, firstKey: 1, RecordTable.column).withBytes {
                [id] key throws(StorageError) in
                var cursor = try transaction.cursor(.clusters)
                return try cursor.seek(atOrAfter: key).flatMap {
                    RecordTable.firstKey($0.key, of: id)
                }
            }
        let found =
            hasTail
            ? try transaction.historyTail().flatMap { [id] in HistoryTail(decoding: $0, of: id) }
            : nil
        tail = found?.row
        // A row or a tail that cannot be read counts as one entry, whose reader gets the error.
        if let found {
            endOfRows = found.first
        } else if facts.rowCount > 1 {
            let last = facts.nextRowKey - 1
            let row = try? HistoryRow(
                first: last, decoding: Self.bytes(of: last, id, snapshot).bytes)
            endOfRows = row?.end ?? last + 1
        } else {
            endOfRows = max(facts.nextRowKey, 1)
        }
        nextSequence = found?.next ?? (hasTail ? endOfRows + 1 : endOfRows)
        firstSequence = firstRow ?? endOfRows
    }

    /// The policy of a version; nil if it has no history. It is decoded once while it is the same.
    static func policy(of snapshot: Snapshot) throws(StorageError) -> StoredHistoryPolicy? {
        guard let id = snapshot.catalog.history?.id else { return nil }
        return try policy(of: snapshot, id)
    }

    /// - Parameter id: The history's table, which the version has.
    static func policy(of snapshot: Snapshot, _ id: TableID) throws(StorageError)
        -> StoredHistoryPolicy
    {
        let known = snapshot.historyPolicy.withLock { $0 }
        if let known, known.table == id {
            let isSame = try StorageKey.column(id, firstKey: 0, RecordTable.column).withBytes {
                key throws(StorageError) in
                try snapshot.transaction.value(.clusters, key: key).map {
                    $0.count == known.record.count && known.record.matches($0)
                } ?? false
            }
            if isSame { return known }
        }
        let (bytes, record) = try bytes(of: 0, id, snapshot)
        let found = bytes.withUnsafeBytes { bytes in
            HistoryPolicy(decoding: bytes).map {
                StoredHistoryPolicy(
                    table: id, record: record ?? [], policy: $0,
                    hasTail: HistoryPolicy.saysTail(bytes))
            }
        }
        guard let found else {
            throw damaged("The policy of the history is damaged.", snapshot)
        }
        if record != nil { snapshot.historyPolicy.withLock { $0 = found } }
        return found
    }

    /// The token of the newest entry; before any entry, of the beginning.
    package func newestToken() throws(StorageError) -> Token {
        if nextSequence == 1 { return beginning }
        if firstSequence == nextSequence {
            throw Self.damaged("The history has lost its last entry.", snapshot)
        }
        return token(of: try entry(nextSequence - 1).head)
    }

    private var beginning: Token {
        Token(lineage: policy.lineage, sequence: 0, mark: policy.lineage.low)
    }

    /// The token of the place before the oldest entry.
    package func oldestToken() throws(StorageError) -> Token {
        if nextSequence == 1 { return beginning }
        return Token(
            lineage: policy.lineage, sequence: firstSequence - 1,
            mark: try entry(firstSequence).head.previousMark)
    }

    package func token(of head: HistoryEntry.Head) -> Token {
        Token(lineage: policy.lineage, sequence: head.sequence, mark: head.mark)
    }

    /// Whether all entries after a token are there: false if the token is of another file or of
    /// another history of this file, or if some were deleted.
    package func hasAll(after token: Token) throws(StorageError) -> Bool {
        guard token.lineage == policy.lineage, token.sequence < nextSequence,
            token.sequence >= firstSequence - 1
        else { return false }
        if token.sequence < firstSequence {
            if nextSequence == 1 { return token == beginning }
            return try entry(firstSequence).head.previousMark == token.mark
        }
        return try entry(token.sequence).head.mark == token.mark
    }

    /// Reads an entry, which must be there. O(bytes).
    package func entry(_ sequence: Int64) throws(StorageError) -> HistoryEntry {
        if sequence >= endOfRows {
            if let entry = tail?.entry(sequence) { return entry }
            throw Self.damaged("The entry \(sequence) of the history is damaged.", snapshot)
        }
        let key = try StorageKey.column(id, firstKey: sequence, RecordTable.column).withBytes {
            [id, snapshot] key throws(StorageError) in
            var cursor = try snapshot.transaction.cursor(.clusters)
            return try cursor.seek(atOrBefore: key).flatMap { RecordTable.firstKey($0.key, of: id) }
        }
        if let key, key > 0,
            let row = HistoryRow(first: key, decoding: try Self.bytes(of: key, id, snapshot).bytes),
            let entry = row.entry(sequence)
        {
            return entry
        }
        throw Self.damaged("The entry \(sequence) of the history is damaged.", snapshot)
    }

    /// The error of an entry that does not follow the one before it.
    package func checkOrder(_ head: HistoryEntry.Head, after mark: UInt64) throws(StorageError) {
        if head.previousMark != mark {
            throw Self.damaged(
                "The entry \(head.sequence) of the history does not follow the one before.",
                snapshot)
        }
    }

    // MARK: Bytes

    /// - Returns: The bytes of a row; of the policy also its record, unless a blob has the bytes.
    private static func bytes(of row: Int64, _ id: TableID, _ snapshot: Snapshot)
        throws(StorageError) -> (bytes: ContiguousArray<UInt8>, record: ContiguousArray<UInt8>?)
    {
        let column = RecordTable.column
        let transaction = snapshot.transaction
        let (start, record) = try StorageKey.column(id, firstKey: row, column).withBytes {
            key throws(StorageError) in
            let stored = try transaction.value(.clusters, key: key)
            return (
                stored.flatMap { RecordTable.cell($0, id, row) },
                row == 0 ? stored.map { ContiguousArray($0) } : nil
            )
        }
        guard let start else {
            throw damaged("The entry \(row) of the history is missing or damaged.", snapshot)
        }
        guard start.isBlob else { return (start.bytes, record) }
        let length = start.bytes.withUnsafeBytes {
            $0.count == 8 ? UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) : 0
        }
        var bytes = ContiguousArray<UInt8>()
        var chunk: UInt32 = 0
        while UInt64(bytes.count) < length {
            let isFound = try StorageKey.blob(id, column, rowKey: row, chunk: chunk).withBytes {
                key throws(StorageError) in
                guard let stored = try transaction.value(.blobs, key: key),
                    stored.count > StoredBlob.headerSize,
                    StoredBlob.hasRightChecksum(stored, id, column, rowKey: row, chunk: chunk)
                else { return false }
                bytes.append(contentsOf: stored[StoredBlob.headerSize...])
                return true
            }
            guard isFound else {
                throw damaged(
                    "Chunk \(chunk) of the entry \(row) of the history is damaged.", snapshot)
            }
            chunk += 1
        }
        return (bytes, nil)
    }

    private static func damaged(_ damage: String, _ snapshot: Snapshot) -> StorageError {
        .damaged(damage, path: snapshot.transaction.environment.path)
    }
}
