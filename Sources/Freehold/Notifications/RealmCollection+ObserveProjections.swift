public import Dispatch
import FreeholdStorage

// Collections of projections are observed as those of their objects are, with key paths by the
// names of the objects' class. Swift's key paths are the projection's.

extension RealmCollection where Element: ProjectionObservable {
    /// As `observe(keyPaths:_:)`, with key paths of Swift: `[\.firstName]`.
    ///
    /// A projected property counts as changed when something on the way to its value did.
    public func observe(
        keyPaths: [PartialKeyPath<Element>],
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths), block)
    }

    /// As `observe(keyPaths:on:_:)`, with key paths of Swift.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: names(of: keyPaths), on: queue, block)
    }

    /// As `observe(keyPaths:on:_isolation:_:)`, with key paths of Swift.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: names(of: keyPaths), on: actor, _isolation: _isolation, block)
    }

    /// As ``changes``, of what key paths name: `people.changes(keyPaths: [\.firstName])`.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> AsyncChanges<
        RealmCollectionChange<Self>
    > { changes(keyPaths: names(of: keyPaths)) }

    private func names(of keyPaths: [PartialKeyPath<Element>]) -> [String] {
        keyPaths.map { Element.persistedNames(of: $0).joined(separator: ".") }
    }
}

extension ProjectionObservable {
    /// The names of what a key path reads, in the object's class. Traps if that is nothing that
    /// is persisted.
    fileprivate static func persistedNames(of keyPath: PartialKeyPath<Self>) -> [String] {
        guard let type = self as? Projection<Root>.Type else {
            preconditionFailure("Only projections conform.")
        }
        return type.persistedNames(of: keyPath)
    }
}

extension SectionedResults where SectionElement: ProjectionObservable {
    /// As `observe(keyPaths:_:)`, with key paths of Swift: `[\.firstName]`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>],
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        observe(
            keyPaths: keyPaths.map { SectionElement.persistedNames(of: $0).joined(separator: ".") },
            block)
    }
}
