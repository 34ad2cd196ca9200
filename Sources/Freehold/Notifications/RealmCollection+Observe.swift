public import Dispatch
import FreeholdStorage

extension RealmCollection {
    /// Calls a block soon with the collection's current contents, and then with every change.
    ///
    /// ```swift
    /// let token = realm.objects(Dog.self).where { $0.age > 5 }.observe { change in
    ///     if case .update(_, let deletions, let insertions, let modifications) = change { … }
    /// }
    /// ```
    ///
    /// Changes are computed in the background. The block is called on the realm's thread, queue
    /// or actor once the realm has moved to their version. Several commits may come as one
    /// change. ``Realm/refresh()`` and the beginning of a write transaction call the block at
    /// once if a change is pending. The token keeps the collection and its realm alive.
    ///
    /// An object counts as changed if one of its properties changed, or a property of an object
    /// that it links to, up to four links away. Key paths restrict this. A key path consists of
    /// property names separated by points: links, then one property. `*` stands for all
    /// properties of a class. With `[]`, only insertions and deletions count.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count: `["name", "owner.name"]`; nil for all.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: The calling thread can be called back: it is not a thread without a
    ///   running run loop. The collection is managed, not frozen and not read-only. Its realm is
    ///   not in a write transaction that has changed something. Every key path names a property.
    public func observe(
        keyPaths: [String]? = nil, _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, block) }

    /// Observes the collection like `observe(keyPaths:_:)`, but calls the block on a serial
    /// queue, with the collection of a realm there. Call it on any thread, queue or actor that
    /// may use the collection.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all.
    ///   - queue: The serial queue, or the main queue; nil for the collection's own thread,
    ///     queue or actor.
    ///   - block: Called with each change.
    /// - Note: If the realm cannot be opened for the queue, the block receives
    ///   ``RealmCollectionChange/error(_:)`` once. Traps like `observe(keyPaths:_:)`.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, on: queue, block) }

    /// Observes the collection like `observe(keyPaths:_:)`, but calls the block on an actor,
    /// with the collection of a realm there.
    ///
    /// ```swift
    /// let token = await dogs.observe(on: model) { model, change in model.show(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all.
    ///   - actor: The actor that the block is called on.
    ///   - _isolation: The caller's actor. Omit it.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, once the registration is complete: all later changes are reported.
    ///   Inert if the task was cancelled, or if the owner of the collection was deleted.
    /// - Note: Traps like `observe(keyPaths:_:)`.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observers.observe(keyPaths, on: actor, _isolation: _isolation, block)
    }

    private var observers: ObserverFactory<Self, RealmCollectionChange<Self>> {
        ObserverFactory(self, failed: { .error($0) }) { $0.makeObserver($1, $2, $3) }
    }

    func makeObserver(
        _ keyPaths: [String]?, _ operation: String,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        guard let observed = (self as? any CollectionOfRealm)?.observed(operation) else {
            refuseUnmanaged(Self.self)
        }
        let observer = observed.observer(keyPaths, first: { block(.initial(self)) }) {
            block(RealmCollectionChange(self, $0))
        }
        return (observed.core, observer)
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Does the same as `observe(keyPaths:_:)`, with Swift key paths: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<Element>],
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: names(of: keyPaths, from: Element.self), block) }

    /// Does the same as `observe(keyPaths:on:_:)`, with Swift key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Element.self), on: queue, block)
    }

    /// Does the same as `observe(keyPaths:on:_isolation:_:)`, with Swift key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: Element.self), on: actor, _isolation: _isolation,
            block)
    }
}

/// The property names along key paths, separated by points. Traps if a key path contains
/// anything but persisted properties.
func names<Root: ObjectBase>(of keyPaths: [PartialKeyPath<Root>], from root: Root.Type) -> [String]
{
    keyPaths.map { keyPath in
        let names = KeyPathNames.names(of: keyPath, from: root)
        if names.isEmpty {
            misuse(
                "Key path '\(keyPath)' does not lead to a persisted property",
                remedy: """
                    Observed key paths go through @Persisted properties, not through \
                    computed ones.
                    """)
        }
        return names.joined(separator: ".")
    }
}

func refuseUnmanaged(_ type: Any.Type) -> Never {
    misuse(
        "Change notifications are only supported on managed collections.",
        remedy: """
            Observing a '\(type)' that no realm manages: add the object that has it to \
            a realm first.
            """)
}
