import FreeholdStorage

/// The asynchronous writes of a realm in one queue, from the request of each to its completion.
/// First come those that ended and whose completions have yet to run, then those committed in
/// memory, then those that wait for a write grant. The running write is not in the queue.
///
/// Requested grants are counted, not paired with writes. A synchronous `beginWrite` takes the
/// first grant that arrives while writes wait. Otherwise it would wait for writes that cannot
/// run while it blocks their thread. A cancelled write cancels the last request, so that no
/// write behind it loses a place.
struct PendingWrites {
    typealias Completion = ((any Error)?) -> Void

    enum Stage {
        /// Waits for a grant. `onFailure` is called if the transaction cannot begin. A write
        /// that cannot fail has no time limit, and begins even on a damaged file.
        case block(() -> Void, onFailure: Completion, canFail: Bool)
        /// Waits for a grant on behalf of a task in `asyncWrite`.
        case task(WriteWaiter)
        case committed(Completion)
        case ended(Completion, (any Error)?)
    }

    struct Write {
        let id: UInt32
        /// For the history.
        var author: String?
        var stage: Stage

        /// Whether its transaction may fail to begin.
        var canFail: Bool { if case .block(_, _, false) = stage { false } else { true } }
    }

    /// A requested grant.
    struct Grant {
        let request: WriteRequest
        /// Whether it was offered, or will never be; nil until that is known.
        var answer: Result<Void, StorageError>?
    }

    private(set) var writes: [Write] = []
    private var endedCount = 0
    private(set) var committedCount = 0
    /// In the order of the requests.
    private(set) var grants: [Grant] = []
    private var answeredCount = 0

    var isEmpty: Bool { writes.isEmpty && grants.isEmpty }

    // MARK: Writes

    private var firstIndex: Int { endedCount + committedCount }

    var waiting: ArraySlice<Write> { writes[firstIndex...] }

    /// The first write that waits for a grant.
    var first: Write? { waiting.first }

    mutating func append(_ write: Write) { writes.append(write) }

    /// Removes a waiting write. Returns whether it was the first; nil if it is not there.
    mutating func remove(_ id: UInt32) -> Bool? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        writes.remove(at: index)
        return index == firstIndex
    }

    mutating func removeFirst() { writes.remove(at: firstIndex) }

    mutating func removeWaiting() -> [Write] {
        let removed = Array(waiting)
        writes.removeSubrange(firstIndex...)
        return removed
    }

    mutating func commit(_ id: UInt32, _ completion: @escaping Completion) {
        writes.insert(Write(id: id, stage: .committed(completion)), at: firstIndex)
        committedCount += 1
    }

    /// Drops a completion that has not run.
    mutating func dropCompletion(_ id: UInt32) {
        guard let index = writes[..<firstIndex].firstIndex(where: { $0.id == id }) else { return }
        writes[index].stage = index < endedCount ? .ended({ _ in }, nil) : .committed { _ in }
    }

    /// Marks the writes committed in memory as durable or lost.
    mutating func end(_ error: (any Error)?) {
        for index in endedCount..<firstIndex {
            if case .committed(let call) = writes[index].stage {
                writes[index].stage = .ended(call, error)
            }
        }
        endedCount += committedCount
        committedCount = 0
    }

    mutating func removeEnded() -> [Write] {
        let removed = Array(writes[..<endedCount])
        writes.removeFirst(endedCount)
        endedCount = 0
        return removed
    }

    // MARK: Grants

    /// Whether a grant was answered that has not been tried since.
    var hasAnswer: Bool { answeredCount > 0 }

    var firstAnswered: Grant? { hasAnswer ? grants.first { $0.answer != nil } : nil }

    mutating func ask(_ request: WriteRequest) { grants.append(Grant(request: request)) }

    /// Records an answer, unless the request was cancelled.
    mutating func answer(_ request: WriteRequest, _ answer: Result<Void, StorageError>) {
        guard let index = grants.firstIndex(where: { $0.request === request }) else { return }
        if grants[index].answer == nil { answeredCount += 1 }
        grants[index].answer = answer
    }

    /// Puts a request back after its offer was withdrawn.
    mutating func askAgain(_ request: WriteRequest) {
        grants.insert(Grant(request: request), at: 0)
    }

    mutating func removeGrant(_ request: WriteRequest) {
        guard let index = grants.firstIndex(where: { $0.request === request }) else { return }
        remove(at: index)
    }

    /// Removes the grant requested last, preferably one that has not arrived.
    mutating func removeLastGrant() -> WriteRequest? {
        guard let index = grants.lastIndex(where: { $0.answer == nil }) ?? grants.indices.last
        else { return nil }
        return remove(at: index)
    }

    @discardableResult
    private mutating func remove(at index: Int) -> WriteRequest {
        let grant = grants.remove(at: index)
        if grant.answer != nil { answeredCount -= 1 }
        return grant.request
    }
}
