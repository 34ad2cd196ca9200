/// An immutable view of one version of the file.
///
/// Any number of threads may read through one instance at once, each with its own cursors. The
/// view and every pointer read from it are valid while the instance lives; any thread may
/// release it. While it lives, no page of its version or of a later one is reused, so a view
/// that is kept long makes the file grow.
///
/// ## Why LMDB's transaction can be shared
/// LMDB requires one thread at a time. But a look-up in a read-only transaction writes to it
/// only once: the first use of a named database copies its root into the transaction.
/// `EnvironmentHandle` uses each database once before an instance exists; from then on look-ups
/// and cursors only read. To keep that true, the file never opens a handle later. Resetting,
/// renewing and aborting do write, and only `deinit` aborts.
package final class ReadTransaction: @unchecked Sendable {
    // @unchecked: after `init`, only `deinit` writes `raw` (see above), and it runs alone.

    /// The version that this view shows. Commits number versions for each file, without gaps.
    package let version: UInt64
    /// The open file. Kept open by this view.
    package let environment: Environment
    /// The handle that this view began on: the environment's current one, unless the file was
    /// compacted since.
    let handle: EnvironmentHandle
    let raw: LMDBTransaction
    /// The databases in LMDB's map. Nil if only LMDB can read them, because the file has larger
    /// pages than the system: such a file was walked when it was opened.
    private let trees: MappedTrees?
    /// The reason why `trees` is missing although the file should have it.
    private let damage: StorageError?
    /// A copy of the environment's value, so that look-ups need not retain the environment.
    private let forkGeneration: Int
    /// The trees of an encrypted file; nil for a plain one.
    let encrypted: EncryptedView?
    /// The view whose LMDB transaction this one uses, if it has none of its own.
    private let origin: ReadTransaction?

    /// Adopts a begun and warmed LMDB transaction.
    init(
        adopting raw: LMDBTransaction, version: UInt64, environment: Environment,
        handle: EnvironmentHandle
    ) {
        self.raw = raw
        self.version = version
        self.environment = environment
        self.handle = handle
        forkGeneration = environment.forkGeneration
        let pageSize = handle.mappedPageSize
        let trees = pageSize.flatMap { MappedTrees(raw, pageSize: $0, lastPage: handle.lastPage) }
        self.trees = trees
        damage =
            pageSize != nil && trees == nil
            ? corrupted(handle.path, "the record of a database is not one") : nil
        encrypted = handle.treeEncryption.map { EncryptedView($0, raw, version, trees) }
        origin = nil
        environment.readTransactionBegan(version)
    }

    /// Makes a view of the same version that has decrypted nothing yet.
    private init(renewing origin: ReadTransaction) {
        raw = origin.raw
        version = origin.version
        environment = origin.environment
        handle = origin.handle
        forkGeneration = origin.forkGeneration
        trees = origin.trees
        damage = origin.damage
        encrypted = origin.handle.treeEncryption.map {
            EncryptedView($0, origin.raw, origin.version, origin.trees)
        }
        self.origin = origin
    }

    /// A view of the same version without what this one has decrypted and keeps; itself in a plain
    /// file. O(1).
    func renewed() -> ReadTransaction {
        encrypted == nil ? self : ReadTransaction(renewing: origin ?? self)
    }

    deinit {
        if origin != nil { return }
        // In a forked child the reader slot belongs to the parent: an abort would end the
        // parent's pin.
        guard environment.isOwnedByThisProcess else { return }
        trees?.deallocate()
        raw.abort()
        environment.readTransactionEnded(.passUnretained(self), version)
    }

    /// Returns the value of a key, or nil. One B-tree descent, no allocation.
    ///
    /// - Throws: `corrupted`, or `forkedChild`.
    @inline(__always)
    package func value(_ database: Database, key: UnsafeRawBufferPointer) throws(StorageError)
        -> UnsafeRawBufferPointer?
    {
        if forkGeneration != ForkGuard.generation { throw environment.forkedChildError }
        if let encrypted { return try encrypted.tree(database).value(of: key) }
        if let trees {
            switch trees[database].find(key) {
            case .found(let value): return value
            case .missing: return nil
            case .unknown: throw unreadable(database, key)
            }
        }
        if let damage { throw damage }
        switch raw.value(database.handle, key) {
        case .success(let value): return value
        case .failure(.notFound): return nil
        case .failure(let result): throw .lmdb(result, "read an entry", path: environment.path)
        }
    }

    /// The error for a key that cannot be read. LMDB refuses an empty key and one that is too
    /// long.
    @inline(never)
    private func unreadable(_ database: Database, _ key: UnsafeRawBufferPointer) -> StorageError {
        key.isEmpty || key.count > EncryptedNode.longestKey
            ? .lmdb(.badValueSize, "read an entry", path: environment.path)
            : handle.damaged(database)
    }

    /// A database's tree, for a cursor; nil if only LMDB can read it, and for an encrypted
    /// file.
    func readableTree(_ database: Database) throws(StorageError) -> MappedTree? {
        if let damage { throw damage }
        return encrypted == nil ? trees?[database] : nil
    }

    /// A database's tree, for a caller that reads its pages and retains this view. Nil if only
    /// LMDB can read it, and for an encrypted file.
    package func mappedTree(_ database: Database) throws(StorageError) -> MappedTree? {
        if forkGeneration != ForkGuard.generation { throw environment.forkedChildError }
        return try readableTree(database)
    }

    /// The file's format record in this version, which is not in a tree of an encrypted file.
    func formatRecord() throws(StorageError) -> FormatRecord {
        if let damage { throw damage }
        var bytes: [UInt8]?
        if let trees {
            if case .found(let value) = FormatRecord.key.withUnsafeBytes({ trees[.meta].find($0) })
            {
                bytes = Array(value)
            }
        } else if case .success(let value) = FormatRecord.stored(in: raw) {
            bytes = Array(value)
        }
        guard let bytes, let format = try FormatRecord(decoding: bytes, path: environment.path)
        else { throw corrupted(environment.path, "it has no format record") }
        return format
    }

    /// A new cursor, for the calling thread. It allocates; keep it for a whole walk.
    package func cursor(_ database: Database) throws(StorageError) -> Cursor {
        if forkGeneration != ForkGuard.generation { throw environment.forkedChildError }
        return try Cursor(reading: database, of: self)
    }

    /// The number of entries. O(1).
    package func entryCount(_ database: Database) -> Int {
        if let encrypted { return encrypted.entryCount(database) }
        return raw.entryCountOfOpen(database.handle)
    }
}
