/// An open file: its environment, its newest snapshot and its writer. All realms of the process
/// on that file share it.
///
/// Lock order: the registry, then `newest`. No callback is called while one of them is held.
package final class Store: Sendable {
    package typealias Options = Environment.Options

    package let environment: Environment
    package let layout: StorageLayout
    let corruption = CorruptionLog()
    private let newest = NewestSnapshot()
    /// The most recently decoded catalog.
    private let decodedCatalog = Locked<DecodedCatalog?>(nil)
    let commitListener = CommitListener()

    private init(_ environment: Environment, layout: StorageLayout) {
        self.environment = environment
        self.layout = layout
    }

    package var path: String { environment.path }

    // MARK: Opening

    private struct Reference {
        weak var store: Store?
    }

    /// The open stores, by the identity of the environment, of which the environment registry
    /// keeps one per file. The value protects itself.
    private static let registry = Locked<[ObjectIdentifier: Reference]>(processWide: [:])

    /// Opens a file, creating it where that is allowed. A file that is open already is shared.
    /// Commits of a temporary one are not synced.
    package static func open(_ options: Options) throws(StorageError) -> Store {
        var options = options
        if options.isTemporary { options.durability = .none }
        let environment = try Environment.open(options)
        return registry.withLock { stores in
            if let store = stores[ObjectIdentifier(environment)]?.store { return store }
            let layout = options.hooks.layout
            let store = Store(
                environment, layout: environment.isEncrypted ? layout.hidingLengths : layout)
            stores[ObjectIdentifier(environment)] = Reference(store: store)
            return store
        }
    }

    deinit {
        // The registry may already have a new store of the same file. It is released after the
        // lock: this may be its last owner, and its `deinit` takes the lock, too.
        let successor = Self.registry.withLock { stores -> Store? in
            guard let store = stores[ObjectIdentifier(environment)]?.store else {
                stores[ObjectIdentifier(environment)] = nil
                return nil
            }
            return store
        }
        withExtendedLifetime(successor) {}
    }

    // MARK: Reading

    /// The newest version. Shares an existing snapshot of it; otherwise O(1), plus decoding the
    /// catalog if that has changed.
    package func newestSnapshot() throws(StorageError) -> Snapshot {
        try snapshot(of: try environment.read())
    }

    /// Whether a snapshot shows the newest committed version, as far as that is known without a
    /// transaction, and the file was not compacted since. Nanoseconds.
    package func isNewest(_ snapshot: Snapshot) -> Bool {
        environment.isNewest(snapshot.transaction)
    }

    /// Whether a commit followed that of a write set, which has therefore finished,
    /// successfully or not. Nanoseconds.
    package func isOvertaken(_ writeSet: WriteSet) -> Bool {
        environment.isOvertaken(commitAfter: writeSet.base.transaction)
    }

    private static let catalogKey: ContiguousArray<UInt8> = ContiguousArray("catalog".utf8)

    func snapshot(of transaction: ReadTransaction, directories: [TableID: ClusterDirectory] = [:])
        throws(StorageError) -> Snapshot
    {
        if let snapshot = newest.get(), snapshot.version == transaction.version,
            snapshot.transaction.handle === transaction.handle
        {
            return snapshot
        }
        let catalog = try catalog(in: transaction)
        return newest.publish(
            Snapshot(
                transaction, catalog: catalog, corruption: corruption, newest: newest,
                directories: directories))
    }

    private func catalog(in transaction: ReadTransaction) throws(StorageError) -> DecodedCatalog {
        let bytes = try Self.catalogKey.withBytes { key throws(StorageError) in
            try transaction.value(.meta, key: key)
        }
        guard let bytes else { return DecodedCatalog(Catalog()) }
        if let known = decodedCatalog.withLock({ $0 }), known.bytes.count == bytes.count,
            known.bytes.matches(bytes)
        {
            return known
        }
        guard let catalog = Catalog(decoding: bytes) else {
            throw StorageError.damaged("The catalog of \"\(path)\" is damaged.", path: path)
        }
        let decoded = DecodedCatalog(catalog, bytes: ContiguousArray(bytes))
        decodedCatalog.withLock { $0 = decoded }
        return decoded
    }

    // MARK: Writing

    /// Waits for the write lock; first in, first out. See ``Writer/begin(as:timeout:)``.
    package func beginWrite(
        as identity: WriterIdentity = WriterIdentity(), timeout: Duration? = nil
    ) throws(StorageError) -> WriteSet {
        try corruption.check()
        return try beginWrite(with: try environment.writer.begin(as: identity, timeout: timeout))
    }

    /// The newest version, for a caller that cannot handle failure. A damaged catalog is
    /// remembered and replaced by `known`.
    package func newestSnapshot(knowing known: Catalog) throws(StorageError) -> Snapshot {
        try snapshot(of: try environment.read(), knowing: known)
    }

    private func snapshot(of transaction: ReadTransaction, knowing known: Catalog)
        throws(StorageError) -> Snapshot
    {
        do throws(StorageError) {
            return try snapshot(of: transaction)
        } catch {
            if error.code != .corrupted { throw error }
            corruption.note(error)
            return Snapshot(
                transaction, catalog: DecodedCatalog(known), corruption: corruption, newest: newest)
        }
    }

    /// Begins a transaction for a caller that cannot handle failure, even if damage is known.
    /// The commit then throws.
    package func beginWriteDespiteDamage(
        as identity: WriterIdentity, timeout: Duration?, knowing known: Catalog
    ) throws(StorageError) -> WriteSet {
        try beginWriteDespiteDamage(
            with: try environment.writer.begin(as: identity, timeout: timeout), knowing: known)
    }

    /// As ``beginWriteDespiteDamage(as:timeout:knowing:)``, with a write grant, which is
    /// released on failure.
    package func beginWriteDespiteDamage(with grant: WriteGrant, knowing known: Catalog)
        throws(StorageError) -> WriteSet
    {
        do throws(StorageError) {
            return WriteSet(
                base: try snapshot(of: grant.base, knowing: known), grant: grant, layout: layout)
        } catch {
            grant.cancel()
            throw error
        }
    }

    /// Begins a transaction with a write grant, which is released on failure.
    package func beginWrite(with grant: WriteGrant) throws(StorageError) -> WriteSet {
        do throws(StorageError) {
            try corruption.check()
            return WriteSet(base: try snapshot(of: grant.base), grant: grant, layout: layout)
        } catch {
            grant.cancel()
            throw error
        }
    }

    /// Commits all changes durably, according to the file's durability, or throws and changes
    /// nothing. The write set is used up.
    ///
    /// Without changes, nothing is written, and the result is the transaction's base snapshot.
    /// Throws `valueTooLarge` for a value longer than the layout's `longestValue`.
    package func commit(_ writeSet: WriteSet) throws(StorageError) -> Snapshot {
        guard try mustApply(writeSet) else { return writeSet.base }
        let outcome: (directories: [TableID: ClusterDirectory], transaction: ReadTransaction)
        do {
            let (directories, transaction) = try grant(of: writeSet).commit {
                try apply(writeSet, $0)
            }
            outcome = (directories, transaction)
        } catch {
            throw commitError(error)
        }
        let snapshot = try snapshot(of: outcome.transaction, directories: outcome.directories)
        commitListener.call()
        return snapshot
    }

    /// As ``commit(_:)``, without waiting.
    ///
    /// - Parameter completion: Called once: on the writer thread, or immediately if there is
    ///   nothing to write. Keep it short.
    package func commitAsync(
        _ writeSet: WriteSet,
        completion: @escaping @Sendable (Result<Snapshot, StorageError>) -> Void
    ) {
        do throws(StorageError) {
            guard try mustApply(writeSet) else { return completion(.success(writeSet.base)) }
        } catch {
            return completion(.failure(error))
        }
        grant(of: writeSet).commitAsync(
            { try self.apply(writeSet, $0) },
            completion: { outcome in
                let result = outcome.mapError(self.commitError).flatMap {
                    directories, transaction in
                    Result { () throws(StorageError) in
                        try self.snapshot(of: transaction, directories: directories)
                    }
                }
                if case .success(let snapshot) = result {
                    snapshot.prepareReading(of: writeSet)
                    self.commitListener.call()
                }
                completion(result)
            })
    }

    /// Whether there is anything to write. If not, or if the transaction has read damaged
    /// values, its grant is released.
    private func mustApply(_ writeSet: WriteSet) throws(StorageError) -> Bool {
        do throws(StorageError) {
            // Damage found by reads of the transaction: its results may be wrong, even the
            // conclusion that nothing changes.
            try corruption.check()
            if writeSet.hasChanges {
                try writeSet.checkValueLengths(path: path)
                try checkActiveVersions(writeSet)
                return true
            }
        } catch {
            cancel(writeSet)
            throw error
        }
        cancel(writeSet)
        return false
    }

    private func apply(_ writeSet: WriteSet, _ transaction: WriteTransaction) throws(StorageError)
        -> [TableID: ClusterDirectory]
    {
        let directories = try CommitWriter(writeSet, transaction, path: path).apply()
        // Damage found while the commit compared rows with the stored ones.
        try corruption.check()
        return directories
    }

    private func commitError(_ error: any Error) -> StorageError {
        if let error = error as? StorageError { return error }
        return StorageError(
            .internalLMDB, "A commit failed for an unknown reason.", path: path, underlying: error)
    }

    package func cancel(_ writeSet: WriteSet) { grant(of: writeSet).cancel() }

    func grant(of writeSet: WriteSet) -> WriteGrant {
        guard let grant = writeSet.grant else {
            preconditionFailure("The edits of a draft are committed through a transaction.")
        }
        return grant
    }

    /// Writes the catalog of a transaction. Used by ``CommitWriter``.
    static func putCatalog(_ catalog: Catalog, in transaction: WriteTransaction)
        throws(StorageError)
    {
        let bytes = catalog.encoded()
        try catalogKey.withBytes { key throws(StorageError) in
            try bytes.withBytes { value throws(StorageError) in
                try transaction.put(.meta, key: key, value: value)
            }
        }
    }
}

extension Store {
    /// Remembers damage found where nothing can be thrown; see ``CorruptionLog``.
    package func noteDamage(_ error: StorageError) { corruption.note(error) }

    /// Throws the damage that was found so far.
    package func checkForDamage() throws(StorageError) { try corruption.check() }

    /// Whether damage was found, so that data that are missing may have been lost.
    package var isDamaged: Bool { corruption.isDamaged }
}
