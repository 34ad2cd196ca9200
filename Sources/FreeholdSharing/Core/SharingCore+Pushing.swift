import Foundation
import FreeholdStorage

/// Pushing the outbox.
///
/// A long one goes out push after push, and each is applied to the file while the next one is on
/// its way: the server works on one while the file takes the one before.
extension SharingCore {
    func commitsToPush(after last: Int64, upTo end: Int64 = .max) -> [PushedCommit]? {
        var (commits, byteCount) = ([PushedCommit](), 0)
        for pending in file.outbox.commits
        where pending.sequence > last && pending.sequence < end {
            if commits.count >= options.pushCount || byteCount >= options.pushBytes, end == .max {
                break
            }
            byteCount += pending.entry.commit.count
            commits.append(
                PushedCommit(
                    clientSequence: pending.sequence, format: SharedCommit.format,
                    payload: Data(pending.entry.commit)))
        }
        return commits.isEmpty ? nil : commits
    }

    /// The bytes of all that is to be pushed.
    var bytesToPush: Int {
        file.outbox.commits.reduce(0) { sum, pending in
            pending.sequence > pushed ? sum + pending.entry.commit.count : sum
        }
    }

    /// The next push, if what the last one added to the log can wait until it is on its way.
    func nextPushBeforeApplying(at now: Double) throws -> SharingStep? {
        if arrived.isEmpty { return nil }
        if requests.isEmpty, refusal(at: now) == nil, let commits = commitsToPush(after: pushed) {
            return call(.push(commits, epoch: file.state.epoch, expecting: nil))
        }
        try applyArrived()
        return nil
    }

    /// Applies what the last push added to the log. Call it while a call is under way, if you can:
    /// it is done before the answer is taken otherwise.
    func applyArrived() throws {
        try apply(arrived[...]) { arrived.removeFirst($0) }
    }

    func pushed(_ commits: [PushedCommit], _ answer: PushAnswer) throws {
        let request = requests.firstIndex {
            if case .pushing = $0.phase {
                $0.attempts.last == commits.last?.clientSequence
            } else {
                false
            }
        }
        switch answer {
        case .conflict:
            isAtHead = false
            guard let request else { return }
            requests[request].conflicts += 1
            (requests[request].phase, requests[request].outboxEnd) = (.waiting, nil)
            requests[request].mayBeInLog = false
            if requests[request].conflicts > options.mostConflicts {
                end(request, .failure(Self.tooManyConflicts))
            }
        case .appended(let last):
            pushed = max(pushed, commits.last?.clientSequence ?? 0)
            isAtHead = false
            (refusal, isSnapshotRefused, failures) = (nil, false, 0)
            if lastError?.code == .permissionDenied {
                lastError = nil
                events.append(.statusChanged)
            }
            // Without others between them, they need not be read: the whole of what follows.
            let head = file.state.applied
            guard last == head + Int64(commits.count) else { return }
            arrived = commits.enumerated().map { offset, commit in
                LoggedCommit(
                    sequence: head + Int64(offset) + 1, client: file.state.client,
                    clientSequence: commit.clientSequence, format: commit.format,
                    payload: commit.payload)
            }
            if requests.isEmpty, file.outbox.commits.last?.sequence ?? 0 > pushed { return }
            try applyArrived()
            (isAtHead, headCall) = (!looksAgain, callCount)
        }
    }
}
