import Foundation
import FreeholdStorage

/// Snapshots of S(n): made for the upstream, and taken from it.
extension SharedFile {
    /// Which S(n) a snapshot's file has.
    struct MadeSnapshot: Sendable {
        let epoch: Int64
        let sequence: Int64
        /// The least schema version of a program that can use it.
        let schemaVersion: UInt64
    }

    /// Writes S(n) into a new file, without what is of this client alone.
    ///
    /// - Parameter epoch: The file's, or the one that is to begin with the snapshot.
    func makeSnapshot(at path: String, epoch: Int64) throws -> MadeSnapshot {
        let snapshot = try store.newestSnapshot()
        let tables = try tables(of: snapshot)
        var outbox = outbox
        outbox.load(tables.outbox, from: snapshot)
        let copy = store.draft(on: snapshot)
        copy.isFromUpstream = true
        let applier = SharedApplier(copy)
        if !outbox.commits.isEmpty { try undoPending(outbox, applier) }
        guard let bytes = SharingTables.bytes(0, of: tables.state, in: snapshot),
            let state = bytes.withUnsafeBytes({ SharingState(decoding: $0) })
        else {
            throw SharingError(
                .damagedPayload, "The state of sharing of \"\(store.path)\" is damaged.",
                remedy: "Restore the file from a backup.")
        }
        let last = tables.lastSequences(in: snapshot)
        copy.endSharing()
        copy.setHistory(nil)
        // Whoever has no classes knows of no version.
        if programVersion == nil, copy.catalog.schemaVersion == 0 { copy.setSchemaVersion(nil) }
        SharedSnapshotMark(
            epoch: epoch, sequence: state.applied, commit: state.mark,
            schemaVersion: state.schemaVersion, lastSequences: last
        ).add(to: copy)
        try store.copy(snapshot, with: copy, to: path, key: key)
        return MadeSnapshot(
            epoch: epoch, sequence: state.applied, schemaVersion: state.schemaVersion)
    }

    /// Writes a compact copy of a snapshot's file, with which an epoch is to begin.
    func copySnapshot(at source: String, to path: String, epoch: Int64) throws -> MadeSnapshot {
        let opened = try openSnapshot(at: source)
        var mark = opened.mark
        mark.epoch = epoch
        let copy = opened.store.draft(on: opened.snapshot)
        copy.isFromUpstream = true
        SharedSnapshotMark.remove(from: copy)
        mark.add(to: copy)
        try opened.store.copy(opened.snapshot, with: copy, to: path, key: key)
        return MadeSnapshot(
            epoch: epoch, sequence: mark.sequence, schemaVersion: mark.schemaVersion)
    }

    /// The greatest number of a commit of this client that is in S(n); 0 for none.
    var lastSequence: Int64 { lastSequences[state.client, default: 0] }

    /// Makes this file's S(n) that of a snapshot's file, in one transaction. The outbox stays.
    ///
    /// - Parameter pushed: The last number of a commit of this file that the server's log has.
    func apply(snapshotAt path: String, epoch: Int64, isEncrypted: Bool, pushed: Int64) throws
        -> Applied
    {
        if isEncrypted != (key != nil) {
            throw SharingError(
                .damagedPayload,
                isEncrypted
                    ? "The snapshot of '\(state.name)' is encrypted, and this file is not."
                    : "The snapshot of '\(state.name)' is not encrypted, and this file is.",
                remedy: "Open all files of a shared realm with one key.")
        }
        let opened = try openSnapshot(at: path)
        try Self.check(Int64(clamping: opened.mark.schemaVersion), programVersion, state.name)
        return try apply(opened.snapshot, opened.mark, epoch: epoch, pushed: pushed)
    }

    private func openSnapshot(at path: String) throws(SharingError) -> OpenedSnapshot {
        var options = Store.Options(path: path)
        // Opens an existing file only, even if this process still has it open otherwise.
        (options.minimumVersion, options.sharesAnyAccess) = (1, true)
        (options.encryptionKey, options.durability) = (key, .none)
        do throws(StorageError) {
            let store = try Store.open(options)
            let snapshot = try store.newestSnapshot()
            guard let mark = SharedSnapshotMark(in: snapshot) else {
                throw StorageError(.corrupted, "The file is no snapshot.", path: path)
            }
            return OpenedSnapshot(store: store, snapshot: snapshot, mark: mark)
        } catch {
            if SharingError.isFull(error) { throw SharingError(ofFile: error) }
            throw SharingError(
                .damagedPayload, "The snapshot of '\(state.name)' cannot be read.",
                remedy: "Make another one (makeSnapshot(), freehold share seed).",
                cause: "\(error)")
        }
    }

    /// Notes what became of a commit that a snapshot has, and that this file did not see in the
    /// log: its changes of objects that are gone.
    private func noteDeleted(
        _ pending: PendingCommit, _ theirs: SharedRows, _ applied: inout Applied
    ) throws {
        let inserted = Set(pending.commit.inserted.map(\.object))
        var leftOut: [SharedApplier.LeftOut] = []
        for update in pending.commit.updated where !inserted.contains(update.object) {
            guard let table = theirs.table(update.object.className),
                try theirs.row(of: update.object, in: table) == nil
            else { continue }
            leftOut.append(.init(object: update.object, reason: .isGone))
        }
        var reported = pending.entry.reported
        applied.note(leftOut, of: pending.sequence, pending.commit, &reported)
    }

    private struct OpenedSnapshot {
        let store: Store
        let snapshot: Snapshot
        let mark: SharedSnapshotMark
    }

    /// Begins again with an empty S(0), from which the whole log leads on. The outbox stays.
    func startAgain(in epoch: Int64, pushed: Int64) throws -> Applied {
        try apply(
            nil,
            SharedSnapshotMark(
                epoch: epoch, sequence: 0, schemaVersion: state.schemaVersion, lastSequences: [:]),
            epoch: epoch, pushed: pushed)
    }

    /// Whether a program can use a snapshot.
    ///
    /// - Throws: ``SharingError`` with `unsupportedVersion`.
    static func check(_ needed: Int64, _ programVersion: UInt64?, _ name: String) throws {
        guard let programVersion, needed > Int64(clamping: programVersion) else { return }
        throw SharingError(
            .unsupportedVersion,
            """
            The realm '\(name)' was migrated to the schema version \(needed), and this program \
            has \(programVersion).
            """,
            remedy: """
                Update this program. Until then its file stays as it is, and keeps what is \
                written.
                """)
    }

    /// - Parameter snapshot: Nil for an empty one.
    private func apply(
        _ snapshot: Snapshot?, _ mark: SharedSnapshotMark, epoch: Int64, pushed: Int64
    ) throws -> Applied {
        var applied = Applied()
        let last = mark.lastSequences[state.client, default: 0]
        let kept = max(last, pushed)
        if kept < lastSequence {
            // This file had them back from the log, and nobody else sends them again.
            applied.reject(kept + 1, .lostByServer)
        }
        var (outbox, changed) = (outbox, state)
        try write { writeSet in
            let tables = try tables(of: writeSet)
            outbox.load(tables.outbox, from: writeSet)
            let theirs = snapshot.map { SharedRows($0) }
            let migrated = mark.schemaVersion > state.schemaVersion ? snapshot?.catalog : nil
            if let migrated {
                dropRemoved(by: migrated, writeSet.catalog, after: last, &outbox, &applied)
            }
            let definitions =
                [SharedCommit(defining: snapshot?.catalog ?? Catalog())]
                + outbox.commits.map(\.commit)
            func prepare(_ applier: SharedApplier) throws {
                if let migrated {
                    try applier.prepare(for: definitions, adopting: migrated)
                } else {
                    applier.prepare(for: definitions)
                }
            }
            let own = SharedApplier(writeSet)
            try prepare(own)
            let fold = outbox.commits.isEmpty ? nil : Fold(outbox, writeSet, store)
            if let fold { try prepare(fold.applier) }
            let applier = fold?.applier ?? own
            // Takes pending commits back, too.
            try SharedTransition(applier, to: theirs).run()
            var arrived: [Int64] = []
            while let first = outbox.commits.first, first.sequence <= last {
                arrived.append(first.sequence)
                applied.settled.append(first.sequence)
                if let theirs { try noteDeleted(first, theirs, &applied) }
                outbox.removeFirst()
            }
            try writeSet.deleteRows(arrived, of: tables.outbox, areUnlinked: true)
            let redone = try redo(outbox.commits, applier, &applied)
            for commit in redone {
                SharingTables.put(
                    commit.entry.encoded(), commit.sequence, of: tables.outbox, in: writeSet)
            }
            outbox.replace(redone)
            try fold?.finishAll(writeSet)
            try writeSet.mutableTable(tables.clients).deleteAllRows()
            for (client, sequence) in mark.lastSequences {
                try tables.setLast(sequence, of: client, in: writeSet)
            }
            add(applied.rejected, to: tables.rejections, in: writeSet)
            (changed.epoch, changed.applied, changed.logBytes) = (epoch, mark.sequence, 0)
            (changed.mark, changed.schemaVersion) = (mark.commit, mark.schemaVersion)
            if let migrated {
                let version = max(migrated.schemaVersion ?? 0, mark.schemaVersion)
                writeSet.setSchemaVersion(min(version, programVersion ?? .max))
            }
            put(changed, tables, writeSet)
        }
        (self.outbox, state, lastSequences) = (outbox, changed, mark.lastSequences)
        return applied
    }
}
