import Foundation
import FreeholdStorage

/// The requests of `writeShared`: when their blocks run, and when their commits are pushed.
extension SharingCore {
    // MARK: Requests

    /// Asks for a `writeShared`. Its block is run by ``SharingStep/runBlock(id:)``, on what the log
    /// has now or later: also one that then throws or changes nothing.
    ///
    /// - Parameter deadline: When to give up: ``endOverdueRequests(at:)``; nil for as soon as the
    ///   connection is known to be broken.
    func request(deadline: Double?) -> UInt64 {
        let id = nextRequest
        nextRequest += 1
        var made = SharedRequest(id: id)
        made.deadline = deadline
        requests.append(made)
        // Its answer may depend on what is pending.
        refusal?.retryTime = 0
        (isAtHead, looksAgain) = (false, underway != nil)
        return id
    }

    /// Gives the commit that the block of a request made; nil if it changed nothing.
    func blockFinished(_ id: UInt64, _ commit: SharedCommit?, isOutdated: Bool = false) {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
        if isOutdated {
            requests[index].phase = .waiting
        } else if let commit {
            requests[index].phase = .ready(commit: commit.encoded())
        } else {
            end(index, .success(0))
        }
    }

    /// Ends a request whose block threw, or whose task was cancelled. A commit that may be in the
    /// log stays unknown.
    func cancel(_ id: UInt64) {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
        switch requests[index].phase {
        case .waiting, .running, .ready:
            if requests[index].mayBeInLog {
                end(index, .failure(Self.unknownOutcome))
            } else {
                requests.remove(at: index)
            }
        case .pushing, .unknown: end(index, .failure(Self.unknownOutcome))
        }
    }

    func end(_ index: Int, _ result: Result<Int64, SharingError>) {
        let request = requests.remove(at: index)
        events.append(.finished(id: request.id, result))
    }

    static let tooManyConflicts = SharingError(
        .tooManyConflicts,
        "Others, or other writes of this file, committed each time that a shared write was tried.",
        remedy: """
            Try again later, or write less with writeShared: only what must not be decided twice.
            """)

    static let unknownOutcome = SharingError(
        .outcomeUnknown,
        "The connection, the time or the task ended while a shared write was pushed.",
        remedy: """
            Look at the realm before you try again: if the commit arrived, it comes back like a \
            commit of others.
            """)

    /// The request whose commit is being pushed with a number.
    func request(pushing number: Int64) -> UInt64? {
        requests.first { $0.attempts.last == number }?.id
    }

    // MARK: Steps

    func nextOfRequests() throws -> SharingStep? {
        guard let index = requests.indices.first else { return nil }
        switch requests[index].phase {
        case .waiting:
            let end = requests[index].outboxEnd ?? file.outbox.commits.last?.sequence ?? 0
            requests[index].outboxEnd = end
            if refusal == nil, pushed < end, let last = commitsToPush(after: pushed)?.last,
                last.clientSequence < end
            {
                return nil
            }
            requests[index].phase = .running
            requests[index].base = file.state.applied
            requests[index].pendingCount = pendingCount
            return .runBlock(id: requests[index].id)
        case .running:
            return .runBlock(id: requests[index].id)
        case .ready(let commit):
            if requests[index].base != file.state.applied {
                requests[index].phase = .waiting
                return try nextOfRequests()
            }
            if requests[index].pendingCount != pendingCount { return try metOwnWrite(index) }
            if bytesToPush + commit.count > options.mostPushedBytes {
                requests[index].outboxEnd = nil
                return try metOwnWrite(index)
            }
            let number = try reserveNumber()
            if requests[index].pendingCount != pendingCount { return try metOwnWrite(index) }
            requests[index].attempts.append(number)
            requests[index].mayBeInLog = true
            requests[index].phase = .pushing(commit: commit)
            var commits = commitsToPush(after: pushed, upTo: number) ?? []
            commits.append(
                PushedCommit(
                    clientSequence: number, format: SharedCommit.format, payload: Data(commit)))
            return call(
                .push(commits, epoch: file.state.epoch, expecting: file.state.applied))
        case .pushing, .unknown:
            // The log was read to its head, on a connection after which no earlier one can push
            // (`Upstream.connect`). With the commit in it the request would have ended. So what
            // the block throws from here on hides no commit.
            (requests[index].phase, requests[index].outboxEnd) = (.waiting, nil)
            requests[index].mayBeInLog = false
            return try nextOfRequests()
        }
    }

    /// The program committed meanwhile what the block has not seen, or more than fits a push
    /// beside its commit: that is pushed, and the block runs again. A program that never pauses
    /// must not keep the outbox from being pushed.
    private func metOwnWrite(_ index: Int) throws -> SharingStep? {
        requests[index].phase = .waiting
        requests[index].conflicts += 1
        if requests[index].conflicts > options.mostConflicts {
            end(index, .failure(Self.tooManyConflicts))
        } else if refusal == nil, commitsToPush(after: pushed) != nil {
            return nil
        }
        return try nextOfRequests()
    }

    /// A number greater than all that were pushed, also in former epochs, and than those of all
    /// pending commits.
    func reserveNumber() throws -> Int64 {
        let last = max(pushed, file.lastSequence, file.outbox.commits.last?.sequence ?? 0)
        if let range = reserved, range.lowerBound > last {
            reserved =
                range.lowerBound < range.upperBound
                ? (range.lowerBound + 1)...range.upperBound : nil
            return range.lowerBound
        }
        let range = try file.reserve(options.reservedCount)
        reserved =
            range.lowerBound < range.upperBound ? (range.lowerBound + 1)...range.upperBound : nil
        return range.lowerBound
    }

    /// When the first of the requests gives up.
    var deadline: Double? { requests.compactMap(\.deadline).min() }

    /// Ends requests whose time is over, whatever the connection does. Call it also while a call
    /// is under way.
    func endOverdueRequests(at now: Double) {
        let reason = isConnected && server != nil ? nil : lastError
        failRequests(with: reason ?? Self.timeIsOver) { $0.deadline ?? .infinity <= now }
    }

    private static let timeIsOver = SharingError(
        .unreachable, "The time of a shared write was over before the upstream had answered.",
        remedy: "Try again, with a longer timeout.")

    func failOfflineRequests(at now: Double) {
        guard failures > 0, let error = lastError else { return }
        failRequests(with: error) { $0.deadline ?? 0 <= now }
    }

    /// Ends requests that would wait too long for a snapshot.
    func failRequestsWithoutSnapshot(at now: Double) {
        let isOverdue = overdueSnapshot != nil
        failRequests(with: snapshotIsMissing) { $0.deadline ?? (isOverdue ? 0 : .infinity) <= now }
    }

    private func failRequests(with error: SharingError, where isOver: (SharedRequest) -> Bool) {
        for request in requests where isOver(request) {
            guard let index = requests.firstIndex(where: { $0.id == request.id }) else { continue }
            if case .running = request.phase { continue }
            end(index, .failure(request.mayBeInLog ? Self.unknownOutcome : error))
        }
    }
}
