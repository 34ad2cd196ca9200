extension MappedPage {
    /// A node of a leaf: a key, and its value or where that is.
    struct LeafNode {
        let key: UnsafeRawBufferPointer
        /// How many bytes the value has.
        let valueSize: Int
        /// The page on which a large value begins; 0 for one that follows its key.
        let largeValue: UInt64

        /// The value that follows the key.
        @inline(__always)
        var value: UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
                start: key.baseAddress.unsafelyUnwrapped + key.count,
                count: largeValue == 0 ? valueSize : 8)
        }
    }

    /// Where a node begins; it may say anything.
    @inline(__always)
    func offset(_ node: Int) -> Int {
        Int(start.load(fromByteOffset: PageLayout.headerSize &+ node &* 2, as: UInt16.self))
    }

    /// A node's header, its key, and where the key ends; nil where they are not inside of the
    /// page.
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

    /// A node of a leaf; nil where it is odd.
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

    /// A child of a branch, and the key that nothing below it is below; nil where the node is
    /// odd. The first child's key means nothing.
    @inline(__always)
    func branchNode(at index: Int) -> (key: UnsafeRawBufferPointer, child: UInt64)? {
        guard let (header, key, _) = node(at: index) else { return nil }
        return (key, header.child)
    }

    /// How many pages the large value has that begins here; nil where none does.
    var overflowPageCount: Int? {
        let header = header
        guard header.flags == PageLayout.overflow, header.pageCount > 0 else { return nil }
        return header.pageCount
    }
}
