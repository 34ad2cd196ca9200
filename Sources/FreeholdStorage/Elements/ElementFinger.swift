/// The leaf that an element was inserted into last, with the way to it.
///
/// Insertions come in runs: at the end, or one behind the other. While a leaf has room, such an insertion needs no walk from the root.
/// The nodes belong to the tree, which forgets the finger before it changes which nodes it has.
struct ElementFinger {
    /// The branches from the root down, and which child the way takes.
    fileprivate let path: ContiguousArray<(node: Unmanaged<ElementNode>, child: Int)>
    fileprivate let leafNode: Unmanaged<ElementNode>
    fileprivate let leaf: Unmanaged<MutableCluster>
    /// The index of the leaf's first element.
    fileprivate let start: Int
    /// How many elements the leaf may have before the way has to be found again.
    fileprivate let room: Int
}

extension ElementTree {
    /// Inserts at the finger, if it is at `index` and has room; nil otherwise.
    @inline(__always)
    func insertAtFinger(_ index: Int) -> MutableRow? {
        guard let finger else { return nil }
        let row = index &- finger.start
        return finger.leaf._withUnsafeGuaranteedRef { leaf -> MutableRow? in
            guard row > 0, row <= leaf.count, leaf.count < finger.room else { return nil }
            leaf.insertRow(0, at: row)
            finger.leafNode._withUnsafeGuaranteedRef { $0.count &+= 1 }
            for (node, child) in finger.path {
                node._withUnsafeGuaranteedRef { node in
                    node.count &+= 1
                    node.counts[child] &+= 1
                }
            }
            return MutableRow(table: table, cluster: leaf, row: row)
        }
    }

    /// Puts the finger on the leaf that has an element which was just inserted.
    func placeFinger(at index: Int) {
        // The room of a leaf whose texts may fill it is not known.
        guard !kind.type.isVariableLength, kind.shape != .map, var node = root else { return finger = nil }
        var path: ContiguousArray<(node: Unmanaged<ElementNode>, child: Int)> = []
        var start = 0
        while node.leaf == nil {
            // Nodes on the way to an inserted element were made this tree's own.
            guard node.token === token, !node.children.isEmpty else { return finger = nil }
            let (child, offset) = node.child(at: index - start)
            path.append((.passUnretained(node), child))
            start += offset
            node = node.children[child]
        }
        guard node.token === token, let leaf = node.leaf else { return finger = nil }
        finger = ElementFinger(
            path: path, leafNode: .passUnretained(node), leaf: .passUnretained(leaf), start: start, room: min(leaf.capacity, layout.elementsPerLeaf))
    }
}
