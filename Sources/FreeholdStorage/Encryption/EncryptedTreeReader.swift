/// An encrypted tree at one version. Returned memory is valid while the tree lives. Thread
/// safe.
final class EncryptedTreeReader: EncryptedTree, @unchecked Sendable {
    // Sendable: `roots` does not change after `init`; `pins` is protected by its lock; LMDB's
    // transaction is shared by the rules of `ReadTransaction`, which owns this.

    private let raw: LMDBTransaction
    /// The records in LMDB's map; nil if only LMDB can read them.
    let records: MappedTree?
    /// The records read so far, by number: within one version, a number identifies one record.
    private let pins = Locked<[UInt64: Pin]>([:])

    private struct Pin: Sendable {
        let record: EncryptedRecord
        let node: EncryptedNode?
    }

    init(
        _ database: Database, _ roots: EncryptedRoots.Tree, _ treeEncryption: TreeEncryption,
        _ raw: LMDBTransaction, _ records: MappedTree?
    ) {
        self.raw = raw
        self.records = records
        super.init(database, roots, treeEncryption)
    }

    override func node(_ reference: EncryptedReference, height: Int) throws(StorageError)
        -> EncryptedNode
    {
        if let node = pins.withLock({ $0[reference.number]?.node }), node.height == height {
            return node
        }
        let place = place(reference, .node)
        let record = try treeEncryption.committed(place, in: raw, records)
        let node = try node(in: record, height: height)
        return pins.withLock { pins in
            if let known = pins[reference.number]?.node { return known }
            pins[reference.number] = Pin(record: record, node: node)
            return node
        }
    }

    override func value(_ reference: EncryptedReference, count: Int) throws(StorageError)
        -> UnsafeRawBufferPointer
    {
        let place = place(reference, .value)
        if let record = pins.withLock({ $0[reference.number]?.record }), record.place == place,
            record.bytes.count == count
        {
            return record.bytes
        }
        let record = try treeEncryption.committed(place, in: raw, records, count: count)
        guard record.bytes.count == count else {
            throw treeEncryption.damaged(
                place, "it has \(record.bytes.count) bytes instead of \(count)")
        }
        return pins.withLock { pins in
            if let known = pins[reference.number]?.record, known.place == place { return known }
            pins[reference.number] = Pin(record: record, node: nil)
            return record
        }.bytes
    }

    /// Decrypts a record without keeping it, for a walk over all records.
    func verify(_ place: RecordPlace, count: Int?) throws(StorageError) -> EncryptedRecord {
        try treeEncryption.read(place, in: raw, records, count: count)
    }
}

/// The trees of one version.
final class EncryptedView: Sendable {
    /// The trees in the order of the databases, or the error why they cannot be read.
    private let trees: Result<ContiguousArray<EncryptedTreeReader>, StorageError>

    init(
        _ treeEncryption: TreeEncryption, _ raw: LMDBTransaction, _ version: UInt64,
        _ records: MappedTrees?
    ) {
        do throws(StorageError) {
            let roots = try treeEncryption.readRoots(version, in: raw)
            trees = .success(
                ContiguousArray(
                    Database.allCases.map {
                        EncryptedTreeReader($0, roots[$0], treeEncryption, raw, records?[$0])
                    }))
        } catch {
            trees = .failure(error)
        }
    }

    @inline(__always)
    func tree(_ database: Database) throws(StorageError) -> EncryptedTreeReader {
        try trees.get()[database.rawValue]
    }

    func entryCount(_ database: Database) -> Int {
        (try? trees.get()[database.rawValue].roots.entryCount) ?? 0
    }
}
