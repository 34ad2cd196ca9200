import Foundation
import FreeholdSharing

extension PostgresConnection {
    /// Larger pieces than this are cut. Each byte is copied six times between the server's pages
    /// and the file: pieces that fit into a core's cache are read faster than larger ones.
    private static let pieceByteCount = 64 << 10
    /// Sent in one call.
    private static let piecesAtOnce = 32

    func newestSnapshot() async throws -> UpstreamSnapshot? {
        try await session.run { [statements, realm] connection throws(ServerError) in
            let result = try connection.run(statements.newestSnapshot.with(.int64(realm)))[0]
            guard result.rowCount > 0 else { return nil }
            return UpstreamSnapshot(
                epoch: try result.int64(0, 0), sequence: try result.int64(0, 1),
                byteCount: try result.int64(0, 2), isEncrypted: try result.bool(0, 3),
                schemaVersion: try result.int64(0, 4))
        }
    }

    func read(
        _ snapshot: UpstreamSnapshot, _ receive: @Sendable (Data) async throws -> Void
    ) async throws {
        let id: UUID? = try await session.run {
            [statements, realm] connection throws(ServerError) in
            let result = try connection.run(
                statements.findSnapshot.with(
                    .int64(realm), .int64(snapshot.epoch), .int64(snapshot.sequence),
                    .int64(snapshot.byteCount)))[0]
            return try result.rowCount == 0 ? nil : result.uuid(0, 0)
        }
        guard let id else { throw snapshotIsGone(snapshot) }
        var left = snapshot.byteCount
        var number: Int64 = 0
        var next = try await pieces(from: left > 0 ? number : nil, of: id)
        while left > 0 {
            let pieces = next
            left -= pieces.reduce(0) { $0 + Int64($1.count) }
            guard !pieces.isEmpty, left >= 0 else { throw snapshotIsGone(snapshot) }
            number += Int64(pieces.count)
            // The server reads while the caller writes.
            let wanted = left > 0 ? number : nil
            async let following = self.pieces(from: wanted, of: id)
            do {
                for piece in pieces { try await receive(piece) }
            } catch {
                // Leaving would cancel it, and that would end the connection.
                _ = try? await following
                throw error
            }
            next = try await following
        }
    }

    /// Some pieces in order; none for no number, or where the snapshot was dropped.
    private func pieces(from number: Int64?, of id: UUID) async throws -> [Data] {
        guard let number else { return [] }
        return try await session.run { [statements] connection throws(ServerError) in
            let result = try connection.run(
                statements.pieces.with(
                    .uuid(id), .int64(number), .int64(number + Int64(Self.piecesAtOnce))))[0]
            return (0..<result.rowCount).map { result.sharedData($0, 0) }
        }
    }

    private func snapshotIsGone(_ snapshot: UpstreamSnapshot) -> SharingError {
        SharingError(
            .logGone, "The snapshot \(snapshot.sequence) of \"\(name)\" was dropped meanwhile.",
            remedy: "Begin from the newest snapshot.")
    }

    func write(
        _ snapshot: UpstreamSnapshot, _ nextPiece: @Sendable () async throws -> Data?
    ) async throws {
        if try await store(snapshot, nil, nextPiece) { return }
        throw SharingError(
            .newEpoch,
            """
            The realm "\(name)" left epoch \(snapshot.epoch) meanwhile, or has no commit \
            \(snapshot.sequence).
            """, remedy: "Make a snapshot of what it has now.")
    }

    /// One transaction: a snapshot that is cut leaves nothing.
    ///
    /// - Parameter request: The epoch to begin with the snapshot. After the pieces: until the
    ///   commit it locks the realm.
    /// - Returns: Whether the snapshot was stored, and the epoch was begun.
    func store(
        _ snapshot: UpstreamSnapshot, _ request: UpstreamEpochRequest?,
        _ nextPiece: @Sendable () async throws -> Data?
    ) async throws -> Bool {
        let id = UUID()
        try await session.run { [statements] connection throws(ServerError) in
            _ = try connection.run(statements.begin)
        }
        do {
            try await writePieces(of: snapshot, id, nextPiece)
            // One job: others wait while the realm is locked, and must not wait for this task to
            // get its turn.
            return try await session.run {
                [statements, realm] connection throws(ServerError) in
                let isAdded = try Self.add(
                    snapshot, id, request, to: realm, statements, connection)
                _ = try connection.run(
                    isAdded ? statements.commit : statements.rollback,
                    after: isAdded && request != nil ? connection.announcer?.announce() : nil)
                return isAdded
            }
        } catch {
            // Where it fails, the connection is at its end, and the transaction with it.
            try? await session.run(isCancellable: false) {
                [statements] connection throws(ServerError) in
                _ = try connection.run(statements.rollback)
            }
            throw error
        }
    }

    /// Begins the epoch, if one was asked for, and adds the row of the snapshot. Locks the realm.
    private static func add(
        _ snapshot: UpstreamSnapshot, _ id: UUID, _ request: UpstreamEpochRequest?,
        to realm: Int64, _ statements: Statements, _ connection: ServerConnection
    ) throws(ServerError) -> Bool {
        _ = try connection.run(statements.limitLocks)
        if let request {
            let begun = try connection.run(statements.beginEpoch(request, of: realm))
            if try !begun[0].bool(0, 0) { return false }
        }
        return try connection.run(
            statements.addSnapshot.with(
                .uuid(id), .int64(realm), .int64(snapshot.epoch), .int64(snapshot.sequence),
                .int64(snapshot.byteCount), .bool(snapshot.isEncrypted),
                .int64(snapshot.schemaVersion)))[0].rowCount > 0
    }

    private func writePieces(
        of snapshot: UpstreamSnapshot, _ id: UUID,
        _ nextPiece: @Sendable () async throws -> Data?
    ) async throws {
        var left = snapshot.byteCount
        var number: Int64 = 0
        var next = try await nextPiece()
        while let piece = next {
            left -= Int64(piece.count)
            let first = number
            number += Int64((piece.count + Self.pieceByteCount - 1) / Self.pieceByteCount)
            // The server writes while the caller reads.
            async let stored: Void = add(piece, from: first, to: id)
            do {
                next = try await nextPiece()
            } catch {
                // As in reading.
                try? await stored
                throw error
            }
            try await stored
        }
        guard left == 0 else {
            throw SharingError(
                .damagedPayload,
                "The snapshot has \(snapshot.byteCount - left) bytes, not \(snapshot.byteCount).",
                remedy: "Make the snapshot again.")
        }
    }

    private func add(_ piece: Data, from number: Int64, to id: UUID) async throws {
        try await session.run { [statements, realm] connection throws(ServerError) in
            var (rest, number) = (piece, number)
            var added: [Statement] = []
            while !rest.isEmpty {
                let part = rest.prefix(Self.pieceByteCount)
                added.append(
                    statements.addPiece.with(
                        .uuid(id), .int64(number), .int64(realm), .bytes(part)))
                rest = rest.dropFirst(part.count)
                number += 1
                if added.count == Self.piecesAtOnce || rest.isEmpty {
                    _ = try connection.run(added)
                    added = []
                }
            }
        }
    }
}
