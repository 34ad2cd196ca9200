/// A change of a collection, by the objects: what
/// ``RealmCollection/identifiedChanges(keyPaths:)-([String]?)`` gives.
///
/// Thread rule: belongs to where it was delivered, as the collection. The ``event`` may go
/// anywhere.
public struct IdentifiedChange<Subject> {
    /// The collection, live, as it is after the change.
    public let collection: Subject
    /// What came, went, changed and moved, by primary key. `Sendable`.
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
        case .nested: preconditionFailure("A list of any values has no objects as elements.")
        }
    }

    fileprivate func objectKeys() -> [ObjectKey] {
        switch self {
        case .query(let state): return state.keys().map { state.binding.objectKey(of: $0) }
        case .elements(let elements, _):
            guard let target = elements.descriptor.reference else { return [] }
            let binding = elements.core.binding(for: target)
            // One that is in a list several times is one object.
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

    /// The collection's changes by the objects, for `for await`: with the keys of what came,
    /// went, changed and moved. What it has is the first one.
    ///
    /// ```swift
    /// var known: Set<ObjectKey> = []
    /// for await change in dogs.identifiedChanges() {
    ///     known.formUnion(change.event.insertions)
    ///     known.subtract(change.event.deletions)
    /// }
    /// ```
    ///
    /// As ``changes``, whose rules hold. The keys are found in the background, together with
    /// the changes; nobody else pays for them. In the beginning it is O(elements).
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func identifiedChanges(keyPaths: [String]? = nil) -> AsyncChanges<IdentifiedChange<Self>>
    {
        AsyncChanges(self, keys: allObjectKeys) {
            self.makeIdentifiedObserver(keyPaths, "identifiedChanges", first: $0, $1)
        }
    }

    /// As ``identifiedChanges(keyPaths:)``, with key paths of Swift.
    public func identifiedChanges(keyPaths: [PartialKeyPath<Element>]) -> AsyncChanges<
        IdentifiedChange<Self>
    > {
        identifiedChanges(keyPaths: names(of: keyPaths, from: Element.self))
    }
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

    /// The map's changes by its keys, for `for await`. As
    /// ``RealmCollection/identifiedChanges(keyPaths:)-([String]?)``; each is an
    /// ``ObjectKey/string(_:)``.
    ///
    /// - Parameter keyPaths: What counts as a change of a value that is an object; nil for
    ///   everything.
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

    /// The sections' changes by the objects, for `for await`. As
    /// ``RealmCollection/identifiedChanges(keyPaths:)-([String]?)``; what is in another
    /// section now, moved.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func identifiedChanges(keyPaths: [String]? = nil) -> AsyncChanges<
        IdentifiedChange<SectionedResults>
    > {
        AsyncChanges(self, keys: allObjectKeys) {
            self.makeIdentifiedObserver(keyPaths, "identifiedChanges", first: $0, $1)
        }
    }
}
