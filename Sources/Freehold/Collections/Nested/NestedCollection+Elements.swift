import FreeholdStorage

// The element operations of nested lists and maps. `Element` is always `AnyRealmValue`: no other
// elements are nested.

extension NestedCollection {
    /// Converts a value of this collection, which the caller has just read.
    func load<Element>(_ stored: MixedValue?, as _: Element.Type) -> Element {
        unsafeBitCast(
            AnyRealmValue(stored, of: binding) { NestedCollection($0, in: self) }, to: Element.self)
    }

    /// Returns the position to read at. Traps if the given one is not in `0 ..< count`, unless
    /// damage took the elements.
    func readable(_ position: Int, below count: Int) -> Int {
        if position < 0 || position >= count && !mayHaveLostElements {
            shape.check(position, below: count)
        }
        return position < count ? position : Swift.max(count - 1, 0)
    }

    /// Whether a position beyond the end may have been valid when the program asked for the
    /// count.
    var mayHaveLostElements: Bool { core.store.isDamaged }

    /// Returns the value to store for an element. Adds unmanaged objects. Traps as every change
    /// does, and if collections are nested too deep.
    func stored<Element>(_ element: Element, for operation: @autoclosure () -> String)
        -> MixedValue?
    {
        checkChangeable(operation())
        return core.stored(unsafeBitCast(element, to: AnyRealmValue.self), level: level)
    }

    /// Whether an element is the stored collection itself. Assigning that to its own place
    /// changes nothing.
    func isStored<Element>(_ element: Element, as stored: MixedValue?) -> Bool {
        unsafeBitCast(element, to: AnyRealmValue.self).isNested(stored?.identity, in: core)
    }

    /// The position of the first element of a list that equals the given one. O(count).
    func index<Element>(of element: Element) -> Int? {
        let values = values("index(of:)")
        guard let wanted = core.known(unsafeBitCast(element, to: AnyRealmValue.self)) else {
            return nil
        }
        return values.firstIndex { MixedValue.compare($0, wanted) == 0 }
    }

    // MARK: Maps

    /// Returns the value of a key; nil if there is none. O(log count).
    func value<Element>(forKey key: String) -> Element? {
        let entries = entries("subscript")
        let place = MixedValue.place(of: ContiguousArray(key.utf8), in: entries)
        return place.isFound ? load(entries[place.index].value, as: Element.self) : nil
    }

    func setValue<Element>(_ element: Element, forKey key: String) {
        let key = ContiguousArray(key.utf8)
        checkChangeable("updateValue(_:forKey:)")
        let entries = entries("updateValue(_:forKey:)")
        let place = MixedValue.place(of: key, in: entries)
        if place.isFound, isStored(element, as: entries[place.index].value) { return }
        let new = stored(element, for: "updateValue(_:forKey:)")
        changeEntries("updateValue(_:forKey:)") { entries in
            if place.isFound {
                entries[place.index].value = new
            } else {
                entries.insert((key, new), at: place.index)
            }
        }
    }

    func removeValue(forKey key: String) {
        checkChangeable("removeObject(for:)")
        let place = MixedValue.place(
            of: ContiguousArray(key.utf8), in: entries("removeObject(for:)"))
        if place.isFound { changeEntries("removeObject(for:)") { $0.remove(at: place.index) } }
    }
}

extension CollectionKind {
    /// Traps: results need a collection that a row has, not an unmanaged one or one in an
    /// ``AnyRealmValue``.
    @inline(never)
    func refuseUnstored(_ operation: String, _ nested: NestedCollection?, isQuery: Bool = false)
        -> Never
    {
        guard let nested else { refuseUnmanaged(operation) }
        nested.checkConfinement(operation)
        misuse(
            isQuery ? queryRefusal : "\(operation) is not supported for collections of values.",
            remedy: """
                A \(className) in an AnyRealmValue: turn it into an array, or sort and \
                filter its elements with the functions of sequences.
                """)
    }
}

extension AnyRealmValue {
    /// Returns the value with unmanaged copies in place of its collections. O(value). Traps if
    /// these are nested too deep.
    fileprivate func detached(level: Int) -> AnyRealmValue {
        switch self {
        case .list(let list):
            AnyRealmValue.checkNesting(level)
            return .fromArray(list.contents.map { $0.detached(level: level + 1) })
        case .dictionary(let map):
            AnyRealmValue.checkNesting(level)
            return .fromDictionary(
                map.entries.mapValues { $0.detached(level: level + 1) }, areKnown: true)
        default: return self
        }
    }
}

/// Makes an element independent of the collection that is about to lose it: nested collections in
/// an ``AnyRealmValue`` are copied. Returns other elements as they are.
func detached<Element>(_ element: Element) -> Element {
    guard Element.self == AnyRealmValue.self else { return element }
    return unsafeBitCast(
        unsafeBitCast(element, to: AnyRealmValue.self).detached(level: 0), to: Element.self)
}
