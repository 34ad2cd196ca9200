internal import CLMDB

extension EnvironmentHandle {
    /// The reader slots in use by all processes, oldest version first.
    ///
    /// LMDB lists them as lines of text, `pid thread transaction`, where the last field is a
    /// number or `-`.
    func readerPins() -> [PinnedVersions.Pin] {
        final class Lines { var pins: [PinnedVersions.Pin] = [] }
        let lines = Lines()
        mdb_reader_list(
            raw,
            { line, context in
                guard let line, let context else { return 0 }
                let fields = String(cString: line).split(whereSeparator: { $0 == " " || $0 == "\n" }
                )
                if fields.count == 3, let process = Int32(fields[0]),
                    let transaction = UInt64(fields[2])
                {
                    Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().pins
                        .append(
                            PinnedVersions.Pin(processIdentifier: process, version: transaction))
                }
                return 0
            }, Unmanaged.passUnretained(lines).toOpaque())
        return lines.pins
            .map {
                PinnedVersions.Pin(
                    processIdentifier: $0.processIdentifier, version: $0.version &+ versionOffset)
            }
            .sorted { $0.version < $1.version }
    }

    /// The bytes of free pages that a write transaction can reuse: those freed before the
    /// oldest version that is being read. O(entries of the free list).
    func reusableByteCount(in transaction: OpaquePointer) throws(StorageError) -> Int {
        let oldest = readerPins().first?.version ?? .max
        return try freedBytes(in: transaction).reduce(0) {
            $1.version < oldest ? $0 + $1.count : $0
        }
    }

    /// As ``reusableByteCount(in:)``, without runs of fewer than `length` pages.
    /// O(free pages + pages of the file / 64).
    func reusableByteCount(inRunsOf length: Int, in transaction: OpaquePointer) throws(StorageError)
        -> Int
    {
        try reusablePages(in: transaction).pageCount(inRunsOf: length) * pageSize
    }

    /// The free pages that a write transaction can reuse. O(free pages + pages of the file /
    /// 64).
    func reusablePages(in transaction: OpaquePointer) throws(StorageError) -> PageSet {
        let oldest = readerPins().first?.version ?? .max
        var free = PageSet(count: lastPage + 1)
        try forEachFreed(in: transaction) { version, pages in
            guard version < oldest else { return }
            for page in pages { _ = free.insert(page) }
        }
        return free
    }

    /// The bytes of pages that each version's commit freed and no later one reused, in
    /// ascending order of versions. O(entries).
    func freedBytes(in transaction: OpaquePointer) throws(StorageError) -> [(
        version: UInt64, count: Int
    )] {
        var freed: [(version: UInt64, count: Int)] = []
        try forEachFreed(in: transaction) { freed.append(($0, $1.count * pageSize)) }
        return freed
    }

    /// Visits the free list: the version whose commit freed pages, and these pages.
    private func forEachFreed(
        in transaction: OpaquePointer, _ body: (UInt64, FreedPages) -> Void
    ) throws(StorageError) {
        func visit(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer)
            throws(MappedPage.Damage)
        {
            guard key.count == 8, let pages = FreedPages(value) else { throw MappedPage.Damage() }
            body(key.loadUnaligned(as: UInt64.self) &+ versionOffset, pages)
        }
        var result = MDB_NOTFOUND
        do throws(MappedPage.Damage) {
            let identifier = UInt64(truncatingIfNeeded: mdb_txn_id(transaction))
            if let size = mappedPageSize,
                let tree = MappedTree(.meta, in: transaction, pageSize: size, lastPage: lastPage)?
                    .freeList(ofTransaction: identifier)
            {
                var cursor = MappedCursor(tree)
                var entry = try cursor.first()
                while let current = entry {
                    try visit(current.key, current.value)
                    entry = try cursor.next()
                }
            } else {
                var cursor: OpaquePointer?
                result = mdb_cursor_open(transaction, Database.freeListHandle, &cursor)
                defer { mdb_cursor_close(cursor) }
                var key = MDB_val()
                var value = MDB_val()
                if result == MDB_SUCCESS {
                    result = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
                }
                while result == MDB_SUCCESS {
                    try visit(key.bytes, value.bytes)
                    result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
                }
            }
        } catch {
            throw corrupted(path, "a page of its free list is not what the pages before it say")
        }
        if result != MDB_NOTFOUND { throw .lmdb(result, "read the free list", path: path) }
    }
}
