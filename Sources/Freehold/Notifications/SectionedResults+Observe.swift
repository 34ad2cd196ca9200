public import Dispatch
public import Foundation
import FreeholdStorage

/// What an observer of sections is told.
///
/// ``update(_:deletions:insertions:modifications:sectionsToInsert:sectionsToDelete:)`` turns
/// the sections that the observer knows into those that there are: delete rows from the back,
/// then sections from the back, insert sections from the front, then rows from the front.
/// ``SectionedListController`` makes such steps of it.
@frozen public enum SectionedResultsChange<Collection> {
    /// The sections are there, with what they have now.
    case initial(Collection)
    /// The sections changed.
    ///
    /// - deletions: Rows, as they were, that are in no section any more or in another one;
    ///   without those of sections that are deleted. Also modified rows that have another
    ///   position in their section.
    /// - insertions: Rows, as they are, that are new in their section; with those of new
    ///   sections. Also modified rows that have another position in their section.
    /// - modifications: Rows, as they were, that have the same position in the same section,
    ///   and whose objects changed, or whose values were replaced.
    /// - sectionsToInsert: Positions of new sections, as they are.
    /// - sectionsToDelete: Positions, as they were, of sections that are not there any more.
    case update(
        Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
        sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)

    init(_ collection: Collection, _ changes: SectionsChanges) {
        func paths(_ places: [SectionsChanges.Place]) -> [IndexPath] {
            places.map { IndexPath(indexes: [$0.section, $0.item]) }
        }
        self = .update(
            collection, deletions: paths(changes.told.deletions),
            insertions: paths(changes.told.insertions),
            modifications: paths(changes.told.modifications),
            sectionsToInsert: IndexSet(changes.sectionsToInsert),
            sectionsToDelete: IndexSet(changes.sectionsToDelete))
    }
}

/// The name that Realm gives to ``SectionedResultsChange``.
public typealias RealmSectionedResultsChange<Collection> = SectionedResultsChange<Collection>

extension SectionedResults {
    /// Calls a block with the sections that there are, soon, and then with every change of them.
    ///
    /// ```swift
    /// let token = byLetter.observe { change in
    ///     if case .update(_, let deletions, let insertions, _, let newSections, let oldSections) = change { … }
    /// }
    /// ```
    ///
    /// Called as ``RealmCollection/observe(keyPaths:_:)-([String]?,_)`` is. The function that gives
    /// the sections' keys is called in the background, with frozen objects.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything, four
    ///     links deep.
    ///   - block: Called with each change.
    /// - Returns: A token, to be kept for as long as the block is to be called.
    /// - Note: Traps as the observation of other collections does.
    public func observe(
        keyPaths: [String]? = nil,
        _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        let (core, observer) = makeObserver(keyPaths, "observe(_:)", block)
        return core.register(observer)
    }

    /// As `observe(keyPaths:_:)`, with the block called on a serial queue, with the sections
    /// of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything.
    ///   - queue: The serial queue, or the main queue; nil for where the sections are.
    ///   - block: Called with each change.
    /// - Note: The block is never called if the realm cannot be opened for the queue.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
    ) -> NotificationToken {
        guard let queue else { return observe(keyPaths: keyPaths, block) }
        let (core, _) = makeObserver(keyPaths, "observe(on:)", block)
        return Relocation(self, core).observe(on: queue, failure: { _ in }) {
            (sections: SectionedResults) in
            sections.makeObserver(keyPaths, "observe(on:)", block)
        }
    }

    /// As `observe(keyPaths:_:)`, with the block called on an actor, with the sections of a
    /// realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything.
    ///   - actor: Where the block is called.
    ///   - _isolation: The caller's actor. Leave it out.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, when the registration is complete.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<SectionedResults>) -> Void
    ) async -> NotificationToken {
        let (core, _) = makeObserver(keyPaths, "observe(on:)") { _ in }
        let relocation = Relocation(self, core)
        return await relocation.observe(on: actor, failure: { _, _ in }) {
            (sections: SectionedResults, call) in
            sections.makeObserver(keyPaths, "observe(on:)") { change in
                let transfer = UnsafeTransfer(change)
                call { block($0, transfer.value) }
            }
        }
    }

    /// The sections' changes, for `for await`; what there is is the first one. As
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<SectionedResultsChange<SectionedResults>> {
        changes(keyPaths: nil)
    }

    /// As ``changes``, of what key paths name.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func changes(keyPaths: [String]?) -> AsyncChanges<
        SectionedResultsChange<SectionedResults>
    > {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
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
    /// Calls a block with the section, soon, and then with every change of it. Positions are
    /// index paths with the section's position in all sections: as it was for what is deleted
    /// or modified, as it is for what is inserted.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything, four
    ///     links deep.
    ///   - block: Called with each change.
    /// - Returns: A token, to be kept for as long as the block is to be called.
    /// - Note: Traps as the observation of other collections does.
    public func observe(
        keyPaths: [String]? = nil,
        _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken {
        let (core, observer) = makeObserver(keyPaths, "observe(_:)", block)
        return core.register(observer)
    }

    /// As `observe(keyPaths:_:)`, with the block called on a serial queue, with the section
    /// of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything.
    ///   - queue: The serial queue, or the main queue; nil for where the section is.
    ///   - block: Called with each change.
    /// - Note: The block is never called if the realm cannot be opened for the queue, or if the
    ///   section is gone before it was.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
    ) -> NotificationToken {
        guard let queue else { return observe(keyPaths: keyPaths, block) }
        let (core, _) = makeObserver(keyPaths, "observe(on:)", block)
        return Relocation(self, core).observe(on: queue, failure: { _ in }) {
            (section: ResultsSection) in
            section.makeObserver(keyPaths, "observe(on:)", block)
        }
    }

    /// As `observe(keyPaths:_:)`, with the block called on an actor, with the section of a
    /// realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: What counts as a change of an object; nil for everything.
    ///   - actor: Where the block is called.
    ///   - _isolation: The caller's actor. Leave it out.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, when the registration is complete.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, SectionedResultsChange<ResultsSection>) -> Void
    ) async -> NotificationToken {
        let (core, _) = makeObserver(keyPaths, "observe(on:)") { _ in }
        let relocation = Relocation(self, core)
        return await relocation.observe(on: actor, failure: { _, _ in }) {
            (section: ResultsSection, call) in
            section.makeObserver(keyPaths, "observe(on:)") { change in
                let transfer = UnsafeTransfer(change)
                call { block($0, transfer.value) }
            }
        }
    }

    /// The section's changes, for `for await`; what it is now is the first one. As
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<SectionedResultsChange<ResultsSection>> {
        changes(keyPaths: nil)
    }

    /// As ``changes``, of what key paths name.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func changes(keyPaths: [String]?) -> AsyncChanges<SectionedResultsChange<ResultsSection>>
    {
        AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) }
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
    /// The gate, then what is observed.
    func observed(_ keyPaths: [String]?, _ operation: String) -> (
        RealmCore, SectionsSubject<Key, Element>
    ) {
        check(operation)
        let observed = base.observed(operation)
        return (base.core, SectionsSubject(self, observed?.paths(keyPaths)))
    }
}
