import Foundation
import FreeholdStorage

/// An upstream in memory, for tests of programs: a log without a server, and faults at will.
///
/// ```swift
/// let upstream = SimulatedUpstream()
/// try await upstream.create("orders")
/// let shared = try await SharedRealm(configuration, upstream: upstream, name: "orders")
/// upstream.setReachable(false)        // the program is offline from here on
/// ```
///
/// With a seed it is a bad network: see ``SimulatedFaults``.
///
/// Thread rule: any. Several clients of one process may use it.
public final class SimulatedUpstream: Upstream {
    private let state = Locked(State())

    private struct State {
        var log = SimulatedLog()
        /// What the server had at ``SimulatedUpstream/keepStandby()``.
        var standby: SimulatedLog?
        var isReachable = true
        var lostAnswers = 0
        var lostRequests = 0
        var delay = Duration.zero
        var faults = SimulatedFaults.none
        /// By client, in the order in which they connected first.
        var fates: [UUID: SimulatedFate] = [:]
        /// Requests that arrive late, with the number of calls of others until then.
        var late: [(calls: Int, arrive: @Sendable (inout State) -> Void)] = []
        var waiters:
            [UUID: (
                name: String, head: Int64, epoch: Int64?, connection: Identity,
                continuation: CheckedContinuation<Void, Never>
            )] = [:]
        /// Connections of an earlier generation are broken.
        var generation = 0
        /// Further ones that are.
        var broken: Set<Identity> = []
    }

    /// A connection as the server knows it.
    fileprivate struct Identity: Sendable, Hashable {
        var realm: String
        var client: UUID
        var connection: UUID
        var generation: Int
    }

    private let seed: UInt64

    /// Makes a server without realms.
    public convenience init() { self.init(seed: 0, faults: .none) }

    /// Makes a server without realms, and a network with faults.
    ///
    /// - Parameters:
    ///   - seed: Decides which calls meet which fault.
    ///   - faults: How many calls meet one.
    public init(seed: UInt64, faults: SimulatedFaults = .some) {
        self.seed = seed
        setFaults(faults)
    }

    // MARK: Faults

    /// Whether the server answers. Turning it off breaks all connections.
    public func setReachable(_ isReachable: Bool) {
        change { state in
            state.isReachable = isReachable
            if !isReachable { state.generation += 1 }
        }
    }

    /// Breaks all connections.
    public func breakConnections() { change { $0.generation += 1 } }

    /// The next calls are done, and their answers are lost.
    public func loseAnswers(_ count: Int) { change { $0.lostAnswers = count } }

    /// The next calls do not arrive.
    public func loseRequests(_ count: Int) { change { $0.lostRequests = count } }

    /// How long each call takes.
    public func setDelay(_ delay: Duration) { change { $0.delay = delay } }

    /// Which share of calls meets a fault from now on.
    public func setFaults(_ faults: SimulatedFaults) { change { $0.faults = faults } }

    /// Whether the server has no room.
    public func setFull(_ isFull: Bool) { change { $0.log.isFull = isFull } }

    /// Whether clients may read only: what writes throws `permissionDenied`.
    public func setReadOnly(_ isReadOnly: Bool) { change { $0.log.isReadOnly = isReadOnly } }

    /// Keeps what the server has, for ``promoteStandby()``.
    public func keepStandby() { change { $0.standby = $0.log } }

    /// Loses what the server got since ``keepStandby()``, and breaks all connections.
    public func promoteStandby() {
        change { state in
            if let standby = state.standby { state.log = standby }
            state.generation += 1
        }
    }

    /// Loses the log of a realm, its snapshots and its clients, and breaks all connections. The
    /// realm is there, and empty: a client begins the next epoch with what its file has.
    public func loseEverything(of name: String) {
        change { state in
            state.log.empty(name)
            state.generation += 1
        }
    }

    /// The commits of a realm that the server has, oldest first.
    public func commits(of name: String) -> [LoggedCommit] {
        state.withLock { $0.log[name]?.commits ?? [] }
    }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    // MARK: Upstream

    public func connect(to realm: String, as client: UpstreamClient) async throws
        -> any UpstreamConnection
    {
        let identity = try await call(of: client.id, nil) { log, generation throws(SharingError) in
            Identity(
                realm: realm, client: client.id, connection: try log.connect(client, to: realm),
                generation: generation)
        }
        // Waits of the client's earlier connections end.
        wakeWaiters { other, _ in
            other.realm == realm && other.client == client.id && other != identity
        }
        return Connection(self, identity)
    }

    public func create(_ realm: String) async throws {
        try await call(of: nil, nil) { log, _ throws(SharingError) in try log.create(realm) }
    }

    fileprivate static let unreachable = SharingError(
        .unreachable, "The simulated server does not answer.",
        remedy: "None: the client tries again.")

    private static func isOpen(_ identity: Identity, _ state: State) -> Bool {
        state.isReachable && identity.generation == state.generation
            && !state.broken.contains(identity) && isNewest(identity, state)
    }

    /// Whether the client has not connected again.
    private static func isNewest(_ identity: Identity, _ state: State) -> Bool {
        state.log[identity.realm]?.clients[identity.client]?.connection == identity.connection
    }

    /// - Parameters:
    ///   - client: Nil for an administrator, who meets no faults of the network.
    ///   - identity: Nil without a connection.
    fileprivate func call<Result: Sendable>(
        of client: UUID?, _ identity: Identity?,
        _ body:
            @escaping @Sendable (inout SimulatedLog, _ generation: Int) throws(SharingError) ->
            Result
    ) async throws -> Result {
        let (fate, delay) = state.withLock { state in
            guard let client else { return (SimulatedFate.Kind.none, state.delay) }
            let count = state.fates.count
            let next = state.fates[client, default: SimulatedFate(seed: seed, client: count)]
                .next(state.faults)
            return (next.kind, state.delay + next.delay)
        }
        if delay > .zero { try await Task.sleep(for: delay) }
        let result = state.withLock { state -> Swift.Result<Result, SharingError> in
            Self.receiveLate(&state)
            guard identity.map({ Self.isOpen($0, state) }) ?? state.isReachable else {
                return .failure(Self.unreachable)
            }
            if case .late(let calls) = fate, let identity {
                state.late.append(
                    (
                        calls,
                        { state in
                            if Self.isNewest(identity, state) { _ = Self.run(body, &state) }
                        }
                    ))
            }
            if Self.isLost(fate, isDone: false, identity, &state) {
                return .failure(Self.unreachable)
            }
            let result = Self.run(body, &state)
            // A connection that is made twice is another one.
            if fate == .repeated, identity != nil { _ = Self.run(body, &state) }
            return Self.isLost(fate, isDone: true, identity, &state)
                ? .failure(Self.unreachable) : result
        }
        if fate != .none { wakeWaiters { !Self.isOpen($0, $1) } }
        return try result.get()
    }

    /// Whether a call does not arrive, or its answer, which breaks the connection.
    private static func isLost(
        _ fate: SimulatedFate.Kind, isDone: Bool, _ identity: Identity?, _ state: inout State
    ) -> Bool {
        let count = isDone ? state.lostAnswers : state.lostRequests
        if count > 0 {
            if isDone { state.lostAnswers -= 1 } else { state.lostRequests -= 1 }
            state.generation += 1
            return true
        }
        switch fate {
        case .lostRequest, .late: if isDone { return false }
        case .lostAnswer: if !isDone { return false }
        case .restart:
            if isDone { state.generation += 1 }
            return isDone
        case .none, .repeated: return false
        }
        if let identity {
            // The others are broken anyway.
            let breakable = state.broken.filter {
                $0.generation == state.generation && isNewest($0, state)
            }
            state.broken = breakable.union([identity])
        }
        return true
    }

    private static func run<Result>(
        _ body: (inout SimulatedLog, _ generation: Int) throws(SharingError) -> Result,
        _ state: inout State
    ) -> Swift.Result<Result, SharingError> {
        var log = state.log
        let generation = state.generation
        let result = Swift.Result { () throws(SharingError) in try body(&log, generation) }
        state.log = log
        return result
    }

    /// Does what arrives late, behind so many calls.
    private static func receiveLate(_ state: inout State) {
        for index in state.late.indices { state.late[index].calls -= 1 }
        let arriving = state.late.filter { $0.calls <= 0 }
        state.late.removeAll { $0.calls <= 0 }
        for request in arriving { request.arrive(&state) }
    }

    /// Ends the waits for what a realm has by now.
    fileprivate func wakeWaiters(of name: String) {
        let woken = state.withLock { state in
            let realm = state.log[name]
            let woken = state.waiters.filter {
                $0.value.name == name
                    && ($0.value.head < realm?.head ?? 0 || $0.value.epoch != realm?.epoch)
            }
            for id in woken.keys { state.waiters[id] = nil }
            return Array(woken.values)
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    /// Ends the waits of some connections.
    private func wakeWaiters(where isWanted: (Identity, State) -> Bool) {
        let woken = state.withLock { state in
            let woken = state.waiters.filter { isWanted($0.value.connection, state) }
            for id in woken.keys { state.waiters[id] = nil }
            return Array(woken.values)
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    fileprivate func wait(
        above head: Int64, _ identity: Identity, isClosed: @escaping @Sendable () -> Bool
    ) async throws {
        let id = UUID()
        let limit = Task { [state] in
            try await Task.sleep(for: .seconds(1))
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
        defer { limit.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    let realm = state.log[identity.realm]
                    let isOver =
                        !Self.isOpen(identity, state) || isClosed() || realm?.head ?? 0 > head
                        || Task.isCancelled
                    if !isOver {
                        state.waiters[id] = (
                            identity.realm, head, realm?.epoch, identity, continuation
                        )
                    }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
        if isClosed() || !state.withLock({ Self.isOpen(identity, $0) }) { throw Self.unreachable }
    }

    private final class Connection: UpstreamConnection {
        private let upstream: SimulatedUpstream
        private let identity: Identity
        private let isClosed = Locked(false)
        private let acknowledged = Locked(AcknowledgedCommit())

        init(_ upstream: SimulatedUpstream, _ identity: Identity) {
            self.upstream = upstream
            self.identity = identity
        }

        private var realm: String { identity.realm }
        private var client: UUID { identity.client }

        private func call<Result: Sendable>(
            _ body: @escaping @Sendable (inout SimulatedLog) throws(SharingError) -> Result
        ) async throws -> Result {
            if isClosed.withLock({ $0 }) { throw SimulatedUpstream.unreachable }
            return try await upstream.call(of: client, identity) { log, _ throws(SharingError) in
                try body(&log)
            }
        }

        func state() async throws -> UpstreamState {
            let state = try await call { [client, realm] log throws(SharingError) in
                try log.state(of: client, in: realm)
            }
            acknowledged.withLock { $0.note(state.lastClientSequence, in: state.epoch) }
            return state
        }

        func push(_ commits: [PushedCommit], in epoch: Int64, expecting head: Int64?) async throws
            -> PushAnswer
        {
            defer { upstream.wakeWaiters(of: realm) }
            let following = acknowledged.withLock { $0.clientSequence(in: epoch) }
            let answer = try await call { [client, realm] log throws(SharingError) in
                try log.push(
                    commits, of: client, to: realm, in: epoch, expecting: head,
                    following: following)
            }
            if case .appended = answer {
                acknowledged.withLock { $0.note(commits, following: following, in: epoch) }
            }
            return answer
        }

        func commits(after sequence: Int64, in epoch: Int64, upTo byteCount: Int) async throws
            -> [LoggedCommit]
        {
            try await call { [realm] log throws(SharingError) in
                try log.commits(
                    after: sequence, of: realm, in: epoch, upTo: byteCount)
            }
        }

        func waitForHead(above sequence: Int64) async throws {
            try await upstream.wait(above: sequence, identity) { [isClosed] in
                isClosed.withLock { $0 }
            }
        }

        func newestSnapshot() async throws -> UpstreamSnapshot? {
            try await call { [realm] log throws(SharingError) in
                log[realm]?.snapshot?.snapshot
            }
        }

        func read(
            _ snapshot: UpstreamSnapshot, _ receive: @Sendable (Data) async throws -> Void
        ) async throws {
            let stored = try await call { [realm] log throws(SharingError) in
                log[realm]?.snapshots.last {
                    $0.snapshot.epoch == snapshot.epoch
                        && $0.snapshot.sequence == snapshot.sequence
                }
            }
            guard let stored else {
                throw SharingError(
                    .logGone, "The snapshot is gone.", remedy: "None: the client takes another.")
            }
            var start = 0
            while start < stored.bytes.count {
                let end = min(start + (64 << 10), stored.bytes.count)
                _ = try await call { _ throws(SharingError) in }
                try await receive(stored.bytes.subdata(in: start..<end))
                start = end
            }
        }

        func write(
            _ snapshot: UpstreamSnapshot, _ nextPiece: @Sendable () async throws -> Data?
        ) async throws {
            let stored = SimulatedLog.Stored(
                snapshot: snapshot, bytes: try await bytes(of: nextPiece))
            try await call { [realm] log throws(SharingError) in try log.store(stored, in: realm) }
        }

        private func bytes(of nextPiece: () async throws -> Data?) async throws -> Data {
            var bytes = Data()
            while let piece = try await nextPiece() {
                _ = try await call { _ throws(SharingError) in }
                bytes += piece
            }
            return bytes
        }

        func trim(olderThan age: Duration) async throws {
            try await call { [realm] log throws(SharingError) in
                if age <= .zero { try log.trim(realm) }
            }
        }

        func beginEpoch(
            _ request: UpstreamEpochRequest, with snapshot: UpstreamSnapshot?,
            _ nextPiece: @Sendable () async throws -> Data?
        ) async throws -> UpstreamState? {
            defer { upstream.wakeWaiters(of: realm) }
            var stored: SimulatedLog.Stored?
            if let snapshot {
                stored = .init(snapshot: snapshot, bytes: try await bytes(of: nextPiece))
            }
            return try await call { [stored, client, realm] log throws(SharingError) in
                let isBegun = try log.beginEpoch(request, with: stored, in: realm)
                return isBegun ? try log.state(of: client, in: realm) : nil
            }
        }

        func close() async {
            isClosed.withLock { $0 = true }
            upstream.wakeWaiters { other, _ in other == identity }
        }
    }
}
