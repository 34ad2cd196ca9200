import Foundation
@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Clients and a server, stepped by hand, with faults, from one seed.
struct SimulationSettings {
    var clientCount = 3
    var stepCount = 250
    /// Drops, lost answers, delays, crashes of clients and of the server.
    var faults = true
    /// A standby without the newest commits takes over.
    var losesTails = false
    /// After about how many steps the standby has what the server has.
    var standbyLag = 8
    var snapshots = true
    /// Clients go offline for a while: many of them where a push is not answered, or when a standby
    /// takes over.
    var clientsLeave = false
}

final class Simulation {
    private var random: SeededGenerator
    private let settings: SimulationSettings
    private let folder: StoreFolder
    private var server = SimulatedLog()
    /// A standby that lags behind.
    private var standby = SimulatedLog()
    private var clients: [SimulatedClient] = []
    private var now = 0.0
    /// For how many steps more each client is offline.
    private var absences: [Int]
    private var snapshotCount = 0
    /// Requests that arrive after their clients have given up.
    private var delayed: [(client: Int, call: SharingCall, id: UUID, following: Int64)] = []
    /// All commits of the epoch, those that were dropped, too, and the state before them.
    private var log: [LoggedCommit] = []
    private var logEpoch: Int64 = 1
    private var beginning: SharedModel? = SharedModel()
    /// The number that ``beginning`` is at.
    private var beginningSequence: Int64 = 0
    private var failure: String?
    private(set) var trace: [String] = []
    var lostTail = false

    static let realm = "r"

    init(seed: UInt64, _ settings: SimulationSettings) throws {
        random = SeededGenerator(seed: seed)
        self.settings = settings
        absences = Array(repeating: 0, count: settings.clientCount)
        folder = try StoreFolder()
        try server.create(Self.realm)
        standby = server
        for number in 0..<settings.clientCount {
            var options = SimulatedClient.options
            options.seededEpochAttempts = Int((seed >> 4) % 4)
            clients.append(
                try SimulatedClient(number, folder, options, SeededGenerator(seed: seed &+ 1)))
        }
    }

    /// Runs it, and returns what is wrong at the end; nil if nothing is.
    func run() throws -> String? {
        for _ in 0..<settings.stepCount {
            try step()
            if let failure { return failure }
        }
        try settle()
        if let failure { return failure }
        return try check()
    }

    // MARK: Steps

    private func note(_ text: @autoclosure () -> String) { trace.append(text()) }

    private func step() throws {
        let client = random.int(0...(clients.count - 1))
        switch random.int(0...99) {
        case ..<25:
            note("\(client) writes")
            try clients[client].write(&random)
        case ..<33:
            note("\(client) asks for a shared write")
            clients[client].request(deadline: random.once(in: 2) ? nil : now + 5)
        case ..<36 where settings.faults:
            note("\(client) restarts")
            if let call = clients[client].underway {
                fate(of: call, client)
            }
            try clients[client].restart()
        case ..<37 where settings.faults:
            note("the server restarts")
            for number in clients.indices { disconnect(number) }
        case ..<38 where settings.losesTails:
            note("the standby takes over")
            lostTail = true
            server = standby
            truncateLog()
            for number in clients.indices {
                disconnect(number)
                if settings.clientsLeave, random.once(in: 2) {
                    absences[number] = random.int(1...100)
                }
            }
        case ..<40 where settings.snapshots:
            if random.once(in: 4) {
                note("\(client) is to begin an epoch")
                clients[client].core.requestEpoch()
            } else {
                note("\(client) is to make a snapshot")
                clients[client].core.requestSnapshot()
            }
        case ..<41 where settings.snapshots:
            note("the log is trimmed")
            try server.trim(Self.realm)
        case ..<42 where settings.faults: server.isFull.toggle()
        case ..<44 where settings.clientsLeave:
            note("\(client) is offline")
            disconnect(client)
            absences[client] = random.int(1...100)
        case ..<45 where !delayed.isEmpty:
            let late = delayed.remove(at: random.int(0...(delayed.count - 1)))
            if isOutdated(late.call, of: late.client) { break }
            note("late \(late.client) \(late.call)")
            _ = try? execute(late.call, of: late.id, following: late.following, late.client)
        case ..<48:
            now += Double(random.int(0...40)) / 4
            // Also while calls are under way.
            for client in clients {
                client.core.endOverdueRequests(at: now)
                client.takeEvents()
            }
        default:
            if absences[client] == 0 { try advance(client, isFair: !settings.faults) }
        }
        for number in absences.indices where absences[number] > 0 { absences[number] -= 1 }
        if random.once(in: settings.standbyLag) { standby = server }
    }

    /// A server does what one client asks of its row in order: no request to connect comes behind
    /// the one after the next.
    private func isOutdated(_ call: SharingCall, of number: Int) -> Bool {
        guard case .connect(let client) = call else { return false }
        let state = clients[number].core.file.state
        return ![state.previousToken, state.nextToken].contains(client.nextToken)
    }

    private func truncateLog() {
        let head = server[Self.realm]?.head ?? 0
        log.removeAll { $0.sequence > head }
    }

    private func disconnect(_ number: Int) {
        let error = SharingError(.unreachable, "The connection broke.", remedy: "")
        if let call = clients[number].underway {
            fate(of: call, number)
            answer(number, .failed(error))
        } else {
            clients[number].core.disconnected(error, at: now)
        }
    }

    /// What becomes of a request whose client does not wait any more.
    private func fate(of call: SharingCall, _ client: Int, isDone: Bool = false) {
        let id = clients[client].core.file.state.client
        let following = clients[client].core.pushed
        switch isDone ? 0 : random.int(0...2) {
        case 0: _ = try? execute(call, of: id, following: following, client)
        case 1: delayed.append((client, call, id, following))
        default: break
        }
    }

    private func answer(_ number: Int, _ reply: SharingReply) {
        do {
            clients[number].underway = nil
            try clients[number].core.received(reply, at: now)
            if case .failed(let error) = reply, error.code == .copiedClient, lostTail {
                // The standby has lost the token, too.
                note("\(number) takes another identity")
                try clients[number].takeNewIdentity()
            }
            clients[number].takeEvents()
        } catch {
            failure = "client \(number): \(error)"
        }
    }

    private func advance(_ number: Int, isFair: Bool) throws {
        guard let call = clients[number].underway else {
            let step = try clients[number].core.next(at: now)
            clients[number].takeEvents()
            switch step {
            case .call(let call): clients[number].underway = call
            case .runBlock(let id): try clients[number].runBlock(id, &random)
            case .idle(let above, _):
                if server[Self.realm]?.head ?? 0 > above || random.once(in: 10) {
                    clients[number].core.headMayHaveMoved()
                }
            case .sleep(let time): if isFair { now = max(now, time) }
            }
            return
        }
        if random.once(in: 2) {
            try clients[number].core.applyArrived()
            clients[number].takeEvents()
        }
        let leaves = if case .push = call { settings.clientsLeave } else { false }
        if !isFair, random.once(in: leaves ? 3 : 12) {
            note("\(number): \(call) is not answered")
            fate(of: call, number, isDone: leaves && random.once(in: 2))
            if leaves { absences[number] = random.int(20...120) }
            return answer(
                number, .failed(SharingError(.unreachable, "The connection broke.", remedy: "")))
        }
        do {
            answer(
                number,
                try execute(
                    call, of: clients[number].core.file.state.client,
                    following: clients[number].core.pushed, number))
        } catch let error as SharingError {
            note("\(number): \(error)")
            answer(number, .failed(error))
        }
    }

    // MARK: The server

    /// - Parameter following: The client's last commit that the connection knows to be in the log.
    private func execute(
        _ call: SharingCall, of client: UUID, following: Int64, _ number: Int
    ) throws -> SharingReply {
        defer { noteLog() }
        let name = Self.realm
        switch call {
        case .connect(let client):
            try server.connect(client, to: name)
            return .connected
        case .state:
            let state = try server.state(of: client, in: name)
            note("\(number) at \(clients[number].core.file.state.applied) reads \(state)")
            return .state(state)
        case .push(let commits, let epoch, let head):
            note("\(number) pushes \(commits.map(\.clientSequence)) \(head ?? -1)")
            return .pushed(
                try server.push(
                    commits, of: client, to: name, in: epoch, expecting: head,
                    following: following))
        case .commits(let sequence, let epoch):
            let found = try server.commits(
                after: sequence, of: name, in: epoch, upTo: random.pick([1, 1000, 1 << 20]))
            note("\(number) gets \(found.map(\.sequence)) after \(sequence)")
            return .commits(found)
        case .readSnapshot:
            guard let stored = server[name]?.snapshot else { return .snapshot(nil) }
            snapshotCount += 1
            let path = folder.path("read\(snapshotCount)")
            try stored.bytes.write(to: URL(fileURLWithPath: path))
            note("\(number) takes the snapshot \(stored.snapshot.sequence)")
            return .snapshot((path, stored.snapshot))
        case .writeSnapshot:
            let stored = try stored(clients[number].core.makeSnapshot)
            note("\(number) writes the snapshot \(stored.snapshot)")
            try server.store(stored, in: name)
            try noteBeginning(stored.snapshot, number)
            return .wroteSnapshot(sequence: stored.snapshot.sequence)
        case .beginEpoch(let request, let withSnapshot):
            note("\(number) begins an epoch: \(request) \(withSnapshot)")
            let core = clients[number].core
            let stored =
                withSnapshot
                ? try stored { try core.makeEpochSnapshot(at: $0, epoch: request.epoch) } : nil
            let head = server[name]?.head ?? 0
            guard try server.beginEpoch(request, with: stored, in: name) else {
                return .begun(nil)
            }
            // Who has all of the log could not write its snapshot for a long time.
            if request.onlyIfUnseeded, request.head < head { lostTail = true }
            if let stored {
                noteLog()
                try noteBeginning(stored.snapshot, number)
            }
            return .begun(try server.state(of: client, in: name))
        case .trim:
            try server.trim(name)
            return .trimmed
        }
    }

    private func stored(_ make: (String) throws -> SharedFile.MadeSnapshot) throws
        -> SimulatedLog.Stored
    {
        snapshotCount += 1
        return try .init(made: make, at: folder.path("write\(snapshotCount)"))
    }

    private func noteBeginning(_ snapshot: UpstreamSnapshot, _ number: Int) throws {
        guard beginning == nil, snapshot.epoch == logEpoch else { return }
        beginning = try clients[number].serverModel()
        beginningSequence = snapshot.sequence
        log.removeAll { $0.sequence <= snapshot.sequence }
    }

    /// Keeps what the server may drop.
    private func noteLog() {
        guard let realm = server[Self.realm] else { return }
        if realm.epoch != logEpoch {
            (logEpoch, log, beginningSequence) = (realm.epoch, [], 0)
            beginning = realm.epoch == 1 && realm.floor == 0 ? SharedModel() : nil
        }
        let last = log.last?.sequence ?? beginningSequence
        log += realm.commits.filter { $0.sequence > last }
    }

    // MARK: The end

    private func settle() throws {
        note("settling")
        server.isFull = false
        for round in 0..<2000 {
            now += 1
            for number in clients.indices { try advance(number, isFair: true) }
            if failure != nil { return }
            let head = server[Self.realm]?.head ?? 0
            let epoch = server[Self.realm]?.epoch ?? 0
            let isDone = clients.allSatisfy {
                let state = $0.core.file.state
                return $0.underway == nil && $0.core.isSettled && state.applied == head
                    && state.epoch == epoch && !$0.hasRequests
                    && $0.core.snapshotRequest == nil && $0.core.epochRequest == nil
            }
            if isDone, round > 3 { return }
        }
        failure =
            "not settled: "
            + clients.map { "\($0.core.file.state) \($0.core.pendingCount) \($0.requests)" }
            .joined(separator: "; ")
    }

    private func check() throws -> String? {
        let models = try clients.map { try $0.store.model() }
        for (number, model) in models.enumerated() where model != models[0] {
            noteCommits()
            return "client \(number) differs: \(difference(models[0], model))"
        }
        if var folded = beginning {
            var rejected: [Set<RejectedObject>] = []
            for client in clients { rejected.append(try client.rejectedObjects()) }
            for entry in log {
                guard let commit = SharedCommit(decoding: entry.payload) else {
                    return "the commit \(entry.sequence) is damaged"
                }
                for update in commit.updated
                where folded.objects[update.object] == nil
                    && !commit.inserted.contains(where: { $0.object == update.object })
                {
                    let number = clients.firstIndex {
                        $0.core.file.state.client == entry.client
                    }
                    let lost = RejectedObject(
                        sequence: entry.clientSequence, object: update.object)
                    if let number, !rejected[number].contains(lost),
                        !tookSnapshot(number) || !isInsertedAgain(update.object, after: entry)
                    {
                        return "client \(number) was not told of \(lost)"
                    }
                }
                folded.apply(commit)
            }
            if folded != models[0] {
                noteCommits()
                return "not the fold: \(difference(folded, models[0]))"
            }
        }
        let acknowledged = clients.reduce(0) { $0 + $1.acknowledged }
        let unknown = clients.reduce(0) { $0 + $1.unknown }
        var count = 0
        if case .integer(let value)? = models[0].objects[SimulatedClient.ledger]?["int"] {
            count = Int(value)
        }
        if count < acknowledged, !lostTail { return "\(count) of \(acknowledged) shared writes" }
        if count > acknowledged + unknown {
            return "\(count) shared writes of \(acknowledged) and \(unknown)"
        }
        for (number, client) in clients.enumerated() {
            if let sequence = try client.untoldLoss(in: models[0]) {
                noteCommits()
                return "client \(number) was not told that its commit \(sequence) is lost"
            }
            let problems = try client.store.check(try client.store.newestSnapshot())
            if !problems.isEmpty { return "\(problems)" }
        }
        return nil
    }

    /// A snapshot has the object again, and does not say that it was gone.
    private func isInsertedAgain(_ object: SharedReference, after entry: LoggedCommit) -> Bool {
        log.contains { later in
            later.sequence > entry.sequence
                && SharedCommit(decoding: later.payload)?.inserted
                    .contains { $0.object == object } == true
        }
    }

    /// For whoever looks for the commit that made files differ.
    private func noteCommits() {
        for entry in log {
            let author = clients.firstIndex { $0.core.file.state.client == entry.client } ?? -1
            let commit = SharedCommit(decoding: entry.payload)
            let changes: [[Any]] = [
                commit?.deleted ?? [], commit?.inserted ?? [], commit?.updated ?? [],
            ]
            for (sign, all) in zip("-+*", changes) {
                for change in all { note("\(entry.sequence) of \(author): \(sign) \(change)") }
            }
        }
    }

    private func tookSnapshot(_ number: Int) -> Bool {
        trace.contains { $0.hasPrefix("\(number) takes the snapshot") }
    }

    private func difference(_ a: SharedModel, _ b: SharedModel) -> String {
        let keys = Set(a.objects.keys).union(b.objects.keys)
        return keys.filter { a.objects[$0] != b.objects[$0] }.map {
            key in
            let (one, other) = (a.objects[key], b.objects[key])
            guard let one, let other else { return "\(key): \(one == nil ? "missing" : "extra")" }
            let names = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
            return "\(key): "
                + names.map { "\($0) \(one[$0] ?? .null) / \(other[$0] ?? .null)" }.joined()
        }.joined(separator: "\n").replacingOccurrences(of: "FreeholdStorage.SharedValue", with: "")
    }
}

struct RejectedObject: Hashable {
    var sequence: Int64
    var object: SharedReference
}
