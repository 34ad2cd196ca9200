import FreeholdStorage

extension TableChanges {
    /// The number of changed values: an upper bound for the changed rows. O(columns).
    var modificationCount: Int { modifications.values.reduce(0) { $0 + $1.count } }
}
