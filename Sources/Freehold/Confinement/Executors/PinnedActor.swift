/// An actor that stays on one thread, that of its executor.
///
/// Conforming takes one line. Then the actor can keep live objects in its properties:
///
/// ```swift
/// actor Importer: PinnedActor {
///     let executor = PinnedExecutor("importer")
///     private var latest: Person?
///
///     func add(_ names: AsyncStream<String>) async throws {
///         let realm = try await Realm.open()
///         for await name in names {
///             try await realm.asyncWrite {
///                 latest = realm.create(Person.self, value: ["name": name])
///             }
///         }
///     }
/// }
/// ```
public protocol PinnedActor: Actor {
    /// The executor that runs the actor. Must be a stored property, set once: the actor does not
    /// keep alive what a computed property returns.
    nonisolated var executor: PinnedExecutor { get }
}

extension PinnedActor {
    /// The ``executor``, for the Swift runtime.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
}
