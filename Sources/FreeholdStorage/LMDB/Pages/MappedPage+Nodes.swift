extension MappedPage {
    /// A node of a leaf: a key, with its value or the value's page.
    struct LeafNode {
        let key: UnsafeRawBufferPointer
        /// How many bytes the value has.
        let valueSize: Int
        /// The first page of a large value; 0 for a value that follows its key.
        let largeValue: UInt64

        /// The value that follows the key.
        @inline(__always)
        var value: UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
                start: key.baseAddress.unsafelyUnwrapped + key.count,
                count: largeValue == 0 ? valueSize : 8)
        }
    }

    /// The offset of a node; not yet checked.
    @inline(__always)
    func offset(_ node: Int) -> Int {
        Int(start.load(fromByteOffset: PageLayout.headerSize &+ node &* 2, as: UInt16.self))
    }

    /// A node's header, its key, and the offset of the key's end; nil if these lie outside of
    /// the page.
    @inline(__always)
    func node(at index: Int) -> (header: NodeHeader, key: UnsafeRawBufferPointer, end: Int)? {
        let keyOffset = offset(index) &+ PageLayout.nodeHeaderSize
        guard keyOffset <= size else { return nil }
        let key = start + keyOffset
        let header = NodeHeader(at: key - PageLayout.nodeHeaderSize)
        let end = keyOffset &+ header.keySize
        guard end <= size else { return nil }
        return (header, UnsafeRawBufferPointer(start: key, count: header.keySize), end)
    }

    /// A node of a leaf; nil if it is invalid.
    @inline(__always)
    func leafNode(at index: Int) -> LeafNode? {
        guard let (header, key, end) = node(at: index), !key.isEmpty else { return nil }
        let valueSize = header.dataSize
        if header.flags == 0 {
            return end &+ valueSize <= size
                ? LeafNode(key: key, valueSize: valueSize, largeValue: 0) : nil
        }
        guard header.flags == PageLayout.bigData, end &+ 8 <= size else { return nil }
        let number = (start + end).loadUnaligned(as: UInt64.self)
        return number == 0 ? nil : LeafNode(key: key, valueSize: valueSize, largeValue: number)
    }

    /// A child of a branch, and the lower bound of the child's keys; nil if the node is
    /// invalid. The first child's key has no meaning.
    @inline(__always)
    func branchNode(at index: Int) -> (key: UnsafeRawBufferPointer, child: UInt64)? {
        guard let (header, key, _) = node(at: index) else { return nil }
        return (key, header.child)
    }

    /// The number of pages of the large value that begins here; nil if none does.
    var overflowPageCount: Int? {
        let header = header
        guard header.flags == PageLayout.overflow, header.pageCount > 0 else { return nil }
        return header.pageCount
    }
}
