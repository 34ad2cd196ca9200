public import Dispatch

// Key paths of Swift in the place of names, for maps of objects.

extension RealmKeyedCollection {
    /// As `observe(keyPaths:_:)`, of everything.
    @_disfavoredOverload
    public func observe(_ block: @escaping (RealmMapChange<Self>) -> Void) -> NotificationToken {
        observe(keyPaths: nil, block)
    }

    /// As `observe(keyPaths:on:_:)`, of everything.
    @_disfavoredOverload
    public func observe(
        on queue: DispatchQueue?, _ block: @escaping @Sendable (RealmMapChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: nil, on: queue, block)
    }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// As `observe(keyPaths:_:)`, with key paths of Swift from the objects:
    /// `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], _ block: @escaping (RealmMapChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Value.Wrapped.self), block)
    }

    /// As `observe(keyPaths:on:_:)`, with key paths of Swift from the objects.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmMapChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: Value.Wrapped.self), on: queue, block)
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// As `observe(keyPaths:on:_isolation:_:)`, with key paths of Swift from the objects.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: Value.Wrapped.self), on: actor,
            _isolation: _isolation, block)
    }

    /// As ``changes``, of what key paths name: `map.changes(keyPaths: [\.name])`.
    public func changes(keyPaths: [PartialKeyPath<Value.Wrapped>]) -> AsyncChanges<
        RealmMapChange<Map>
    > {
        changes(keyPaths: names(of: keyPaths, from: Value.Wrapped.self))
    }
}
