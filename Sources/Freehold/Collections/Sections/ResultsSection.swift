/// A section of ``SectionedResults``: the elements of a collection that have one key. Live.
///
/// The section is bound to its key. While no element has the key, it is empty and
/// ``isInvalidated``; it fills again when one does.
///
/// Thread rule: confined like its realm, and not `Sendable`. ``freeze()`` gives a copy for all
/// threads, which never changes.
public struct ResultsSection<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    RealmSectionedResult, Identifiable
{
    /// An element of the section.
    public typealias Element = SectionElement

    let state: SectionsState<Key, SectionElement>
    /// The key of the section's elements. Any thread may read it.
    public let key: Key

    /// The section's ``key``.
    public var id: Key { key }

    /// Whether both belong to the same sectioned results and have equal keys.
    public static func == (a: ResultsSection, b: ResultsSection) -> Bool {
        a.state === b.state && a.key == b.key
    }

    /// The current rows. The caller has checked confinement.
    private var rows: ContiguousArray<Int64> {
        let sections = state.sections()
        return sections.position(of: key).map { sections.rows[$0] } ?? []
    }

    // MARK: StoredCollection

    /// How many elements have the key. O(1) while the data do not change.
    public var count: Int {
        state.check("count", as: "ResultsSection")
        return rows.count
    }

    /// The position of the first element, 0.
    public var startIndex: Int { 0 }
    /// The position after the last element: ``count``.
    public var endIndex: Int { count }

    /// The element at a position. O(1) plus one look-up of a key. Traps outside of `0 ..< count`.
    public subscript(position: Int) -> SectionElement {
        state.check("subscript", as: "ResultsSection")
        return state.element(at: position, of: rows)
    }

    /// Iterates over the elements that the section has at this moment. The loop may change or
    /// delete them.
    public func makeIterator() -> SectionIterator<SectionElement> {
        state.check("iteration", as: "ResultsSection")
        let rows = rows
        if state.base.state.values != nil {
            return SectionIterator(base: RLMIterator(elements: rows.map { state.element($0) }))
        }
        return SectionIterator(
            base: RLMIterator(
                cursor: RowCursor(
                    rows, of: state.base.state.binding,
                    "iteration over ResultsSection<\(state.base.state.className)>")))
    }

    /// The elements as text.
    public var description: String {
        let elements = enumerated().map {
            "\t[\($0.offset)] " + String(describing: $0.element).withIndentedLines
        }
        return "ResultsSection<\(SectionElement.self)> (\n" + elements.joined(separator: ",\n")
            + "\n)"
    }

    // MARK: Place

    /// The realm that the elements belong to. Any thread may read it.
    public var realm: Realm? { state.base.realm }

    /// Whether currently no element has the key, or the realm was invalidated.
    public var isInvalidated: Bool {
        state.base.isInvalidated || state.sections().position(of: key) == nil
    }

    /// Whether the section is frozen: it never changes, and any thread may use it. Any thread
    /// may ask.
    public var isFrozen: Bool { state.base.isFrozen }

    /// Returns the section as it is at this moment, for all threads, never changing. O(1): its
    /// elements are found once, when it is first used.
    ///
    /// Inside a write transaction, it shows the state before the transaction. Frozen sections
    /// return themselves.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> ResultsSection {
        state.check("freeze()", as: "ResultsSection")
        return isFrozen
            ? self : ResultsSection(state: state.moved(to: state.base.freeze()), key: key)
    }

    /// Returns the live section with the same key, in a realm for the current thread; nil if no
    /// element has the key there. Live sections return themselves.
    public func thaw() -> ResultsSection? {
        state.check("thaw()", as: "ResultsSection")
        if !isFrozen { return self }
        guard let base = state.base.thaw() else { return nil }
        let section = ResultsSection(state: state.moved(to: base), key: key)
        return section.isInvalidated ? nil : section
    }
}

@available(
    *, unavailable,
    message: """
        Sections are confined to their realm's thread, queue or actor: freeze() them, or \
        make them there.
        """
)
extension ResultsSection: Sendable {}

/// Iterates over the elements that a section had when the iterator was made, whatever happens
/// meanwhile.
///
/// Thread rule: confined like the section.
public struct SectionIterator<SectionElement: RealmCollectionValue>: IteratorProtocol {
    var base: RLMIterator<SectionElement>

    /// The next element, nil after the last one. O(1), amortised.
    public mutating func next() -> SectionElement? { base.next() }
}

@available(
    *, unavailable, message: "Iterators are confined to their realm's thread, queue or actor."
)
extension SectionIterator: Sendable {}
