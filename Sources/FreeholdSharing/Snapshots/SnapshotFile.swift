import Foundation
import FreeholdStorage

/// Moves snapshots between files and an upstream: compressed, in pieces.
enum SnapshotFile {
    // MARK: Reading

    /// - Parameter progress: Gets the number of bytes that have arrived.
    static func read(
        _ snapshot: UpstreamSnapshot, from connection: any UpstreamConnection, to path: String,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        let receiver = try SnapshotReceiver(creating: path)
        let done = Locked<Int64>(0)
        do {
            try await connection.read(snapshot) { piece in
                try await receiver.append(piece)
                progress(
                    done.withLock {
                        $0 += Int64(piece.count); return $0
                    })
            }
            try await receiver.finish()
        } catch {
            delete(path)
            throw error
        }
    }

    // MARK: Writing

    /// Gives a snapshot to an upstream, with its pieces; nil at their end.
    typealias Send<Result> = (
        UpstreamSnapshot, @escaping @Sendable () async throws -> Data?
    ) async throws -> Result

    /// - Parameter progress: Gets the number of bytes that were sent, and that of all.
    static func write<Result>(
        _ made: SharedFile.MadeSnapshot, isEncrypted: Bool, from path: String,
        _ send: Send<Result>, _ progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws -> Result {
        // Before anything is sent: the upstream is told how much will come.
        let compressed = SharingLock.compressedPath(ofSnapshotAt: path)
        defer { delete(compressed) }
        try await compress(path, to: compressed)
        let pieces = try FilePieces(of: compressed)
        let done = Locked<Int64>(0)
        let snapshot = UpstreamSnapshot(
            epoch: made.epoch, sequence: made.sequence, byteCount: pieces.byteCount,
            isEncrypted: isEncrypted, schemaVersion: Int64(clamping: made.schemaVersion))
        return try await send(snapshot) {
            guard let piece = try pieces.next() else { return nil }
            progress(
                done.withLock {
                    $0 += Int64(piece.count); return $0
                }, pieces.byteCount)
            return piece
        }
    }

    private static func compress(_ path: String, to compressed: String) async throws {
        let pieces = try FilePieces(of: path)
        let writer = try SnapshotWriter(creating: compressed)
        let encoder = ZstandardEncoder()
        var buffer = try await writer.nextBuffer()
        var isLast = false
        while !isLast {
            // Others use the thread, too.
            await Task.yield()
            try Task.checkCancellation()
            let piece = try pieces.next()
            isLast = piece == nil
            var offset = 0
            while !encoder.encode(piece ?? Data(), isLast: isLast, from: &offset, into: buffer) {
                writer.append(buffer)
                buffer = try await writer.nextBuffer()
            }
        }
        writer.append(buffer)
        try await writer.finish(synchronizing: false)
    }

    /// Deletes a snapshot's file, and what opening it made beside it.
    static func delete(_ path: String) { _ = try? Environment.removeFiles(at: path) }
}

/// Reads a file from its beginning to its end.
private struct FilePieces: Sendable {
    private static let size = 1 << 20

    private let handle: FileHandle
    let byteCount: Int64

    /// - Throws: ``SharingError`` with `fileFailed`, as all functions here.
    init(of path: String) throws(SharingError) {
        (handle, byteCount) = try SharingError.onFile {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let size = Int64(try handle.seekToEnd())
            try handle.seek(toOffset: 0)
            return (handle, size)
        }
    }

    /// The next bytes; nil at the end. One call at a time.
    func next() throws(SharingError) -> Data? {
        let piece = try SharingError.onFile { try handle.read(upToCount: Self.size) }
        return piece?.isEmpty == true ? nil : piece
    }
}
