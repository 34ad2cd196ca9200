/// A node of a collection that the open transaction changes.
///
/// Nodes that are not needed yet stay stored (``isStub``). A node belongs to the tree with its
/// edit token: only that tree writes it, and only until it is frozen. A tree that continues a
/// frozen one copies each node that it changes, and shares all others.
final class CollectionNode {
    /// The token of the tree that owns this node.
    let token: CollectionEditToken?
    /// Its number in the file; 0 if it has none yet.
    var number: UInt32
    /// The number of branches above each leaf below this node.
    let height: Int
    /// The number of elements below it.
    @exclusivity(unchecked) var count: Int
    /// Whether it has to be stored again.
    var isChanged: Bool
    /// The elements, in a leaf.
    var leaf: MutableCluster?
    /// The children of a branch. Their counts are in `counts`, so that a search reads one
    /// array.
    var children: ContiguousArray<CollectionNode> = []
    @exclusivity(unchecked) var counts: ContiguousArray<Int> = []

    /// Creates a node that has not been read.
    init(stub number: UInt32, height: Int, count: Int) {
        token = nil
        self.number = number
        self.height = height
        self.count = count
        isChanged = false
    }

    init(_ token: CollectionEditToken, leaf: MutableCluster, number: UInt32 = 0, isChanged: Bool) {
        self.token = token
        self.number = number
        height = 0
        count = leaf.count
        self.isChanged = isChanged
        self.leaf = leaf
    }

    init(
        _ token: CollectionEditToken, children: ContiguousArray<CollectionNode>,
        counts: ContiguousArray<Int>, height: Int, number: UInt32 = 0, isChanged: Bool
    ) {
        self.token = token
        self.number = number
        self.height = height
        count = counts.reduce(0, +)
        self.isChanged = isChanged
        self.children = children
        self.counts = counts
    }

    /// Whether the node is as it is stored, and unread.
    var isStub: Bool { leaf == nil && children.isEmpty }

    /// The child that contains an element, and the index of that child's first element. An
    /// index past the last element leads to the last child.
    func child(at index: Int) -> (child: Int, start: Int) {
        var start = 0
        let last = counts.count - 1
        return counts.withUnsafeBufferPointer { counts in
            for child in 0..<last {
                let end = start &+ counts[child]
                if index < end { return (child, start) }
                start = end
            }
            return (last, start)
        }
    }

    /// Freezes the nodes that have a token: this one and those below it.
    func freeze(_ token: CollectionEditToken) {
        guard self.token === token else { return }
        leaf?.freeze()
        for child in children { child.freeze(token) }
    }
}

/// Identifies the owner of nodes, by its identity.
final class CollectionEditToken {}
