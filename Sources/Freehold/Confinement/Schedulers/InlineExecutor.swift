/// Runs what a task does outside of actors at once, on the thread that resumes it. For
/// simulations, in which no thread of a pool runs: so a task is at its actor when the call that
/// begins it returns.
package final class InlineExecutor: TaskExecutor {
    package static let shared = InlineExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}
