import FreeholdStorage

/// Collections of embedded objects: taking out an element deletes it.
extension ManagedCollection {
    /// Returns the row keys of the embedded objects in a range; none if the elements are not
    /// embedded objects. O(elements).
    func ownedKeys(in range: Range<Int>, of tree: MutableStoredCollection) -> [Int64] {
        guard descriptor.ownedClass != nil else { return [] }
        var keys: [Int64] = []
        var index = range.lowerBound
        while index < min(range.upperBound, tree.count) {
            let leaf = tree.stored.leaf(at: index)
            for element in index..<min(leaf.end, range.upperBound)
            where !leaf.values.isNull(at: element - leaf.start) {
                keys.append(leaf.values.integer(at: element - leaf.start))
            }
            index = leaf.end
        }
        return keys
    }

    /// Returns the row that the element at a position links to; nil beyond the end, and for null.
    /// O(log count).
    func linkedKey(at index: Int) -> Int64? {
        guard index < current("reading").count else { return nil }
        let leaf = leaf(at: index, "reading")
        let row = index - leaf.start
        return leaf.values.isNull(at: row) || leaf.values.encoding == .absent
            ? nil : leaf.values.integer(at: row)
    }

    /// Deletes embedded objects that were taken out.
    func release(_ keys: [Int64]) {
        guard let type = descriptor.ownedClass, !keys.isEmpty else { return }
        core.releaseOwned(keys, of: core.bindingOfTable(for: type))
    }

    /// Takes a range of elements out, and deletes those that are embedded objects.
    func remove(_ range: Range<Int>, from tree: MutableStoredCollection) {
        let keys = ownedKeys(in: range, of: tree)
        tree.remove(range)
        release(keys)
    }
}
