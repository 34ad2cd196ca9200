/// Some consecutive elements of a collection. Points into a snapshot or a write set; owns
/// nothing.
///
/// A stored leaf of a list or set is one ``StoredColumn``. A leaf of a map is the length of its
/// keys (UInt32, little-endian), the keys, then the values; both are a `StoredColumn`. The
/// checksums are seeded with the leaf's place (``seed(_:_:rowKey:_:)``).
package struct CollectionLeaf {
    /// The values; a map's keys are in `keys`.
    package var values: ColumnView
    package var keys: ColumnView
    /// The index of the first element in the collection.
    package var start: Int
    package var count: Int

    /// Positions in the clusters that hold leaves in a write set.
    static let valuesPosition = 1
    static let keysPosition = 2

    package var end: Int { start + count }

    /// More elements than a leaf of any layout has. The limit keeps loops from following a
    /// damaged count.
    static let mostElements = 512

    /// A leaf without elements.
    static var empty: CollectionLeaf {
        CollectionLeaf(
            values: .absent(count: 0, isNullable: false),
            keys: .absent(count: 0, isNullable: false), start: 0, count: 0)
    }

    /// A leaf with one element that reads as zero or null.
    package static func nothing(_ kind: StoredCollectionKind) -> CollectionLeaf {
        CollectionLeaf(
            values: .absent(count: 1, isNullable: kind.isNullable),
            keys: .absent(count: 1, isNullable: false), start: 0, count: 1)
    }
}

extension CollectionLeaf {
    /// Creates a leaf that points into a write set's leaf.
    init(_ cluster: ClusterView, start: Int, kind: StoredCollectionKind) {
        values = cluster.columns[Self.valuesPosition]
        keys =
            kind.shape == .map
            ? cluster.columns[Self.keysPosition] : .absent(count: 0, isNullable: false)
        self.start = start
        count = cluster.count
    }

    /// Creates a leaf that points into stored bytes. O(1): lengths are checked, values and
    /// checksums are not.
    init(decoding bytes: UnsafeRawBufferPointer, start: Int, kind: StoredCollectionKind)
        throws(StoredColumn
        .Defect)
    {
        let (keyBytes, valueBytes) = try Self.columns(of: bytes, kind)
        values = try Self.view(of: valueBytes, kind.type, isNullable: kind.isNullable)
        keys = .absent(count: 0, isNullable: false)
        if let keyBytes {
            keys = try Self.view(of: keyBytes, .text, isNullable: false)
            guard keys.count == values.count else {
                throw StoredColumn.Defect(reason: "\(keys.count) keys for \(values.count) values")
            }
        }
        self.start = start
        count = Int(values.count)
        if count == 0 { throw StoredColumn.Defect(reason: "a leaf without elements") }
    }

    private static func view(of bytes: UnsafeRawBufferPointer, _ type: ColumnType, isNullable: Bool)
        throws(StoredColumn.Defect) -> ColumnView
    {
        guard bytes.count >= StoredColumn.headerSize else {
            throw StoredColumn.Defect(reason: "shorter than its header")
        }
        let count = Int(
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        guard count <= mostElements else {
            throw StoredColumn.Defect(reason: "\(count) elements in a leaf")
        }
        let view = try StoredColumn.view(
            of: bytes, count: count, type: type, isNullable: isNullable)
        if view.blobs != nil { throw StoredColumn.Defect(reason: "blobs in a collection") }
        return view
    }

    /// The stored columns of a leaf, the keys' first.
    static func columns(
        of bytes: UnsafeRawBufferPointer, _ kind: StoredCollectionKind
    ) throws(StoredColumn.Defect) -> (keys: UnsafeRawBufferPointer?, values: UnsafeRawBufferPointer)
    {
        guard kind.shape == .map else { return (nil, bytes) }
        guard bytes.count >= 4 else {
            throw StoredColumn.Defect(reason: "shorter than the length of its keys")
        }
        let length = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        guard length <= bytes.count - 4 else {
            throw StoredColumn.Defect(reason: "keys of \(length) bytes")
        }
        return (
            UnsafeRawBufferPointer(rebasing: bytes[4..<(4 + length)]),
            UnsafeRawBufferPointer(rebasing: bytes[(4 + length)...])
        )
    }

    /// The node number of a leaf that is stored in its row's cell.
    static let cellNode = UInt32.max

    static func seed(_ table: TableID, _ column: ColumnID, rowKey: Int64, _ node: UInt32) -> UInt64
    { StoredColumn.seed(table, firstKey: rowKey, column) ^ UInt64(node) &* 0xFF51_AFD7_ED55_8CCD }

    /// Whether the checksums of a stored leaf match.
    static func hasRightChecksum(
        _ bytes: UnsafeRawBufferPointer, _ kind: StoredCollectionKind, seed: UInt64
    ) -> Bool {
        guard let columns = try? columns(of: bytes, kind),
            StoredColumn.hasRightChecksum(columns.values, seed: seed)
        else { return false }
        return columns.keys.map { StoredColumn.hasRightChecksum($0, seed: seed) } ?? true
    }
}

/// Turns a leaf of a write set into its stored form. In two steps, like ``ColumnEncoder``.
struct CollectionLeafEncoder {
    private let values: ColumnEncoder
    private let keys: ColumnEncoder?

    init(_ cluster: ClusterView, _ kind: StoredCollectionKind, hidesLengths: Bool) {
        values = ColumnEncoder(
            always: cluster.columns[CollectionLeaf.valuesPosition], rowCount: cluster.count,
            type: kind.type, hidesLengths: hidesLengths)
        keys =
            kind.shape == .map
            ? ColumnEncoder(
                always: cluster.columns[CollectionLeaf.keysPosition], rowCount: cluster.count,
                type: .text, hidesLengths: hidesLengths) : nil
    }

    var byteCount: Int { values.byteCount + (keys.map { $0.byteCount + 4 } ?? 0) }

    func write(to bytes: UnsafeMutableRawBufferPointer, seed: UInt64) {
        var rest = bytes
        if let keys {
            rest.storeBytes(of: UInt32(keys.byteCount).littleEndian, as: UInt32.self)
            keys.write(
                to: UnsafeMutableRawBufferPointer(rebasing: rest[4..<(4 + keys.byteCount)]),
                seed: seed)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[(4 + keys.byteCount)...])
        }
        values.write(to: rest, seed: seed)
    }
}
