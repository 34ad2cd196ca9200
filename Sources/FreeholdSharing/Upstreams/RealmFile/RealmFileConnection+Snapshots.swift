import Foundation
import Freehold

extension RealmFileConnection {
    private static let pieceByteCount = 1 << 20

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

    /// A transaction for each piece, so that other programs are not kept waiting. The snapshot is
    /// seen when the last one says that it is complete.
    func write(
        _ snapshot: UpstreamSnapshot, _ nextPiece: @Sendable () async throws -> Data?
    ) async throws {
        let id = UUID()
        do {
            try await queue.write { [name] file in
                let realm = try file.upstreamRealm(name)
                file.add(UpstreamFileSnapshot(snapshot, id: id, of: realm))
            }
            var count = 0
            var left = snapshot.byteCount
            while var rest = try await nextPiece() {
                left -= Int64(rest.count)
                while !rest.isEmpty {
                    let part = Data(rest.prefix(Self.pieceByteCount))
                    rest = rest.dropFirst(part.count)
                    let number = count
                    count += 1
                    try await queue.write { file in
                        let piece = UpstreamFilePiece()
                        piece.key = UpstreamFilePiece.key(id, number)
                        piece.data = part
                        file.add(piece)
                    }
                }
            }
            guard left == 0 else {
                throw SharingError(
                    .damagedPayload,
                    "The snapshot has \(snapshot.byteCount - left) bytes, not "
                        + "\(snapshot.byteCount).",
                    remedy: "Make the snapshot again.")
            }
            try await complete(id, epoch: snapshot.epoch, pieceCount: count)
        } catch {
            // Where this fails, too, trimming finds the rest.
            queue.queue.async { [queue] in
                try? queue.perform { file in
                    try file.write {
                        let key = id
                        file.object(ofType: UpstreamFileSnapshot.self, forPrimaryKey: key)
                            .map(file.drop)
                    }
                }
            }
            throw error
        }
    }

    private func complete(_ id: UUID, epoch: Int64, pieceCount: Int) async throws {
        try await queue.write { [name] file in
            let realm = try file.upstreamRealm(name)
            guard
                let written = file.object(ofType: UpstreamFileSnapshot.self, forPrimaryKey: id),
                realm.epoch < epoch || realm.epoch == epoch && realm.head >= written.sequence
            else {
                throw SharingError(
                    .newEpoch,
                    "The realm \"\(name)\" left epoch \(epoch) meanwhile, or lost commits.",
                    remedy: "Make a snapshot of what it has now.")
            }
            written.pieceCount = pieceCount
            written.isComplete = true
        }
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
