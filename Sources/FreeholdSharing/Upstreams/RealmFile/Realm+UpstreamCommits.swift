import Foundation
import Freehold

/// The commits of an upstream's file. A long payload is in pieces: a value has at most 16 MiB.
extension Realm {
    func addUpstreamCommit(
        _ pushed: PushedCommit, from client: UUID, to realm: UpstreamFileRealm
    ) {
        realm.head += 1
        let commit = UpstreamFileCommit()
        commit.key = UpstreamFileCommit.key(realm.number, realm.head)
        commit.client = client
        commit.clientSequence = Int(pushed.clientSequence)
        commit.format = Int(pushed.format)
        commit.at = Date()
        var rest = pushed.payload
        if rest.count <= UpstreamFilePiece.byteCount {
            commit.payload = rest
            rest = Data()
        }
        while !rest.isEmpty {
            let piece = UpstreamFilePiece()
            piece.key = UpstreamFilePiece.key(commit.key, commit.pieceCount)
            piece.data = Data(rest.prefix(UpstreamFilePiece.byteCount))
            rest = rest.dropFirst(piece.data.count)
            add(piece)
            commit.pieceCount += 1
        }
        add(commit)
    }

    func loggedCommit(_ number: Int, of realm: UpstreamFileRealm) throws -> LoggedCommit {
        let commit = try upstreamCommit(number, of: realm)
        var payload = commit.payload
        for place in 0..<max(commit.pieceCount, 0) {
            guard let part = piece(place, of: commit) else {
                throw SharingError(
                    .serverFailed,
                    "The file lacks a part of commit \(number) of \"\(realm.name)\".",
                    remedy: Self.lackingCommit)
            }
            payload += part.data
        }
        return LoggedCommit(
            sequence: Int64(number), client: commit.client,
            clientSequence: Int64(commit.clientSequence),
            format: Int32(truncatingIfNeeded: commit.format), payload: payload,
            appendStamp: commit.stamp)
    }

    func drop(_ commit: UpstreamFileCommit) {
        for place in 0..<max(commit.pieceCount, 0) {
            if let part = piece(place, of: commit) { delete(part) }
        }
        delete(commit)
    }

    private func piece(_ place: Int, of commit: UpstreamFileCommit) -> UpstreamFilePiece? {
        object(
            ofType: UpstreamFilePiece.self,
            forPrimaryKey: UpstreamFilePiece.key(commit.key, place))
    }
}
