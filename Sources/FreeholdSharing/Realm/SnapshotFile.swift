import Foundation
import FreeholdStorage

/// Moves snapshots between files and an upstream, in pieces.
enum SnapshotFile {
    private static let pieceSize = 1 << 20

    static func read(
        _ snapshot: UpstreamSnapshot, from connection: any UpstreamConnection, to path: String,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        let writer = try SnapshotWriter(creating: path)
        let done = Locked<Int64>(0)
        do {
            try await connection.read(snapshot) { piece in
                try await writer.append(piece)
                progress(
                    done.withLock {
                        $0 += Int64(piece.count); return $0
                    })
            }
            try await writer.finish()
        } catch {
            delete(path)
            throw error
        }
        if snapshot.byteCount != done.withLock({ $0 }) {
            delete(path)
            throw SharingError(
                .damagedPayload, "The snapshot is cut: \(done.withLock { $0 }) bytes.",
                remedy: "Make another one (makeSnapshot(), freehold share seed).")
        }
    }

    static func write(
        _ made: SharedFile.MadeSnapshot, isEncrypted: Bool, from path: String,
        to connection: any UpstreamConnection,
        _ progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws {
        let (handle, size) = try SharingError.onFile {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let size = Int64(try handle.seekToEnd())
            try handle.seek(toOffset: 0)
            return (handle, size)
        }
        defer { try? handle.close() }
        let done = Locked<Int64>(0)
        let snapshot = UpstreamSnapshot(
            epoch: made.epoch, sequence: made.sequence, byteCount: size, isEncrypted: isEncrypted,
            schemaVersion: Int64(clamping: made.schemaVersion))
        try await connection.write(snapshot) {
            let read = try SharingError.onFile { try handle.read(upToCount: pieceSize) }
            guard let piece = read, !piece.isEmpty else { return nil }
            progress(
                done.withLock {
                    $0 += Int64(piece.count); return $0
                }, size)
            return piece
        }
    }

    /// Deletes a snapshot's file, and what opening it made beside it.
    static func delete(_ path: String) { _ = try? Environment.removeFiles(at: path) }
}
