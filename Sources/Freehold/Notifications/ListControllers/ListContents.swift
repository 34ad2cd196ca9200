import FreeholdStorage

/// The immutable contents of a list controller: a collection of a frozen realm.
protocol ListContents<Element> {
    associatedtype Element: RealmCollectionValue

    /// The frozen realm.
    var core: RealmCore { get }
    var sectionCount: Int { get }
    /// The section must exist.
    func itemCount(in section: Int) -> Int
    /// The row must exist.
    func element(_ section: Int, _ item: Int) -> Element
    /// The place of an element, which belongs to the frozen realm or is a value.
    func place(of element: Element) -> (section: Int, item: Int)?
    /// The same contents in another frozen realm, which does not differ in anything that they
    /// depend on.
    func moved(to core: RealmCore) -> any ListContents<Element>
}

/// A collection, as one section.
struct FlatContents<Base: RealmCollection>: ListContents {
    let core: RealmCore
    private let portable: Portable
    /// Nil if the owner of the collection is deleted.
    let base: Base?

    /// - Parameters:
    ///   - portable: Identifies the collection.
    ///   - keys: The keys of its rows, if known; otherwise the query is evaluated when needed.
    init(_ portable: Portable, in core: RealmCore, keys: ContiguousArray<Int64>? = nil) {
        self.core = core
        self.portable = portable
        base = (Base.self as? any Referable.Type)?.counterpart(of: portable, in: core) as? Base
        if let keys { query?.assume(keys) }
    }

    /// The query that finds the rows, if there is one.
    private var query: ResultsState? {
        guard let base = base as? any CollectionOfRealm,
            case .query(let state)? = base.observed("ListController")
        else { return nil }
        return state
    }

    var sectionCount: Int { 1 }
    func itemCount(in section: Int) -> Int { base?.count ?? 0 }

    func element(_ section: Int, _ item: Int) -> Base.Element {
        guard let base else { preconditionFailure("There are no rows.") }
        return base[item]
    }

    func place(of element: Base.Element) -> (section: Int, item: Int)? {
        base?.index(of: element).map { (0, $0) }
    }

    func moved(to core: RealmCore) -> any ListContents<Base.Element> {
        FlatContents(portable, in: core, keys: query?.knownKeys)
    }
}

/// A sectioned collection.
struct SectionedContents<Key: _Persistable & Hashable, Element: RealmCollectionValue>: ListContents
{
    let core: RealmCore
    /// Nil if the owner of the collection is deleted.
    let state: SectionsState<Key, Element>?

    var sectionCount: Int { state?.sections().keys.count ?? 0 }
    var keys: [Key] { state?.sections().keys ?? [] }
    func itemCount(in section: Int) -> Int { state?.sections().rows[section].count ?? 0 }

    func element(_ section: Int, _ item: Int) -> Element {
        guard let state else { preconditionFailure("There are no rows.") }
        return state.element(state.sections().rows[section][item])
    }

    func place(of element: Element) -> (section: Int, item: Int)? {
        guard let state else { return nil }
        let sections = state.sections()
        if let object = element.objectOfRealm {
            if object.binding?.takeUnretainedValue() !== state.base.state.binding { return nil }
            for (section, rows) in sections.rows.enumerated() {
                if let item = rows.firstIndex(of: object.key) { return (section, item) }
            }
            return nil
        }
        for (section, rows) in sections.rows.enumerated() {
            if let item = rows.firstIndex(where: { state.element($0) == element }) {
                return (section, item)
            }
        }
        return nil
    }

    func moved(to core: RealmCore) -> any ListContents<Element> {
        guard let state, let base = Results<Element>.counterpart(of: state.base.portable, in: core)
        else { return SectionedContents(core: core, state: nil) }
        return SectionedContents(
            core: core, state: SectionsState(base, by: state.key, assuming: state.sections()))
    }
}

extension RealmCollectionValue {
    /// This object, or the object that this projects.
    var objectOfRealm: ObjectBase? {
        self as? ObjectBase ?? (self as? any ProjectionOfAnyClass)?.projectedObject
    }
}

extension RealmCore {
    /// This realm's counterpart of an element of any realm of the file; nil if the object does
    /// not exist here. Values are the same everywhere.
    func counterpart<Element: RealmCollectionValue>(of element: Element) -> Element? {
        guard let object = element.objectOfRealm else { return element }
        guard object._isManaged, let origin = object.core, origin.coordinator === coordinator,
            let binding = object.binding?.takeUnretainedValue()
        else { return nil }
        var key = object.key
        // A state of a draft has the row keys of its moment.
        if let moves = frozenOrigin.flatMap({ origin.draft?.moves(since: $0) }) {
            guard let known = moves.originalKey(key, in: binding.table) else { return nil }
            key = known
        }
        return accessor(key, of: self.binding(for: binding.reference)).map(Element._element)
    }
}
