import FreeholdStorage

/// The shared state of a ``SectionedResults``: a collection, its key function, and the cached
/// sections of the last answer.
///
/// All sections are found again after the data changed; in between, no key is asked for. Only
/// keys of sections and of rows are cached, never objects.
///
/// A live state is confined like its realm. Any number of threads may use a frozen state at once.
final class SectionsState<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    let base: Results<Element>
    let key: SectionKey<Key, Element>
    /// Protects `cache` where the realm is frozen; nil elsewhere.
    private let lock: Monitor?
    /// Protected by confinement, or by `lock` where the realm is frozen.
    private var cache: (moment: ResultsState.Moment, sections: Sections)?
    /// The keys of the sections before damage took some. Protected like `cache`.
    private var keysBeforeDamage: [Key] = []

    /// The sections of one state of the data. Immutable.
    final class Sections {
        /// In the order in which the keys first occur in the collection.
        fileprivate(set) var keys: [Key] = []
        /// The keys of the rows of each section; for values, their positions.
        fileprivate(set) var rows: [ContiguousArray<Int64>] = []
        fileprivate var positions: [Key: Int] = [:]

        /// Returns the position of a section, nil if none has the key. O(1).
        func position(of key: Key) -> Int? { positions[key] }

        /// Returns the same sections of rows with other keys. O(rows).
        func mappingRows(_ newKey: (Int64) -> Int64) -> Sections {
            let mapped = Sections()
            (mapped.keys, mapped.positions) = (keys, positions)
            mapped.rows = rows.map { ContiguousArray($0.map(newKey)) }
            return mapped
        }
    }

    /// - Parameter sections: The current sections, if the caller knows them.
    init(
        _ base: Results<Element>, by key: SectionKey<Key, Element>,
        assuming sections: Sections? = nil
    ) {
        self.base = base
        self.key = key
        lock = base.core.isFrozen ? Monitor() : nil
        cache = sections.map { (base.state.moment, $0) }
    }

    /// Checks confinement and validity. Every entry point calls it first.
    func check(_ operation: @autoclosure () -> String, as name: StaticString = "SectionedResults") {
        base.state.check(operation(), as: name)
    }

    /// Returns the current sections. O(1) while the data do not change, else O(elements). The
    /// caller has checked confinement.
    func sections() -> Sections {
        let moment = base.state.moment
        if let known = known(at: moment) { return known }
        // Outside of the lock: the key function is the program's, and may use this collection.
        // Threads that evaluate at once find the same sections.
        let sections = evaluate()
        guard let lock else {
            keep(sections, moment)
            return sections
        }
        return lock.withLock {
            if let cache, cache.moment == moment { return cache.sections }
            keep(sections, moment)
            return sections
        }
    }

    private func keep(_ sections: Sections, _ moment: ResultsState.Moment) {
        if let old = cache?.sections.keys,
            old.count > max(sections.keys.count, keysBeforeDamage.count), base.core.store.isDamaged
        {
            keysBeforeDamage = old
        }
        cache = (moment, sections)
    }

    private func known(at moment: ResultsState.Moment) -> Sections? {
        func current() -> Sections? {
            if let cache, cache.moment == moment { cache.sections } else { nil }
        }
        guard let lock else { return current() }
        return lock.withLock { current() }
    }

    private func evaluate() -> Sections {
        let sections = Sections()
        let rows = base.state.keys()
        var last: (key: Key, position: Int)?
        func add(_ row: Int64, _ element: Element) {
            let key = key(element)
            // The collection is nearly always sorted by the key.
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
            var cursor = RowCursor(
                rows, of: base.state.binding, "sectioning of Results<\(base.state.className)>")
            // The key function may keep its argument. Several threads may get the accessors of
            // frozen objects.
            if lock != nil { cursor.reusesAccessors = false }
            for row in rows {
                guard let object = cursor.next() else { break }
                add(row, Element._element(object))
            }
        }
        return sections
    }

    /// Returns an element by its row, or the value at a position.
    func element(_ row: Int64) -> Element {
        if let values = base.state.values { return base.state.value(position: row, in: values) }
        return Element._element(base.state.object(key: row))
    }

    // MARK: Positions

    /// Returns the key of the section at a position. Traps outside of `0 ..< count`; for a
    /// section that damage took, returns the key that it had.
    func key(at position: Int) -> Key {
        let keys = sections().keys
        if has(position, count: keys.count, "SectionedResults") { return keys[position] }
        let lost = lock.map { $0.withLock { keysBeforeDamage } } ?? keysBeforeDamage
        if lost.indices.contains(position) { return lost[position] }
        return StandIn.value(in: base.core) { keys.last }
    }

    /// Returns the element at a position of a section's rows. Traps outside of `0 ..< count`; for
    /// an element that damage took, returns zero or an invalidated object.
    func element(at position: Int, of rows: ContiguousArray<Int64>) -> Element {
        has(position, count: rows.count, "ResultsSection") ? element(rows[position]) : lostElement
    }

    /// The substitute for an element that damage took.
    var lostElement: Element { base.state.lostElement() }

    /// Whether a position exists. Traps if it does not, unless damage took the element.
    func has(_ position: Int, count: Int, _ name: StaticString) -> Bool {
        if position >= 0, position < count { return true }
        if position >= 0, base.core.store.isDamaged { return false }
        refusePosition(
            position, count: count,
            remedy: """
                \(name)<\(base.state.elementName)> is live: its count changes with the data. \
                Compare the index with count right before, or freeze() the collection.
                """)
    }

    /// Returns the same elements and keys in another realm of the file.
    func moved(to base: Results<Element>) -> SectionsState { SectionsState(base, by: key) }
}

/// Reports a position outside of `0 ..< count`, with Realm's text.
func refusePosition(_ position: Int, count: Int, remedy: String) -> Never {
    misuse(
        position < 0
            ? "Cannot pass a negative value for 'index'."
            : "Index \(position) is out of bounds (must be less than \(count)).", remedy: remedy)
}

/// Traps if sections cannot have keys of the type.
func checkSectionKey<Key: _Persistable>(_ type: Key.Type) {
    if Key._rlmType == .object || Key.self is any PersistedCollection.Type {
        misuse(
            "Links are not supported as section keys.",
            remedy: """
                Sections by '\(Key.self)': use a property of the object that it links \
                to, as \\.owner.name, or a function that gives a value.
                """)
    }
}
