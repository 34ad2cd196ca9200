/// Where a realm lives, and how to reach it from elsewhere: the way back for asynchronous writes.
///
/// Realms choose theirs when they are opened: the main thread, a serial queue, an actor, or the
/// calling thread. An own scheduler, as ``ManualScheduler`` in tests, is passed to
/// ``Realm/init(configuration:scheduler:fileID:line:)``. Realms of one file on one scheduler
/// are one instance.
///
/// A scheduler must run one piece of work at a time: it is what keeps a realm from being used
/// by two threads at once. Its work must not depend on the scheduler's being kept alive by the
/// realm.
///
/// ```swift
/// final class EventLoopScheduler: RealmScheduler {
///     let loop: EventLoop
///     init(_ loop: EventLoop) { self.loop = loop }
///     var isCurrent: Bool { loop.inEventLoop }
///     var name: String { "the event loop \(loop)" }
///     func run(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
/// }
/// ```
public protocol RealmScheduler: AnyObject, Sendable {
    /// Whether the caller runs on the scheduler. Any thread; called in front of every access
    /// that a comparison of threads does not decide, so it should take nanoseconds.
    var isCurrent: Bool { get }
    /// For diagnoses, to be read after "on": "the queue 'import'".
    var name: String { get }
    /// Runs the work on the scheduler, later, in order. Any thread, and never inside the call.
    func run(_ work: @escaping @Sendable () -> Void)
}
