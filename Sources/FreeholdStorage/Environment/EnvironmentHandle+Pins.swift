internal import CLMDB

extension EnvironmentHandle {
    /// The reader slots in use by all processes, oldest version first.
    ///
    /// LMDB tells them as lines of text, `pid thread transaction`, the last a number or `-`.
    func readerPins() -> [PinnedVersions.Pin] {
        final class Lines { var pins: [PinnedVersions.Pin] = [] }
        let lines = Lines()
        mdb_reader_list(raw, { line, context in
            guard let line, let context else { return 0 }
            let fields = String(cString: line).split(whereSeparator: { $0 == " " || $0 == "\n" })
            if fields.count == 3, let process = Int32(fields[0]), let transaction = UInt64(fields[2]) {
                Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().pins
                    .append(PinnedVersions.Pin(processIdentifier: process, version: transaction))
            }
            return 0
        }, Unmanaged.passUnretained(lines).toOpaque())
        return lines.pins
            .map { PinnedVersions.Pin(processIdentifier: $0.processIdentifier, version: $0.version &+ versionOffset) }
            .sorted { $0.version < $1.version }
    }

    /// The bytes of free pages that a write transaction can use: those freed before the oldest version that anyone reads.
    func reusableByteCount(in transaction: OpaquePointer) throws(StorageError) -> Int {
        let oldest = readerPins().first?.version ?? .max
        return try freedBytes(in: transaction).reduce(0) { $1.version < oldest ? $0 + $1.count : $0 }
    }

    /// The bytes of the pages that the commit of each version has freed and nobody has used again, in ascending order.
    ///
    /// The free list has an entry by transaction id, which begins with the number of its pages. O(entries).
    func freedBytes(in transaction: OpaquePointer) throws(StorageError) -> [(version: UInt64, count: Int)] {
        let identifier = UInt64(truncatingIfNeeded: mdb_txn_id(transaction))
        if let size = mappedPageSize, let tree = MappedTree(.meta, in: transaction, pageSize: size, lastPage: lastPage)?.freeList(ofTransaction: identifier) {
            return try freedBytes(MappedCursor(tree))
        }
        var cursor: OpaquePointer?
        var result = mdb_cursor_open(transaction, Database.freeListHandle, &cursor)
        guard result == MDB_SUCCESS, let cursor else { throw .lmdb(result, "read the free list", path: path) }
        defer { mdb_cursor_close(cursor) }
        var freed: [(version: UInt64, count: Int)] = []
        var key = MDB_val()
        var value = MDB_val()
        result = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
        while result == MDB_SUCCESS, key.mv_size == 8, value.mv_size >= 8 {
            let pageCount = Int(truncatingIfNeeded: value.bytes.loadUnaligned(as: UInt64.self))
            freed.append((key.bytes.loadUnaligned(as: UInt64.self) &+ versionOffset, pageCount &* pageSize))
            result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        if result != MDB_SUCCESS, result != MDB_NOTFOUND { throw .lmdb(result, "read the free list", path: path) }
        return freed
    }

    private func freedBytes(_ freeList: consuming MappedCursor) throws(StorageError) -> [(version: UInt64, count: Int)] {
        var cursor = freeList
        var freed: [(version: UInt64, count: Int)] = []
        do throws(MappedCursor.Damage) {
            var entry = try cursor.first()
            while let current = entry {
                guard current.key.count == 8, current.value.count >= 8 else { throw MappedCursor.Damage() }
                let pageCount = current.value.loadUnaligned(as: UInt64.self)
                guard pageCount <= UInt64(current.value.count / 8 - 1) else { throw MappedCursor.Damage() }
                freed.append((current.key.loadUnaligned(as: UInt64.self) &+ versionOffset, Int(pageCount) * pageSize))
                entry = try cursor.next()
            }
        } catch {
            throw corrupted(path, "a page of its free list is not what the pages before it say")
        }
        return freed
    }
}
