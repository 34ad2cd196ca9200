public import Dispatch

// Swift key paths instead of names, for maps of objects.

extension RealmKeyedCollection {
    /// Observes all changes, like `observe(keyPaths:_:)`.
    @_disfavoredOverload
    public func observe(_ block: @escaping (RealmMapChange<Self>) -> Void) -> NotificationToken {
        observe(keyPaths: nil, block)
    }

    /// Observes all changes, like `observe(keyPaths:on:_:)`.
    @_disfavoredOverload
    public func observe(
        on queue: DispatchQueue?, _ block: @escaping @Sendable (RealmMapChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: nil, on: queue, block) }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Does the same as `observe(keyPaths:_:)`, with Swift key paths of the objects:
    /// `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], _ block: @escaping (RealmMapChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Value.Wrapped.self), block)
    }

    /// Does the same as `observe(keyPaths:on:_:)`, with Swift key paths of the objects.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmMapChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Value.Wrapped.self), on: queue, block)
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Does the same as `observe(keyPaths:on:_isolation:_:)`, with Swift key paths of the
    /// objects.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: Value.Wrapped.self), on: actor,
            _isolation: _isolation, block)
    }

    /// The changes of the properties at key paths: `map.changes(keyPaths: [\.name])`. See
    /// ``changes``.
    public func changes(keyPaths: [PartialKeyPath<Value.Wrapped>]) -> AsyncChanges<
        RealmMapChange<Map>
    > { changes(keyPaths: names(of: keyPaths, from: Value.Wrapped.self)) }
}
