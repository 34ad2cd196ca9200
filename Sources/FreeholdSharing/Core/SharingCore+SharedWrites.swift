import Foundation
import FreeholdStorage

/// The requests of `writeShared`: when their blocks run, and when their commits are pushed.
extension SharingCore {
    func nextOfRequests() throws -> SharingStep? {
        guard let index = requests.indices.first else { return nil }
        switch requests[index].phase {
        case .waiting:
            // Large outboxes are pushed before.
            if let commits = commitsToPush(after: pushed), commits.count >= options.pushCount {
                return nil
            }
            requests[index].phase = .running
            requests[index].base = file.state.applied
            requests[index].pendingCount = pendingCount
            return .runBlock(id: requests[index].id)
        case .running:
            return .runBlock(id: requests[index].id)
        case .ready(let commit):
            if requests[index].base != file.state.applied
                || requests[index].pendingCount != pendingCount
            {
                requests[index].phase = .waiting
                return try nextOfRequests()
            }
            let number = try reserveNumber()
            if requests[index].pendingCount != pendingCount {
                // The program committed meanwhile what the block has not seen.
                requests[index].phase = .waiting
                return try nextOfRequests()
            }
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
            requests[index].phase = .waiting
            requests[index].mayBeInLog = false
            return try nextOfRequests()
        }
    }

    /// A number greater than all that were pushed, and than those of all pending commits.
    func reserveNumber() throws -> Int64 {
        let last = max(pushed, file.outbox.commits.last?.sequence ?? 0)
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

    func failOfflineRequests(at now: Double) {
        guard failures > 0, let error = lastError else { return }
        for request in requests where request.deadline ?? 0 <= now {
            guard let index = requests.firstIndex(where: { $0.id == request.id }) else { continue }
            if case .running = request.phase { continue }
            end(index, .failure(request.mayBeInLog ? Self.unknownOutcome : error))
        }
    }
}
