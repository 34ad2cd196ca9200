import FreeholdStorage

extension TableChanges {
    /// How many values changed: an upper bound for the rows that did. O(columns).
    var modificationCount: Int { modifications.values.reduce(0) { $0 + $1.count } }
}
