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
    /// The collection, which knows the current keys of a draft's rows.
    let referable: any Referable
    let observed: ObservedCollection
    let keyPaths: [String]?

    func contents(in core: RealmCore, state: (any Sendable)?) -> any ListContents<Base.Element> {
        guard let state = state as? QuerySubject.State, case .keys(let keys) = state else {
            return FlatContents<Base>(referable.portable, in: core)
        }
        return FlatContents<Base>(referable.portable, in: core, keys: keys)
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
    private let subject: SectionsSubject<Key, Element>
    private let sections: SectionsState<Key, Element>

    init(_ sections: SectionsState<Key, Element>, _ subject: SectionsSubject<Key, Element>) {
        self.subject = subject
        self.sections = sections
    }

    /// With the current keys of rows, which may change in a draft.
    private var current: SectionsSubject<Key, Element> {
        sections.base.core.draft == nil ? subject : subject.named(as: sections)
    }

    func contents(in core: RealmCore, state: (any Sendable)?) -> any ListContents<Element> {
        let subject = current
        let state = state as? SectionsSubject<Key, Element>.State ?? subject.state(in: core)
        return SectionedContents(
            core: core, state: state.sections.flatMap { subject.collection(in: core, assuming: $0) }
        )
    }

    func observer(_ call: @escaping (ListBatch, any ListContents<Element>) -> Void) -> Observer {
        SubjectObserver(current, first: nil) { changes, state, context in
            call(ListBatch(changes), contents(in: context.new, state: state))
        }
    }
}
