/// A branch of a collection's tree, as stored.
///
///     0          4          6        7          8
///     +----------+----------+--------+----------+-----------------+-----------------+
///     | checksum | children | height | 0        | nodes           | ends            |
///     |          | UInt16   | UInt8  |          | UInt32 a child  | UInt64 a child  |
///     +----------+----------+--------+----------+-----------------+-----------------+
///
/// A child's end is the index after its last element, counted from the branch's first element.
/// The checksum is the low half of the XXH64 of the bytes after it.
struct CollectionBranch {
    private let bytes: UnsafeRawBufferPointer
    let count: Int
    let height: Int

    private static let headerSize = 8
    static func size(_ count: Int) -> Int { headerSize + count * 12 }

    /// O(1): the ends are not checked.
    init(decoding bytes: UnsafeRawBufferPointer, height: Int) throws(StoredColumn.Defect) {
        guard bytes.count >= Self.headerSize else {
            throw StoredColumn.Defect(reason: "shorter than its header")
        }
        count = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)))
        self.height = Int(bytes[6])
        guard count > 0, bytes[7] == 0, self.height == height, bytes.count == Self.size(count)
        else {
            throw StoredColumn.Defect(
                reason: "\(bytes.count) bytes for \(count) children at height \(self.height)")
        }
        self.bytes = bytes
    }

    func node(_ child: Int) -> UInt32 {
        UInt32(
            littleEndian: bytes.loadUnaligned(
                fromByteOffset: Self.headerSize + child * 4, as: UInt32.self))
    }

    func end(_ child: Int) -> Int {
        Int(
            truncatingIfNeeded: UInt64(
                littleEndian: bytes.loadUnaligned(
                    fromByteOffset: Self.headerSize + count * 4 + child * 8, as: UInt64.self)))
    }

    func start(_ child: Int) -> Int { child == 0 ? 0 : end(child - 1) }

    /// The index of the child that contains an element. O(log children).
    func child(at index: Int) -> Int { (0..<count - 1).partitionPoint { end($0) <= index } }

    // MARK: Checksums

    private static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
        UInt32(
            truncatingIfNeeded: Checksum.xxh64(
                UnsafeRawBufferPointer(rebasing: bytes[4...]), seed: seed))
    }

    func hasRightChecksum(seed: UInt64) -> Bool {
        UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
            == Self.checksum(bytes, seed: seed)
    }

    // MARK: Writing

    /// Fills `bytes`, which must be `size(counts.count)` long.
    static func write(
        _ nodes: some Sequence<UInt32>, counts: ContiguousArray<Int>, height: Int,
        to bytes: UnsafeMutableRawBufferPointer, seed: UInt64
    ) {
        bytes.storeBytes(of: UInt16(counts.count).littleEndian, toByteOffset: 4, as: UInt16.self)
        bytes[6] = UInt8(height)
        bytes[7] = 0
        for (child, node) in nodes.enumerated() {
            bytes.storeBytes(
                of: node.littleEndian, toByteOffset: headerSize + child * 4, as: UInt32.self)
        }
        var end = 0
        for (child, count) in counts.enumerated() {
            end += count
            bytes.storeBytes(
                of: UInt64(end).littleEndian,
                toByteOffset: headerSize + counts.count * 4 + child * 8, as: UInt64.self)
        }
        bytes.storeBytes(
            of: checksum(UnsafeRawBufferPointer(bytes), seed: seed).littleEndian, as: UInt32.self)
    }
}
