/// The leaf that an element was inserted into last, with the way to it.
///
/// Insertions come in runs: at the end, or one behind the other. While a leaf has room, such an insertion needs no walk from the root.
/// The nodes belong to the tree, which forgets the finger before it changes which nodes it has. Plain words only, so that using it counts no references.
struct ElementFinger {
    /// A branch on the way, and which child the way takes.
    fileprivate struct Step {
        let node: Unmanaged<ElementNode>
        let child: Int

        @inline(__always)
        func count() {
            node._withUnsafeGuaranteedRef { node in
                node.count &+= 1
                node.counts[child] &+= 1
            }
        }
    }

    /// From the root down. Three branches are enough for 19 billion elements; a higher tree has no finger.
    fileprivate var first: Step?
    fileprivate var second: Step?
    fileprivate var third: Step?
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
        let isInserted = finger.leaf._withUnsafeGuaranteedRef { leaf in
            guard row > 0, row <= leaf.count, leaf.count < finger.room else { return false }
            leaf.insertRow(0, at: row)
            return true
        }
        guard isInserted else { return nil }
        finger.leafNode._withUnsafeGuaranteedRef { $0.count &+= 1 }
        if let step = finger.first { step.count() }
        if let step = finger.second { step.count() }
        if let step = finger.third { step.count() }
        return MutableRow(table: table, cluster: finger.leaf.takeUnretainedValue(), row: row)
    }

    /// Puts the finger on the leaf that has an element which was just inserted.
    func placeFinger(at index: Int) {
        finger = nil
        // The room of a leaf whose texts may fill it is not known.
        guard !kind.type.isVariableLength, kind.shape != .map, var node = root, node.height <= 3 else { return }
        var steps: [ElementFinger.Step] = []
        var start = 0
        while node.leaf == nil {
            // Nodes on the way to an inserted element were made this tree's own.
            guard node.token === token, !node.children.isEmpty else { return }
            let (child, offset) = node.child(at: index - start)
            steps.append(ElementFinger.Step(node: .passUnretained(node), child: child))
            start += offset
            node = node.children[child]
        }
        guard node.token === token, let leaf = node.leaf else { return }
        func step(_ number: Int) -> ElementFinger.Step? { number < steps.count ? steps[number] : nil }
        finger = ElementFinger(
            first: step(0), second: step(1), third: step(2), leafNode: .passUnretained(node), leaf: .passUnretained(leaf), start: start,
            room: min(leaf.capacity, layout.elementsPerLeaf))
    }
}
