public import Dispatch
import FreeholdStorage

// Collections of projections are observed like those of their objects. String key paths use the
// names of the objects' class; Swift key paths are those of the projection.

extension RealmCollection where Element: ProjectionObservable {
    /// Observes the collection like `observe(keyPaths:_:)`, with Swift key paths:
    /// `[\.firstName]`.
    ///
    /// A projected property counts as changed when anything on the path to its value changed.
    public func observe(
        keyPaths: [PartialKeyPath<Element>],
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: names(of: keyPaths), block) }

    /// Does the same as `observe(keyPaths:on:_:)`, with Swift key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken { observe(keyPaths: names(of: keyPaths), on: queue, block) }

    /// Does the same as `observe(keyPaths:on:_isolation:_:)`, with Swift key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A,
        _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: names(of: keyPaths), on: actor, _isolation: _isolation, block)
    }

    /// The changes of the properties at key paths: `people.changes(keyPaths: [\.firstName])`.
    /// See ``changes``.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> AsyncChanges<
        RealmCollectionChange<Self>
    > { changes(keyPaths: names(of: keyPaths)) }

    private func names(of keyPaths: [PartialKeyPath<Element>]) -> [String] {
        keyPaths.map { Element.persistedNames(of: $0).joined(separator: ".") }
    }
}

extension ProjectionObservable {
    /// The property names that a key path reads in the object's class. Traps if it reads nothing
    /// persisted.
    fileprivate static func persistedNames(of keyPath: PartialKeyPath<Self>) -> [String] {
        guard let type = self as? Projection<Root>.Type else {
            preconditionFailure("Only projections conform.")
        }
        return type.persistedNames(of: keyPath)
    }
}

extension SectionedResults where SectionElement: ProjectionObservable {
    /// Does the same as `observe(keyPaths:_:)`, with Swift key paths: `[\.firstName]`.
    public func observe(
        keyPaths: [PartialKeyPath<SectionElement>],
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        observe(
            keyPaths: keyPaths.map { SectionElement.persistedNames(of: $0).joined(separator: ".") },
            block)
    }
}
