import Foundation
import FreeholdStorage

/// The client of sharing as a state machine, without threads, time or a network of its own.
///
/// ``next(at:)`` says what to do; whoever drives it does that, and gives the answer to
/// ``received(_:at:)``. One call is under way at a time. So a simulation can step it by hand, drop
/// any answer, and end it at any place; what it needs to go on is in the file.
///
/// | connection | knows the server's state | does |
/// |---|---|---|
/// | none | | waits, connects |
/// | open | no | reads the state, and compares epochs and numbers |
/// | open | yes | seeds or takes a snapshot where that is needed; reads the log up to the head; |
/// | | | then runs and pushes a `writeShared`, or pushes the outbox; then waits |
///
/// An error ends the connection. What happens next is decided from the server's state alone.
final class SharingCore {
    let file: SharedFile
    let options: SharingOptions
    var random: SharingRandom

    private(set) var isConnected = false
    var server: UpstreamState?
    /// Whether the last look found no further commits.
    var isAtHead = false
    /// Whether the server's log is known to have the last applied commit where the file has it.
    var isVerified = false
    /// The greatest number of a commit of this client that the server has.
    var pushed: Int64 = 0
    /// What the last push added to the log, if it is not applied yet: ``applyArrived()``. It may
    /// be dropped at any time, and is read from the log then.
    var arrived: [LoggedCommit] = []
    private(set) var underway: SharingCall?
    /// How many calls were begun so far, and the last one of them that was at the head.
    private(set) var callCount = 0
    var headCall = 0
    /// Whether commits were pending when the last call was begun.
    private var callHadPending = false
    var work = Work.none
    var lastError: SharingError?
    /// How many calls failed since the client had nothing left to do, or a push was taken.
    var failures = 0
    /// The server's last state, and how often calls were answered since as if it were another one.
    private var contradictions: (of: UpstreamState?, count: Int) = (nil, 0)
    /// How many connections were begun so far, and the last one of them that failed.
    private(set) var connectionCount = 0
    private(set) var failedConnection = 0
    var retryTime = 0.0
    private(set) var offlineSince: Double? = 0
    var missingSnapshot: MissingSnapshot?
    /// When to ask for the server's state again, because the snapshot is missing.
    var stateTime = 0.0
    /// How often in a row others committed, or began an epoch, before this client could begin one.
    var lostEpochCount = 0
    var requests: [SharedRequest] = []
    var nextRequest: UInt64 = 1
    var reserved: ClosedRange<Int64>?
    var events: [SharingEvent] = []
    /// Nil if the server took the last commits of this client.
    var refusal: PushRefusal?
    /// Whether the server refused a snapshot, a trim, an epoch or a read, and took no commit since.
    var isSnapshotRefused = false
    /// The call that is under way was made before the file took another identity.
    private var isAnswerOutdated = false
    /// The call that is under way was made before a request that needs a later look at the log.
    var looksAgain = false
    /// When the next snapshot may be made that nobody asked for.
    private var snapshotTime = 0.0
    /// What the program asked for: ``callCount`` at the time. Earlier calls do not fulfil it.
    private(set) var snapshotRequest: Int?
    private(set) var epochRequest: Int?
    /// What the last call asked for that was to begin an epoch without its snapshot, and had no
    /// answer.
    var unansweredEpoch: UpstreamEpochRequest?
    /// The call that began the file's epoch, if this client has not written its snapshot yet.
    var epochCall: Int?
    /// The last calls that fulfil such requests: that wrote a snapshot, and that began an epoch
    /// whose snapshot was written.
    private(set) var snapshotCall = 0
    private(set) var seededEpochCall = 0
    /// What the next epoch is to begin with.
    var migrated: MigratedCopy?
    /// What the epoch begins with that a call is to begin; nil for the file's S(n).
    var beginning: MigratedCopy?
    private var wantsTrim = false

    enum Work {
        case none
        case takeSnapshot
        case seed
        case beginEpoch(onlyIfUnseeded: Bool = false)
    }

    init(_ file: SharedFile, _ options: SharingOptions, random: any RandomNumberGenerator) {
        self.file = file
        self.options = options
        self.random = SharingRandom(random)
    }

    func takeEvents() -> [SharingEvent] {
        defer { events = [] }
        return events
    }

    var pendingCount: Int { file.outbox.commits.count }

    /// Whether all that the program had committed is in the log, and all of that in the file.
    var isSettled: Bool { isConnected && isAtHead && pendingCount == 0 && server != nil }

    // MARK: Requests

    /// Makes a snapshot as soon as nothing is pending.
    func requestSnapshot() { snapshotRequest = callCount }

    /// Begins an epoch, with a snapshot of the log's head, as soon as nothing is pending.
    func requestEpoch() { epochRequest = callCount }

    /// Makes the file another client than the one that it was copied from.
    ///
    /// The connection is that of the former client, and ends. Of a `writeShared` whose commit was
    /// pushed by that one nobody can tell whether it arrived: the other file has its numbers, too.
    func takeNewIdentity() throws {
        try file.takeNewIdentity()
        (retryTime, reserved, pushed) = (0, nil, 0)
        (isConnected, server, isAtHead, work) = (false, nil, false, .none)
        (isAnswerOutdated, arrived) = (underway != nil, [])
        for index in requests.indices.reversed() where requests[index].mayBeInLog {
            end(index, .failure(Self.unknownOutcome))
        }
    }

    /// Ends the waits for the next attempts to connect, and to push what was refused.
    func retryNow() {
        retryTime = 0
        refusal?.retryTime = 0
    }

    /// Why what is pending is not pushed; nil if it is, or is tried next.
    func refusal(at now: Double) -> SharingError? {
        guard let refusal, pendingCount > 0, now < refusal.retryTime else { return nil }
        return refusal.error
    }

    // MARK: Steps

    /// What to do next. Traps if a call is under way.
    func next(at now: Double) throws -> SharingStep {
        precondition(underway == nil, "One call is under way at a time.")
        try file.loadOutbox()
        endOverdueRequests(at: now)
        if !isConnected {
            failOfflineRequests(at: now)
            if now < retryTime {
                return .sleep(until: min(retryTime, deadline ?? .infinity))
            }
            connectionCount += 1
            return call(.connect(try client()))
        }
        guard let server else {
            if now < stateTime {
                failRequestsWithoutSnapshot(at: now)
                return .sleep(until: min(stateTime, deadline ?? .infinity))
            }
            return call(.state)
        }
        switch work {
        case .none: break
        case .takeSnapshot: return call(.readSnapshot)
        // Of a file that may not be what the log made, others must not begin with a snapshot.
        case .seed where !isVerified: break
        case .seed: return call(.writeSnapshot)
        case .beginEpoch(let onlyIfUnseeded):
            return beginEpoch(in: server, onlyIfUnseeded: onlyIfUnseeded)
        }
        if let step = try nextPushBeforeApplying(at: now) { return step }
        if !isAtHead {
            // The first look at the log begins with the last commit that is known.
            let sequence = file.state.applied - (isVerified ? 0 : 1)
            return call(.commits(after: sequence, epoch: file.state.epoch))
        }
        if let step = try nextOfRequests() { return step }
        if refusal(at: now) == nil, let commits = commitsToPush(after: pushed) {
            return call(.push(commits, epoch: file.state.epoch, expecting: nil))
        }
        if let copy = migrated, !copy.isCopy(of: file.state) { migrated = nil }
        if migrated != nil || epochRequest != nil && pendingCount == 0 {
            return beginEpoch(in: server, expecting: file.state.applied)
        }
        let isSnapshotDue =
            !isSnapshotRefused && now >= snapshotTime
            && file.state.logBytes >= options.snapshotBytes
        if snapshotRequest != nil || isSnapshotDue, pendingCount == 0 {
            return call(.writeSnapshot)
        }
        if wantsTrim { return call(.trim) }
        (failures, lostEpochCount, contradictions.count) = (0, 0, 0)
        missingSnapshot = nil
        return .idle(
            above: file.state.applied,
            until: refusal(at: now) == nil ? nil : refusal?.retryTime)
    }

    func call(_ call: SharingCall) -> SharingStep {
        underway = call
        callHadPending = pendingCount > 0
        callCount += 1
        return .call(call)
    }

    private func client() throws -> UpstreamClient {
        // Both tokens are in the file before the server learns the next one. They differ as long
        // as it is not known whether it did.
        if file.state.nextToken == file.state.previousToken {
            let token = UUID.random(using: &random)
            try file.update { $0.nextToken = token }
        }
        let state = file.state
        return UpstreamClient(
            id: state.client, previousToken: state.previousToken, nextToken: state.nextToken,
            name: options.clientName, epoch: state.epoch, applied: state.applied)
    }

    // MARK: Answers

    /// Takes the answer to the call that is under way.
    func received(_ reply: SharingReply, at now: Double) throws {
        guard let call = underway else { preconditionFailure("No call is under way.") }
        underway = nil
        defer { looksAgain = false }
        if isAnswerOutdated {
            isAnswerOutdated = false
            if case .snapshot(let found?) = reply { SnapshotFile.delete(found.path) }
            return
        }
        do {
            try applyArrived()
            try take(reply, to: call, at: now)
        } catch let error as SharingError {
            failed(error, at: now)
        }
    }

    private func take(_ reply: SharingReply, to call: SharingCall, at now: Double) throws {
        switch (reply, call) {
        case (.failed(let error), let call): failed(error, of: call, at: now)
        case (.connected, _):
            try file.update { $0.previousToken = $0.nextToken }
            (isConnected, server, isAtHead, work) = (true, nil, false, .none)
            refusal?.retryTime = 0
            // It may have come by now.
            missingSnapshot?.isOverdue = false
        case (.begun(let state?), .beginEpoch(let request, let withSnapshot)):
            try state.check()
            try began(state, request, withSnapshot: withSnapshot)
        case (.begun(nil), _):
            // Others were first, or committed meanwhile.
            (server, isAtHead) = (nil, false)
            lostEpochCount += 1
        case (.state(let state), _):
            try state.check()
            if !state.isSameLog(as: contradictions.of) { contradictions = (state, 0) }
            try reconcile(with: state, at: now)
            (lastError, offlineSince) = (now < stateTime ? snapshotIsMissing : refusal?.error, nil)
            events.append(.statusChanged)
        case (.pushed(let answer), .push(let commits, _, _)):
            try pushed(commits, answer)
        case (.commits(let commits), _):
            if commits.isEmpty {
                if !isAtHead { events.append(.statusChanged) }
                (isAtHead, headCall) = (!looksAgain, callCount)
                return
            }
            var commits = commits
            if !isVerified, commits[0].sequence == file.state.applied {
                isVerified = UpstreamCommitIdentity(commits[0]).isSame(as: file.state.mark)
                if !isVerified {
                    try beginAgain(at: now)
                    if now < stateTime { lastError = snapshotIsMissing }
                    return
                }
                commits.removeFirst()
                if commits.isEmpty { return }
            }
            guard commits[0].sequence == file.state.applied + 1,
                zip(commits, commits.dropFirst()).allSatisfy({ $0.sequence + 1 == $1.sequence })
            else {
                throw SharingError(
                    .serverFailed, "The server sent commits out of order.",
                    remedy: "Report a bug in the implementation of the upstream.")
            }
            try apply(commits[...])
        case (.snapshot(let found?), _): try takeSnapshot(found.path, found.snapshot)
        case (.snapshot(nil), _):
            // Dropped meanwhile.
            server = nil
        case (.wroteSnapshot(let sequence), _):
            wroteSnapshot()
            if server?.snapshot ?? 0 <= sequence { server?.snapshot = sequence }
            try file.update { $0.logBytes = 0 }
        case (.trimmed, _): wantsTrim = false
        default: preconditionFailure("The answer is that of another call.")
        }
    }

    func wroteSnapshot() {
        (wantsTrim, work) = (true, .none)
        // One without what was pending, as epochs begin with, is not what the program asked for.
        if !callHadPending { snapshotCall = callCount }
        if snapshotRequest ?? 0 < snapshotCall { snapshotRequest = nil }
        if let epochCall { fulfilEpochRequest(epochCall) }
        epochCall = nil
    }

    /// - Parameter call: The one that began an epoch, whose snapshot is written.
    func fulfilEpochRequest(_ call: Int) {
        seededEpochCall = call
        if epochRequest ?? 0 < call { epochRequest = nil }
    }

    /// Applies the next commits of the log.
    ///
    /// - Parameter tookPart: Called with how many of them are in the file after each transaction.
    func apply(_ logged: ArraySlice<LoggedCommit>, tookPart: (Int) -> Void = { _ in }) throws {
        for part in try file.parts(of: logged) {
            let applied = try file.apply(part)
            tookPart(part.count)
            note(applied)
        }
    }

    func note(_ applied: SharedFile.Applied) {
        for number in applied.settled {
            if let index = requests.firstIndex(where: { $0.attempts.contains(number) }) {
                end(index, .success(number))
            }
        }
        for (number, error) in applied.damaged {
            if let index = requests.firstIndex(where: { $0.attempts.contains(number) }) {
                end(index, .failure(error))
            }
        }
        if !applied.settled.isEmpty { events.append(.settled(applied.settled.count)) }
        if !applied.rejected.isEmpty { events.append(.rejected) }
        if let problem = applied.problem, lastError == nil { lastError = problem }
        events.append(.statusChanged)
    }

    private func failed(_ error: SharingError, of call: SharingCall? = nil, at now: Double) {
        if case .beginEpoch(let request, withSnapshot: false) = call,
            [.unreachable, .serverFailed].contains(error.code)
        {
            unansweredEpoch = request
        }
        for index in requests.indices {
            // The log that its block has seen may be another one when the client is back.
            if case .ready = requests[index].phase { requests[index].phase = .waiting }
            guard case .pushing = requests[index].phase else { continue }
            if case .push = call, [.serverFull, .newEpoch].contains(error.code) {
                // Refused: earlier attempts were settled before the block ran. A full server that
                // fails to read the log says nothing of a push before.
                (requests[index].phase, requests[index].mayBeInLog) = (.waiting, false)
            } else {
                requests[index].phase = .unknown
            }
        }
        if call != nil, [.newEpoch, .logGone].contains(error.code) {
            // Others cut the log or began an epoch: the state says what to do.
            (server, isAtHead) = (nil, false)
            contradictions.count += 1
            if contradictions.count <= 3 { return }
        }
        lastError = error
        events.append(.statusChanged)
        switch error.code {
        case .permissionDenied where isConnected && server != nil:
            if case .push = call {
                // What others commit can still be read.
                let count = (refusal?.count ?? 0) + 1
                refusal = PushRefusal(
                    error: error, count: count, retryTime: now + pause(after: count))
                for index in requests.indices.reversed() { end(index, .failure(error)) }
                return
            }
            // Not repeated: each attempt would copy the file.
            isSnapshotRefused = true
            (snapshotRequest, epochRequest, migrated, wantsTrim) = (nil, nil, nil, false)
        case .fileFailed, .serverFull:
            guard case .none = work else { break }
            // The connection is of use without one. Not repeated at once: each attempt copies the
            // file.
            switch call {
            case .writeSnapshot:
                (snapshotRequest, snapshotTime) = (nil, now + options.longestRetry)
                return
            case .beginEpoch:
                (epochRequest, migrated) = (nil, nil)
                return
            default: break
            }
        default: break
        }
        (isConnected, server, isAtHead, work, arrived) = (false, nil, false, .none, [])
        failures += 1
        failedConnection = connectionCount
        if offlineSince == nil { offlineSince = now }
        retryTime = now + pause(after: failures)
        // Of a server that answers: the snapshot may be there soon.
        if error.code == .logGone, missingSnapshot != nil { retryTime = min(retryTime, now + 1) }
    }

    /// How long to wait after so many failures in a row.
    private func pause(after failures: Int) -> Double {
        let longest = min(
            options.longestRetry, options.shortestRetry * pow(2, Double(min(failures - 1, 20))))
        return longest * Double.random(in: 0.5...1, using: &random)
    }

    /// A step could not be taken, because the file cannot be read or written.
    func fileFailed(_ error: SharingError, at now: Double) {
        failed(error, at: now)
        failOfflineRequests(at: now)
    }

    /// The connection ended while no call was under way.
    func disconnected(_ error: SharingError, at now: Double) {
        if isConnected { failed(error, at: now) }
    }

    /// The head may have moved.
    func headMayHaveMoved() { isAtHead = false }
}

extension UUID {
    fileprivate static func random(using random: inout SharingRandom) -> UUID {
        let words = (random.next(), random.next())
        return UUID(uuid: unsafeBitCast(words, to: uuid_t.self))
    }
}

/// Any generator of random numbers: the system's, or that of a simulation.
struct SharingRandom: RandomNumberGenerator {
    private var source: any RandomNumberGenerator

    init(_ source: any RandomNumberGenerator) { self.source = source }

    mutating func next() -> UInt64 { source.next() }
}
