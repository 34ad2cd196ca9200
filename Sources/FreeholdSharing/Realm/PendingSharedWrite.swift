import Freehold

/// A call of `writeShared` that waits. Used on the agent's queue.
protocol PendingSharedWrite: AnyObject {
    var author: String? { get }
    /// Runs the block, and keeps its result.
    func run(in realm: Realm) throws
    /// The last result is that of the commit with a number.
    func keepResult(of number: Int64)
    /// Ends the call with the result of a commit; 0 for a block that changed nothing.
    func end(_ result: Result<Int64, any Error>)
}

final class SharedWrite<Value: Sendable>: PendingSharedWrite, @unchecked Sendable {
    // Sendable: used on the agent's queue alone once it is begun.

    let author: String?
    private let block: @Sendable (Realm) throws -> Value
    private var last: Value?
    private var results: [Int64: Value] = [:]
    private var continuation: CheckedContinuation<Value, any Error>?

    init(
        author: String?, _ continuation: CheckedContinuation<Value, any Error>,
        _ block: @escaping @Sendable (Realm) throws -> Value
    ) {
        self.author = author
        self.continuation = continuation
        self.block = block
    }

    func run(in realm: Realm) throws { last = try block(realm) }

    func keepResult(of number: Int64) { results[number] = last }

    func end(_ result: Result<Int64, any Error>) {
        guard let continuation else { return }
        self.continuation = nil
        switch result {
        case .success(let number):
            if let value = results[number] ?? last {
                continuation.resume(returning: value)
            } else {
                continuation.resume(throwing: SharingAgent.closed)
            }
        case .failure(let error): continuation.resume(throwing: error)
        }
    }
}
