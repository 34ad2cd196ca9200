public import Foundation

/// The elements of a collection in sections, live: always what the collection gives now, told
/// apart by a key.
///
/// ```swift
/// let byLetter = realm.objects(Person.self).sectioned(by: { $0.name.first.map(String.init) ?? "" }, sortDescriptors: ["name"])
/// for section in byLetter {
///     print(section.key, section.count)
///     for person in section { print("  ", person.name) }
/// }
/// ```
///
/// Sections come in the order in which the sorted collection comes upon their keys; elements
/// with the same key are in one section, wherever they stand.
///
/// The key of each element is asked for when the sections are first used, and again when the
/// data changed: O(elements), once a change. Everything else is O(1) in between. The function
/// must give equal keys for equal elements, and change nothing.
///
/// Thread rule: confined like its realm, and not `Sendable`. ``freeze()`` gives a copy for all
/// threads, which never changes.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    RealmSectionedResult
{
    /// A section.
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
    /// It stands for its key, not for its position: it stays the section of that key when
    /// others come and go.
    public subscript(position: Int) -> ResultsSection<Key, SectionElement> {
        state.check("subscript")
        return ResultsSection(state, key: state.key(at: position))
    }

    /// The element at a position of a section. Traps unless the path has two indexes, of a
    /// section and of an element in it.
    public subscript(indexPath: IndexPath) -> SectionElement {
        state.check("subscript")
        if indexPath.count != 2 {
            violation(
                .misuse(
                    text: "Index path \(indexPath) does not lead to an element of a section.",
                    remedy: "It has \(indexPath.count) indexes: use IndexPath(item:section:)."))
        }
        let rows = state.sections().rows
        guard state.has(indexPath[0], count: rows.count, "SectionedResults") else {
            return state.lostElement
        }
        return state.element(at: indexPath[1], of: rows[indexPath[0]])
    }

    /// Iterates over the sections that there are now.
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

    /// The realm that the elements belong to. Any thread.
    public var realm: Realm? { state.base.realm }

    /// Whether the sections can no longer be used, because the realm was invalidated, or the
    /// object deleted whose values they have.
    public var isInvalidated: Bool { state.base.isInvalidated }

    /// Whether the sections are frozen: they never change, and any thread may use them. Any
    /// thread may ask.
    public var isFrozen: Bool { state.base.isFrozen }

    /// The sections as they are now, for all threads and for ever. O(1): they are found when
    /// they are used, then once.
    ///
    /// Inside a write transaction: as they were before the transaction. Frozen ones return
    /// themselves.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> SectionedResults {
        state.check("freeze()")
        return isFrozen ? self : SectionedResults(state.moved(to: state.base.freeze()))
    }

    /// The live sections of the same collection, in a realm for the current thread. Live ones
    /// return themselves. Nil if the object was deleted whose values they have.
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

/// Iterates over the sections that there were when it was made.
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
        keys.next().map { ResultsSection(state, key: $0) }
    }
}

@available(
    *, unavailable, message: "Iterators are confined to their realm's thread, queue or actor."
)
extension SectionedResultsIterator: Sendable {}
