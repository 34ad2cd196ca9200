import Foundation
import FreeholdStorage

/// What the server has, compared with what the file has: epochs, lost commits, snapshots.
extension SharingCore {
    func reconcile(with state: UpstreamState, at now: Double) throws {
        server = state
        work = .none
        isAtHead = false
        isVerified = file.state.applied <= state.floor
        pushed = max(state.lastClientSequence, 0)
        let (epoch, applied) = (file.state.epoch, file.state.applied)
        if state.epoch != epoch {
            // Others began another one before the snapshot of this client's epoch was written.
            epochCall = nil
        } else if state.snapshot != nil, let call = epochCall {
            // It was written, and the answer was lost.
            fulfilEpochRequest(call)
            epochCall = nil
        }
        if state.epoch == epoch {
            if state.head < applied {
                // The server lost commits that this client has.
                work = .beginEpoch()
            } else if applied < state.floor || applied == state.floor && isOfAnotherLog(state) {
                try needSnapshot(state, at: now)
            } else if state.snapshot == nil, state.floor > 0 || state.epoch > 1 {
                // This client, or one that has the same state, began the epoch and did not seed. An
                // epoch after the first is of no use to others without a snapshot, even from 0.
                work = .seed
            }
        } else if state.epoch < epoch {
            work = .beginEpoch()
        } else if epoch == 0, state.epoch == 1, state.floor == 0 {
            try file.update { ($0.epoch, $0.applied) = (state.epoch, 0) }
        } else {
            try needSnapshot(state, at: now)
        }
    }

    /// Whether the last commit that the server dropped is not the one of its number that the file
    /// has.
    private func isOfAnotherLog(_ state: UpstreamState) -> Bool {
        guard let commit = state.floorCommit else { return false }
        return !commit.isSame(as: file.state.mark)
    }

    /// Leaves what the file has of the log, because the server has another one: it lost commits,
    /// and got others.
    func beginAgain(at now: Double) throws {
        guard let state = server else { return }
        // A later epoch may begin with other than nothing, even at 0.
        if state.epoch == 1, state.floor == 0 {
            note(try file.startAgain(in: state.epoch, pushed: pushed))
            isVerified = true
        } else {
            try needSnapshot(state, at: now)
        }
    }

    func needSnapshot(_ state: UpstreamState, at now: Double) throws {
        if let snapshot = state.snapshot, snapshot >= state.floor {
            missingSnapshot = nil
            work = .takeSnapshot
            return
        }
        // In a new epoch the wait starts over: another client is writing its snapshot now.
        let former = missingSnapshot.flatMap { $0.epoch == state.epoch ? $0 : nil }
        var missing = former ?? MissingSnapshot(epoch: state.epoch, since: now)
        defer { missingSnapshot = missing }
        if file.state.epoch == 0 {
            throw SharingError(
                .logGone, "The log of '\(file.state.name)' is cut, and there is no snapshot.",
                remedy: "Wait until a client has made one (makeSnapshot(), freehold share seed).")
        }
        // What this client lacks of the ended log, others may have: they come first.
        let lacksCommits = file.state.applied < state.floor
        // This client most likely began it, and then no other is writing its snapshot.
        let isOwn =
            state.epoch == unansweredEpoch?.epoch && state.floor == unansweredEpoch?.head
            && state.floor == file.state.applied
        let patience =
            isOwn ? 0 : options.snapshotPatience(for: try file.store.byteCounts().used)
        missing.isOverdue = now - missing.since >= patience
        if now - missing.since >= patience * (lacksCommits ? 10 : 1) {
            missing = MissingSnapshot(epoch: state.epoch, since: now)
            work = .beginEpoch(onlyIfUnseeded: true)
        } else {
            (server, stateTime) = (nil, now + 1)
        }
    }

    /// A snapshot that the server should have.
    struct MissingSnapshot {
        let epoch: Int64
        /// When that was first seen.
        let since: Double
        /// Whether it takes longer than a client takes to write it.
        var isOverdue = false
    }

    /// Why the program's calls are not to wait any longer for a snapshot; nil if they may.
    var overdueSnapshot: SharingError? {
        isConnected && server == nil && missingSnapshot?.isOverdue == true
            ? snapshotIsMissing : nil
    }

    var snapshotIsMissing: SharingError {
        SharingError(
            .logGone, "The log of '\(file.state.name)' is cut, and there is no snapshot yet.",
            remedy: "None: this client waits for the snapshot, or makes one.")
    }

    /// Begins an epoch at S(n) and stores its snapshot in the same step.
    ///
    /// While a large snapshot is written others may commit, each time. After some attempts the
    /// epoch begins at once, and the snapshot follows, for which others wait.
    ///
    /// - Parameter head: The log's head as this client knows it, if not that of the server's state.
    func beginEpoch(
        in state: UpstreamState, expecting head: Int64? = nil, onlyIfUnseeded: Bool = false
    ) -> SharingStep {
        let request = UpstreamEpochRequest(
            endedEpoch: state.epoch, expectedHead: head ?? state.head,
            // Numbers of an epoch that the file knows mean something else.
            epoch: max(state.epoch, file.state.epoch) + 1, head: file.state.applied,
            onlyIfUnseeded: onlyIfUnseeded)
        beginning = migrated.flatMap { $0.isCopy(of: file.state) ? $0 : nil }
        return call(
            .beginEpoch(
                request,
                // Clients do not push to an epoch without a snapshot, so the head stays.
                withSnapshot: onlyIfUnseeded || lostEpochCount < options.seededEpochAttempts))
    }

    /// Takes the state of an epoch that this client began. Others may have committed since, or
    /// begun the next one.
    func began(
        _ state: UpstreamState, _ request: UpstreamEpochRequest, withSnapshot: Bool
    ) throws {
        guard state.epoch == request.epoch else {
            server = nil
            if withSnapshot { fulfilEpochRequest(callCount) }
            return
        }
        server = state
        if let beginning {
            note(
                try file.apply(
                    snapshotAt: beginning.path, epoch: state.epoch,
                    isEncrypted: beginning.isEncrypted, pushed: 0))
        } else {
            try file.update { ($0.epoch, $0.logBytes) = (state.epoch, 0) }
        }
        if beginning != nil { migrated = nil }
        unansweredEpoch = nil
        (epochCall, beginning, lostEpochCount) = (callCount, nil, 0)
        pushed = max(state.lastClientSequence, 0)
        (work, isAtHead, isVerified) = (.seed, false, true)
        if withSnapshot { wroteSnapshot() }
    }

    // MARK: Migrated copies

    /// Asks for an epoch that begins with a migrated copy of S(n). If S(n) is another one when the
    /// epoch could begin, nothing happens.
    func requestEpoch(with copy: MigratedCopy) { migrated = copy }

    /// A copy of S(n) with other classes, of which the next epoch is made.
    struct MigratedCopy {
        let path: String
        let epoch: Int64
        let sequence: Int64
        let isEncrypted: Bool

        func isCopy(of state: SharingState) -> Bool {
            epoch == state.epoch && sequence == state.applied
        }
    }

    // MARK: Snapshots

    func takeSnapshot(_ path: String, _ snapshot: UpstreamSnapshot) throws {
        defer { SnapshotFile.delete(path) }
        try snapshot.check()
        (lostEpochCount, unansweredEpoch) = (0, nil)
        let applied = try file.apply(
            snapshotAt: path, epoch: snapshot.epoch, isEncrypted: snapshot.isEncrypted,
            pushed: pushed)
        work = .none
        server = nil
        note(applied)
        let last = file.lastSequence
        for request in requests where request.attempts.contains(last) {
            if let index = requests.firstIndex(where: { $0.id == request.id }) {
                end(index, .success(last))
            }
        }
    }

    /// Writes the file's S(n) to a path, for ``SharingCall/writeSnapshot``.
    func makeSnapshot(at path: String) throws -> SharedFile.MadeSnapshot {
        try file.makeSnapshot(at: path, epoch: file.state.epoch)
    }

    /// Writes what an epoch begins with to a path, for ``SharingCall/beginEpoch(_:withSnapshot:)``:
    /// the file's S(n), or its migrated copy.
    func makeEpochSnapshot(at path: String, epoch: Int64) throws -> SharedFile.MadeSnapshot {
        guard let beginning else { return try file.makeSnapshot(at: path, epoch: epoch) }
        return try file.copySnapshot(at: beginning.path, to: path, epoch: epoch)
    }
}
