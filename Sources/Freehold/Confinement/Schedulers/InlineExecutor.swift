/// Runs the parts of a task outside of actors at once, on the thread that resumes the task. For
/// simulations, in which no pool thread runs: a task has reached its actor when the call that
/// starts it returns.
package final class InlineExecutor: TaskExecutor {
    package static let shared = InlineExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}
