/// A row's value in a column of collections: nothing, all elements, or the root of their tree.
///
///     an empty collection     no bytes
///     a small one             1, then a leaf (``CollectionLeaf``)
///     any other               2, height (UInt8), root's node (UInt32), next node (UInt32),
///                             count (UInt64); little-endian
///
/// A collection is a B+ tree whose branches count the elements below each child, so that an
/// element is found by its index. A tree of height 0 is one leaf. Nodes have numbers, which a
/// collection never reuses. (Counted trees: Knuth, The Art of Computer Programming 3, 6.2.3;
/// also ropes and realm-core's lists.)
enum CollectionCell {
    case empty
    case leaf(UnsafeRawBufferPointer)
    case tree(CollectionRoot)

    /// The first byte of a small collection's cell.
    static let leafTag: UInt8 = 1

    init(decoding bytes: UnsafeRawBufferPointer) throws(StoredColumn.Defect) {
        switch bytes.first {
        case nil: self = .empty
        case Self.leafTag: self = .leaf(UnsafeRawBufferPointer(rebasing: bytes[1...]))
        case 2:
            guard let root = CollectionRoot(decoding: bytes) else {
                throw StoredColumn.Defect(reason: "the root of a collection is damaged")
            }
            self = .tree(root)
        case let tag?: throw StoredColumn.Defect(reason: "a collection of kind \(tag)")
        }
    }
}

extension CollectionCell {
    /// The number of elements of a cell that has no tree; nil if a tree must be read, or the
    /// cell is damaged. O(1).
    static func smallCount(_ cell: UnsafeRawBufferPointer, _ kind: StoredCollectionKind) -> Int? {
        if cell.isEmpty { return 0 }
        // A column's row count follows two bytes; a map's keys follow their length.
        let place = kind.shape == .map ? 1 + 4 + 2 : 1 + 2
        guard cell[0] == leafTag, cell.count >= place + 2 else { return nil }
        let count = Int(
            UInt16(littleEndian: cell.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        return (1...CollectionLeaf.mostElements).contains(count) ? count : nil
    }
}

/// The root of a collection with separate nodes.
struct CollectionRoot: Equatable {
    /// The number of branches above each leaf.
    var height: Int
    var node: UInt32
    /// A number greater than that of every node so far.
    var nextNode: UInt32
    var count: Int

    static let size = 18
    /// The greatest height of a tree whose branches have at least two children.
    static let greatestHeight = 62
}

extension CollectionRoot {
    init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.size else { return nil }
        height = Int(bytes[1])
        node = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        nextNode = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt32.self))
        let stored = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 10, as: UInt64.self))
        guard height <= Self.greatestHeight, node < nextNode, stored > 0,
            let count = Int(exactly: stored),
            // At most as many as its nodes can hold: loops rely on this count.
            count <= Int(nextNode) * CollectionLeaf.mostElements
        else { return nil }
        self.count = count
    }

    var encoded: ContiguousArray<UInt8> {
        var out: ContiguousArray<UInt8> = [2, UInt8(height)]
        withUnsafeBytes(of: node.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: nextNode.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(count).littleEndian) { out.append(contentsOf: $0) }
        return out
    }
}
