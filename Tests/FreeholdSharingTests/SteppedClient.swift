import Foundation
@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A server whose clients are stepped by hand.
final class SteppedServer {
    static let realm = "r"
    var log = SimulatedLog()
    let folder: StoreFolder
    private var fileCount = 0

    init() throws {
        folder = try StoreFolder()
        try log.create(Self.realm)
    }

    func client(_ name: String, _ options: SharingOptions = SharingOptions()) throws
        -> SteppedClient
    {
        try SteppedClient(self, name, options)
    }

    /// A client that pushes so many commits at once.
    func client(_ name: String, pushing count: Int) throws -> SteppedClient {
        var options = SharingOptions()
        options.pushCount = count
        return try client(name, options)
    }

    var head: Int64 { log[Self.realm]?.head ?? 0 }

    fileprivate func newPath() -> String {
        fileCount += 1
        return folder.path("file\(fileCount)")
    }
}

/// A client of sharing whose calls a test answers, loses or counts.
final class SteppedClient {
    /// What becomes of a call.
    enum Fate {
        case answered
        /// It is done, and the answer is lost.
        case loseAnswer
        /// It does not arrive.
        case loseRequest
        /// The server refuses it.
        case fails(SharingError)
    }

    let server: SteppedServer
    let store: Store
    let core: SharingCore
    var now = 0.0
    /// Whether it applies what a push brought while the next call is under way, not after it.
    var appliesWhileCalling = true
    /// Asked before each call.
    var fate: (SharingCall) -> Fate = { _ in .answered }
    /// Called with each call that the server has answered, before the client has the answer.
    var whileAnswered: (SharingCall) throws -> Void = { _ in }
    /// Called when the snapshot of an epoch is made, before the server begins the epoch.
    var whileEpochIsWritten: () throws -> Void = {}
    /// Called when the server has begun an epoch, before its state is read.
    var whenEpochHasBegun: () throws -> Void = {}
    /// Runs the blocks of shared writes.
    var block: () throws -> Int64? = { nil }
    private(set) var pushes: [(time: Double, commits: [PushedCommit])] = []
    private(set) var ended: [UInt64: Result<Int64, SharingError>] = [:]

    init(_ server: SteppedServer, _ name: String, _ options: SharingOptions) throws {
        self.server = server
        store = try server.folder.open(name)
        try store.write { SharedWorld.addClasses(to: $0) }
        core = SharingCore(
            try SharedFile(store, name: SteppedServer.realm, key: nil), options,
            random: SeededGenerator(seed: UInt64(name.utf8.first ?? 0)))
    }

    /// Another run of a client's program, which has ended.
    init(restarting other: SteppedClient) throws {
        (server, store) = (other.server, other.store)
        core = SharingCore(
            try SharedFile(store, name: SteppedServer.realm, key: nil), SharingOptions(),
            random: SeededGenerator(seed: 0))
    }

    static let counted = SharedReference("Named", .text(ContiguousArray("counted".utf8)))

    /// A commit that sets a number.
    static func commit(_ number: Int64, _ catalog: Catalog) -> SharedCommit {
        var commit = SharedCommit()
        commit.inserted = [.init(counted, ["int": .integer(number)])]
        commit.define(by: catalog)
        return commit
    }

    /// Commits a change of the program.
    func apply(_ commit: SharedCommit) throws {
        try store.write { writeSet in
            var commit = commit
            commit.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(commit)
        }
    }

    /// Adds an object.
    @discardableResult
    func insert(_ name: String) throws -> SharedReference {
        let object = SharedReference("Named", .text(ContiguousArray(name.utf8)))
        var commit = SharedCommit()
        commit.inserted = [.init(object, ["int": .integer(7)])]
        try apply(commit)
        return object
    }

    /// The connection breaks while no call is under way.
    func disconnect() {
        core.disconnected(
            SharingError(.unreachable, "The connection broke.", remedy: ""), at: now)
    }

    func write(_ number: Int64) throws {
        try store.write { writeSet in
            _ = try SharedApplier(writeSet).apply(Self.commit(number, writeSet.catalog))
        }
    }

    var number: SharedValue? { get throws { try store.model().objects[Self.counted]?["int"] } }

    /// Works until nothing is left to do now.
    ///
    /// - Returns: Until when the core sleeps, or pauses; nil if it waits for others alone.
    @discardableResult
    func run() throws -> Double? {
        for _ in 0..<1000 {
            let step = try core.next(at: now)
            take(core.takeEvents())
            switch step {
            case .call(let call): try answer(call)
            case .runBlock(let id): try runBlock(id)
            case .idle(let above, let time):
                if server.head <= above { return time }
                core.headMayHaveMoved()
            case .sleep(let time): return time
            }
            take(core.takeEvents())
        }
        throw SharingError(.serverFailed, "The client does not come to an end.", remedy: "")
    }

    private func take(_ events: [SharingEvent]) {
        for case .finished(let id, let result) in events { ended[id] = result }
    }

    private func runBlock(_ id: UInt64) throws {
        do {
            let number = try block()
            let catalog = try store.newestSnapshot().catalog
            core.blockFinished(id, number.map { Self.commit($0, catalog) })
        } catch {
            core.cancel(id)
            ended[id] = nil
            throw error
        }
    }

    private func answer(_ call: SharingCall) throws {
        let lost = SharingError(.unreachable, "The connection broke.", remedy: "")
        var reply = SharingReply.failed(lost)
        let fate = fate(call)
        if appliesWhileCalling { try core.applyArrived() }
        switch fate {
        case .answered: reply = try outcome(of: call)
        case .loseAnswer: _ = try outcome(of: call)
        case .loseRequest: break
        case .fails(let error): reply = .failed(error)
        }
        try whileAnswered(call)
        try core.received(reply, at: now)
    }

    private func outcome(of call: SharingCall) throws -> SharingReply {
        do { return try execute(call) } catch let error as SharingError { return .failed(error) }
    }

    private func execute(_ call: SharingCall) throws -> SharingReply {
        let (name, client) = (SteppedServer.realm, core.file.state.client)
        switch call {
        case .connect(let client):
            try server.log.connect(client, to: name)
            return .connected
        case .state: return .state(try server.log.state(of: client, in: name))
        case .push(let commits, let epoch, let head):
            pushes.append((now, commits))
            return .pushed(
                try server.log.push(
                    commits, of: client, to: name, in: epoch, expecting: head,
                    following: core.pushed))
        case .commits(let sequence, let epoch):
            return .commits(
                try server.log.commits(after: sequence, of: name, in: epoch, upTo: 1 << 20))
        case .readSnapshot:
            guard let stored = server.log[name]?.snapshot else { return .snapshot(nil) }
            let path = server.newPath()
            try stored.bytes.write(to: URL(fileURLWithPath: path))
            return .snapshot((path, stored.snapshot))
        case .writeSnapshot:
            let stored = try stored(core.makeSnapshot)
            try server.log.store(stored, in: name)
            return .wroteSnapshot(sequence: stored.snapshot.sequence)
        case .beginEpoch(let request, let withSnapshot):
            let stored =
                withSnapshot
                ? try stored { try core.makeEpochSnapshot(at: $0, epoch: request.epoch) } : nil
            try whileEpochIsWritten()
            let isBegun = try server.log.beginEpoch(request, with: stored, in: name)
            if isBegun { try whenEpochHasBegun() }
            return .begun(isBegun ? try server.log.state(of: client, in: name) : nil)
        case .trim:
            try server.log.trim(name)
            return .trimmed
        }
    }

    private func stored(_ make: (String) throws -> SharedFile.MadeSnapshot) throws
        -> SimulatedLog.Stored
    { try .init(made: make, at: server.newPath()) }
}

extension SteppedClient {
    /// Lets clients work, one after the other, until nothing is left to do.
    static func settle(_ clients: SteppedClient...) throws {
        for client in clients + clients {
            client.core.headMayHaveMoved()
            let start = client.now
            while let time = try client.run() {
                client.now = time
                if time > start + 10_000 {
                    let last = client.core.lastError?.description ?? ""
                    throw SharingError(
                        .serverFailed, "The client does not settle. \(last)", remedy: "")
                }
            }
        }
    }
}

extension SteppedServer {
    /// A server whose one commit two clients have.
    static func withTwoClients() throws
        -> (server: SteppedServer, one: SteppedClient, two: SteppedClient)
    {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.write(1)
        try SteppedClient.settle(one, two)
        return (server, one, two)
    }
}

extension SimulatedLog.Stored {
    /// A snapshot that a client makes.
    init(made make: (String) throws -> SharedFile.MadeSnapshot, at path: String) throws {
        let made = try make(path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        self.init(
            snapshot: UpstreamSnapshot(
                epoch: made.epoch, sequence: made.sequence, byteCount: Int64(bytes.count),
                isEncrypted: false), bytes: bytes)
    }
}

extension SharingCall {
    var isPush: Bool { if case .push = self { true } else { false } }
}
