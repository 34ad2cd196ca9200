import Foundation
import Freehold

/// What connections do with an upstream's file.
extension Realm {
    func upstreamRealm(_ name: String) throws -> UpstreamFileRealm {
        guard let realm = object(ofType: UpstreamFileRealm.self, forPrimaryKey: name) else {
            throw SharingError(
                .unknownRealm, "The file no longer has a realm \"\(name)\".",
                remedy: "See to the file: another one has taken its place.")
        }
        return realm
    }

    func upstreamRealm(_ name: String, in epoch: Int64) throws -> UpstreamFileRealm {
        let realm = try upstreamRealm(name)
        guard realm.epoch == epoch else {
            throw SharingError(
                .newEpoch, "The realm \"\(name)\" is in epoch \(realm.epoch), not \(epoch).",
                remedy: "Begin from the newest snapshot; what waits to be pushed is kept.")
        }
        return realm
    }

    static let lackingCommit = """
        On a machine that has all of the realm, begin an epoch: SharedRealm.beginEpoch(), or \
        freehold share rotate-epoch with its file.
        """

    /// A commit between the floor and the head.
    func upstreamCommit(_ number: Int, of realm: UpstreamFileRealm) throws -> UpstreamFileCommit {
        let key = UpstreamFileCommit.key(realm.number, number)
        guard let commit = object(ofType: UpstreamFileCommit.self, forPrimaryKey: key) else {
            throw SharingError(
                .serverFailed, "The file lacks commit \(number) of \"\(realm.name)\".",
                remedy: Self.lackingCommit)
        }
        return commit
    }

    /// The commit of the floor, which trimming leaves; nil if the epoch begins there.
    func trimmedCommit(of realm: UpstreamFileRealm) -> UpstreamFileCommit? {
        object(
            ofType: UpstreamFileCommit.self,
            forPrimaryKey: UpstreamFileCommit.key(realm.number, realm.floor))
    }

    func state(of name: String, for client: UUID) throws -> UpstreamState {
        let realm = try upstreamRealm(name)
        let key = UpstreamFileClient.key(realm.number, client)
        let entry = object(ofType: UpstreamFileClient.self, forPrimaryKey: key)
        let last = trimmedCommit(of: realm)
        return UpstreamState(
            epoch: Int64(realm.epoch), head: Int64(realm.head), floor: Int64(realm.floor),
            lastClientSequence: Int64(entry?.lastSequence ?? 0),
            snapshot: newestSnapshot(of: realm).map { Int64($0.sequence) },
            floorCommit: last.map {
                UpstreamCommitIdentity(
                    client: $0.client, clientSequence: Int64($0.clientSequence),
                    appendStamp: $0.stamp)
            })
    }

    /// Few: those that trimming left.
    func snapshots(of realm: UpstreamFileRealm) -> [UpstreamFileSnapshot] {
        let number = realm.number
        return Array(objects(UpstreamFileSnapshot.self).where { $0.realmNumber == number })
    }

    func newestSnapshot(of realm: UpstreamFileRealm) -> UpstreamFileSnapshot? {
        snapshots(of: realm).filter { $0.isComplete && $0.epoch == realm.epoch }
            .max { ($0.sequence, $0.at) < ($1.sequence, $1.at) }
    }

    /// Drops commits that the newest snapshot has and that are older than a time, and older
    /// snapshots. A commit stays if one with a smaller number does.
    func trim(_ realm: UpstreamFileRealm, before time: Date) {
        // Those whose writer ended in the middle: none takes a day.
        let unfinished = min(time, Date(timeIntervalSinceNow: -86_400))
        for old in snapshots(of: realm) where !old.isComplete && old.at < unfinished { drop(old) }
        guard let newest = newestSnapshot(of: realm) else { return }
        for old in snapshots(of: realm)
        where old.isComplete && old.id != newest.id && old.at <= time { drop(old) }
        while realm.floor < newest.sequence,
            let commit = try? upstreamCommit(realm.floor + 1, of: realm), commit.at <= time
        {
            if let former = trimmedCommit(of: realm) { drop(former) }
            realm.floor += 1
        }
    }

    func drop(_ snapshot: UpstreamFileSnapshot) {
        var number = 0
        while let piece = object(
            ofType: UpstreamFilePiece.self,
            forPrimaryKey: UpstreamFilePiece.key(snapshot.id, number))
        {
            delete(piece)
            number += 1
        }
        delete(snapshot)
    }

    /// Tokens, because after a restored backup every client would else look like a copy; numbers,
    /// because the epoch's snapshot may lack commits that the log had.
    func forgetClients(of realm: UpstreamFileRealm) {
        let prefix = "\(realm.number) "
        for client in objects(UpstreamFileClient.self).where({ $0.key.starts(with: prefix) }) {
            (client.token, client.lastSequence) = (nil, 0)
        }
    }
}
