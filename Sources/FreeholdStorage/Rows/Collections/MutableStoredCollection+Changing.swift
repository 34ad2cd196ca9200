extension MutableStoredCollection {
    /// The columns of an element, for ``MutableRow``.
    package static let values = ColumnID(rawValue: UInt16(CollectionLeaf.valuesPosition))
    package static let keys = ColumnID(rawValue: UInt16(CollectionLeaf.keysPosition))

    /// Returns an element to be set. O(log n). Not for elements that may be links, elements of
    /// sets, or keys of maps.
    package func element(at index: Int) -> MutableRow {
        precondition(!kind.carriesLinks, "links are set together with what they link to")
        return changeableRow(at: index)
    }

    func changeableRow(at index: Int) -> MutableRow {
        precondition(index >= 0 && index < count || isAbandoned, "index out of range")
        willChange()
        do {
            if index < count { return try changing(index) }
        } catch {
            abandon(error)
        }
        // A dummy row: values set there are never committed.
        let leaf = newLeaf(capacity: 1)
        leaf.insertRow(0, at: 0)
        return MutableRow(table: table, cluster: leaf, row: 0)
    }

    private func changing(_ index: Int) throws(StoredColumn.Defect) -> MutableRow {
        guard let root else { preconditionFailure("an empty collection has no elements") }
        var node = try editable(root)
        self.root = node
        var index = index
        while node.leaf == nil {
            let (position, start) = node.child(at: index)
            let child = try editable(node.children[position])
            // A child keeps its number, so its parent need not be stored again.
            node.children[position] = child
            node = child
            index -= start
        }
        node.isChanged = true
        return MutableRow(table: table, cluster: node.leaf.unsafelyUnwrapped, row: index)
    }

    /// Sets the key of a map's entry. Call it directly after inserting the entry at the key's
    /// place. O(log n).
    package func setKey(_ key: UnsafeRawBufferPointer, at index: Int) {
        precondition(kind.shape == .map, "only maps have keys")
        changeableRow(at: index).setBytes(Self.keys, key)
    }

    /// Moves an element, so that its index becomes `target`. O(log n).
    package func move(from index: Int, to target: Int) {
        precondition(kind.shape == .list, "only lists have an order of their own")
        precondition(
            index >= 0 && index < count && target >= 0 && target < count || isAbandoned,
            "index out of range")
        if index == target || isAbandoned { return }
        let moved = copy(of: index)
        willChange()
        removeRows((index..<(index + 1)).clamped(to: 0..<count))
        let place = insertRow(at: min(target, count))
        place.cluster.copyValues(of: moved, 0, to: place.row)
    }

    /// Exchanges two elements. O(log n).
    package func swapElements(_ first: Int, _ second: Int) {
        precondition(kind.shape == .list, "only lists have an order of their own")
        if first == second || isAbandoned { return }
        let (one, other) = (copy(of: first), copy(of: second))
        replace(changeableRow(at: first), by: other)
        replace(changeableRow(at: second), by: one)
    }

    private func replace(_ place: MutableRow, by element: MutableCluster) {
        place.cluster.setNull(CollectionLeaf.valuesPosition, place.row)
        place.cluster.copyValues(of: element, 0, to: place.row)
    }

    /// A separate leaf with a copy of one element.
    private func copy(of index: Int) -> MutableCluster {
        let leaf = stored.leaf(at: index)
        let source = ClusterView(
            firstKey: 0, count: leaf.count, columnCount: kinds.count, isMutable: false)
        source.columns[CollectionLeaf.valuesPosition] = leaf.values
        let copy = newLeaf(capacity: 1)
        copy.appendRows(of: source, from: index - leaf.start, to: index - leaf.start + 1)
        return copy
    }
}
