import Foundation
import FreeholdStorage

/// Applying commits of the log.
extension SharedFile {
    /// Commits of the log, parted by the transactions that are to apply them.
    ///
    /// One for all, where the file keeps no history. A history names the author of each
    /// `writeShared` of this file, and ``SharedRealm/remoteAuthor`` for what others wrote.
    /// O(commits).
    func parts(of logged: ArraySlice<LoggedCommit>) throws -> [ArraySlice<LoggedCommit>] {
        if logged.isEmpty { return [] }
        if try logged.count == 1 || store.newestSnapshot().catalog.history == nil {
            return [logged]
        }
        var parts: [ArraySlice<LoggedCommit>] = []
        var (start, last) = (logged.startIndex, Writer.others)
        let places = LogPlaces(of: logged, lastSequences, outbox, state).all
        for (index, place) in zip(logged.indices, places) {
            let writer = writer(of: logged[index], place)
            if writer != last, start < index {
                parts.append(logged[start..<index])
                start = index
            }
            last = writer
        }
        parts.append(logged[start...])
        return parts
    }

    /// Whom the history names.
    private enum Writer: Equatable {
        case others
        /// This file, with a commit that is not in it: that of a `writeShared`, or one that the
        /// server had lost.
        case own(author: String?)
    }

    private func writer(of entry: LoggedCommit, _ place: LogPlaces.Place) -> Writer {
        guard place == .other, entry.client == state.client else { return .others }
        let commit = entry.payload.withUnsafeBytes { SharedCommit(decoding: $0) }
        return .own(author: commit?.author)
    }

    private func author(of part: ArraySlice<LoggedCommit>) -> String? {
        let place = LogPlaces(of: part.prefix(1), lastSequences, outbox, state).all.first
        guard let entry = part.first, let place, case .own(let author) = writer(of: entry, place)
        else { return SharedRealm.remoteAuthor }
        return author
    }

    /// Applies the next commits of the log: one of ``parts(of:)``.
    ///
    /// - Throws: ``SharingError`` with `unsupportedVersion` for a format of a later program.
    func apply(_ logged: ArraySlice<LoggedCommit>) throws -> Applied {
        try checkFormats(logged)
        var application = LogApplication(state, lastSequences, outbox)
        try write(by: author(of: logged)) { writeSet in
            let tables = try tables(of: writeSet)
            application.outbox.load(tables.outbox, from: writeSet)
            let arriving = ArrivingCommits(logged, lastSequences, &application.outbox, state)
            SharedApplier(writeSet).prepare(for: arriving.commits)
            if arriving.meetPending {
                try applyInFold(arriving, &application, tables, writeSet)
            } else {
                let arrived = try application.take(arriving, SharedApplier(writeSet))
                try writeSet.removeRecords(arrived, of: tables.outbox)
            }
            for (client, sequence) in application.lastSequences
            where lastSequences[client] != sequence {
                try tables.setLast(sequence, of: client, in: writeSet)
            }
            add(application.applied.rejected, to: tables.rejections, in: writeSet)
            put(application.state, tables, writeSet)
        }
        (outbox, state, lastSequences) =
            (application.outbox, application.state, application.lastSequences)
        return application.applied
    }

    private func checkFormats(_ logged: ArraySlice<LoggedCommit>) throws(SharingError) {
        guard let newer = logged.first(where: { $0.format > SharedCommit.format }) else { return }
        throw SharingError(
            .unsupportedVersion,
            """
            The commit \(newer.sequence) of '\(state.name)' has the format \(newer.format), \
            and this program knows \(SharedCommit.format).
            """,
            remedy: "Update this program. The file stays as it is until then.")
    }

    /// Applies commits under the pending ones, which are undone before and done again after them.
    private func applyInFold(
        _ arriving: ArrivingCommits, _ application: inout LogApplication, _ tables: SharingTables,
        _ writeSet: WriteSet
    ) throws {
        let fold = Fold(application.outbox, writeSet, store)
        fold.applier.prepare(for: arriving.commits)
        try undoPending(application.outbox, fold.applier)
        let arrived = try application.take(arriving, fold.applier)
        try writeSet.deleteRows(arrived, of: tables.outbox, areUnlinked: true)
        let pending = application.outbox.commits
        let redone = try redo(pending, fold.applier, &application.applied)
        try fold.finish(with: arriving.commits, redone, writeSet)
        for (old, new) in zip(pending, redone)
        where old.entry.undo != new.entry.undo || old.entry.reported != new.entry.reported {
            SharingTables.put(new.entry.encoded(), new.sequence, of: tables.outbox, in: writeSet)
        }
        application.outbox.replace(redone)
    }

    func undoPending(_ outbox: Outbox, _ applier: SharedApplier) throws {
        for pending in outbox.commits.reversed() { _ = try applier.apply(pending.undo) }
    }

    /// Does pending commits again, and returns them with their new undos.
    func redo(
        _ pending: some Sequence<PendingCommit>, _ applier: SharedApplier, _ applied: inout Applied
    ) throws -> [PendingCommit] {
        try pending.map { pending in
            var entry = pending.entry
            let outcome = try applier.apply(pending.commit, recordingUndo: true)
            if let undo = outcome.undo { entry.undo = undo.encoded() }
            applied.note(outcome.leftOut, of: pending.sequence, pending.commit, &entry.reported)
            return PendingCommit(pending.sequence, entry)
        }
    }
}

/// Commits of the log that a file is about to apply.
private struct ArrivingCommits {
    let logged: ArraySlice<LoggedCommit>
    let places: [LogPlaces.Place]
    /// What they change. That of a pending one is empty unless ``meetPending``: the file has it.
    let commits: [SharedCommit]
    /// Whether the bytes of each are a commit. Others are one without changes, for every client.
    let areCommits: [Bool]
    /// Whether one of them has to do with objects that pending commits have to do with.
    let meetPending: Bool

    /// - Parameter last: The last number of each client that the file has.
    init(
        _ logged: ArraySlice<LoggedCommit>, _ last: [UUID: Int64], _ outbox: inout Outbox,
        _ state: SharingState
    ) {
        self.logged = logged
        let places = LogPlaces(of: logged, last, outbox, state).all
        let decoded = zip(logged, places).map { entry, place in
            place == .other || place == .damaged ? Self.decode(entry.payload) : nil
        }
        var commits = decoded.map { $0 ?? SharedCommit() }
        meetPending = zip(places, commits).contains { place, commit in
            place == .damaged || place == .other && outbox.touches(commit)
        }
        if meetPending {
            for (index, place) in places.enumerated() where place == .pending {
                let entry = logged[logged.startIndex + index]
                commits[index] = Self.decode(entry.payload) ?? SharedCommit()
            }
        }
        areCommits = decoded.map { $0 != nil }
        (self.places, self.commits) = (places, commits)
    }

    private static func decode(_ payload: Data) -> SharedCommit? {
        payload.withUnsafeBytes { SharedCommit(decoding: $0) }
    }
}

/// What a file will be once a transaction with commits of the log is on the medium.
private struct LogApplication {
    var state: SharingState
    var lastSequences: [UUID: Int64]
    var outbox: Outbox
    var applied = SharedFile.Applied()

    init(_ state: SharingState, _ lastSequences: [UUID: Int64], _ outbox: Outbox) {
        (self.state, self.lastSequences, self.outbox) = (state, lastSequences, outbox)
    }

    /// Takes commits to be in S(n), and applies those that the file does not have.
    ///
    /// - Returns: The numbers of those that were pending.
    mutating func take(_ arriving: ArrivingCommits, _ applier: SharedApplier) throws -> [Int64] {
        var arrived: [Int64] = []
        for (index, entry) in arriving.logged.enumerated() {
            (state.applied, state.mark) = (entry.sequence, UpstreamCommitIdentity(entry))
            state.logBytes += Int64(entry.payload.count) + 64
            let (place, commit) = (arriving.places[index], arriving.commits[index])
            if place == .known { continue }
            lastSequences[entry.client] = entry.clientSequence
            let isDamaged = place == .other && !arriving.areCommits[index]
            if entry.client == state.client, !isDamaged {
                applied.settled.append(entry.clientSequence)
            }
            guard place != .other, let pending = outbox.commits.first else {
                try takeOther(entry, commit, isCommit: arriving.areCommits[index], applier)
                continue
            }
            outbox.removeFirst()
            arrived.append(pending.sequence)
            if place == .damaged {
                // What it is in the log is what it is in all files.
                _ = try applier.apply(commit)
                applied.reject(pending.sequence, .damagedPayload, pending.entry.commit)
            } else if arriving.meetPending {
                let outcome = try applier.apply(commit)
                var reported = pending.entry.reported
                applied.note(outcome.leftOut, of: pending.sequence, commit, &reported)
            }
        }
        return arrived
    }

    /// Applies a commit that is not pending. An own one is read again because the server lost
    /// commits before it.
    private mutating func takeOther(
        _ entry: LoggedCommit, _ commit: SharedCommit, isCommit: Bool, _ applier: SharedApplier
    ) throws {
        let isOwn = entry.client == state.client
        if !isCommit {
            let error = SharingError(damaged: entry, in: state.name, isSharedWrite: isOwn)
            if isOwn {
                applied.reject(entry.clientSequence, .damagedPayload)
                applied.damaged.append((entry.clientSequence, error))
            } else if applied.problem == nil {
                applied.problem = error
            }
        }
        let outcome = try applier.apply(commit)
        // Of an object that is gone nothing fits: no conflict.
        if !isOwn, applied.problem == nil,
            outcome.leftOut.contains(where: { $0.reason == .doesNotFit })
        {
            applied.problem = applier.schemaConflict(with: commit).map {
                SharingError($0, in: state.name)
            }
        }
        if isOwn {
            var reported: Set<UInt64> = []
            applied.note(outcome.leftOut, of: entry.clientSequence, commit, &reported)
        }
    }
}
