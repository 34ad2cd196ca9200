public import Dispatch

// Key paths of Swift in the place of names, for sections of objects.

extension SectionedResults where SectionElement: ObjectBase {
    /// As `observe(keyPaths:_:)`, with key paths of Swift: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>],
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), block)
    }

    /// As `observe(keyPaths:on:_:)`, with key paths of Swift.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), on: queue, block)
    }

    /// As `observe(keyPaths:on:_isolation:_:)`, with key paths of Swift.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<SectionedResults>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: SectionElement.self), on: actor,
            _isolation: _isolation, block)
    }

    /// As ``changes``, of what key paths name: `sections.changes(keyPaths: [\.name])`.
    public func changes(keyPaths: [PartialKeyPath<SectionElement>]) -> AsyncChanges<
        SectionedResultsChange<SectionedResults>
    > {
        changes(keyPaths: names(of: keyPaths, from: SectionElement.self))
    }
}

extension ResultsSection where SectionElement: ObjectBase {
    /// As `observe(keyPaths:_:)`, with key paths of Swift: `[\.name, \.owner?.name]`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>],
        _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), block)
    }

    /// As `observe(keyPaths:on:_:)`, with key paths of Swift.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths, from: SectionElement.self), on: queue, block)
    }

    /// As `observe(keyPaths:on:_isolation:_:)`, with key paths of Swift.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<ResultsSection>) -> Void
    ) async -> NotificationToken {
        await observe(
            keyPaths: names(of: keyPaths, from: SectionElement.self), on: actor,
            _isolation: _isolation, block)
    }

    /// As ``changes``, of what key paths name: `sections.changes(keyPaths: [\.name])`.
    public func changes(keyPaths: [PartialKeyPath<SectionElement>]) -> AsyncChanges<
        SectionedResultsChange<ResultsSection>
    > {
        changes(keyPaths: names(of: keyPaths, from: SectionElement.self))
    }
}
