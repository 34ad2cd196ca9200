internal import CLMDB

/// An immutable view of one version of the file.
///
/// Any number of threads may read through one instance at once, each with cursors of its own. The view and
/// every pointer read from it are valid as long as the instance lives; it may be released on any thread. While
/// it lives, no page of its version or of a later one is reused, so a view that is kept long makes the file grow.
///
/// ## Why LMDB's transaction can be shared
/// LMDB asks for one thread at a time, yet a lookup in a read-only transaction writes to it in one case only: the
/// first use of a named database copies its root into the transaction. `EnvironmentHandle` uses each database once before
/// an instance exists; from then on lookups and cursors read only. The file holds this by never opening
/// a handle later. Resetting, renewing and aborting do write, and only `deinit` aborts.
package final class ReadTransaction: @unchecked Sendable {
    // @unchecked: `raw` is not written after `init` (see above) but by `deinit`, which is alone.

    /// The version that this view shows. Versions are numbered by commit, without gaps, per file.
    package let version: UInt64
    /// The open file. Kept open by this view.
    package let environment: Environment
    /// Where this view was begun: that of the environment, unless the file was compacted since.
    let handle: EnvironmentHandle
    let raw: OpaquePointer
    /// As the environment's, here for lookups, which then need not retain the environment.
    private let forkGeneration: Int
    /// The tree of the indexes; nil where only LMDB can read it.
    package let indexes: TreeDescent?
    /// The trees of an encrypted file.
    let sealed: SealedView?

    /// Takes over a begun and warmed LMDB transaction.
    init(adopting raw: OpaquePointer, version: UInt64, environment: Environment, handle: EnvironmentHandle) {
        self.raw = raw
        self.version = version
        self.environment = environment
        self.handle = handle
        forkGeneration = environment.forkGeneration
        sealed = handle.sealing.map { SealedView($0, raw, version) }
        indexes = Self.mappedTree(.indexes, raw, handle).map(TreeDescent.init)
        environment.readTransactionBegan(version)
    }

    deinit {
        // In a forked child the reader slot is the parent's: to abort would end the parent's pin.
        guard environment.isOwnedByThisProcess else { return }
        mdb_txn_abort(raw)
        environment.readTransactionEnded(.passUnretained(self), version)
    }

    /// The value of a key, or `nil`. One B-tree descent, no allocation.
    ///
    /// - Throws: `corrupted`, or `forkedChild`.
    @inline(__always)
    package func value(_ database: Database, key: UnsafeRawBufferPointer) throws(StorageError) -> UnsafeRawBufferPointer? {
        if forkGeneration != ForkGuard.generation { throw environment.forkedChildError }
        if let sealed { return try sealed.tree(database).value(of: key) }
        var key = MDB_val(key)
        var value = MDB_val()
        let result = mdb_get(raw, database.handle, &key, &value)
        if result == MDB_SUCCESS { return value.bytes }
        if result == MDB_NOTFOUND { return nil }
        throw .lmdb(result, "read an entry", path: environment.path)
    }

    /// The value of a key of the indexes, as ``value(_:key:)``: faster where the tree is larger than the caches.
    @inline(__always)
    package func indexValue(_ key: UnsafeRawBufferPointer) throws(StorageError) -> UnsafeRawBufferPointer? {
        if forkGeneration != ForkGuard.generation { throw environment.forkedChildError }
        if let indexes {
            switch indexes.find(key) {
            case .found(let value): return value
            case .missing: return nil
            case .unknown: break
            }
        }
        return try value(.indexes, key: key)
    }

    private static func mappedTree(_ database: Database, _ raw: OpaquePointer, _ handle: EnvironmentHandle) -> MappedTree? {
        if handle.sealing != nil { return nil }
        return handle.mappedPageSize.flatMap { MappedTree(database, in: raw, pageSize: $0, lastPage: handle.lastPage) }
    }

    /// A database's tree, for one who keeps this view and reads the pages; nil where only LMDB can, and of an encrypted file. One lookup.
    package func mappedTree(_ database: Database) throws(StorageError) -> MappedTree? {
        if forkGeneration != ForkGuard.generation { throw environment.forkedChildError }
        return Self.mappedTree(database, raw, handle)
    }

    /// A new cursor, for the calling thread. It allocates; keep it for a whole walk.
    package func cursor(_ database: Database) throws(StorageError) -> Cursor {
        if forkGeneration != ForkGuard.generation { throw environment.forkedChildError }
        return try Cursor(reading: database, of: self)
    }

    /// The number of entries. O(1).
    package func entryCount(_ database: Database) -> Int {
        if let sealed { return sealed.entryCount(database) }
        var statistics = MDB_stat()
        let result = mdb_stat(raw, database.handle, &statistics)
        precondition(result == MDB_SUCCESS, "mdb_stat fails only for a handle that is not open.")
        return statistics.ms_entries
    }
}
