import Foundation
import FreeholdStorage

/// The file of a shared realm: the state of the server, S(n), with the pending commits applied on
/// top of it.
///
/// S(n) is not stored beside: what takes each pending commit back is in the outbox, so that
/// undoing them from the last to the first leads there. A commit of others that has to do with
/// other objects than the pending ones commutes with them, and is applied as it is. Otherwise the
/// pending ones are undone, it is applied, and they are done again: by construction the file then
/// is the fold of the pending commits over S(n). That is done beside the transaction (``Fold``),
/// which then takes only what differs: rows that are as before keep their keys, and live objects
/// and observers see nothing of it.
///
/// Each method that writes is one LMDB transaction, in which the rows, the number of the last
/// commit and the outbox change together. Confined to one thread at a time.
final class SharedFile {
    let store: Store
    var state: SharingState
    var outbox = Outbox()
    /// The last number of each client whose commits are in S(n).
    var lastSequences: [UUID: Int64]
    private let writer = WriterIdentity()
    let key: EncryptionKey?
    /// The schema version of the program; nil for one without classes.
    let programVersion: UInt64?
    /// The properties of the program's classes; nil for a program that takes the file's.
    let declaredColumns: [String: Set<String>]?

    // MARK: Opening

    /// Opens a file that may be shared already, and makes it take part.
    ///
    /// The contents of a file that was not shared become pending commits.
    ///
    /// - Throws: ``SharingError`` with `alreadyShared` if the file is shared as another realm, and
    ///   `unfitClass`; `StorageError`.
    ///
    /// - Parameter identity: That of a file that is not shared yet; nil for a new one.
    init(
        _ store: Store, name: String, key: EncryptionKey?, identity: SharingState? = nil,
        programVersion: UInt64? = nil, declaredColumns: [String: Set<String>]? = nil
    ) throws {
        self.store = store
        self.key = key
        self.programVersion = programVersion
        self.declaredColumns = declaredColumns
        let snapshot = try store.newestSnapshot()
        if let tables = SharingTables(snapshot.catalog),
            let bytes = SharingTables.bytes(0, of: tables.state, in: snapshot)
        {
            guard let known = bytes.withUnsafeBytes({ SharingState(decoding: $0) }) else {
                throw SharingError(
                    .damagedPayload, "The state of sharing of \"\(store.path)\" is damaged.",
                    remedy: "Restore the file from a backup.")
            }
            if !RealmName.areEqual(known.name, name) {
                throw SharingError(
                    .alreadyShared,
                    "\"\(store.path)\" is shared as the realm '\(known.name)', not '\(name)'.",
                    remedy: "Share it under its name, or use another file for '\(name)'.")
            }
            state = known
            lastSequences = tables.lastSequences(in: snapshot)
            outbox.load(tables.outbox, from: snapshot)
            return
        }
        state = identity ?? SharingState(name: name)
        lastSequences = [:]
        try begin()
    }

    private func begin() throws {
        try write { writeSet in
            // A snapshot of the server brings these.
            let snapshot = SharedSnapshotMark(in: writeSet.base)
            if let snapshot {
                (state.epoch, state.applied) = (snapshot.epoch, snapshot.sequence)
                (state.mark, state.schemaVersion) = (snapshot.commit, snapshot.schemaVersion)
                lastSequences = snapshot.lastSequences
                SharedSnapshotMark.remove(from: writeSet)
            }
            writeSet.beginSharing()
            guard let tables = SharingTables(writeSet.catalog) else { return }
            for (client, sequence) in lastSequences {
                try tables.setLast(sequence, of: client, in: writeSet)
            }
            if snapshot == nil { try addContents(to: tables.outbox, in: writeSet) }
            put(state, tables, writeSet)
        }
        try loadOutbox()
    }

    // MARK: Transactions

    /// Runs a transaction that is none of the program's.
    ///
    /// - Parameter author: Whom the history names.
    func write<Result>(
        by author: String? = SharedRealm.remoteAuthor, _ body: (WriteSet) throws -> Result
    ) throws -> Result {
        let writeSet = try store.beginWrite(as: writer)
        let result: Result
        do {
            writeSet.isFromUpstream = true
            writeSet.author = author
            result = try body(writeSet)
        } catch {
            store.cancel(writeSet)
            throw error
        }
        _ = try store.commit(writeSet)
        return result
    }

    func put(_ state: SharingState, _ tables: SharingTables, _ writeSet: WriteSet) {
        SharingTables.put(state.encoded(), 0, of: tables.state, in: writeSet)
    }

    func tables(of source: TableSource) throws -> SharingTables {
        if let tables = SharingTables(source.currentCatalog) { return tables }
        throw SharingError(
            .alreadyShared, "\"\(store.path)\" is not shared any more.",
            remedy: "Close the shared realm, and open it again.")
    }

    /// Looks for commits that the program has made since.
    func loadOutbox() throws {
        let snapshot = try store.newestSnapshot()
        outbox.load(try tables(of: snapshot).outbox, from: snapshot)
    }

    /// Changes the state alone.
    func update(_ change: (inout SharingState) -> Void) throws {
        var changed = state
        change(&changed)
        if changed == state { return }
        try write { writeSet in put(changed, try tables(of: writeSet), writeSet) }
        state = changed
    }

    /// Reserves numbers of commits, which no commit of the program gets.
    func reserve(_ count: Int64) throws -> ClosedRange<Int64> {
        var reserved: ClosedRange<Int64> = 0...0
        var outbox = outbox
        try write { writeSet in
            let table = try tables(of: writeSet).outbox
            outbox.load(table, from: writeSet)
            let first = max(writeSet.nextRowKey(of: table), 1)
            reserved = first...(first + count - 1)
            SharingTables.put([], reserved.upperBound, of: table, in: writeSet)
            outbox.load(table, from: writeSet)
            // Only the table's next key is to stay.
            try writeSet.deleteRows([reserved.upperBound], of: table, areUnlinked: true)
        }
        self.outbox = outbox
        return reserved
    }

    // MARK: Identity

    /// Gives the file an identity of its own, because another file has its former one. What is
    /// pending stays, but for what the log already has.
    func takeNewIdentity() throws {
        try loadOutbox()
        try update { state in
            let first = outbox.commits.first?.sequence ?? .max
            state.formerClients.append(
                FormerClient(id: state.client, lastSequence: outbox.nextSequence - 1))
            // Those whose commits are all in the log, or were taken to be.
            state.formerClients.removeAll { $0.lastSequence < first }
            (state.client, state.previousToken, state.nextToken) = (UUID(), UUID(), UUID())
        }
    }
}
