internal import CLMDB
internal import Foundation

/// A sealed tree inside a write transaction, on the writer thread: what was read stays as it is
/// in records, what changes becomes a ``DirtyNode``. Values of their own are sealed with the
/// next call, nodes when the transaction ends.
final class SealedTreeWriter: SealedTree, @unchecked Sendable {
    // Sendable: it never leaves the writer thread.

    private let raw: OpaquePointer
    private let version: UInt64
    private let attempt: WriteAttempt
    private unowned let owner: any SealedTreeOwner
    private let baseRoots: SealedRoots.Tree
    private var dirty: [UInt64: DirtyNode] = [:]
    private var clean: [UInt64: SealedRecord] = [:]
    /// A value that the caller still fills in, and its padding.
    private var reserved: (number: UInt64, bytes: UnsafeMutableRawBufferPointer)?
    /// The value that was read last of those that this transaction wrote.
    private var lastWritten: SealedRecord?
    private var changes = 0

    private struct Step {
        let node: DirtyNode
        /// Which child the next step is; in the leaf, nothing.
        var index: Int
    }

    /// The way to the leaf that was changed last, and the keys that belong there: from `low`
    /// on, below `high`; unbounded where nil.
    private var path: ContiguousArray<Step> = []
    private var low: ContiguousArray<UInt8>?
    private var high: ContiguousArray<UInt8>?

    init(
        _ database: Database, _ roots: SealedRoots.Tree, _ sealing: Sealing, version: UInt64,
        _ attempt: WriteAttempt, _ owner: any SealedTreeOwner
    ) {
        self.owner = owner
        raw = owner.liveRaw
        self.version = version
        self.attempt = attempt
        baseRoots = roots
        super.init(database, roots, sealing)
    }

    deinit { if let reserved { Self.wipe(reserved.bytes) } }

    override var changeCount: Int { changes }
    var isChanged: Bool { roots != baseRoots || !dirty.isEmpty }

    // MARK: Reading

    override func node(_ reference: SealedReference, height: Int) throws(StorageError) -> SealedNode
    {
        if let node = dirty[reference.number] { return node.view }
        if let known = clean[reference.number] { return try node(in: known, height: height) }
        let record = try sealing.committed(place(reference, .node), in: raw)
        let node = try node(in: record, height: height)
        clean[reference.number] = record
        return node
    }

    override func value(_ reference: SealedReference, count: Int) throws(StorageError)
        -> UnsafeRawBufferPointer
    {
        try settle()
        let place = place(reference, .value)
        let record: SealedRecord
        if reference.attempt == attempt {
            // Not by way of the cache, which is for what can be read again.
            record = try sealing.read(place, in: raw, count: count)
            lastWritten = record
        } else if let known = clean[reference.number] {
            record = known
        } else {
            record = try sealing.committed(place, in: raw, count: count)
            clean[reference.number] = record
        }
        guard record.bytes.count == count else {
            throw sealing.damaged(place, "it has \(record.bytes.count) bytes instead of \(count)")
        }
        return record.bytes
    }

    // MARK: Putting

    /// Sets the value of a key.
    func put(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(StorageError) {
        let (node, index, isExact) = try prepare(key, count: value.count)
        if value.count <= SealedNode.longestInlineValue {
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

    /// Sets the value of a key to bytes that the caller fills in before its next call.
    func reserve(key: UnsafeRawBufferPointer, count: Int) throws(StorageError)
        -> UnsafeMutableRawBufferPointer
    {
        let (node, index, isExact) = try prepare(key, count: count)
        if count > SealedNode.longestInlineValue {
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
        guard !key.isEmpty, key.count <= SealedNode.longestKey, count < SealedNode.referenceBit
        else {
            throw .lmdb(MDB_BAD_VALSIZE, "put an entry", path: sealing.path)
        }
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

    /// Makes the entry refer to a value's record, and answers its number: that of the value
    /// before, if it had one of another transaction. A record that this one wrote is not
    /// written again, so that nothing is sealed twice for one place.
    private func placeReference(
        _ node: DirtyNode, _ index: Int, _ isExact: Bool, _ key: UnsafeRawBufferPointer, count: Int
    ) throws(StorageError) -> UInt64 {
        let old = isExact && node.view.isReference(index) ? node.view.reference(index) : nil
        if let old, old.attempt == attempt { try deleteRecord(old.number) }
        let number = old.flatMap { $0.attempt == attempt ? nil : $0.number } ?? takeNumber()
        clean[number] = nil
        let target = place(
            node, index, isExact, key, UInt32(truncatingIfNeeded: count) | SealedNode.referenceBit,
            SealedReference.size)
        if let start = target.baseAddress { reference(number).store(at: start) }
        return number
    }

    /// Deletes the record of an entry's value, if it has one.
    private func dropValue(_ node: DirtyNode, _ index: Int, _ isExact: Bool) throws(StorageError) {
        if isExact, node.view.isReference(index) {
            try deleteRecord(node.view.reference(index).number)
        }
    }

    /// Counts the entry, and splits what has become too large. Answers whether the leaf was split.
    @discardableResult
    private func finishPut(_ isExact: Bool) throws(StorageError) -> Bool {
        if !isExact { roots.entryCount += 1 }
        guard let leaf = path.last, isTooLarge(leaf.node) else { return false }
        split()
        return true
    }

    private func isTooLarge(_ node: DirtyNode) -> Bool {
        node.size > sealing.nodeCapacity && node.count > 2
    }

    /// Splits the leaf at the end of `path`, and the branches above that become too large by it.
    private func split() {
        while let step = path.popLast() {
            let node = step.node
            guard isTooLarge(node) else { break }
            // What grows at its end is left full.
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

    /// The index at which about half of a node's bytes are passed.
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
            at: index, key: child.view.key(0), lengthWord: SealedNode.referenceBit,
            storedCount: SealedReference.size)
        if let start = target.baseAddress { reference(child.number).store(at: start) }
    }

    // MARK: Going down

    /// Makes `path` lead to the leaf where a key belongs, its nodes all changeable.
    private func descend(to key: UnsafeRawBufferPointer) throws(StorageError) {
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

    private func makeDirty(_ reference: SealedReference, height: Int) throws(StorageError)
        -> DirtyNode
    {
        if let node = dirty[reference.number] { return node }
        let node = DirtyNode(
            copying: try self.node(reference, height: height), number: reference.number,
            capacity: sealing.nodeCapacity)
        dirty[reference.number] = node
        clean[reference.number] = nil
        return node
    }

    private func makeNode(height: Int) -> DirtyNode {
        let node = DirtyNode(number: takeNumber(), height: height, capacity: sealing.nodeCapacity)
        dirty[node.number] = node
        return node
    }

    /// Refers to a record that this transaction writes.
    private func reference(_ number: UInt64) -> SealedReference {
        SealedReference(number: number, version: version, attempt: attempt)
    }

    private func takeNumber() -> UInt64 {
        defer { roots.nextNumber += 1 }
        return roots.nextNumber
    }
}

// MARK: - Deleting

extension SealedTreeWriter {
    /// Removes a key's entry. Answers whether there was one.
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
        if leaf.count == 0 || leaf.size < sealing.nodeCapacity / 4 { try shrink() }
        return true
    }

    /// Removes every entry. O(pages).
    func deleteAll() throws(StorageError) {
        try settle()
        changes &+= 1
        // The format record is no record of the tree and stays.
        var format: [UInt8]?
        if database == .meta {
            var value = MDB_val()
            let found = FormatRecord.withKey { mdb_get(raw, database.handle, &$0, &value) }
            if found == MDB_SUCCESS { format = Array(value.bytes) }
        }
        var result = mdb_drop(raw, database.handle, 0)
        if result == MDB_SUCCESS, let format {
            result = format.withUnsafeBytes { bytes in
                var value = MDB_val(bytes)
                return FormatRecord.withKey { mdb_put(raw, database.handle, &$0, &value, 0) }
            }
        }
        if result != MDB_SUCCESS { throw .lmdb(result, "empty a database", path: sealing.path) }
        dirty.removeAll()
        clean.removeAll()
        path.removeAll()
        roots = SealedRoots.Tree(nextNumber: roots.nextNumber)
    }

    /// Removes or merges the leaf at the end of `path`, which has few entries or none, then the
    /// branches above that come to have few by it.
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
            } else if node.size < sealing.nodeCapacity / 4 {
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

    /// Puts a node and a neighbour below the same branch into one, if they fit. Answers whether
    /// the branch has a child less.
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
        guard size <= sealing.nodeCapacity * 3 / 4 else { return false }
        let target = try makeDirty(leftReference, height: node.height)
        if leftReference.attempt != attempt {
            parent.setReference(at: left, reference(leftReference.number))
        }
        let right = try self.node(rightReference, height: node.height)
        // The first child's own key means nothing; the branch says from where on it reaches.
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

    private func deleteRecord(_ number: UInt64) throws(StorageError) {
        clean[number] = nil
        owner.noteWriting(owner.pageSize, put: 0)
        var bytes = number.bigEndian
        let result = withUnsafeBytes(of: &bytes) { bytes in
            var key = MDB_val(bytes)
            return mdb_del(raw, database.handle, &key, nil)
        }
        if result == MDB_NOTFOUND {
            throw sealing.damaged(place(reference(number), .value), "it is missing")
        }
        if result != MDB_SUCCESS { throw .lmdb(result, "delete a record", path: sealing.path) }
    }
}

// MARK: - Writing

extension SealedTreeWriter {
    /// Seals what the caller filled in.
    func settle() throws(StorageError) {
        guard let (number, bytes) = reserved else { return }
        reserved = nil
        defer { Self.wipe(bytes) }
        try write(UnsafeRawBufferPointer(bytes), at: place(reference(number), .value))
    }

    /// Seals all that changed. The tree is not used any more.
    func finish() throws(StorageError) {
        try settle()
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: dirty.values.reduce(sealing.nodeCapacity) { max($0, $1.size) }, alignment: 16
        )
        defer { Self.wipe(buffer) }
        for number in dirty.keys.sorted() {
            guard let node = dirty[number] else { continue }
            let bytes = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<max(node.size, sealing.nodeCapacity)])
            node.encode(into: bytes)
            try write(UnsafeRawBufferPointer(bytes), at: place(reference(number), .node))
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at place: RecordPlace) throws(StorageError)
    {
        let sealed = try sealing.seal(bytes, at: place)
        owner.noteWriting(sealed.count + 24, put: sealed.count + 8)
        var number = place.number.bigEndian
        let result = withUnsafeBytes(of: &number) { bytes in
            sealed.withUnsafeBytes { sealed in
                var key = MDB_val(bytes)
                var value = MDB_val(sealed)
                return mdb_put(raw, database.handle, &key, &value, 0)
            }
        }
        if result != MDB_SUCCESS { throw .lmdb(result, "put a record", path: sealing.path) }
    }

    /// Room for a value, and zeros up to the length of its record. The value's bytes are not
    /// initialised.
    private static func paddedBytes(count: Int) -> UnsafeMutableRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer.allocate(
            byteCount: SealedLength.padded(count), alignment: 16)
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return bytes
    }

    private static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }
}
