/// A hop to the elements of a list or map inside a mixed value.
final class MixedCollectionHop: Hop {
    private let column: ColumnID
    private let steps: [ScanMixedStep]
    private let leafCluster = LeafCluster()
    /// For each element, the offset and the length of its bytes; the same for the keys.
    private var values = ScratchBuffer<UInt32>()
    private var keys = ScratchBuffer<UInt32>()
    private var nulls = ScratchBuffer<UInt8>()

    init(_ column: ColumnDefinition, _ steps: [ScanMixedStep], in table: TableView) {
        self.column = column.id
        self.steps = steps
        super.init(
            table: table,
            space: CollectionTable(
                of: .mixed, isNullable: true, hasKeys: true, target: nil, owner: table,
                named: column.name), leadsToRows: false)
    }

    override func visit(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun,
        _ body: (ClusterView, Range<Int>, Int) -> Bool
    ) {
        table.withMixed(column, row, cluster) { bytes in
            guard let nested = MixedReader.nested(bytes, steps[...]), let count = show(nested),
                count > 0
            else { return }
            _ = body(leafCluster.cluster, 0..<count, 1)
        }
    }

    override func count(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Int {
        var count = 0
        table.withMixed(column, row, cluster) { bytes in
            guard let nested = MixedReader.nested(bytes, steps[...]) else { return }
            count = MixedReader.elements(of: nested)?.count ?? 0
        }
        return count
    }

    /// Makes the elements of a list or map, in place, the rows of the cluster. Nil for any
    /// other value, and for impossible bytes.
    private func show(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let (tag, count, start) = MixedReader.elements(of: bytes),
            let base = bytes.baseAddress
        else { return nil }
        var reader = start
        values.removeAll()
        keys.removeAll()
        nulls.fill(0, count: (count + 7) / 8)
        func append(_ part: UnsafeRawBufferPointer, to spans: inout ScratchBuffer<UInt32>) {
            spans.append(UInt32(truncatingIfNeeded: (part.baseAddress ?? base) - base))
            spans.append(UInt32(truncatingIfNeeded: part.count))
        }
        for element in 0..<count {
            if tag == MixedValue.mapTag {
                guard let key = reader.part() else { return nil }
                append(key, to: &keys)
            }
            guard let value = reader.part() else { return nil }
            append(value, to: &values)
            if value.isEmpty { nulls.unsafeStart[element >> 3] |= 1 << UInt8(element & 7) }
        }
        let cluster = leafCluster.cluster
        cluster.count = count
        cluster.columns[CollectionTable.element.position] = ColumnView(
            encoding: .spans, data: UnsafeRawPointer(values.unsafeStart), count: count,
            isNullable: true, base: Int64(bytes.count),
            nulls: UnsafeRawPointer(nulls.unsafeStart), heap: base)
        cluster.columns[CollectionTable.key.position] =
            tag == MixedValue.mapTag
            ? ColumnView(
                encoding: .spans, data: UnsafeRawPointer(keys.unsafeStart), count: count,
                isNullable: false, base: Int64(bytes.count), heap: base)
            : .absent(count: count, isNullable: true)
        return count
    }

    override var rowCost: Double { 150 }

    override var name: String { table.definition[column]?.name ?? "column \(column.rawValue)" }
}

extension MixedReader {
    /// The tag of a list or map, its element count, and a reader before the first element; nil
    /// for any other value.
    static func elements(of bytes: UnsafeRawBufferPointer) -> (
        tag: UInt8, count: Int, reader: MixedReader
    )? {
        guard let tag = bytes.first, tag == MixedValue.listTag || tag == MixedValue.mapTag else {
            return nil
        }
        var reader = MixedReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[1...]))
        // An element takes at least four bytes.
        guard reader.identity() != nil, let count = reader.length(), count <= bytes.count / 4 else {
            return nil
        }
        return (tag, count, reader)
    }

    /// The bytes at the end of some steps into a mixed value; nil if there are none. O(elements
    /// passed).
    static func nested(_ bytes: UnsafeRawBufferPointer, _ steps: ArraySlice<ScanMixedStep>)
        -> UnsafeRawBufferPointer?
    {
        var bytes = bytes
        for step in steps {
            guard let (tag, count, start) = elements(of: bytes) else { return nil }
            var reader = start
            var found: UnsafeRawBufferPointer?
            switch step {
            case .index(let index):
                let position = index < 0 ? count + index : index
                guard tag == MixedValue.listTag, position >= 0, position < count else { return nil }
                for _ in 0..<position where reader.part() == nil { return nil }
                found = reader.part()
            case .key(let key):
                guard tag == MixedValue.mapTag else { return nil }
                for _ in 0..<count where found == nil {
                    guard let name = reader.part(), let value = reader.part() else { return nil }
                    if key.withUnsafeBytes({ ByteComparison.areEqual($0, name) }) { found = value }
                }
            }
            guard let found, !found.isEmpty else { return nil }
            bytes = found
        }
        return bytes
    }
}

extension TableView {
    /// Calls `body` with the bytes of a row's mixed value, unless it is null.
    @inline(__always)
    final func withMixed(
        _ column: ColumnID, _ row: Int, _ cluster: ClusterView,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let view = cluster.columnView(column)
        if view.isNull(at: row) { return }
        if view.isBlob(at: row) { return withBlob(column: column, key: cluster.key(at: row), body) }
        body(view.heapBytes(at: row))
    }
}
