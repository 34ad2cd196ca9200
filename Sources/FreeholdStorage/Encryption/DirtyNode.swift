/// A node that a write transaction changes: the entries, in memory of its own, and their
/// offsets in key order.
final class DirtyNode {
    let number: UInt64
    let height: Int
    private(set) var count = 0
    private var offsets: UnsafeMutablePointer<UInt16>
    private var offsetCapacity: Int
    private var heap: UnsafeMutableRawPointer
    private var heapCapacity: Int
    /// The offset for the next entry.
    private var heapEnd = 0
    /// The number of bytes of the entries, without gaps.
    private var liveCount = 0

    /// The greatest heap size: offsets have 16 bits.
    static let greatestHeap = 1 << 16

    init(number: UInt64, height: Int, capacity: Int) {
        self.number = number
        self.height = height
        offsetCapacity = 64
        offsets = .allocate(capacity: offsetCapacity)
        heapCapacity = min(capacity + 1024, Self.greatestHeap)
        heap = .allocate(byteCount: heapCapacity, alignment: 16)
    }

    /// Creates a node with the entries of another one.
    convenience init(copying node: EncryptedNode, number: UInt64, capacity: Int) {
        self.init(number: number, height: node.height, capacity: capacity)
        append(node, 0..<node.count)
    }

    deinit {
        Memory.wipe(UnsafeMutableRawBufferPointer(start: heap, count: heapCapacity))
        heap.deallocate()
        offsets.deallocate()
    }

    /// Valid until the next change.
    var view: EncryptedNode {
        EncryptedNode(offsets: offsets, base: heap, count: count, height: height)
    }

    /// The number of bytes of the encoded record, without padding.
    var size: Int { EncryptedNode.headerSize + 2 * count + liveCount }

    // MARK: Changing

    /// Inserts an entry with a new key at an index, and returns room for its value.
    func insert(at index: Int, key: UnsafeRawBufferPointer, lengthWord: UInt32, storedCount: Int)
        -> UnsafeMutableRawBufferPointer
    {
        if count == offsetCapacity { growOffsets() }
        let room = allocate(key: key, lengthWord: lengthWord, storedCount: storedCount)
        (offsets + index + 1).update(from: offsets + index, count: count - index)
        offsets[index] = UInt16(truncatingIfNeeded: room.offset)
        count += 1
        return room.value
    }

    /// Returns room for a new value of the entry at an index. The old value's bytes are kept if
    /// the size is the same.
    func replace(at index: Int, key: UnsafeRawBufferPointer, lengthWord: UInt32, storedCount: Int)
        -> UnsafeMutableRawBufferPointer
    {
        let old = view.storedValue(index)
        if old.count == storedCount {
            let start = UnsafeMutableRawPointer(mutating: old.baseAddress.unsafelyUnwrapped)
            (heap + Int(offsets[index])).storeBytes(
                of: lengthWord, toByteOffset: 2, as: UInt32.self)
            return UnsafeMutableRawBufferPointer(start: start, count: storedCount)
        }
        remove(at: index)
        return insert(at: index, key: key, lengthWord: lengthWord, storedCount: storedCount)
    }

    func remove(at index: Int) {
        liveCount -= view.size(ofEntry: index)
        (offsets + index).update(from: offsets + index + 1, count: count - index - 1)
        count -= 1
    }

    /// Appends entries of another node after the last one.
    func append(
        _ other: EncryptedNode, _ range: Range<Int>, firstKey: UnsafeRawBufferPointer? = nil
    ) {
        for index in range {
            let key = index == range.lowerBound ? firstKey ?? other.key(index) : other.key(index)
            let value = other.storedValue(index)
            let word =
                UInt32(truncatingIfNeeded: other.valueLength(index))
                | (other.isReference(index) ? EncryptedNode.referenceBit : 0)
            insert(at: count, key: key, lengthWord: word, storedCount: value.count).copyMemory(
                from: value)
        }
    }

    /// Removes the entries from an index on.
    func truncate(to newCount: Int) {
        while count > newCount { remove(at: count - 1) }
    }

    func setReference(at index: Int, _ reference: EncryptedReference) {
        reference.store(
            at: UnsafeMutableRawPointer(
                mutating: view.storedValue(index).baseAddress.unsafelyUnwrapped))
    }

    // MARK: Memory

    private func growOffsets() {
        let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: offsetCapacity * 2)
        larger.update(from: offsets, count: count)
        offsets.deallocate()
        offsets = larger
        offsetCapacity *= 2
    }

    private func allocate(
        key: UnsafeRawBufferPointer, lengthWord: UInt32, storedCount: Int
    ) -> (offset: Int, value: UnsafeMutableRawBufferPointer) {
        let size = EncryptedNode.entryHeaderSize + key.count + storedCount
        if heapEnd + size > heapCapacity {
            // The key may lie in this heap.
            return withUnsafeTemporaryAllocation(byteCount: max(key.count, 1), alignment: 1) {
                copy in
                copy.copyMemory(from: key)
                compact(room: size)
                return place(
                    UnsafeRawBufferPointer(rebasing: copy[..<key.count]), lengthWord, storedCount,
                    size)
            }
        }
        return place(key, lengthWord, storedCount, size)
    }

    private func place(
        _ key: UnsafeRawBufferPointer, _ lengthWord: UInt32, _ storedCount: Int, _ size: Int
    ) -> (offset: Int, value: UnsafeMutableRawBufferPointer) {
        let entry = heap + heapEnd
        entry.storeBytes(of: UInt16(truncatingIfNeeded: key.count), as: UInt16.self)
        entry.storeBytes(of: lengthWord, toByteOffset: 2, as: UInt32.self)
        if let start = key.baseAddress {
            (entry + EncryptedNode.entryHeaderSize).copyMemory(from: start, byteCount: key.count)
        }
        let offset = heapEnd
        heapEnd += size
        liveCount += size
        return (
            offset,
            UnsafeMutableRawBufferPointer(
                start: entry + EncryptedNode.entryHeaderSize + key.count, count: storedCount)
        )
    }

    /// Compacts the heap: removes the gaps that removed entries left.
    private func compact(room: Int) {
        let newCapacity = max(heapCapacity, liveCount + room + 512)
        precondition(
            newCapacity <= Self.greatestHeap, "A node is split before its entries fill a heap.")
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
        var end = 0
        for index in 0..<count {
            let size = view.size(ofEntry: index)
            (fresh + end).copyMemory(from: heap + Int(offsets[index]), byteCount: size)
            offsets[index] = UInt16(truncatingIfNeeded: end)
            end += size
        }
        Memory.wipe(UnsafeMutableRawBufferPointer(start: heap, count: heapCapacity))
        heap.deallocate()
        heap = fresh
        heapCapacity = newCapacity
        heapEnd = end
    }

    /// Writes the record's bytes, as ``EncryptedNode`` reads them, and zeros to the end of
    /// `target`.
    func encode(into target: UnsafeMutableRawBufferPointer) {
        target[0] = UInt8(truncatingIfNeeded: height)
        target[1] = 0
        target.storeBytes(of: UInt16(truncatingIfNeeded: count), toByteOffset: 2, as: UInt16.self)
        var end = EncryptedNode.headerSize + 2 * count
        for index in 0..<count {
            let size = view.size(ofEntry: index)
            target.storeBytes(
                of: UInt16(truncatingIfNeeded: end),
                toByteOffset: EncryptedNode.headerSize + 2 * index, as: UInt16.self)
            UnsafeMutableRawBufferPointer(rebasing: target[end..<end + size])
                .copyMemory(
                    from: UnsafeRawBufferPointer(start: heap + Int(offsets[index]), count: size))
            end += size
        }
        UnsafeMutableRawBufferPointer(rebasing: target[end...]).initializeMemory(
            as: UInt8.self, repeating: 0)
    }
}
