/// The source that a list controller follows.
protocol ListSource<Element> {
    associatedtype Element: RealmCollectionValue

    /// The contents in a frozen realm.
    ///
    /// - Parameter state: The last state of an observer that this source created; nil if there
    ///   is none.
    func contents(in core: RealmCore, state: (any Sendable)?) -> any ListContents<Element>
    /// Creates an observer, for registration at a version of the caller's choice.
    func observer(_ call: @escaping (ListBatch, any ListContents<Element>) -> Void) -> Observer
}

/// A collection without sections.
struct FlatSource<Base: RealmCollection>: ListSource {
    let portable: Portable
    let observed: ObservedCollection
    let keyPaths: [String]?

    func contents(in core: RealmCore, state: (any Sendable)?) -> any ListContents<Base.Element> {
        guard let state = state as? QuerySubject.State, case .keys(let keys) = state else {
            return FlatContents<Base>(portable, in: core)
        }
        return FlatContents<Base>(portable, in: core, keys: keys)
    }

    func observer(_ call: @escaping (ListBatch, any ListContents<Base.Element>) -> Void) -> Observer
    {
        observed.observer(keyPaths, first: nil) { changes, state, context in
            call(ListBatch(changes), contents(in: context.new, state: state))
        }
    }
}

/// A collection with sections.
struct SectionedSource<Key: _Persistable & Hashable, Element: RealmCollectionValue>: ListSource {
    let subject: SectionsSubject<Key, Element>

    func contents(in core: RealmCore, state: (any Sendable)?) -> any ListContents<Element> {
        let state = state as? SectionsSubject<Key, Element>.State ?? subject.state(in: core)
        return SectionedContents(
            core: core, state: state.sections.flatMap { subject.collection(in: core, assuming: $0) }
        )
    }

    func observer(_ call: @escaping (ListBatch, any ListContents<Element>) -> Void) -> Observer {
        SubjectObserver(subject, first: nil) { changes, state, context in
            call(ListBatch(changes), contents(in: context.new, state: state))
        }
    }
}
