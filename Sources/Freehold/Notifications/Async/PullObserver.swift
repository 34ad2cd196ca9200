import FreeholdStorage

/// An observer whose callback is a task that comes for the next change when it is done with the
/// one before.
///
/// It is only asked about while its task waits (`isReady`). What was computed then is parked,
/// and the task woken; what it was told changes when the task takes the change, on the realm's
/// actor. If the realm moved once more before the task ran, the change is computed again, so
/// that it leads to what the task sees. While the task is busy nothing is computed and nothing
/// grows: the next change is the difference from what it was told last, however many commits
/// that were. For that, the version that it was told is kept in the file. What is parked is
/// dropped when the realm moves on, because the task may never come.
final class PullObserver: WrappingObserver, @unchecked Sendable {
    // @unchecked: as the superclass.

    private let mailbox = ChangeMailbox<Parked>()

    /// What the task finds when it is woken.
    enum Parked: Sendable {
        case prepared(ChangePackage.Item, ObservedVersion)
        /// There was something for a version that the realm has left.
        case stale
    }

    override init(_ inner: Observer) {
        super.init(inner)
        isReady = false
        // The only one to keep it.
        told = inner.told.take()
    }

    override func deliver(_ change: any Sendable, _ context: ChangeContext) -> Bool {
        // Where its callback looks for it.
        inner.state = state
        return super.deliver(change, context)
    }

    /// Leaves what was computed for the task, which is woken.
    func park(_ item: ChangePackage.Item, _ target: ObservedVersion) {
        mailbox.put(.prepared(item, target))
    }

    func takeParked() -> Parked? { mailbox.take() }

    /// The versions that what is parked keeps, each with since when. Any thread.
    var parkedVersions: [(version: UInt64, since: UInt64)] {
        guard case .prepared(let item, let target) = mailbox.peek() else { return [] }
        return item.versions.union([target.snapshot.version]).map { ($0, target.since) }
    }

    /// Drops what is parked with the versions that it holds; the task still finds that there
    /// was something. Any thread.
    func dropPrepared() { mailbox.replace(with: .stale) }

    /// Nothing will be parked any more. Any thread.
    override func end() { mailbox.end() }

    /// Waits until something is parked. Returns false if nothing will be.
    func wait(isolation: isolated (any Actor)?) async -> Bool {
        await mailbox.wait(isolation: isolation)
    }
}
