/// The pages from the root of a tree down to one of its pages, all judged.
struct TreePath {
    struct Step {
        let page: MappedPage
        let count: Int
        let bounds: KeyBounds
        /// The child of the next step. In a leaf, the first entry not below the key that was
        /// sought.
        var index = 0

        var number: UInt64 { page.number }
    }

    private(set) var steps: ContiguousArray<Step>
    /// Whether the leaf has the key that was sought.
    private(set) var isExact = false

    var last: Step { steps[steps.count - 1] }

    /// The path to a page above.
    func prefix(_ count: Int) -> TreePath { TreePath(steps: ContiguousArray(steps[..<count])) }
}

/// One version of a tree whose pages are judged when a path reaches them.
struct JudgedTree {
    typealias Damage = MappedPage.Damage

    let tree: MappedTree
    let pages: JudgedPages
    let isFreeList: Bool

    var isEmpty: Bool { tree.isEmpty }
    var depth: Int { tree.depth }

    private func root() throws(Damage) -> TreePath {
        guard tree.hasPossibleDepth else { throw Damage() }
        return TreePath(steps: [try step(tree.root, height: depth, KeyBounds())])
    }

    private func step(_ number: UInt64, height: Int, _ bounds: KeyBounds) throws(Damage)
        -> TreePath.Step
    {
        let (page, count) = try tree.page(number, height: height)
        try pages.judge(page, bounds, isFreeList: isFreeList)
        return TreePath.Step(page: page, count: count, bounds: bounds)
    }

    /// Goes down to the current child of the last step.
    private func descend(_ path: inout TreePath) throws(Damage) {
        let above = path.last
        guard let (key, child) = above.page.branchNode(at: above.index),
            // LMDB wrote nothing new below an old page.
            pages.isNew(above.number) || !pages.isNew(child)
        else { throw Damage() }
        var bounds = above.bounds
        if above.index > 0 { bounds.low = key }
        if above.index + 1 < above.count {
            guard let next = above.page.branchNode(at: above.index + 1) else { throw Damage() }
            bounds.high = next.key
        }
        path.append(try step(child, height: depth - path.steps.count, bounds))
    }

    /// The path to the leaf of a key, in a tree that is not empty.
    func path(to key: UnsafeRawBufferPointer) throws(Damage) -> TreePath {
        var path = try root()
        while path.steps.count < depth {
            let last = path.last
            guard let index = last.page.childIndex(for: key, last.count) else { throw Damage() }
            path.setIndex(index)
            try descend(&path)
        }
        let leaf = path.last
        guard let (index, isExact) = leaf.page.search(key, from: 0, leaf.count) else {
            throw Damage()
        }
        path.setIndex(index, isExact: isExact)
        return path
    }

    /// The path to the first or the last leaf, in a tree that is not empty.
    func edge(isLast: Bool) throws(Damage) -> TreePath { try edge(below: root(), isLast: isLast) }

    /// Extends a path along the first or the last children, to a leaf.
    func edge(below top: TreePath, isLast: Bool) throws(Damage) -> TreePath {
        var path = top
        path.setIndex(isLast ? path.last.count - 1 : 0)
        while path.steps.count < depth {
            try descend(&path)
            path.setIndex(isLast ? path.last.count - 1 : 0)
        }
        return path
    }

    /// The path to the next page of the same height, or to the previous one; nil at the end of
    /// the tree.
    func neighbour(of path: TreePath, isNext: Bool) throws(Damage) -> TreePath? {
        let count = path.steps.count
        for level in stride(from: count - 2, through: 0, by: -1) {
            let index = path.steps[level].index + (isNext ? 1 : -1)
            guard index >= 0, index < path.steps[level].count else { continue }
            var neighbour = path.prefix(level + 1)
            neighbour.setIndex(index)
            while neighbour.steps.count < count {
                try descend(&neighbour)
                neighbour.setIndex(isNext ? 0 : neighbour.last.count - 1)
            }
            return neighbour
        }
        return nil
    }

    /// Judges the head of an entry's large value, whose pages LMDB frees with the entry.
    func judgeValue(at index: Int, of leaf: TreePath.Step) throws(Damage) {
        guard let node = leaf.page.leafNode(at: index) else { throw Damage() }
        if node.largeValue == 0 { return }
        guard tree.value(of: node) != nil,
            pages.isNew(leaf.number) || !pages.isNew(node.largeValue)
        else { throw Damage() }
        pages.noteLargeValue(node.largeValue)
    }
}

extension TreePath {
    fileprivate mutating func append(_ step: Step) { steps.append(step) }

    fileprivate mutating func setIndex(_ index: Int, isExact: Bool = false) {
        steps[steps.count - 1].index = index
        self.isExact = isExact
    }
}
