extension MutableStoredCollection {
    /// Inserts an element before the one at `index` (`count` appends). The element is null,
    /// zero or empty; set it immediately. O(log n).
    ///
    /// Not for elements that may be links: see ``insert(link:at:)`` and ``insert(mixed:at:)``.
    package func insert(at index: Int) -> MutableRow {
        precondition(!kind.carriesLinks, "links are inserted together with what they link to")
        return insertRow(at: index)
    }

    func insertRow(at index: Int) -> MutableRow {
        if let row = insertAtFinger(index) {
            willChange()
            return row
        }
        return insertRowSlowly(at: index)
    }

    @inline(never)
    private func insertRowSlowly(at index: Int) -> MutableRow {
        precondition(index >= 0 && index <= count || isAbandoned, "index out of range")
        willChange()
        let index = min(index, count)
        if moveFinger(to: index) || placeFinger(at: index), let row = insertAtFinger(index) {
            return row
        }
        finger = nil
        do {
            return try inserting(at: index)
        } catch {
            abandon(error)
            // The tree is empty now, so no node needs to be read.
            guard let row = try? inserting(at: 0) else {
                preconditionFailure("an empty tree has no damaged nodes")
            }
            return row
        }
    }

    private func inserting(at index: Int) throws(StoredColumn.Defect) -> MutableRow {
        guard let root else {
            let leaf = newLeaf(capacity: capacity(for: 1))
            leaf.insertRow(0, at: 0)
            self.root = CollectionNode(token, leaf: leaf, isChanged: true)
            return MutableRow(table: table, cluster: leaf, row: 0)
        }
        let top = try editable(root)
        self.root = top
        var place: MutableRow?
        if let split = try insert(into: top, at: index, &place) {
            self.root = CollectionNode(
                token, children: [top, split], counts: [top.count, split.count],
                height: top.height + 1, isChanged: true)
        }
        return place.unsafelyUnwrapped
    }

    /// Inserts below a writable node; returns a new right sibling of the node if it was full.
    private func insert(into node: CollectionNode, at index: Int, _ place: inout MutableRow?)
        throws(StoredColumn.Defect) -> CollectionNode?
    {
        guard let leaf = node.leaf else { return try insert(intoBranch: node, at: index, &place) }
        node.isChanged = true
        if isFull(leaf) {
            let split = split(node, leaf, around: index)
            if index > node.count || (index == node.count && split.count < node.count) {
                insert(intoLeaf: split, at: index - node.count, &place)
            } else {
                insert(intoLeaf: node, at: index, &place)
            }
            return split
        }
        insert(intoLeaf: node, at: index, &place)
        return nil
    }

    private func insert(intoLeaf node: CollectionNode, at index: Int, _ place: inout MutableRow?) {
        guard var leaf = node.leaf else { preconditionFailure("a leaf has elements") }
        if leaf.count == leaf.capacity {
            leaf = leaf.grown(to: capacity(for: leaf.count + 1))
            node.leaf = leaf
        }
        leaf.insertRow(0, at: index)
        node.count = leaf.count
        place = MutableRow(table: table, cluster: leaf, row: index)
    }

    /// Splits a full leaf. A leaf that is appended to keeps all its elements, so that lists
    /// that only grow have full leaves.
    private func split(_ node: CollectionNode, _ leaf: MutableCluster, around index: Int)
        -> CollectionNode
    {
        if index == leaf.count {
            return CollectionNode(
                token, leaf: newLeaf(capacity: capacity(for: leaf.count)), isChanged: true)
        }
        let upper = newLeaf(capacity: capacity(for: leaf.count - leaf.count / 2 + 1))
        upper.appendRows(of: leaf, from: leaf.count / 2, to: leaf.count)
        keep(0..<(leaf.count / 2), in: node, leaf)
        return CollectionNode(token, leaf: upper, isChanged: true)
    }

    /// Replaces a leaf with a part of its elements, and frees the memory of the other texts.
    private func keep(_ kept: Range<Int>, in node: CollectionNode, _ leaf: MutableCluster) {
        let smaller = newLeaf(capacity: capacity(for: kept.count + 1))
        smaller.appendRows(of: leaf, from: kept.lowerBound, to: kept.upperBound)
        node.leaf = smaller
        node.count = kept.count
    }

    private func insert(intoBranch node: CollectionNode, at index: Int, _ place: inout MutableRow?)
        throws(StoredColumn.Defect) -> CollectionNode?
    {
        let (position, start) = node.child(at: index)
        let child = try editable(node.children[position])
        node.children[position] = child
        let split = try insert(into: child, at: index - start, &place)
        node.isChanged = true
        node.counts[position] = child.count
        node.count += 1
        guard let split else { return nil }
        node.children.insert(split, at: position + 1)
        node.counts.insert(split.count, at: position + 1)
        if node.children.count <= layout.childrenPerBranch { return nil }
        let isAppended = position + 2 == node.children.count
        return splitBranch(node, at: isAppended ? node.children.count - 1 : node.children.count / 2)
    }

    private func splitBranch(_ node: CollectionNode, at position: Int) -> CollectionNode {
        let upper = CollectionNode(
            token, children: ContiguousArray(node.children[position...]),
            counts: ContiguousArray(node.counts[position...]), height: node.height, isChanged: true)
        node.children.removeSubrange(position...)
        node.counts.removeSubrange(position...)
        node.count -= upper.count
        return upper
    }
}
