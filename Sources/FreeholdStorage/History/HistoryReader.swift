/// The history as one version has it. Any thread may use it.
///
/// Entries are read with a cursor; the table's directory is not. Each is verified: by the
/// checksums of its bytes, and by the mark of the entry before.
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
            let policy = try Self.policy(of: snapshot)
        else { throw Self.damaged("The facts of the history are damaged.", snapshot) }
        self.policy = policy
        guard facts.rowCount > 1 else {
            (firstSequence, nextSequence) = (1, 1)
            return
        }
        let last = facts.nextRowKey - 1
        // A row that cannot be read counts as one entry, whose reader gets the error.
        let row = try? HistoryRow(first: last, decoding: Self.bytes(of: last, id, snapshot))
        nextSequence = row?.end ?? last + 1
        firstSequence =
            try StorageKey.column(id, firstKey: 1, RecordTable.column).withBytes {
                [id] key throws(StorageError) in
                var cursor = try transaction.cursor(.clusters)
                return try cursor.seek(atOrAfter: key).flatMap {
                    RecordTable.firstKey($0.key, of: id)
                }
            } ?? nextSequence
    }

    /// The policy of a version; nil if it has no history.
    static func policy(of snapshot: Snapshot) throws(StorageError) -> HistoryPolicy? {
        guard let id = snapshot.catalog.history?.id else { return nil }
        let bytes = try bytes(of: 0, id, snapshot)
        if let policy = bytes.withUnsafeBytes({ HistoryPolicy(decoding: $0) }) { return policy }
        throw damaged("The policy of the history is damaged.", snapshot)
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
        let key = try StorageKey.column(id, firstKey: sequence, RecordTable.column).withBytes {
            [id, snapshot] key throws(StorageError) in
            var cursor = try snapshot.transaction.cursor(.clusters)
            return try cursor.seek(atOrBefore: key).flatMap { RecordTable.firstKey($0.key, of: id) }
        }
        if let key, key > 0,
            let row = HistoryRow(first: key, decoding: try Self.bytes(of: key, id, snapshot)),
            sequence < row.end,
            let entry = row.withBytes(
                of: sequence,
                { bytes in
                    try? HistoryEntry(decoding: bytes, sequence: sequence)
                })
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

    private static func bytes(of row: Int64, _ id: TableID, _ snapshot: Snapshot)
        throws(StorageError) -> ContiguousArray<UInt8>
    {
        let column = RecordTable.column
        let transaction = snapshot.transaction
        let start = try StorageKey.column(id, firstKey: row, column).withBytes {
            key throws(StorageError) in
            try transaction.value(.clusters, key: key).flatMap { RecordTable.cell($0, id, row) }
        }
        guard let start else {
            throw damaged("The entry \(row) of the history is missing or damaged.", snapshot)
        }
        guard start.isBlob else { return start.bytes }
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
        return bytes
    }

    private static func damaged(_ damage: String, _ snapshot: Snapshot) -> StorageError {
        .damaged(damage, path: snapshot.transaction.environment.path)
    }
}
