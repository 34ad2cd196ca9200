/// A cursor of an encrypted tree. Confined to one thread.
final class EncryptedCursor {
    private struct Step {
        var node: EncryptedNode
        var index: Int
    }

    let tree: EncryptedTree
    /// The path from the root down to the entry; empty if the cursor is at no entry.
    private var path: ContiguousArray<Step> = []
    /// The tree's change count when `path` was found.
    private var changeCount = 0
    /// In a write transaction: the key of the current entry, to find it again after changes of
    /// the tree.
    private var key: ContiguousArray<UInt8> = []

    private let isWriting: Bool

    init(_ tree: EncryptedTree) {
        self.tree = tree
        isWriting = tree is EncryptedTreeWriter
    }

    func seek(atOrAfter key: UnsafeRawBufferPointer) throws(StorageError) -> Entry? {
        guard try descend(to: key) else { return nil }
        let last = path.count - 1
        path[last].index = path[last].node.search(key).index
        if path[last].index < path[last].node.count { return try current() }
        return try advance() ? current() : nil
    }

    func seek(exactly key: UnsafeRawBufferPointer) throws(StorageError) -> Entry? {
        guard try descend(to: key) else { return nil }
        let last = path.count - 1
        let (index, isExact) = path[last].node.search(key)
        path[last].index = index
        if isExact { return try current() }
        path.removeAll(keepingCapacity: true)
        return nil
    }

    func first() throws(StorageError) -> Entry? {
        guard try begin() else { return nil }
        return try descendToEnd(isLast: false) ? current() : nil
    }

    func last() throws(StorageError) -> Entry? {
        guard try begin() else { return nil }
        return try descendToEnd(isLast: true) ? current() : nil
    }

    func next() throws(StorageError) -> Entry? {
        if !key.isEmpty, changeCount != tree.changeCount {
            let entry = try key.withBytes { key throws(StorageError) in try seek(atOrAfter: key) }
            guard let entry, isCurrent(entry.key) else { return entry }
        } else if path.isEmpty {
            return try first()
        }
        return try advance() ? current() : nil
    }

    func previous() throws(StorageError) -> Entry? {
        if !key.isEmpty, changeCount != tree.changeCount {
            let entry = try key.withBytes { key throws(StorageError) in try seek(atOrAfter: key) }
            if entry == nil { return try last() }
        } else if path.isEmpty {
            return try last()
        }
        return try retreat() ? current() : nil
    }

    /// Moves the cursor to a key that its write transaction has put.
    func noteStanding(at key: UnsafeRawBufferPointer) {
        remember(key)
        changeCount = -1
    }

    /// The key of the current entry, for a cursor of a write transaction.
    var currentKey: ContiguousArray<UInt8> { key }

    /// Calls `body` with entries, beginning with the first one at or after a key, until it
    /// returns false. Values in separate records are not read.
    static func forEachEntry(
        of tree: EncryptedTree, from key: UnsafeRawBufferPointer,
        _ body: (EncryptedNode, Int) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let cursor = EncryptedCursor(tree)
        guard try cursor.descend(to: key) else { return }
        let last = cursor.path.count - 1
        cursor.path[last].index = cursor.path[last].node.search(key).index
        if cursor.path[last].index == cursor.path[last].node.count, try !cursor.advance() { return }
        repeat {
            let step = cursor.path[cursor.path.count - 1]
            guard try body(step.node, step.index) else { return }
        } while try cursor.advance()
    }

    // MARK: Moving

    /// Moves to the root. Returns whether the tree has any entry.
    private func begin() throws(StorageError) -> Bool {
        path.removeAll(keepingCapacity: true)
        changeCount = tree.changeCount
        guard tree.roots.height > 0 else { return false }
        path.append(Step(node: try tree.node(tree.roots.root, height: tree.roots.height), index: 0))
        return true
    }

    /// Moves to the leaf of a key.
    private func descend(to key: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
        guard try begin() else { return false }
        var step = path[0]
        while step.node.height > 1 {
            step.index = step.node.child(for: key)
            path[path.count - 1].index = step.index
            step = Step(
                node: try tree.node(step.node.reference(step.index), height: step.node.height - 1),
                index: 0)
            path.append(step)
        }
        return true
    }

    /// Moves from the current node to the first or last entry below it.
    private func descendToEnd(isLast: Bool) throws(StorageError) -> Bool {
        while true {
            let step = path.count - 1
            let node = path[step].node
            path[step].index = isLast ? node.count - 1 : 0
            if node.height == 1 { return true }
            path.append(
                Step(
                    node: try tree.node(node.reference(path[step].index), height: node.height - 1),
                    index: 0))
        }
    }

    private func advance() throws(StorageError) -> Bool { try move(by: 1) }

    private func retreat() throws(StorageError) -> Bool { try move(by: -1) }

    private func move(by distance: Int) throws(StorageError) -> Bool {
        while let step = path.last {
            let index = step.index + distance
            if index >= 0, index < step.node.count {
                path[path.count - 1].index = index
                if step.node.height == 1 { return true }
                path.append(
                    Step(
                        node: try tree.node(
                            step.node.reference(index), height: step.node.height - 1), index: 0))
                return try descendToEnd(isLast: distance < 0)
            }
            path.removeLast()
        }
        return false
    }

    private func current() throws(StorageError) -> Entry {
        let step = path[path.count - 1]
        let key = step.node.key(step.index)
        if isWriting { remember(key) }
        return Entry(key: key, value: try tree.value(step.node, step.index))
    }

    private func remember(_ key: UnsafeRawBufferPointer) {
        self.key.removeAll(keepingCapacity: true)
        self.key.append(contentsOf: key)
    }

    private func isCurrent(_ other: UnsafeRawBufferPointer) -> Bool {
        key.withUnsafeBytes { ByteComparison.areEqual($0, other) }
    }
}
