import FreeholdStorage

/// An observer for a task that requests the next change when it has finished the last one.
///
/// Changes are computed only while the task waits (`isReady`). The result is parked, and the
/// task is woken. The observer's version moves only when the task takes the change, on the
/// realm's actor. If the realm has moved again before the task runs, the change is computed
/// again, so that it leads to the state that the task sees.
///
/// While the task is busy, nothing is computed and nothing grows. The next change is the
/// difference from the last version that the task received, regardless of the number of commits.
/// That version is therefore kept in the file. A parked change is dropped when the realm moves
/// on, because the task may never come.
final class PullObserver: WrappingObserver, @unchecked Sendable {
    // @unchecked: see the superclass.

    private let mailbox = ChangeMailbox<Parked>()

    /// The state that the task finds when it is woken.
    enum Parked: Sendable {
        case prepared(ChangePackage.Item, ObservedVersion)
        /// There was a change for a version that the realm has left.
        case stale
    }

    override init(_ inner: Observer) {
        super.init(inner)
        isReady = false
        // Moved, so that only this observer keeps the version.
        delivered = inner.delivered.take()
    }

    override func deliver(_ change: any Sendable, _ context: ChangeContext) -> Bool {
        // The callback reads the state from the inner observer.
        inner.state = state
        return super.deliver(change, context)
    }

    /// Parks a computed change, and wakes the task.
    func park(_ item: ChangePackage.Item, _ target: ObservedVersion) {
        mailbox.put(.prepared(item, target))
    }

    func takeParked() -> Parked? { mailbox.take() }

    /// The versions that a parked change keeps, with the times since when. Any thread.
    var parkedVersions: [(version: UInt64, since: UInt64)] {
        guard case .prepared(let item, let target) = mailbox.peek() else { return [] }
        return item.versions.union([target.snapshot.version]).map { ($0, target.since) }
    }

    /// Drops a parked change and the versions that it holds. The task still learns that there
    /// was one. Any thread.
    func dropPrepared() { mailbox.replace(with: .stale) }

    /// Ends the observer: no further change is parked. Any thread.
    override func end() { mailbox.end() }

    /// Waits until a change is parked. Returns false if there will be none.
    func wait(isolation: isolated (any Actor)?) async -> Bool {
        await mailbox.wait(isolation: isolation)
    }
}
