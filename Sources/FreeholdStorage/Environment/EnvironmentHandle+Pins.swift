extension EnvironmentHandle {
    /// The reader slots in use by all processes, oldest version first, without those that only
    /// block reuse (``ReuseBlock``).
    func readerPins() -> [PinnedVersions.Pin] {
        readerSlots().compactMap { process, transaction in
            transaction == ReuseBlock.transaction
                ? nil
                : PinnedVersions.Pin(
                    processIdentifier: process, version: transaction &+ versionOffset)
        }.sorted { $0.version < $1.version }
    }

    /// Whether LMDB sees this process's ``ReuseBlock``. It may be gone: other code of this process
    /// that closes the lock file drops its locks, and another process then clears the slots.
    var isReuseBlocked: Bool {
        readerSlots().contains {
            $0.process == SystemProcess.identifier && $0.transaction == ReuseBlock.transaction
        }
    }

    /// LMDB lists the slots as lines of text, `pid thread transaction`, where the last field is
    /// a number or `-`.
    private func readerSlots() -> [(process: Int32, transaction: UInt64)] {
        raw.readerLines.compactMap { line in
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\n" })
            guard fields.count == 3, let process = Int32(fields[0]),
                let transaction = UInt64(fields[2])
            else { return nil }
            return (process, transaction)
        }
    }

    /// Only pages that were freed before this version can be reused. Nil if none can.
    private var oldestVersionInUse: UInt64? {
        guard let oldest = readerSlots().map(\.transaction).min() else { return .max }
        return oldest == ReuseBlock.transaction ? nil : oldest &+ versionOffset
    }

    /// The bytes of free pages that a write transaction can reuse: those freed before the
    /// oldest version that is being read. O(entries of the free list).
    func reusableByteCount(in transaction: LMDBTransaction) throws(StorageError) -> Int {
        guard let oldest = oldestVersionInUse else { return 0 }
        return try freedBytes(in: transaction).reduce(0) {
            $1.version < oldest ? $0 + $1.count : $0
        }
    }

    /// As ``reusableByteCount(in:)``, without runs of fewer than `length` pages.
    /// O(free pages + pages of the file / 64).
    func reusableByteCount(inRunsOf length: Int, in transaction: LMDBTransaction)
        throws(StorageError) -> Int
    { try reusablePages(in: transaction).pageCount(inRunsOf: length) * pageSize }

    /// The free pages that a write transaction can reuse. O(free pages + pages of the file /
    /// 64).
    func reusablePages(in transaction: LMDBTransaction) throws(StorageError) -> PageSet {
        var free = PageSet(count: lastPage + 1)
        guard let oldest = oldestVersionInUse else { return free }
        try forEachFreed(in: transaction) { version, pages in
            guard version < oldest else { return }
            for page in pages { _ = free.insert(page) }
        }
        return free
    }

    /// The bytes of pages that each version's commit freed and no later one reused, in
    /// ascending order of versions. O(entries).
    func freedBytes(in transaction: LMDBTransaction) throws(StorageError) -> [(
        version: UInt64, count: Int
    )] {
        var freed: [(version: UInt64, count: Int)] = []
        try forEachFreed(in: transaction) { freed.append(($0, $1.count * pageSize)) }
        return freed
    }

    /// Visits the free list: the version whose commit freed pages, and these pages.
    private func forEachFreed(
        in transaction: LMDBTransaction, _ body: (UInt64, FreedPages) -> Void
    ) throws(StorageError) {
        func visit(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer)
            throws(MappedPage.Damage)
        {
            guard key.count == 8, let pages = FreedPages(value) else { throw MappedPage.Damage() }
            body(key.loadUnaligned(as: UInt64.self) &+ versionOffset, pages)
        }
        var end = LMDBResult.notFound
        do throws(MappedPage.Damage) {
            if let size = mappedPageSize,
                let tree = MappedTree(.meta, in: transaction, pageSize: size, lastPage: lastPage)?
                    .freeList(ofTransaction: transaction.identifier)
            {
                var cursor = MappedCursor(tree)
                var entry = try cursor.first()
                while let current = entry {
                    try visit(current.key, current.value)
                    entry = try cursor.next()
                }
            } else {
                switch transaction.cursor(Database.freeListHandle) {
                case .success(let cursor):
                    defer { cursor.close() }
                    var step = cursor.move(.first)
                    while case .success(let entry) = step {
                        try visit(entry.key, entry.value)
                        step = cursor.move(.next)
                    }
                    if case .failure(let result) = step { end = result }
                case .failure(let result): end = result
                }
            }
        } catch {
            throw corrupted(path, "a page of its free list is not what the pages before it say")
        }
        if end != .notFound { throw .lmdb(end, "read the free list", path: path) }
    }
}
