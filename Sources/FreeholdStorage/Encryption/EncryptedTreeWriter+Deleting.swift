extension EncryptedTreeWriter {
    /// Removes a key's entry. Returns whether there was one.
    func delete(_ key: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
        try settle()
        guard try find(key) != nil else { return false }
        changes &+= 1
        try descend(to: key)
        let leaf = path[path.count - 1].node
        let (index, isExact) = leaf.view.search(key)
        try dropValue(leaf, index, isExact)
        leaf.remove(at: index)
        roots.entryCount -= 1
        if leaf.count == 0 || leaf.size < treeEncryption.nodeCapacity / 4 { try shrink() }
        return true
    }

    /// Removes every entry. O(pages).
    func deleteAll() throws(StorageError) {
        try settle()
        changes &+= 1
        try owner.pageGuard?.judge(database) { tree throws(MappedPage.Damage) in
            try tree.willDeleteAll()
        }
        // The format record is not part of the tree, so it is kept.
        var format: [UInt8]?
        if database == .meta, case .success(let found) = FormatRecord.stored(in: raw) {
            format = Array(found)
        }
        var result = raw.deleteAll(database.handle)
        if result == .success, let format { result = FormatRecord.put(format, in: raw) }
        try result.check("empty a database", path: treeEncryption.path)
        dirty.removeAll()
        clean.removeAll()
        path.removeAll()
        roots = EncryptedRoots.Tree(nextNumber: roots.nextNumber)
    }

    /// Removes or merges the leaf at the end of `path`, which has few or no entries, then each
    /// branch above that becomes too small.
    private func shrink() throws(StorageError) {
        while let step = path.popLast() {
            let node = step.node
            guard let parent = path.last else {
                try shrinkRoot(node)
                break
            }
            if node.count == 0 {
                parent.node.remove(at: parent.index)
                try deleteNode(node.number)
            } else if node.size < treeEncryption.nodeCapacity / 4 {
                guard try merge(node, parent.node, parent.index) else { break }
            } else {
                break
            }
        }
        path.removeAll(keepingCapacity: true)
    }

    private func shrinkRoot(_ node: DirtyNode) throws(StorageError) {
        var root = node
        if root.count == 0 {
            try deleteNode(root.number)
            roots.root = .none
            roots.height = 0
            return
        }
        while root.height > 1, root.count == 1 {
            roots.root = root.view.reference(0)
            roots.height -= 1
            try deleteNode(root.number)
            guard let next = dirty[roots.root.number] else { return }
            root = next
        }
    }

    /// Merges a node with a neighbour below the same branch, if they fit into one. Returns
    /// whether the branch has lost a child.
    private func merge(_ node: DirtyNode, _ parent: DirtyNode, _ index: Int) throws(StorageError)
        -> Bool
    {
        let view = parent.view
        let left = index + 1 < view.count ? index : index - 1
        guard left >= 0 else { return false }
        let (leftReference, rightReference) = (view.reference(left), view.reference(left + 1))
        let other = try self.node(
            left == index ? rightReference : leftReference, height: node.height)
        let size = node.size + (0..<other.count).reduce(0) { $0 + other.size(ofEntry: $1) + 2 }
        guard size <= treeEncryption.nodeCapacity * 3 / 4 else { return false }
        let target = try makeDirty(leftReference, height: node.height)
        if leftReference.attempt != attempt {
            parent.setReference(at: left, reference(leftReference.number))
        }
        let right = try self.node(rightReference, height: node.height)
        // The first child's own key is meaningless; the branch holds its lower bound.
        target.append(
            right, 0..<right.count, firstKey: right.height > 1 ? parent.view.key(left + 1) : nil)
        parent.remove(at: left + 1)
        try deleteNode(rightReference.number)
        return true
    }

    private func deleteNode(_ number: UInt64) throws(StorageError) {
        dirty[number] = nil
        clean[number] = nil
        if number < baseRoots.nextNumber { try deleteRecord(number) }
    }

    func deleteRecord(_ number: UInt64) throws(StorageError) {
        clean[number] = nil
        owner.noteWriting(owner.pageSize, put: 0)
        var bytes = number.bigEndian
        try judge(bytes) { tree, key throws(MappedPage.Damage) in try tree.willDelete(key) }
        let result = withUnsafeBytes(of: &bytes) { raw.delete(database.handle, $0) }
        if result == .notFound {
            throw treeEncryption.damaged(place(reference(number), .value), "it is missing")
        }
        try result.check("delete a record", path: treeEncryption.path)
    }
}
