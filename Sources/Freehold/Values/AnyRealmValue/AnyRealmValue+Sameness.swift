extension AnyRealmValue {
    /// Whether both are stored as the same value, except for the identities of collections. 1 and
    /// 1.0 are equal, but not the same. O(length).
    func isSame(as other: AnyRealmValue, level: Int = 0) -> Bool {
        switch (self, other) {
        case (.float(let a), .float(let b)): return a.bitPattern == b.bitPattern
        case (.double(let a), .double(let b)): return a.bitPattern == b.bitPattern
        case (.decimal128(let a), .decimal128(let b)):
            return a.lowBits == b.lowBits && a.highBits == b.highBits
        case (.list(let a), .list(let b)):
            AnyRealmValue.checkNesting(level)
            return a.hasSameValues(as: b, level: level + 1)
        case (.dictionary(let a), .dictionary(let b)):
            AnyRealmValue.checkNesting(level)
            return a.hasSameValues(as: b, level: level + 1)
        case (.int, .float), (.int, .double), (.int, .decimal128), (.float, _), (.double, _),
            (.decimal128, _):
            return false
        default: return self == other
        }
    }
}

extension Sequence where Element == AnyRealmValue {
    /// Whether both have the same values in the same order.
    func hasSameValues(as other: some Sequence<AnyRealmValue>, level: Int = 0) -> Bool {
        elementsEqual(other) { $0.isSame(as: $1, level: level) }
    }
}

extension Map where Key == String, Value == AnyRealmValue {
    fileprivate func hasSameValues(as other: Map, level: Int = 0) -> Bool {
        sortedEntries.elementsEqual(other.sortedEntries) {
            $0.key == $1.key && $0.value.isSame(as: $1.value, level: level)
        }
    }
}

extension PersistedCollection {
    /// Whether storing one over the other changes nothing. Contents must be equal, and
    /// ``AnyRealmValue``s must also be stored alike.
    func hasSameContents(as other: Self) -> Bool {
        switch (self, other) {
        case (let a as List<AnyRealmValue>, let b as List<AnyRealmValue>): a.hasSameValues(as: b)
        // A set has no two equal elements, so after sorting, equal elements have equal positions.
        case (let a as MutableSet<AnyRealmValue>, let b as MutableSet<AnyRealmValue>):
            a.hasEqualContents(as: b) && a.members.sorted().hasSameValues(as: b.members.sorted())
        case (let a as Map<String, AnyRealmValue>, let b as Map<String, AnyRealmValue>):
            a.hasSameValues(as: b)
        default: hasEqualContents(as: other)
        }
    }
}
