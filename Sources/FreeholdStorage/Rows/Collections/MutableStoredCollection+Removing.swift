extension MutableStoredCollection {
    /// Removes elements. O(log n + elements removed) if they may be links, else O(log n + nodes
    /// removed).
    package func remove(_ range: Range<Int>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count || isAbandoned, "range out of bounds"
        )
        let range = range.clamped(to: 0..<count)
        if range.isEmpty { return }
        willChange()
        if kind.carriesLinks { noteLinks(in: range, areRemoved: true) }
        removeRows(range)
    }

    package func removeAll() { remove(0..<count) }

    /// ``remove(_:)`` without updating the backlinks.
    func removeRows(_ range: Range<Int>) {
        finger = nil
        do {
            if range.count == count {
                root.map(forget)
                root = nil
            } else if let root {
                let top = try editable(root)
                try remove(range, from: top)
                self.root = collapsed(top)
            }
        } catch {
            abandon(error)
        }
    }

    /// Removes some, not all, of the elements below a writable node.
    private func remove(_ range: Range<Int>, from node: CollectionNode) throws(StoredColumn.Defect)
    {
        node.isChanged = true
        node.count -= range.count
        if let leaf = node.leaf {
            if range.count == 1 { return leaf.removeRow(at: range.lowerBound) }
            let keeps = ContiguousArray<UInt8>(unsafeUninitializedCapacity: leaf.count) {
                bytes, count in
                for row in 0..<leaf.count {
                    bytes.initializeElement(at: row, to: range.contains(row) ? 0 : 1)
                }
                count = leaf.count
            }
            return keeps.withUnsafeBufferPointer {
                leaf.keepRows($0.baseAddress.unsafelyUnwrapped, keptCount: leaf.count - range.count)
            }
        }
        var start = 0
        var child = 0
        let first = node.child(at: range.lowerBound).child
        while start < range.upperBound {
            let end = start + node.counts[child]
            let removed = range.clamped(to: start..<end)
            if removed.count == node.counts[child] {
                forget(node.children[child])
                node.children.remove(at: child)
                node.counts.remove(at: child)
            } else {
                if !removed.isEmpty {
                    let changed = try editable(node.children[child])
                    node.children[child] = changed
                    try remove(
                        (removed.lowerBound - start)..<(removed.upperBound - start), from: changed)
                    node.counts[child] = changed.count
                }
                child += 1
            }
            start = end
        }
        // Only the children at the ends of the range have lost some of their elements.
        try mergeChild(at: min(first + 1, node.children.count - 1), of: node)
        try mergeChild(at: min(first, node.children.count - 1), of: node)
    }

    /// Merges a child that became small with a sibling, if the result is small enough not to be
    /// split soon.
    private func mergeChild(at position: Int, of node: CollectionNode) throws(StoredColumn.Defect) {
        guard position >= 0, node.children.count > 1, isSmall(node.children[position]) else {
            return
        }
        let left =
            position > 0
                && (position + 1 == node.children.count
                    || node.counts[position - 1] <= node.counts[position + 1])
            ? position - 1 : position
        let (first, second) = (
            try editable(node.children[left]), try editable(node.children[left + 1])
        )
        guard let merged = merged(first, second) else { return }
        node.children[left] = merged
        node.counts[left] = merged.count
        node.children.remove(at: left + 1)
        node.counts.remove(at: left + 1)
    }

    private func isSmall(_ node: CollectionNode) -> Bool {
        if node.isStub { return false }
        if node.leaf != nil { return node.count <= layout.elementsPerLeaf / 4 }
        return node.children.count <= layout.childrenPerBranch / 4 || node.children.count == 1
    }

    private func merged(_ first: CollectionNode, _ second: CollectionNode) -> CollectionNode? {
        if let leaf = first.leaf, let other = second.leaf {
            guard leaf.count + other.count <= layout.elementsPerLeaf * 3 / 4,
                textLength(of: leaf) + textLength(of: other) <= layout.longestLeaf
            else { return nil }
            let union = newLeaf(capacity: capacity(for: leaf.count + other.count))
            union.appendRows(of: leaf, from: 0, to: leaf.count)
            union.appendRows(of: other, from: 0, to: other.count)
            forgetNumber(of: second)
            return CollectionNode(token, leaf: union, number: first.number, isChanged: true)
        }
        guard
            first.children.count + second.children.count <= max(layout.childrenPerBranch * 3 / 4, 2)
        else { return nil }
        forgetNumber(of: second)
        return CollectionNode(
            token, children: first.children + second.children, counts: first.counts + second.counts,
            height: first.height, number: first.number, isChanged: true)
    }

    /// The highest node with elements in more than one child.
    private func collapsed(_ node: CollectionNode) -> CollectionNode {
        var node = node
        while node.leaf == nil, node.children.count == 1, let only = node.children.first {
            forgetNumber(of: node)
            node = only
        }
        return node
    }

    // MARK: Numbers of nodes

    /// Makes the commit delete the stored form of a node and of all nodes below it.
    private func forget(_ node: CollectionNode) {
        if node === root {
            isDetached = true
            removedNumbers = []
            return
        }
        forgetNumber(of: node)
        if isDetached || node.height == 0 { return }
        if node.isStub {
            forgetStored(node.number, height: node.height)
        } else {
            for child in node.children { forget(child) }
        }
    }

    private func forgetNumber(of node: CollectionNode) {
        if node.number != 0, !isDetached { removedNumbers.append(node.number) }
    }

    /// The same, for the nodes below a stored branch.
    private func forgetStored(_ number: UInt32, height: Int) {
        guard let bytes = table.node(number, column, row: row),
            let branch = try? CollectionBranch(decoding: bytes, height: height)
        else {
            return table.noteDamage(
                CollectionDamage.error("node \(number) is damaged", table, column, row: row))
        }
        for child in 0..<branch.count {
            removedNumbers.append(branch.node(child))
            if height > 1 { forgetStored(branch.node(child), height: height - 1) }
        }
    }
}
