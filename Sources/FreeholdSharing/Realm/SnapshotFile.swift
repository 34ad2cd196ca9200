import Foundation
import FreeholdStorage

/// Moves snapshots between files and an upstream, in pieces.
enum SnapshotFile {
    private static let pieceSize = 1 << 20

    static func read(
        _ snapshot: UpstreamSnapshot, from connection: any UpstreamConnection, to path: String,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else {
            throw SharingError(
                .fileFailed, "The snapshot's file \"\(path)\" cannot be made.",
                remedy: "Make room beside the realm's file, and let the program write there.")
        }
        let done = Locked<Int64>(0)
        do {
            try await connection.read(snapshot) { piece in
                try SharingError.onFile { try handle.write(contentsOf: piece) }
                progress(
                    done.withLock {
                        $0 += Int64(piece.count); return $0
                    })
            }
            try SharingError.onFile {
                try handle.synchronize()
                try handle.close()
            }
        } catch {
            try? handle.close()
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
        epoch: Int64, sequence: Int64, isEncrypted: Bool, from path: String,
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
            epoch: epoch, sequence: sequence, byteCount: size, isEncrypted: isEncrypted)
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

    /// A new name beside a realm's file.
    static func path(for realm: String) -> String { realm + infix + UUID().uuidString }

    private static let infix = ".snapshot-"

    /// Deletes the snapshots of a process that ended meanwhile. Only who has the lock of sharing
    /// may do so.
    static func deleteRest(of realm: String) {
        let file = URL(fileURLWithPath: realm)
        let folder = file.deletingLastPathComponent().path
        let prefix = file.lastPathComponent + infix
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(prefix) {
            // With what opening it made beside it.
            let id = name.dropFirst(prefix.count).prefix(36)
            if UUID(uuidString: String(id)) == nil { continue }
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Deletes a snapshot's file, and what opening it made beside it.
    static func delete(_ path: String) { _ = try? Environment.removeFiles(at: path) }
}
