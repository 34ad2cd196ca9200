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

    /// A node of a leaf; nil where it is odd.
    @inline(__always)
    func leafNode(at index: Int) -> LeafNode? {
        let offset = offset(index)
        guard offset &+ PageLayout.nodeHeader <= size else { return nil }
        let node = start + offset
        let valueSize = Int(node.loadUnaligned(as: UInt32.self))
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let key = UnsafeRawBufferPointer(start: node + PageLayout.nodeHeader, count: keySize)
        let end = offset &+ PageLayout.nodeHeader &+ keySize
        guard keySize > 0 else { return nil }
        if flags == 0 {
            return end &+ valueSize <= size
                ? LeafNode(key: key, valueSize: valueSize, largeValue: 0) : nil
        }
        guard flags == PageLayout.bigData, end &+ 8 <= size else { return nil }
        let number = (node + PageLayout.nodeHeader + keySize).loadUnaligned(as: UInt64.self)
        return number == 0 ? nil : LeafNode(key: key, valueSize: valueSize, largeValue: number)
    }

    /// A child of a branch, and the key that nothing below it is below; nil where the node is
    /// odd. The first child's key means nothing.
    @inline(__always)
    func branchNode(at index: Int) -> (key: UnsafeRawBufferPointer, child: UInt64)? {
        let offset = offset(index)
        guard offset &+ PageLayout.nodeHeader <= size else { return nil }
        let node = start + offset
        let keySize = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        guard offset &+ PageLayout.nodeHeader &+ keySize <= size else { return nil }
        let child =
            UInt64(node.loadUnaligned(as: UInt32.self)) | UInt64(
                node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) &<< 32
        return (UnsafeRawBufferPointer(start: node + PageLayout.nodeHeader, count: keySize), child)
    }

    /// How many pages the large value has that begins here; nil where none does.
    var overflowPageCount: Int? {
        guard flags == PageLayout.overflow else { return nil }
        let count = Int(start.load(fromByteOffset: 12, as: UInt32.self))
        return count > 0 ? count : nil
    }
}
