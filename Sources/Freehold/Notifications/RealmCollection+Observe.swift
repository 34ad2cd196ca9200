public import Dispatch
import FreeholdStorage

extension RealmCollection {
    /// Calls a block with what the collection has, soon, and then with every change.
    ///
    /// ```swift
    /// let token = realm.objects(Dog.self).where { $0.age > 5 }.observe { change in
    ///     if case .update(_, let deletions, let insertions, let modifications) = change { … }
    /// }
    /// ```
    ///
    /// Changes are computed in the background, and the block is called on the realm's thread,
    /// queue or actor when the realm has moved to the version that they lead to. Several
    /// commits may come as one change. ``Realm/refresh()`` and the beginning of a write
    /// transaction call the block at once where a change is outstanding. The collection and its
    /// realm are kept alive.
    ///
    /// An object counts as changed when one of its properties did, or one of an object that it
    /// links to, over up to four links. Key paths say otherwise: names of properties, with
    /// points between them, of which the last is the property and those before are links; `*`
    /// is all properties of a class. With `[]`, only what comes and goes counts.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object: `["name", "owner.name"]`;
    ///     nil for everything.
    ///   - block: Called with each change.
    /// - Returns: A token, to be kept for as long as the block is to be called.
    /// - Note: Traps where nothing could call back (a thread without a running run loop), for
    ///   unmanaged, frozen and read-only collections, in a write transaction that has changed
    ///   something, and for key paths that name nothing.
    public func observe(
        keyPaths: [String]? = nil, _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        guard let collection = self as? any CollectionOfRealm,
            let observed = collection.observed("observe(_:)")
        else { refuseUnmanaged(Self.self) }
        return observed.core.register(
            observed.observer(keyPaths, first: { block(.initial(self)) }) {
                block(RealmCollectionChange(self, $0))
            })
    }

    /// As `observe(keyPaths:_:)`, with the block called on a serial queue, with the
    /// collection in a realm there. Any thread, queue or actor that may use the collection.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything.
    ///   - queue: The serial queue, or the main queue; nil for where the collection is.
    ///   - block: Called with each change.
    /// - Note: If the realm cannot be opened for the queue, the block gets
    ///   ``RealmCollectionChange/error(_:)``, once. Traps as `observe(keyPaths:_:)`.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        guard let queue else { return observe(keyPaths: keyPaths, block) }
        guard let collection = self as? any CollectionOfRealm,
            let observed = collection.observed("observe(on:)")
        else { refuseUnmanaged(Self.self) }
        _ = observed.paths(keyPaths)
        return Relocation(self, observed.core).observe(on: queue, failure: { block(.error($0)) }) {
            (collection: Self) in
            guard let observed = (collection as? any CollectionOfRealm)?.observed("observe(on:)")
            else { return nil }
            return (
                observed.core,
                observed.observer(keyPaths, first: { block(.initial(collection)) }) {
                    block(RealmCollectionChange(collection, $0))
                }
            )
        }
    }

    /// As `observe(keyPaths:_:)`, with the block called on an actor, with the collection in a
    /// realm there.
    ///
    /// ```swift
    /// let token = await dogs.observe(on: model) { model, change in model.show(change) }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything.
    ///   - actor: Where the block is called.
    ///   - _isolation: The caller's actor. Leave it out.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, when the registration is complete: what changes from then on is
    ///   reported. Inert if the task was cancelled, or if what has the collection was deleted.
    /// - Note: Traps as `observe(keyPaths:_:)`.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        guard let collection = self as? any CollectionOfRealm,
            let observed = collection.observed("observe(on:)")
        else { refuseUnmanaged(Self.self) }
        _ = observed.paths(keyPaths)
        let relocation = Relocation(self, observed.core)
        return await relocation.observe(on: actor, failure: { block($0, .error($1)) }) {
            (collection: Self, call) in
            guard let observed = (collection as? any CollectionOfRealm)?.observed("observe(on:)")
            else { return nil }
            let transfer = UnsafeTransfer(collection)
            let first = { call { block($0, .initial(transfer.value)) } }
            return (
                observed.core,
                observed.observer(keyPaths, first: first) { changes in
                    call { block($0, RealmCollectionChange(transfer.value, changes)) }
                }
            )
        }
    }
}

extension RealmCollection where Element: ObjectBase {
    /// As `observe(keyPaths:_:)`, with key paths of Swift: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<Element>],
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Element.self), block)
    }

    /// As `observe(keyPaths:on:_:)`, with key paths of Swift.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Element.self), on: queue, block)
    }

    /// As `observe(keyPaths:on:_isolation:_:)`, with key paths of Swift.
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

/// The names along key paths, with points between them. Traps if one goes through anything but
/// persisted properties.
func names<Root: ObjectBase>(of keyPaths: [PartialKeyPath<Root>], from root: Root.Type) -> [String]
{
    keyPaths.map { keyPath in
        let names = KeyPathNames.names(of: keyPath, from: root)
        if names.isEmpty {
            violation(
                .misuse(
                    text: "Key path '\(keyPath)' does not lead to a persisted property",
                    remedy:
                        """
                        Observed key paths go through @Persisted properties, not through \
                        computed ones.
                        """
                ))
        }
        return names.joined(separator: ".")
    }
}

func refuseUnmanaged(_ type: Any.Type) -> Never {
    violation(
        .misuse(
            text: "Change notifications are only supported on managed collections.",
            remedy:
                """
                Observing a '\(type)' that no realm manages: add the object that has it to \
                a realm first.
                """
        ))
}
