/// An actor that stays on one thread, its executor's.
///
/// One line makes an actor such a one. Then live objects can be kept in its properties:
///
/// ```swift
/// actor Importer: PinnedActor {
///     let executor = PinnedExecutor("importer")
///     private var latest: Person?
///
///     func add(_ names: AsyncStream<String>) async throws {
///         let realm = try await Realm.open()
///         for await name in names {
///             try await realm.asyncWrite { latest = realm.create(Person.self, value: ["name": name]) }
///         }
///     }
/// }
/// ```
public protocol PinnedActor: Actor {
    /// What runs the actor. A stored property, set once: the actor does not keep alive what a
    /// computed one returns.
    nonisolated var executor: PinnedExecutor { get }
}

extension PinnedActor {
    /// The ``executor``, for the runtime.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
}
