/// A change of a collection, by objects:
/// ``RealmCollection/identifiedChanges(keyPaths:)-([String]?)`` delivers it.
///
/// Thread rule: confined to where it was delivered, like the collection. The ``event`` can be
/// used anywhere.
public struct IdentifiedChange<Subject> {
    /// The live collection after the change.
    public let collection: Subject
    /// The inserted, deleted, modified and moved objects, by primary key. `Sendable`.
    public let event: ChangeEvent
}

@available(
    *, unavailable,
    message: "The collection belongs to where the change was delivered: pass the event."
)
extension IdentifiedChange: Sendable {}

extension AsyncChanges {
    /// - Parameter keys: Of the objects that the collection has in the beginning.
    fileprivate init<Subject>(
        _ subject: Subject, keys: @escaping () -> [ObjectKey],
        _ makeObserver:
            @escaping (_ first: @escaping () -> Void, _ call: @escaping (ChangeEvent) -> Void) -> (
                core: RealmCore, observer: Observer
            )
    ) where Change == IdentifiedChange<Subject> {
        self.init { block in
            func call(_ event: ChangeEvent) {
                block(IdentifiedChange(collection: subject, event: event))
            }
            return makeObserver({ call(ChangeEvent(initial: keys())) }, call)
        }
    }
}

// MARK: - Collections of objects

extension ObservedCollection {
    fileprivate func identifiedObserver(
        _ keyPaths: [String]?, first: (() -> Void)?, _ call: @escaping (ChangeEvent) -> Void
    ) -> Observer {
        let paths = paths(keyPaths)
        switch self {
        case .query(let state):
            let subject = IdentifiedSubject(
                base: QuerySubject(state, paths ?? .nothing(state.binding.table)))
            return SubjectObserver(subject, first: first) { change, _ in call(change.event) }
        case .elements(let elements, let steps):
            let subject = IdentifiedSubject(base: CollectionSubject(elements, paths, steps: steps))
            return SubjectObserver(subject, first: first) { change, _ in call(change.event) }
        case .nested: preconditionFailure("A list of AnyRealmValue has no objects as elements.")
        }
    }

    fileprivate func objectKeys() -> [ObjectKey] {
        switch self {
        case .query(let state): return state.keys().map { state.binding.objectKey(of: $0) }
        case .elements(let elements, _):
            guard let target = elements.descriptor.reference else { return [] }
            let binding = elements.core.binding(for: target)
            // An object that occurs several times in a list gives one key.
            var seen: Set<ObjectKey> = []
            return elements.keys("reading").map { binding.objectKey(of: $0) }.filter {
                seen.insert($0).inserted
            }
        case .nested: return []
        }
    }
}

extension RealmCollection where Element: ObjectBase {
    func makeIdentifiedObserver(
        _ keyPaths: [String]?, _ operation: String, first: (() -> Void)?,
        _ call: @escaping (ChangeEvent) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        guard let observed = (self as? any CollectionOfRealm)?.observed(operation) else {
            refuseUnmanaged(Self.self)
        }
        return (observed.core, observed.identifiedObserver(keyPaths, first: first, call))
    }

    func allObjectKeys() -> [ObjectKey] {
        (self as? any CollectionOfRealm)?.observed("reading")?.objectKeys() ?? []
    }

    /// The collection's changes by objects, for `for await`. The first change has all objects of
    /// the collection; the others have the keys of inserted, deleted, modified and moved
    /// objects.
    ///
    /// ```swift
    /// var known: Set<ObjectKey> = []
    /// for await change in dogs.identifiedChanges() {
    ///     known.formUnion(change.event.insertions)
    ///     known.subtract(change.event.deletions)
    /// }
    /// ```
    ///
    /// The rules of ``changes`` apply. The keys are computed in the background together with the
    /// changes, at no cost for other observers. The initial change is O(elements).
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all.
    public func identifiedChanges(keyPaths: [String]? = nil) -> AsyncChanges<IdentifiedChange<Self>>
    {
        AsyncChanges(self, keys: allObjectKeys) {
            self.makeIdentifiedObserver(keyPaths, "identifiedChanges", first: $0, $1)
        }
    }

    /// The same as ``identifiedChanges(keyPaths:)``, with Swift key paths.
    public func identifiedChanges(keyPaths: [PartialKeyPath<Element>]) -> AsyncChanges<
        IdentifiedChange<Self>
    > { identifiedChanges(keyPaths: names(of: keyPaths, from: Element.self)) }
}

// MARK: - Maps

extension Map {
    func makeIdentifiedObserver(
        _ keyPaths: [String]?, _ operation: String, first: (() -> Void)?,
        _ call: @escaping (ChangeEvent) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        if let managed {
            _ = managed.current(operation)
            let subject = MapSubject(
                managed, ObservedCollection.elements(managed, []).paths(keyPaths))
            return (
                managed.core,
                SubjectObserver(IdentifiedSubject(base: subject), first: first) { change, _ in
                    call(change.event)
                }
            )
        }
        guard let nested else { refuseUnmanaged(Self.self) }
        _ = nested.entries(operation)
        _ = ObservedCollection.nested(nested).paths(keyPaths)
        return (
            nested.core,
            SubjectObserver(IdentifiedSubject(base: MapSubject(nested)), first: first) {
                change, _ in call(change.event)
            }
        )
    }

    func allObjectKeys() -> [ObjectKey] { keys.map { .string($0._rlmMapKey) } }

    /// The map's changes by keys, for `for await`. See
    /// ``RealmCollection/identifiedChanges(keyPaths:)-([String]?)``; each key is an
    /// ``ObjectKey/string(_:)``.
    ///
    /// - Parameter keyPaths: The properties whose changes count, if the values are objects; nil
    ///   for all.
    public func identifiedChanges(keyPaths: [String]? = nil) -> AsyncChanges<IdentifiedChange<Map>>
    {
        AsyncChanges(self, keys: allObjectKeys) {
            self.makeIdentifiedObserver(keyPaths, "identifiedChanges", first: $0, $1)
        }
    }
}

// MARK: - Sections of objects

extension SectionedResults where SectionElement: ObjectBase {
    func makeIdentifiedObserver(
        _ keyPaths: [String]?, _ operation: String, first: (() -> Void)?,
        _ call: @escaping (ChangeEvent) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        let (core, subject) = state.observed(keyPaths, operation)
        return (
            core,
            SubjectObserver(IdentifiedSubject(base: subject), first: first) { change, _ in
                call(change.event)
            }
        )
    }

    func allObjectKeys() -> [ObjectKey] {
        let binding = state.base.state.binding
        return state.sections().rows.flatMap { $0.map { binding.objectKey(of: $0) } }
    }

    /// The sections' changes by objects, for `for await`. See
    /// ``RealmCollection/identifiedChanges(keyPaths:)-([String]?)``. An object that changed its
    /// section counts as moved.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all.
    public func identifiedChanges(keyPaths: [String]? = nil) -> AsyncChanges<
        IdentifiedChange<SectionedResults>
    > {
        AsyncChanges(self, keys: allObjectKeys) {
            self.makeIdentifiedObserver(keyPaths, "identifiedChanges", first: $0, $1)
        }
    }
}
