internal import Foundation

/// An encrypted tree inside a write transaction, on the committing thread. Nodes that it only reads
/// stay in their records; changed nodes become a ``DirtyNode``. Separate values are encrypted
/// with the next call, nodes when the transaction ends.
final class EncryptedTreeWriter: EncryptedTree, @unchecked Sendable {
    // Sendable: it never leaves the committing thread.

    let raw: LMDBTransaction
    let version: UInt64
    let attempt: WriteAttempt
    unowned let owner: any EncryptedTreeOwner
    let baseRoots: EncryptedRoots.Tree
    var dirty: [UInt64: DirtyNode] = [:]
    var clean: [UInt64: EncryptedRecord] = [:]
    /// A value that the caller is still filling in, with its padding.
    var reserved: (number: UInt64, bytes: UnsafeMutableRawBufferPointer)?
    /// The most recently read value among those that this transaction wrote.
    private var lastWritten: EncryptedRecord?
    var changes = 0

    struct Step {
        let node: DirtyNode
        /// The index of the child in the next step; meaningless in the leaf.
        var index: Int
    }

    /// The path to the leaf that was changed last, and the range of its keys: from `low` on,
    /// below `high`; nil is unbounded.
    var path: ContiguousArray<Step> = []
    private var low: ContiguousArray<UInt8>?
    private var high: ContiguousArray<UInt8>?

    init(
        _ database: Database, _ roots: EncryptedRoots.Tree, _ treeEncryption: TreeEncryption,
        version: UInt64, _ attempt: WriteAttempt, _ owner: any EncryptedTreeOwner
    ) {
        self.owner = owner
        raw = owner.liveRaw
        self.version = version
        self.attempt = attempt
        baseRoots = roots
        super.init(database, roots, treeEncryption)
    }

    deinit { if let reserved { Self.wipe(reserved.bytes) } }

    override var changeCount: Int { changes }
    var isChanged: Bool { roots != baseRoots || !dirty.isEmpty }

    // MARK: Reading

    override func node(_ reference: EncryptedReference, height: Int) throws(StorageError)
        -> EncryptedNode
    {
        if let node = dirty[reference.number] { return node.view }
        if let known = clean[reference.number] { return try node(in: known, height: height) }
        try judgeReading(reference)
        let record = try treeEncryption.committed(place(reference, .node), in: raw)
        let node = try node(in: record, height: height)
        clean[reference.number] = record
        return node
    }

    override func value(_ reference: EncryptedReference, count: Int) throws(StorageError)
        -> UnsafeRawBufferPointer
    {
        try settle()
        let place = place(reference, .value)
        let record: EncryptedRecord
        if reference.attempt == attempt {
            // Bypasses the cache, which keeps only records that can be read again.
            try judgeReading(reference)
            record = try treeEncryption.read(place, in: raw, count: count)
            lastWritten = record
        } else if let known = clean[reference.number] {
            record = known
        } else {
            try judgeReading(reference)
            record = try treeEncryption.committed(place, in: raw, count: count)
            clean[reference.number] = record
        }
        guard record.bytes.count == count else {
            throw treeEncryption.damaged(
                place, "it has \(record.bytes.count) bytes instead of \(count)")
        }
        return record.bytes
    }

    // MARK: Putting

    /// Sets the value of a key.
    func put(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(StorageError) {
        let (node, index, isExact) = try prepare(key, count: value.count)
        if value.count <= EncryptedNode.longestInlineValue {
            try dropValue(node, index, isExact)
            place(node, index, isExact, key, UInt32(truncatingIfNeeded: value.count), value.count)
                .copyMemory(from: value)
            try finishPut(isExact)
        } else {
            let number = try placeReference(node, index, isExact, key, count: value.count)
            try finishPut(isExact)
            let bytes = Self.paddedBytes(count: value.count)
            defer { Self.wipe(bytes) }
            bytes.copyMemory(from: value)
            try write(UnsafeRawBufferPointer(bytes), at: place(reference(number), .value))
        }
    }

    /// Sets the value of a key to bytes that the caller fills in before its next call to the
    /// tree.
    func reserve(key: UnsafeRawBufferPointer, count: Int) throws(StorageError)
        -> UnsafeMutableRawBufferPointer
    {
        let (node, index, isExact) = try prepare(key, count: count)
        if count > EncryptedNode.longestInlineValue {
            let number = try placeReference(node, index, isExact, key, count: count)
            try finishPut(isExact)
            let bytes = Self.paddedBytes(count: count)
            reserved = (number, bytes)
            return UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
        }
        try dropValue(node, index, isExact)
        let target = place(node, index, isExact, key, UInt32(truncatingIfNeeded: count), count)
        guard try finishPut(isExact) else { return target }
        // The leaf was split, and the entry may have moved.
        guard let (leaf, found) = try find(key) else {
            preconditionFailure("An entry that was put is in the tree.")
        }
        return UnsafeMutableRawBufferPointer(mutating: leaf.inlineValue(found))
    }

    private func prepare(_ key: UnsafeRawBufferPointer, count: Int) throws(StorageError) -> (
        DirtyNode, Int, Bool
    ) {
        try settle()
        guard !key.isEmpty, key.count <= EncryptedNode.longestKey,
            count < EncryptedNode.referenceBit
        else { throw .lmdb(.badValueSize, "put an entry", path: treeEncryption.path) }
        changes &+= 1
        if roots.height == 0 {
            let leaf = makeNode(height: 1)
            roots.root = reference(leaf.number)
            roots.height = 1
        }
        try descend(to: key)
        let leaf = path[path.count - 1].node
        let (index, isExact) = leaf.view.search(key)
        return (leaf, index, isExact)
    }

    private func place(
        _ node: DirtyNode, _ index: Int, _ isExact: Bool, _ key: UnsafeRawBufferPointer,
        _ word: UInt32, _ count: Int
    ) -> UnsafeMutableRawBufferPointer {
        path[path.count - 1].index = index
        return isExact
            ? node.replace(at: index, key: key, lengthWord: word, storedCount: count)
            : node.insert(at: index, key: key, lengthWord: word, storedCount: count)
    }

    /// Makes the entry refer to a value's record, and returns the record's number. It reuses
    /// the number of the previous value's record if another transaction wrote that record. A
    /// record of this transaction gets a new number instead, so that nothing is encrypted twice
    /// for one place.
    private func placeReference(
        _ node: DirtyNode, _ index: Int, _ isExact: Bool, _ key: UnsafeRawBufferPointer, count: Int
    ) throws(StorageError) -> UInt64 {
        let old = isExact && node.view.isReference(index) ? node.view.reference(index) : nil
        if let old, old.attempt == attempt { try deleteRecord(old.number) }
        let number = old.flatMap { $0.attempt == attempt ? nil : $0.number } ?? takeNumber()
        clean[number] = nil
        let target = place(
            node, index, isExact, key,
            UInt32(truncatingIfNeeded: count) | EncryptedNode.referenceBit, EncryptedReference.size)
        if let start = target.baseAddress { reference(number).store(at: start) }
        return number
    }

    /// Deletes the separate record of an entry's value, if it has one.
    func dropValue(_ node: DirtyNode, _ index: Int, _ isExact: Bool) throws(StorageError) {
        if isExact, node.view.isReference(index) {
            try deleteRecord(node.view.reference(index).number)
        }
    }

    /// Counts the entry, and splits nodes that are too large. Returns whether the leaf was
    /// split.
    @discardableResult
    private func finishPut(_ isExact: Bool) throws(StorageError) -> Bool {
        if !isExact { roots.entryCount += 1 }
        guard let leaf = path.last, isTooLarge(leaf.node) else { return false }
        split()
        return true
    }

    private func isTooLarge(_ node: DirtyNode) -> Bool {
        node.size > treeEncryption.nodeCapacity && node.count > 2
    }

    /// Splits the leaf at the end of `path`, then each branch above that becomes too large.
    private func split() {
        while let step = path.popLast() {
            let node = step.node
            guard isTooLarge(node) else { break }
            // A node that grows at its end is left full.
            let isAppended = step.index == node.count - 1
            let middle = isAppended ? node.count - 1 : halfway(node)
            let right = makeNode(height: node.height)
            right.append(node.view, middle..<node.count)
            node.truncate(to: middle)
            if path.isEmpty {
                let root = makeNode(height: node.height + 1)
                insertChild(root, at: 0, node)
                insertChild(root, at: 1, right)
                roots.root = reference(root.number)
                roots.height += 1
                break
            }
            let parent = path.count - 1
            insertChild(path[parent].node, at: path[parent].index + 1, right)
            path[parent].index += 1
        }
        path.removeAll(keepingCapacity: true)
    }

    /// The index where about half of a node's bytes are passed.
    private func halfway(_ node: DirtyNode) -> Int {
        var size = 0
        for index in 0..<node.count {
            size += node.view.size(ofEntry: index) + 2
            if size * 2 >= node.size { return min(max(index, 1), node.count - 1) }
        }
        return node.count / 2
    }

    private func insertChild(_ parent: DirtyNode, at index: Int, _ child: DirtyNode) {
        let target = parent.insert(
            at: index, key: child.view.key(0), lengthWord: EncryptedNode.referenceBit,
            storedCount: EncryptedReference.size)
        if let start = target.baseAddress { reference(child.number).store(at: start) }
    }

    // MARK: Going down

    /// Makes `path` lead to the leaf of a key, with all its nodes dirty.
    func descend(to key: UnsafeRawBufferPointer) throws(StorageError) {
        if !path.isEmpty, isInRange(key) { return }
        path.removeAll(keepingCapacity: true)
        low = nil
        high = nil
        var node = try makeDirty(roots.root, height: roots.height)
        roots.root = reference(roots.root.number)
        while node.height > 1 {
            let view = node.view
            let index = view.child(for: key)
            if index > 0 { low = ContiguousArray(view.key(index)) }
            if index + 1 < view.count { high = ContiguousArray(view.key(index + 1)) }
            path.append(Step(node: node, index: index))
            let child = view.reference(index)
            let next = try makeDirty(child, height: node.height - 1)
            if child.attempt != attempt { node.setReference(at: index, reference(child.number)) }
            node = next
        }
        path.append(Step(node: node, index: 0))
    }

    private func isInRange(_ key: UnsafeRawBufferPointer) -> Bool {
        if let low, low.withUnsafeBytes({ ByteComparison.compare(key, $0) < 0 }) { return false }
        if let high, high.withUnsafeBytes({ ByteComparison.compare(key, $0) >= 0 }) { return false }
        return true
    }

    func makeDirty(_ reference: EncryptedReference, height: Int) throws(StorageError) -> DirtyNode {
        if let node = dirty[reference.number] { return node }
        let node = DirtyNode(
            copying: try self.node(reference, height: height), number: reference.number,
            capacity: treeEncryption.nodeCapacity)
        dirty[reference.number] = node
        clean[reference.number] = nil
        return node
    }

    private func makeNode(height: Int) -> DirtyNode {
        let node = DirtyNode(
            number: takeNumber(), height: height, capacity: treeEncryption.nodeCapacity)
        dirty[node.number] = node
        return node
    }

    /// The reference to a record that this transaction writes.
    func reference(_ number: UInt64) -> EncryptedReference {
        EncryptedReference(number: number, version: version, attempt: attempt)
    }

    private func takeNumber() -> UInt64 {
        defer { roots.nextNumber += 1 }
        return roots.nextNumber
    }
}
