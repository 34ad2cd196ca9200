import FreeholdSharing

/// What a task has the thread of a session do. Whoever takes it out of the session's state
/// resumes the task, once.
struct Job: Sendable {
    let number: Int
    /// Runs on the thread, and returns what to resume the task with.
    let body: @Sendable (ServerConnection) -> JobOutcome
    let fail: @Sendable (any Error) -> Void

    init<Value: Sendable>(
        number: Int, continuation: CheckedContinuation<Value, any Error>,
        body: @escaping @Sendable (ServerConnection) throws(ServerError) -> Value
    ) {
        self.number = number
        self.body = { connection in
            do throws(ServerError) {
                let value = try body(connection)
                return .success { continuation.resume(returning: value) }
            } catch {
                return .failure(error)
            }
        }
        fail = { continuation.resume(throwing: $0) }
    }
}

enum JobOutcome: Sendable {
    /// Resumes the task.
    case success(@Sendable () -> Void)
    case failure(ServerError)
}
