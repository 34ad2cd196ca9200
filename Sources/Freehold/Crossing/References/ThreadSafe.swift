import FreeholdStorage

/// A property that holds an object or collection for all threads, queues and actors: each reads a
/// live value of its own.
///
/// ```swift
/// struct Session: Sendable {
///     @ThreadSafe var user: User?
/// }
///
/// let session = Session(user: user)
/// queue.async {
///     // The live object in the queue's realm, or in that of the thread:
///     let user = session.user
/// }
/// ```
///
/// A read returns the value in the live realm of the calling queue, actor or scheduler, if one of
/// the file is open there. Otherwise it uses the calling thread's realm, which it opens if
/// necessary. It returns nil if the value was deleted. Each read is a look-up: read once, and use
/// the result many times.
///
/// The realm moves to the newest version first, so a read sees everything committed before it
/// began. With ``Realm/autorefresh`` off, the realm moves only if it is behind the version in
/// which the value was set. In a write transaction it never moves.
///
/// A structure with the property is `Sendable` if its other properties are. Swift does not accept
/// the property in a `Sendable` class, whose stored properties must be constants. Nor does it
/// accept it as a captured local variable or as an argument. Pass such a structure instead.
///
/// The reference is safe for all threads; the value that is read is confined as usual. The
/// property keeps the file open, but no version of it.
///
/// Thread rule: read it anywhere; set it where the new value may be used. Two threads may do so
/// at once.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
    private struct Content: Sendable {
        let handover: Handover
        let configuration: Realm.Configuration
        let schema: SchemaSet
    }

    private let content: Locked<Content?>

    /// Makes a property with a value.
    ///
    /// - Parameter wrappedValue: The first value, under the same conditions as a value set to
    ///   ``wrappedValue``.
    public init(wrappedValue: T?) { content = Locked(ThreadSafe.content(of: wrappedValue)) }

    /// The live value for the caller. Reading is O(log objects), setting is O(1).
    ///
    /// Setting traps if the value is unmanaged, deleted, invalidated or frozen, or may not be
    /// used by the caller. Reading traps if no realm can be opened.
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
            // The old content is released outside of the lock: its coordinator may be the last
            // one that keeps its file open.
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
            misuse(
                "Only managed objects may be wrapped as thread safe.",
                remedy: "Add the object to a realm first.")
        }
        core.checkConfinement("setting a @ThreadSafe \(T.self)")
        source.checkReferable(in: core)
        return Content(
            handover: Handover(source.portable, from: core), configuration: core.configuration,
            schema: core.schema.set)
    }
}
