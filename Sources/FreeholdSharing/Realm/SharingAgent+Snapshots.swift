import Freehold
import FreeholdStorage

/// The calls that move snapshots.
extension SharingAgent {
    func readSnapshot(from connection: any UpstreamConnection) async throws -> SharingReply {
        guard let snapshot = try await connection.newestSnapshot() else { return .snapshot(nil) }
        // Before it is read: it may be large.
        try SharedFile.check(snapshot.schemaVersion, programVersion, name)
        let path = try temporaryPath()
        defer { note(nil, of: 0) }
        try await SnapshotFile.read(snapshot, from: connection, to: path) { [self] done in
            note(done, of: snapshot.byteCount)
        }
        return .snapshot((path, snapshot))
    }

    func writeSnapshot(to connection: any UpstreamConnection) async throws -> SharingReply {
        try await sendSnapshot({ try $0.makeSnapshot(at: $1) }) { snapshot, nextPiece in
            try await connection.write(snapshot, nextPiece)
            return .wroteSnapshot(sequence: snapshot.sequence)
        }
    }

    func beginEpochWithSnapshot(
        _ request: UpstreamEpochRequest, on connection: any UpstreamConnection
    ) async throws -> UpstreamState? {
        try await sendSnapshot({ try $0.makeEpochSnapshot(at: $1, epoch: request.epoch) }) {
            try await connection.beginEpoch(request, with: $0, $1)
        }
    }

    private func sendSnapshot<Result: Sendable>(
        _ make: @escaping @Sendable (SharingCore, String) throws -> SharedFile.MadeSnapshot,
        _ send: SnapshotFile.Send<Result>
    ) async throws -> Result {
        let path = try temporaryPath()
        defer { SnapshotFile.delete(path) }
        let made = try await onQueue { [self] in try core.map { try make($0, path) } }
        guard let made else { throw CancellationError() }
        let isEncrypted = try configuration.sharedFile().key != nil
        defer { note(nil, of: 0) }
        return try await SnapshotFile.write(made, isEncrypted: isEncrypted, from: path, send) {
            [self] in note($0, of: $1)
        }
    }

    /// The place of a snapshot, which is free.
    private func temporaryPath() throws -> String {
        let path = try SharingLock.snapshotPath(besideFileAt: try configuration.sharedFile().path)
        SnapshotFile.delete(path)
        return path
    }
}
