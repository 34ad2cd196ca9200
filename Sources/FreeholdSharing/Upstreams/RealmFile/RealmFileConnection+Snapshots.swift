import Foundation
import Freehold

extension RealmFileConnection {
    func newestSnapshot() async throws -> UpstreamSnapshot? {
        try await queue.read { [name] file in
            let realm = try file.upstreamRealm(name)
            return file.newestSnapshot(of: realm).map { newest in
                UpstreamSnapshot(
                    epoch: Int64(newest.epoch), sequence: Int64(newest.sequence),
                    byteCount: Int64(newest.byteCount), isEncrypted: newest.isEncrypted,
                    schemaVersion: Int64(newest.schemaVersion))
            }
        }
    }

    func read(
        _ snapshot: UpstreamSnapshot, _ receive: @Sendable (Data) async throws -> Void
    ) async throws {
        let gone = SharingError(
            .logGone, "The snapshot \(snapshot.sequence) of \"\(name)\" was dropped meanwhile.",
            remedy: "Begin from the newest snapshot.")
        let found: (id: UUID, pieceCount: Int) = try await queue.read { [name] file in
            let all = file.snapshots(of: try file.upstreamRealm(name))
            guard
                let found = all.first(where: {
                    $0.isComplete && $0.epoch == snapshot.epoch
                        && $0.sequence == snapshot.sequence && $0.byteCount == snapshot.byteCount
                })
            else { throw gone }
            return (found.id, found.pieceCount)
        }
        for number in 0..<found.pieceCount {
            let piece = try await queue.read { file in
                let key = UpstreamFilePiece.key(found.id, number)
                guard let piece = file.object(ofType: UpstreamFilePiece.self, forPrimaryKey: key)
                else { throw gone }
                return piece.data
            }
            try await receive(piece)
        }
    }

    func write(
        _ snapshot: UpstreamSnapshot, _ nextPiece: @Sendable () async throws -> Data?
    ) async throws {
        try await add(snapshot, nextPiece) { [name] file, written in
            let realm = try file.upstreamRealm(name)
            guard let written, realm.epoch == snapshot.epoch, realm.head >= snapshot.sequence
            else {
                throw SharingError(
                    .newEpoch,
                    "The realm \"\(name)\" left epoch \(snapshot.epoch), or lost commits.",
                    remedy: "Make a snapshot of what it has now.")
            }
            written.isComplete = true
        }
    }

    func beginEpoch(
        _ request: UpstreamEpochRequest, with snapshot: UpstreamSnapshot?,
        _ nextPiece: @Sendable () async throws -> Data?
    ) async throws -> UpstreamState? {
        guard let snapshot else {
            return try await queue.write { [name, client] file in
                let isBegun = try file.beginEpoch(request, with: nil, of: name)
                return isBegun ? try file.state(of: name, for: client) : nil
            }
        }
        try request.check(snapshot)
        return try await add(snapshot, nextPiece) { [name, client] file, written in
            // Another epoch has begun, and has dropped it.
            guard let written else { return nil }
            written.isComplete = try file.beginEpoch(request, with: written, of: name)
            if written.isComplete { return try file.state(of: name, for: client) }
            file.drop(written)
            return nil
        }
    }

    /// Adds a snapshot with a transaction for each piece, so that other programs are not kept
    /// waiting. It is seen when `finish` says that it is complete, in a last transaction.
    private func add<Result: Sendable>(
        _ snapshot: UpstreamSnapshot, _ nextPiece: @Sendable () async throws -> Data?,
        _ finish: @escaping @Sendable (Realm, UpstreamFileSnapshot?) throws -> Result
    ) async throws -> Result {
        let id = UUID()
        do {
            try await queue.write { [name] file in
                let realm = try file.upstreamRealm(name)
                file.add(UpstreamFileSnapshot(snapshot, id: id, of: realm))
            }
            let pieceCount = try await addPieces(of: snapshot, id, nextPiece)
            return try await queue.write { file in
                let written = file.object(ofType: UpstreamFileSnapshot.self, forPrimaryKey: id)
                written?.pieceCount = pieceCount
                return try finish(file, written)
            }
        } catch {
            // Where this fails, too, trimming finds the rest.
            queue.queue.async { [queue] in
                try? queue.perform { file in
                    try file.write {
                        file.object(ofType: UpstreamFileSnapshot.self, forPrimaryKey: id)
                            .map(file.drop)
                    }
                }
            }
            throw error
        }
    }

    /// - Returns: The number of pieces.
    private func addPieces(
        of snapshot: UpstreamSnapshot, _ id: UUID,
        _ nextPiece: @Sendable () async throws -> Data?
    ) async throws -> Int {
        var count = 0
        var left = snapshot.byteCount
        while var rest = try await nextPiece() {
            left -= Int64(rest.count)
            while !rest.isEmpty {
                let part = Data(rest.prefix(UpstreamFilePiece.byteCount))
                rest = rest.dropFirst(part.count)
                let number = count
                count += 1
                let isWanted = try await queue.write { file in
                    // Another epoch has begun, and has dropped the snapshot.
                    guard file.object(ofType: UpstreamFileSnapshot.self, forPrimaryKey: id) != nil
                    else { return false }
                    let piece = UpstreamFilePiece()
                    piece.key = UpstreamFilePiece.key(id, number)
                    piece.data = part
                    file.add(piece)
                    return true
                }
                if !isWanted { return count }
            }
        }
        guard left == 0 else {
            throw SharingError(
                .damagedPayload,
                "The snapshot has \(snapshot.byteCount - left) bytes, not \(snapshot.byteCount).",
                remedy: "Make the snapshot again.")
        }
        return count
    }
}

extension Realm {
    /// Whether the epoch was begun. In a transaction.
    ///
    /// - Parameter written: The snapshot that it begins with.
    fileprivate func beginEpoch(
        _ request: UpstreamEpochRequest, with written: UpstreamFileSnapshot?, of name: String
    ) throws -> Bool {
        let realm = try upstreamRealm(name)
        if realm.epoch != request.endedEpoch || realm.head != request.expectedHead { return false }
        if request.onlyIfUnseeded, newestSnapshot(of: realm) != nil { return false }
        if let trimmed = trimmedCommit(of: realm) { drop(trimmed) }
        for number in stride(from: realm.floor + 1, through: realm.head, by: 1) {
            // An epoch is the remedy where one is missing.
            if let commit = try? upstreamCommit(number, of: realm) { drop(commit) }
        }
        realm.epoch = Int(request.epoch)
        realm.head = Int(request.head)
        realm.floor = Int(request.head)
        forgetClients(of: realm)
        for old in snapshots(of: realm) where old.id != written?.id { drop(old) }
        return true
    }
}

extension UpstreamFileSnapshot {
    fileprivate convenience init(
        _ snapshot: UpstreamSnapshot, id: UUID, of realm: UpstreamFileRealm
    ) {
        self.init()
        self.id = id
        realmNumber = realm.number
        epoch = Int(snapshot.epoch)
        sequence = Int(snapshot.sequence)
        byteCount = Int(snapshot.byteCount)
        isEncrypted = snapshot.isEncrypted
        schemaVersion = Int(snapshot.schemaVersion)
        at = Date()
    }
}
