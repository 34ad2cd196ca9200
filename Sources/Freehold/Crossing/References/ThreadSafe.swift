import FreeholdStorage

/// A property that holds a live object or collection and can be used from any thread, queue or
/// actor: each reads its own live value.
///
/// ```swift
/// struct Session: Sendable {
///     @ThreadSafe var user: User?
/// }
///
/// let session = Session(user: user)
/// queue.async {
///     let user = session.user        // the live object in the queue's realm, or in that of the thread
/// }
/// ```
///
/// Reading gives the value in the live realm of the calling queue, actor or scheduler, if one
/// of the file is open there, else in the calling thread's, which is opened if need be; nil if
/// it was deleted. That realm moves to the newest version first, so a read sees what was
/// committed before it began; with ``Realm/autorefresh`` off only if it is behind the version
/// in which the value was set, and never in a write transaction. Each read is a lookup: read
/// once, use it many times.
///
/// The property of a structure makes that `Sendable`, where the rest is. Swift does not accept
/// it in a `Sendable` class, whose stored properties have to be constants, as a local variable
/// that a closure captures, nor as an argument: pass such a structure.
///
/// Only what holds the reference is safe for all threads; what is read is confined as usual.
/// Nothing is kept of the file but that it is open: no version.
///
/// Thread rule: read anywhere; set where the value that is set may be used. Two threads may do
/// so at once.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
    private struct Content: Sendable {
        let handover: Handover
        let configuration: Realm.Configuration
        let schema: SchemaSet
    }

    private let content: Locked<Content?>

    /// A property with a value.
    ///
    /// - Parameter wrappedValue: As what is set to ``wrappedValue``.
    public init(wrappedValue: T?) { content = Locked(ThreadSafe.content(of: wrappedValue)) }

    /// The live value for the caller. Reading is O(log objects), setting is O(1).
    ///
    /// Traps when it is set to something unmanaged, deleted, invalidated or frozen, or to a
    /// value that may not be used here; and when it is read where no realm can be opened.
    public var wrappedValue: T? {
        get {
            guard let content = content.withLock({ $0 }) else { return nil }
            let core = content.handover.coordinator.liveCoreOfCaller(
                content.configuration, content.schema, purpose: "@ThreadSafe")
            core.catchUpByItself()
            return content.handover.arrive(in: core, as: T.self)
        }
        set {
            let new = ThreadSafe.content(of: newValue)
            // The old content goes outside of the lock: its coordinator may be the last to hold
            // its file open.
            let old = content.withLock { content -> Content? in
                defer { content = new }
                return content
            }
            withExtendedLifetime(old) {}
        }
    }

    private static func content(of value: T?) -> Content? {
        guard let value else { return nil }
        let source = referable(value)
        guard let core = source.referableCore else {
            violation(
                .misuse(
                    text: "Only managed objects may be wrapped as thread safe.",
                    remedy: "Add the object to a realm first."))
        }
        core.checkConfinement("setting a @ThreadSafe \(T.self)")
        source.checkReferable(in: core)
        return Content(
            handover: Handover(source.portable, from: core), configuration: core.configuration,
            schema: core.schema.set)
    }
}
