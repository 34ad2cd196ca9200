public import Foundation

/// The elements of a collection, grouped in sections by a key. Live: it always shows the
/// collection's current elements.
///
/// ```swift
/// let byLetter = realm.objects(Person.self)
///     .sectioned(by: { $0.name.first.map(String.init) ?? "" }, sortDescriptors: ["name"])
/// for section in byLetter {
///     print(section.key, section.count)
///     for person in section { print("  ", person.name) }
/// }
/// ```
///
/// Sections come in the order in which their keys first occur in the sorted collection. All
/// elements with the same key are in one section, adjacent or not.
///
/// The key of each element is asked for when the sections are first used, and again after the
/// data changed: O(elements), once a change. Everything else is O(1) in between. The key function
/// must give equal keys for equal elements, and must not change anything.
///
/// Thread rule: confined like its realm, and not `Sendable`. ``freeze()`` gives a copy for all
/// threads, which never changes.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    RealmSectionedResult
{
    /// One section.
    public typealias Element = ResultsSection<Key, SectionElement>

    let state: SectionsState<Key, SectionElement>

    init(_ state: SectionsState<Key, SectionElement>) { self.state = state }

    /// Whether one is a copy of the other. Equal contents do not make them equal.
    public static func == (a: SectionedResults, b: SectionedResults) -> Bool { a.state === b.state }

    // MARK: Sections

    /// The keys of all sections, in their order.
    public var allKeys: [Key] {
        state.check("allKeys")
        return state.sections().keys
    }

    /// How many sections there are.
    public var count: Int {
        state.check("count")
        return state.sections().keys.count
    }

    /// The position of the first section, 0.
    public var startIndex: Int { 0 }
    /// The position after the last section: ``count``.
    public var endIndex: Int { count }

    /// The section at a position. Traps outside of `0 ..< count`.
    ///
    /// The section is bound to its key, not to its position: it keeps its key when other sections
    /// appear and disappear.
    public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
        state.check("subscript")
        return ResultsSection(state: state, key: state.key(at: position))
    }

    /// The element at a position of a section. Traps unless the path has two indexes, of a
    /// section and of an element in it.
    public subscript(indexPath: IndexPath) -> SectionElement {
        state.check("subscript")
        if indexPath.count != 2 {
            misuse(
                "Index path \(indexPath) does not lead to an element of a section.",
                remedy: "It has \(indexPath.count) indexes: use IndexPath(item:section:).")
        }
        let rows = state.sections().rows
        guard state.has(indexPath[0], count: rows.count, "SectionedResults") else {
            return state.lostElement
        }
        return state.element(at: indexPath[1], of: rows[indexPath[0]])
    }

    /// Iterates over the sections that exist at this moment.
    public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
        state.check("iteration")
        return SectionedResultsIterator(state, state.sections().keys)
    }

    /// The sections as text.
    public var description: String {
        let sections = map {
            "\t\(String(describing: $0.key)): " + $0.description.withIndentedLines
        }
        return "SectionedResults<\(Key.self), \(SectionElement.self)> (\n"
            + sections.joined(separator: ",\n") + "\n)"
    }

    // MARK: Place

    /// The realm that the elements belong to. Any thread may read it.
    public var realm: Realm? { state.base.realm }

    /// Whether the sections are unusable, because the realm was invalidated, or because the
    /// object that has the values was deleted.
    public var isInvalidated: Bool { state.base.isInvalidated }

    /// Whether the sections are frozen: they never change, and any thread may use them. Any
    /// thread may ask.
    public var isFrozen: Bool { state.base.isFrozen }

    /// Returns the sections as they are at this moment, for all threads, never changing. O(1):
    /// they are found once, when they are first used.
    ///
    /// Inside a write transaction, they show the state before the transaction. Frozen sections
    /// return themselves.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> SectionedResults {
        state.check("freeze()")
        return isFrozen ? self : SectionedResults(state.moved(to: state.base.freeze()))
    }

    /// Returns the live sections of the same collection, in a realm for the current thread. Live
    /// sections return themselves. Returns nil if the object that has the values was deleted.
    public func thaw() -> SectionedResults? {
        state.check("thaw()")
        if !isFrozen { return self }
        return state.base.thaw().map { SectionedResults(state.moved(to: $0)) }
    }
}

@available(
    *, unavailable,
    message: """
        Sections are confined to their realm's thread, queue or actor: freeze() them, or \
        make them there.
        """
)
extension SectionedResults: Sendable {}

/// Iterates over the sections that existed when the iterator was made.
///
/// Thread rule: confined like the sections.
public struct SectionedResultsIterator<
    Key: _Persistable & Hashable, SectionElement: RealmCollectionValue
>: IteratorProtocol {
    private let state: SectionsState<Key, SectionElement>
    private var keys: IndexingIterator<[Key]>

    init(_ state: SectionsState<Key, SectionElement>, _ keys: [Key]) {
        self.state = state
        self.keys = keys.makeIterator()
    }

    /// The next section, nil after the last one. O(1).
    public mutating func next() -> ResultsSection<Key, SectionElement>? {
        keys.next().map { ResultsSection(state: state, key: $0) }
    }
}

@available(
    *, unavailable, message: "Iterators are confined to their realm's thread, queue or actor."
)
extension SectionedResultsIterator: Sendable {}
