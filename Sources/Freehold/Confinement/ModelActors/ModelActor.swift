/// An actor that owns a realm, and reads and writes for the rest of the program on a thread of
/// its own.
///
/// Conforming takes one line. The protocol provides everything else: reading, counting,
/// inserting, removing, and transactions.
///
/// ```swift
/// actor Library: ModelActor {
///     let modelExecutor = ModelExecutor()
///
///     func lend(_ isbn: String, to reader: String) async throws {
///         guard let book = try fetch(Book.self, where: { $0.isbn == isbn }).first else { return }
///         // The object is live before and after the await.
///         try await realm.asyncWrite { book.reader = reader }
///     }
/// }
///
/// let library = Library()
/// try await library.insertIfAbsent(Book(value: ["isbn": isbn])) { $0.isbn == isbn }
/// let titles = try await library.fetch(Book.self, where: { $0.reader == nil }, limit: 10) {
///     $0.title
/// }
/// ```
///
/// **Inside** of the actor's methods objects are live: use ``realm`` and the
/// ``fetch(_:where:sortedBy:offset:limit:)`` that returns objects. Live objects stay valid across
/// `await`s, and may be kept in properties. **Outside**, only `Sendable` values come back. Use
/// ``fetch(_:where:sortedBy:offset:limit:transform:)`` and ``withRealm(_:)``, whose closures run
/// on the actor.
///
/// Neither reading nor writing takes a thread from other tasks. The actor waits for the write
/// lock and for the disk on its own thread, or does not wait at all. While a write waits, other
/// calls of the actor run; the blocks of transactions never overlap.
///
/// Each call of ``fetch(_:where:sortedBy:offset:limit:transform:)``, ``count(_:where:)`` or
/// ``withRealm(_:)`` reads the newest version of the file.
public protocol ModelActor: Actor {
    /// The executor that runs the actor and holds its realm. Must be a stored property, set once.
    nonisolated var modelExecutor: ModelExecutor { get }
}

extension ModelActor {
    /// The thread of the ``modelExecutor``, for the Swift runtime.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        modelExecutor.executor.asUnownedSerialExecutor()
    }

    /// The realm, for use in the actor's methods. The first use opens it; later uses are O(1).
    ///
    /// - Throws: As ``Realm/init(configuration:queue:fileID:line:)``. After an error, the next
    ///   use tries again.
    public var realm: Realm {
        get throws { try modelExecutor.openedRealm(on: self) }
    }
}
