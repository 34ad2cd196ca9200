public import Dispatch

// Swift key paths instead of names, for sections of objects.

extension SectionedResults where SectionElement: ObjectBase {
    /// Does the same as `observe(keyPaths:_:)`, with Swift key paths: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>],
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), block)
    }

    /// Does the same as `observe(keyPaths:on:_:)`, with Swift key paths.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), on: queue, block)
    }

    /// Does the same as `observe(keyPaths:on:_isolation:_:)`, with Swift key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<SectionedResults>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: SectionElement.self), on: actor,
            _isolation: _isolation, block)
    }

    /// The changes of the properties at key paths: `sections.changes(keyPaths: [\.name])`. See
    /// ``changes``.
    public func changes(keyPaths: [PartialKeyPath<SectionElement>]) -> AsyncChanges<
        SectionedResultsChange<SectionedResults>
    > { changes(keyPaths: names(of: keyPaths, from: SectionElement.self)) }
}

extension ResultsSection where SectionElement: ObjectBase {
    /// Does the same as `observe(keyPaths:_:)`, with Swift key paths: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>],
        _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), block)
    }

    /// Does the same as `observe(keyPaths:on:_:)`, with Swift key paths.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), on: queue, block)
    }

    /// Does the same as `observe(keyPaths:on:_isolation:_:)`, with Swift key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<ResultsSection>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: SectionElement.self), on: actor,
            _isolation: _isolation, block)
    }

    /// The changes of the properties at key paths: `sections.changes(keyPaths: [\.name])`. See
    /// ``changes``.
    public func changes(keyPaths: [PartialKeyPath<SectionElement>]) -> AsyncChanges<
        SectionedResultsChange<ResultsSection>
    > { changes(keyPaths: names(of: keyPaths, from: SectionElement.self)) }
}
