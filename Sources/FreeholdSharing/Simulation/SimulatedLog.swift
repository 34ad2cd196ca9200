import Foundation
import Synchronization

/// A server's realms as a value: a copy of it is a standby, or a backup.
struct SimulatedLog: Sendable {
    struct Client: Sendable {
        /// Nil for any.
        var token: UUID?
        var lastSequence: Int64 = 0
        /// The newest connection; earlier ones are broken.
        var connection = UUID()
    }

    struct Stored: Sendable {
        var snapshot: UpstreamSnapshot
        var bytes: Data
    }

    struct Realm: Sendable {
        var epoch: Int64 = 1
        var head: Int64 = 0
        var floor: Int64 = 0
        /// The commit of the floor, if it was trimmed.
        var floorCommit: UpstreamCommitIdentity?
        /// The commits after the floor.
        var commits: [LoggedCommit] = []
        var clients: [UUID: Client] = [:]
        /// Those of the epoch.
        var snapshots: [Stored] = []

        /// The one with the largest number; of these, the last that was stored.
        var snapshot: Stored? {
            snapshots.reduce(nil) { best, next in
                next.snapshot.sequence >= best?.snapshot.sequence ?? -1 ? next : best
            }
        }
    }

    /// By the bytes of their names: texts that look alike are equal, and may be other names.
    private var realms: [ContiguousArray<UInt8>: Realm] = [:]
    /// Whether pushes and snapshots find no room.
    var isFull = false
    /// Whether nobody may write.
    var isReadOnly = false

    /// Of all logs: a copy that is put in a log's place must not give its stamps again.
    private static let stamp = Atomic<Int64>(0)

    private(set) subscript(name: String) -> Realm? {
        get { realms[ContiguousArray(name.utf8)] }
        set { realms[ContiguousArray(name.utf8)] = newValue }
    }

    mutating func create(_ name: String) throws(SharingError) {
        try RealmName.check(name)
        if self[name] != nil {
            throw SharingError(
                .nameTaken, "There is a realm '\(name)'.", remedy: "Choose another name.")
        }
        self[name] = Realm()
    }

    /// Makes a realm as it was when it was created, if there is one.
    mutating func empty(_ name: String) { if self[name] != nil { self[name] = Realm() } }

    private func realm(_ name: String) throws(SharingError) -> Realm {
        try RealmName.check(name)
        if let realm = self[name] { return realm }
        throw SharingError(
            .unknownRealm, "There is no realm '\(name)'.",
            remedy: "Make it: Upstream.create(_:), or freehold share init.")
    }

    private func check(_ epoch: Int64, _ realm: Realm) throws(SharingError) {
        if epoch == realm.epoch { return }
        throw SharingError(
            .newEpoch, "The realm is in the epoch \(realm.epoch), not \(epoch).",
            remedy: "None: the client begins again by itself.")
    }

    private func checkRight() throws(SharingError) {
        if isReadOnly {
            throw SharingError(
                .permissionDenied, "Nobody may write to the server.",
                remedy: "Allow it: SimulatedUpstream.setReadOnly(false).")
        }
    }

    private func checkRoom() throws(SharingError) {
        if isFull {
            throw SharingError(
                .serverFull, "The server has no room.", remedy: "Make room on the server.")
        }
    }

    /// - Returns: The connection, which breaks earlier ones of the client.
    @discardableResult
    mutating func connect(_ client: UpstreamClient, to name: String) throws(SharingError) -> UUID {
        var realm = try realm(name)
        if let known = realm.clients[client.id] {
            guard
                known.token == nil || known.token == client.previousToken
                    || known.token == client.nextToken
                    || client.isAhead(ofEpoch: realm.epoch, head: realm.head)
            else {
                throw SharingError(
                    .copiedClient, "Another file has the identity of this one.",
                    remedy: SharingError.copiedClientRemedy)
            }
            realm.clients[client.id]?.token = client.nextToken
        } else {
            realm.clients[client.id] = Client(token: client.nextToken)
        }
        let connection = UUID()
        realm.clients[client.id]?.connection = connection
        self[name] = realm
        return connection
    }

    func state(of client: UUID, in name: String) throws(SharingError) -> UpstreamState {
        let realm = try realm(name)
        return UpstreamState(
            epoch: realm.epoch, head: realm.head, floor: realm.floor,
            lastClientSequence: realm.clients[client]?.lastSequence ?? 0,
            snapshot: realm.snapshot?.snapshot.sequence, floorCommit: realm.floorCommit)
    }

    /// - Parameter following: The client's last commit that its connection knows to be here.
    mutating func push(
        _ commits: [PushedCommit], of client: UUID, to name: String, in epoch: Int64,
        expecting head: Int64?, following: Int64 = 0
    ) throws(SharingError) -> PushAnswer {
        try checkRight()
        var realm = try realm(name)
        try check(epoch, realm)
        var last = realm.clients[client]?.lastSequence ?? 0
        if last < following { throw AcknowledgedCommit.isGone }
        // A push that is repeated because its answer was lost.
        if commits.allSatisfy({ $0.clientSequence <= last }) {
            return .appended(last: realm.head)
        }
        if let head, head != realm.head { return .conflict(head: realm.head) }
        try checkRoom()
        let stamp = Self.stamp.add(1, ordering: .relaxed).newValue
        for commit in commits where commit.clientSequence > last {
            last = commit.clientSequence
            realm.head += 1
            realm.commits.append(
                LoggedCommit(
                    sequence: realm.head, client: client, clientSequence: commit.clientSequence,
                    format: commit.format, payload: commit.payload, appendStamp: stamp))
        }
        realm.clients[client, default: Client(token: client)].lastSequence = last
        self[name] = realm
        return .appended(last: realm.head)
    }

    func commits(after sequence: Int64, of name: String, in epoch: Int64, upTo byteCount: Int)
        throws(SharingError) -> [LoggedCommit]
    {
        let realm = try realm(name)
        try check(epoch, realm)
        if sequence < realm.floor {
            throw SharingError(
                .logGone, "The commits up to \(realm.floor) were dropped.",
                remedy: "None: the client takes a snapshot.")
        }
        var (found, bytes) = ([LoggedCommit](), 0)
        for commit in realm.commits.dropFirst(Int(sequence - realm.floor)) {
            if bytes >= byteCount { break }
            bytes += commit.payload.count
            found.append(commit)
        }
        return found
    }

    mutating func store(_ stored: Stored, in name: String) throws(SharingError) {
        try checkRight()
        var realm = try realm(name)
        try check(stored.snapshot.epoch, realm)
        if stored.snapshot.sequence > realm.head {
            throw SharingError(
                .newEpoch, "The log has no commit \(stored.snapshot.sequence).",
                remedy: "None: the client looks at the log again.")
        }
        try checkSize(stored)
        try checkRoom()
        realm.snapshots.append(stored)
        self[name] = realm
    }

    private func checkSize(_ stored: Stored) throws(SharingError) {
        if stored.snapshot.byteCount != stored.bytes.count {
            throw SharingError(
                .damagedPayload, "The snapshot has \(stored.bytes.count) bytes.",
                remedy: "Write as many bytes as it says.")
        }
    }

    /// Drops what is below the newest snapshot.
    mutating func trim(_ name: String) throws(SharingError) {
        try checkRight()
        var realm = try realm(name)
        if let sequence = realm.snapshot?.snapshot.sequence, sequence > realm.floor {
            let count = Int(sequence - realm.floor)
            let last = realm.commits[count - 1]
            realm.floorCommit = UpstreamCommitIdentity(last)
            realm.commits.removeFirst(count)
            realm.floor = sequence
            realm.snapshots.removeAll { $0.snapshot.sequence < sequence }
        }
        self[name] = realm
    }

    /// Whether the epoch was begun.
    mutating func beginEpoch(
        _ request: UpstreamEpochRequest, with stored: Stored? = nil, in name: String
    ) throws(SharingError) -> Bool {
        try checkRight()
        var realm = try realm(name)
        if let stored {
            try request.check(stored.snapshot)
            try checkSize(stored)
        }
        if realm.epoch != request.endedEpoch || realm.head != request.expectedHead { return false }
        if request.onlyIfUnseeded, realm.snapshot != nil { return false }
        if stored != nil { try checkRoom() }
        (realm.epoch, realm.head, realm.floor) = (request.epoch, request.head, request.head)
        (realm.commits, realm.floorCommit) = ([], nil)
        // Tokens, too: after a restored backup every client would look like a copy.
        for client in realm.clients.keys {
            realm.clients[client]?.token = nil
            realm.clients[client]?.lastSequence = 0
        }
        realm.snapshots = stored.map { [$0] } ?? []
        self[name] = realm
        return true
    }
}
