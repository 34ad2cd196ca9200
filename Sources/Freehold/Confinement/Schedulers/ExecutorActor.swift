/// An actor on an executor of which nothing else is known. The executor's actors exclude each
/// other, and this one.
actor ExecutorActor {
    nonisolated let executor: any SerialExecutor

    init(executor: any SerialExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
