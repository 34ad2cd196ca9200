@testable import FreeholdStorage

/// The thread that commits: both run the same function.
enum CommitThread: String, CaseIterable, Codable {
    /// As in a synchronous commit.
    case callers
    /// As in an asynchronous commit.
    case writers
}

extension WriteGrant {
    @discardableResult
    func commit<Value>(on thread: CommitThread, _ apply: (WriteTransaction) throws -> Value) throws
        -> (Value, ReadTransaction)
    {
        switch thread {
        case .callers: try commit(apply)
        case .writers: try commitOnWriterThread(apply)
        }
    }
}

extension Environment {
    /// One write of one entry.
    @discardableResult
    func put(_ key: String, _ value: String, on thread: CommitThread) throws -> ReadTransaction {
        try writer.begin().commit(on: thread) { try $0.put(key, value) }.1
    }
}
