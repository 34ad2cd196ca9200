/// An actor that an executor runs of which nothing else is known: its actors exclude each
/// other, and this one.
actor ExecutorActor {
    nonisolated let executor: any SerialExecutor

    init(executor: any SerialExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
