extension Realm {
    /// Waits until the file's notifier has done what it was asked for up to now: what is to be delivered is on its way to its schedulers then. For tests.
    package func waitForNotifier() { core.coordinator.notifier.settle() }
}
