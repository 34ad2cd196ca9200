/// The place where a realm lives, and the way to run work there from elsewhere, as asynchronous
/// writes do.
///
/// A realm gets its scheduler when it is opened: the main thread, a serial queue, an actor, or
/// the calling thread. A scheduler of your own, such as ``ManualScheduler`` in tests, is passed
/// to ``Realm/init(configuration:scheduler:fileID:line:)``. Realms of one file on one scheduler
/// are one instance.
///
/// A scheduler must run one piece of work at a time: that is what keeps two threads from using a
/// realm at once. Its work must not depend on the realm keeping the scheduler alive.
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
    /// Whether the caller runs on the scheduler. Any thread may ask. Called before every access
    /// that a comparison of threads does not decide, so it should take nanoseconds.
    var isCurrent: Bool { get }
    /// The name in reports, in words that follow "on": "the queue 'import'".
    var name: String { get }
    /// Runs the work on the scheduler later, in the order of the calls. Any thread may call it.
    /// Must not run the work inside of the call.
    func run(_ work: @escaping @Sendable () -> Void)
}
