public import Dispatch
public import Foundation
import FreeholdStorage

/// A change of sections, as an observer receives it.
///
/// ``update(_:deletions:insertions:modifications:sectionsToInsert:sectionsToDelete:)`` turns the
/// old sections into the new ones. Delete rows from the back, then sections from the back;
/// insert sections from the front, then rows from the front. ``SectionedListController``
/// provides these steps.
@frozen public enum SectionedResultsChange<Collection> {
    /// The initial sections.
    case initial(Collection)
    /// The sections changed.
    ///
    /// - deletions: Rows of the old sections that left their section; without the rows of
    ///   deleted sections. Includes modified rows with another position in their section.
    /// - insertions: Rows of the new sections that are new in their section, including the rows
    ///   of new sections. Includes modified rows with another position in their section.
    /// - modifications: Rows of the old sections that keep their position in the same section,
    ///   and whose objects changed or whose values were replaced.
    /// - sectionsToInsert: Positions of new sections, in the new sections.
    /// - sectionsToDelete: Positions of deleted sections, in the old sections.
    case update(
        Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
        sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)

    init(_ collection: Collection, _ changes: SectionsChanges) {
        func paths(_ places: [SectionsChanges.Place]) -> [IndexPath] {
            places.map { IndexPath(indexes: [$0.section, $0.item]) }
        }
        self = .update(
            collection, deletions: paths(changes.delivered.deletions),
            insertions: paths(changes.delivered.insertions),
            modifications: paths(changes.delivered.modifications),
            sectionsToInsert: IndexSet(changes.sectionsToInsert),
            sectionsToDelete: IndexSet(changes.sectionsToDelete))
    }
}

/// Realm's name for ``SectionedResultsChange``.
public typealias RealmSectionedResultsChange<Collection> = SectionedResultsChange<Collection>

extension SectionedResults {
    /// Calls a block soon with the current sections, and then with every change of them.
    ///
    /// ```swift
    /// let token = byLetter.observe { change in
    ///     guard case .update(
    ///         _, let deletions, let insertions, _, let newSections, let oldSections) = change
    ///     else { return }
    ///     …
    /// }
    /// ```
    ///
    /// The block is called like that of ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``.
    /// The function that computes section keys is called in the background, with frozen objects.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all, four links deep.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: As for ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``.
    public func observe(
        keyPaths: [String]? = nil,
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, block) }

    /// Observes the sections like `observe(keyPaths:_:)`, but calls the block on a serial queue,
    /// with the sections of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all.
    ///   - queue: The serial queue, or the main queue; nil for the thread, queue or actor of the
    ///     sections.
    ///   - block: Called with each change.
    /// - Note: The block is never called if the realm cannot be opened for the queue.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, on: queue, block) }

    /// Observes the sections like `observe(keyPaths:_:)`, but calls the block on an actor, with
    /// the sections of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all.
    ///   - actor: The actor that the block is called on.
    ///   - _isolation: The caller's actor. Omit it.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, once the registration is complete.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<SectionedResults>) -> Void
    ) async -> NotificationToken {
        await observers.observe(keyPaths, on: actor, _isolation: _isolation, block)
    }

    /// The sections' changes, for `for await`, starting with the initial sections. See
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<SectionedResultsChange<SectionedResults>> {
        changes(keyPaths: nil)
    }

    /// The changes of the properties at key paths. See ``changes``.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all.
    public func changes(keyPaths: [String]?) -> AsyncChanges<
        SectionedResultsChange<SectionedResults>
    > { AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) } }

    private var observers: ObserverFactory<Self, SectionedResultsChange<Self>> {
        ObserverFactory(self, failed: { _ in nil }) { $0.makeObserver($1, $2, $3) }
    }

    func makeObserver(
        _ keyPaths: [String]?, _ operation: String,
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        let (core, subject) = state.observed(keyPaths, operation)
        let observer = SubjectObserver(subject, first: { block(.initial(self)) }) { changes, _ in
            block(SectionedResultsChange(self, changes))
        }
        return (core, observer)
    }
}

extension ResultsSection {
    /// Calls a block soon with the section, and then with every change of it. Positions are
    /// index paths that contain the section's position among all sections: the old position for
    /// deletions and modifications, the new one for insertions.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all, four links deep.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: As for ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``.
    public func observe(
        keyPaths: [String]? = nil,
        _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, block) }

    /// Observes the section like `observe(keyPaths:_:)`, but calls the block on a serial queue,
    /// with the section of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all.
    ///   - queue: The serial queue, or the main queue; nil for the thread, queue or actor of the
    ///     section.
    ///   - block: Called with each change.
    /// - Note: The block is never called if the realm cannot be opened for the queue, or if the
    ///   section is removed before that.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, on: queue, block) }

    /// Observes the section like `observe(keyPaths:_:)`, but calls the block on an actor, with
    /// the section of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count; nil for all.
    ///   - actor: The actor that the block is called on.
    ///   - _isolation: The caller's actor. Omit it.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, once the registration is complete.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<ResultsSection>) -> Void
    ) async -> NotificationToken {
        await observers.observe(keyPaths, on: actor, _isolation: _isolation, block)
    }

    /// The section's changes, for `for await`, starting with its initial contents. See
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<SectionedResultsChange<ResultsSection>> {
        changes(keyPaths: nil)
    }

    /// The changes of the properties at key paths. See ``changes``.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all.
    public func changes(keyPaths: [String]?) -> AsyncChanges<SectionedResultsChange<ResultsSection>>
    { AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) } }

    private var observers: ObserverFactory<Self, SectionedResultsChange<Self>> {
        ObserverFactory(self, failed: { _ in nil }) { $0.makeObserver($1, $2, $3) }
    }

    func makeObserver(
        _ keyPaths: [String]?, _ operation: String,
        _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        let (core, subject) = state.observed(keyPaths, operation)
        let single = SectionSubject(all: subject, key: key)
        return (
            core,
            SubjectObserver(single, first: { block(.initial(self)) }) { changes, _ in
                block(SectionedResultsChange(self, changes))
            }
        )
    }
}

extension SectionsState {
    /// Passes the gate, then returns what to observe.
    func observed(_ keyPaths: [String]?, _ operation: String) -> (
        RealmCore, SectionsSubject<Key, Element>
    ) {
        check(operation)
        let observed = base.observed(operation)
        return (base.core, SectionsSubject(self, observed?.paths(keyPaths)))
    }
}
