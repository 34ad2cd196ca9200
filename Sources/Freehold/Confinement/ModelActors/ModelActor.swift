/// An actor that owns a realm: it reads and writes for the rest of the program, on a thread of
/// its own.
///
/// One line makes an actor such a one. Everything else is there: reading, counting, inserting,
/// removing, and transactions.
///
/// ```swift
/// actor Library: ModelActor {
///     let modelExecutor = ModelExecutor()
///
///     func lend(_ isbn: String, to reader: String) async throws {
///         guard let book = try fetch(Book.self, where: { $0.isbn == isbn }).first else { return }
///         try await realm.asyncWrite { book.reader = reader }     // a live object, before and after the await
///     }
/// }
///
/// let library = Library()
/// try await library.insertIfAbsent(Book(value: ["isbn": isbn])) { $0.isbn == isbn }
/// let titles = try await library.fetch(Book.self, where: { $0.reader == nil }, limit: 10) { $0.title }
/// ```
///
/// **Inside** of the actor's methods objects are live: ``realm`` and the
/// ``fetch(_:where:sortedBy:offset:limit:)`` that returns objects are for there. They stay
/// valid across `await`s, and may be kept in properties. **From outside** only values that are
/// `Sendable` come back, so the compiler accepts
/// ``fetch(_:where:sortedBy:offset:limit:transform:)`` and ``withRealm(_:)``, whose closures
/// run on the actor.
///
/// Reading from the actor does not keep a thread from other tasks, and neither does writing:
/// the actor waits for the write lock and for the disk on its own thread or not at all. While a
/// write waits, other calls of the actor run; the blocks of transactions never overlap.
///
/// Each call of ``fetch(_:where:sortedBy:offset:limit:transform:)``, ``count(_:where:)`` or
/// ``withRealm(_:)`` reads the newest version of the file.
public protocol ModelActor: Actor {
    /// What runs the actor, and holds its realm. A stored property, set once.
    nonisolated var modelExecutor: ModelExecutor { get }
}

extension ModelActor {
    /// The ``modelExecutor``'s thread, for the runtime.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        modelExecutor.executor.asUnownedSerialExecutor()
    }

    /// The realm, for use in the actor's methods. Opened by the first use, O(1) afterwards.
    ///
    /// - Throws: As ``Realm/init(configuration:queue:fileID:line:)``, and again at the next use.
    public var realm: Realm {
        get throws { try modelExecutor.openedRealm(on: self) }
    }
}
