/// The leaf of the last insertion, and the path to it, as in a finger search tree.
///
/// Insertions come in runs, or near each other. While a leaf has room, an insertion into it
/// needs no descent from the root, and one into a neighbour only a few steps. The tree owns the
/// nodes, and drops the finger before it changes its set of nodes. The finger holds plain words
/// only, so that using it counts no references.
///
/// Invariants: the tree may write every node on the path, and has marked each as changed. An
/// insertion at the finger changes no `start`, because it counts in the children on the path.
struct CollectionFinger {
    /// A branch on the path, and the index of the child that the path takes.
    fileprivate struct Step {
        let node: Unmanaged<CollectionNode>
        /// The index of the branch's first element.
        let start: Int
        var child: Int

        @inline(__always)
        func count() {
            node._withUnsafeGuaranteedRef { node in
                node.count &+= 1
                node.counts[child] &+= 1
            }
        }
    }

    /// From the lowest branch up. Three branches suffice for 19 billion elements; a higher tree
    /// has no finger.
    fileprivate var lowest: Step?
    fileprivate var middle: Step?
    fileprivate var highest: Step?
    fileprivate var leafNode: Unmanaged<CollectionNode>
    fileprivate var leaf: Unmanaged<MutableCluster>
    /// The index of the leaf's first element.
    fileprivate var start: Int
    /// The number of elements at which the path must be found again.
    fileprivate var room: Int
    /// Whether elements are non-null values of 8 bytes.
    fileprivate let hasWords: Bool

    /// The leaf's row for an insertion at an index; nil if the index is elsewhere, or if the
    /// leaf is full.
    @inline(__always)
    fileprivate func row(for index: Int) -> Int? {
        let row = index &- start
        return leaf._withUnsafeGuaranteedRef { row >= 0 && row <= $0.count && $0.count < room }
            ? row : nil
    }

    @inline(__always)
    fileprivate func count() {
        leafNode._withUnsafeGuaranteedRef { $0.count &+= 1 }
        if let lowest {
            lowest.count()
            if let middle {
                middle.count()
                if let highest { highest.count() }
            }
        }
    }
}

extension MutableStoredCollection {
    /// Inserts at the finger, if it is at `index` and has room; nil otherwise.
    @inline(__always)
    func insertAtFinger(_ index: Int) -> MutableRow? {
        guard let finger, let row = finger.row(for: index) else { return nil }
        finger.leaf._withUnsafeGuaranteedRef { $0.insertRow(0, at: row) }
        finger.count()
        return MutableRow(table: table, cluster: finger.leaf.takeUnretainedValue(), row: row)
    }

    /// Inserts an element of 8 bytes at the finger, if that is at `index` and has room; returns
    /// false otherwise. Only for collections of 8-byte elements that are not links.
    ///
    /// Equivalent to ``insert(at:)`` followed by setting the element. O(elements of a leaf).
    @inline(__always)
    package func insertAtFinger(word: UInt64, at index: Int) -> Bool {
        guard let finger, finger.hasWords, let row = finger.row(for: index) else { return false }
        finger.leaf._withUnsafeGuaranteedRef { $0.insertWord(word, at: row) }
        finger.count()
        countChange()
        return true
    }

    /// Moves the finger to a neighbouring leaf for an insertion. Returns false if the index is
    /// farther away, or that leaf is full.
    @inline(never)
    func moveFinger(to index: Int) -> Bool {
        guard var finger = self.finger, let step = finger.lowest else { return false }
        let found: (child: Int, start: Int)? = step.node._withUnsafeGuaranteedRef { node in
            guard index > step.start, index &- step.start <= node.count else { return nil }
            return node.counts.withUnsafeBufferPointer { counts in
                var child = step.child
                var start = finger.start
                while index < start {
                    child &-= 1
                    start &-= counts[child]
                }
                while index > start &+ counts[child] {
                    start &+= counts[child]
                    child &+= 1
                }
                return (child, start)
            }
        }
        guard let found else { return false }
        return step.node._withUnsafeGuaranteedRef { node in
            let child = node.children[found.child]
            guard child.token === token, let leaf = child.leaf else { return false }
            child.isChanged = true
            finger.lowest?.child = found.child
            finger.leafNode = .passUnretained(child)
            finger.leaf = .passUnretained(leaf)
            finger.start = found.start
            finger.room = min(leaf.capacity, layout.elementsPerLeaf)
            return put(finger, leaf, at: index)
        }
    }

    /// Places the finger for an insertion. Returns false if more than an insertion into a leaf
    /// is needed: reading nodes, making them editable, or splitting a leaf.
    func placeFinger(at index: Int) -> Bool {
        finger = nil
        // The room of a leaf that texts may fill is unknown.
        guard !kind.type.isVariableLength, kind.shape != .map, var node = root, node.height <= 3
        else { return false }
        var (lowest, middle, highest):
            (CollectionFinger.Step?, CollectionFinger.Step?, CollectionFinger.Step?)
        var start = 0
        while node.leaf == nil {
            guard node.token === token, !node.children.isEmpty else { return false }
            let (child, offset) = node.child(at: index - start)
            (lowest, middle, highest) = (
                .init(node: .passUnretained(node), start: start, child: child), lowest, middle
            )
            node.isChanged = true
            start += offset
            node = node.children[child]
        }
        guard node.token === token, let leaf = node.leaf, leaf.count > 0 else { return false }
        node.isChanged = true
        let finger = CollectionFinger(
            lowest: lowest, middle: middle, highest: highest, leafNode: .passUnretained(node),
            leaf: .passUnretained(leaf), start: start,
            room: min(leaf.capacity, layout.elementsPerLeaf),
            hasWords: kind.type.fixedWidth == 8 && !kind.isNullable && !kind.carriesLinks)
        return put(finger, leaf, at: index)
    }

    private func put(_ finger: CollectionFinger, _ leaf: MutableCluster, at index: Int) -> Bool {
        self.finger = finger
        guard finger.row(for: index) != nil else { return false }
        // A leaf that continues a frozen one shares its values until the first write, which
        // follows.
        leaf.makeMutable(CollectionLeaf.valuesPosition)
        return true
    }
}
