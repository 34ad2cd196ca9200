import FreeholdStorage

/// What a ``SectionedResults`` is: a collection, how its elements are told apart, and the sections that this gave when it was last asked.
///
/// The sections are found again when the data changed, all at once; in between nothing asks for a key. What is kept are keys of sections and of rows, never objects.
///
/// A live state is confined like its realm. A frozen one may be used from any number of threads at once.
final class SectionsState<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    let base: Results<Element>
    let key: SectionKey<Key, Element>
    /// Protects `cache` where the realm is frozen; nil elsewhere.
    private let lock: Monitor?
    /// Protected by confinement, or by `lock` where the realm is frozen.
    private var cache: (moment: ResultsState.Moment, sections: Sections)?

    /// The sections of one state of the data. Immutable.
    final class Sections {
        /// In the order in which the collection comes upon them.
        fileprivate(set) var keys: [Key] = []
        /// Of each section, the keys of its rows; of values: their positions.
        fileprivate(set) var rows: [ContiguousArray<Int64>] = []
        fileprivate var positions: [Key: Int] = [:]

        /// The position of a section, nil if there is none with the key. O(1).
        func position(of key: Key) -> Int? { positions[key] }
    }

    /// - Parameter sections: Those that there are now, if the caller knows them.
    init(_ base: Results<Element>, by key: SectionKey<Key, Element>, assuming sections: Sections? = nil) {
        self.base = base
        self.key = key
        lock = base.core.isFrozen ? Monitor() : nil
        cache = sections.map { (base.state.moment, $0) }
    }

    /// The gate. First in every entry.
    func check(_ operation: @autoclosure () -> String, as name: StaticString = "SectionedResults") { base.state.check(operation(), as: name) }

    /// The sections now. O(1) while the data do not change, else O(elements). The caller passed the gate.
    func sections() -> Sections {
        let moment = base.state.moment
        if let known = known(at: moment) { return known }
        // Not in the lock: the function is the program's and may use this collection. Threads that come here at once find the same.
        let sections = evaluate()
        guard let lock else {
            cache = (moment, sections)
            return sections
        }
        return lock.withLock {
            if let cache, cache.moment == moment { return cache.sections }
            cache = (moment, sections)
            return sections
        }
    }

    private func known(at moment: ResultsState.Moment) -> Sections? {
        func current() -> Sections? { if let cache, cache.moment == moment { cache.sections } else { nil } }
        guard let lock else { return current() }
        return lock.withLock { current() }
    }

    private func evaluate() -> Sections {
        let sections = Sections()
        let rows = base.state.keys()
        var last: (key: Key, position: Int)?
        func add(_ row: Int64, _ element: Element) {
            let key = key(element)
            // Nearly always sorted by it.
            if let last, last.key == key {
                sections.rows[last.position].append(row)
                return
            }
            let position: Int
            if let known = sections.positions[key] {
                position = known
                sections.rows[position].append(row)
            } else {
                position = sections.keys.count
                sections.keys.append(key)
                sections.positions[key] = position
                sections.rows.append([row])
            }
            last = (key, position)
        }
        if let values = base.state.values {
            let elements: [Element] = base.state.elements(in: values)
            for (row, element) in zip(rows, elements) { add(row, element) }
        } else {
            var cursor = RowCursor(rows, of: base.state.binding, "sectioning of Results<\(base.state.className)>")
            // The function may keep what it gets; those of frozen objects go to several threads.
            if lock != nil { cursor.reusesAccessors = false }
            for row in rows {
                guard let object = cursor.next() else { break }
                add(row, Element._element(object))
            }
        }
        return sections
    }

    /// An element by its row, or the value at a position.
    func element(_ row: Int64) -> Element {
        if let values = base.state.values { return base.state.value(position: row, in: values) }
        return Element._element(base.state.object(key: row))
    }

    /// The same elements and keys in another realm of the file.
    func moved(to base: Results<Element>) -> SectionsState { SectionsState(base, by: key) }
}

/// Traps if the type cannot be that of a section's key.
func checkSectionKey<Key: _Persistable>(_ type: Key.Type) {
    if Key._rlmType == .object || Key.self is any PersistedCollection.Type {
        violation(.misuse(
            text: "Links are not supported as section keys.",
            remedy: "Sections by '\(Key.self)': use a property of the object that it links to, as \\.owner.name, or a function that gives a value."))
    }
}
