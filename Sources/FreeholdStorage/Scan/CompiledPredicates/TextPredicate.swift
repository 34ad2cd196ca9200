/// A predicate on one column of text or bytes in its own table.
///
/// Most rows have their bytes in the cluster's heap, null rows have none, and long values are
/// in the blob database. `fill` first evaluates the heap, then corrects the null rows, then
/// tests each blob.
///
/// A predicate with options compares folded forms (``TextFolding``). Its needle is folded when
/// it is compiled, each row when it is tested, into one reused buffer.
class TextPredicate: CompiledPredicate {
    final let column: ColumnID
    final let folding: TextFolding?
    /// Whether rows match if they fail the test.
    final let isInverted: Bool

    init(
        table: TableView, column: ColumnID, folding: TextFolding?, isInverted: Bool, rowCost: Double
    ) {
        self.column = column
        self.folding = folding
        self.isInverted = isInverted
        super.init(
            table: table, rowCost: folding == nil ? rowCost : rowCost + 20, matchesNull: isInverted)
    }

    /// Whether bytes pass the test; they are already folded if the predicate folds.
    func test(_ bytes: UnsafeRawBufferPointer) -> Bool { fatalError("abstract") }

    /// Marks the rows by their bytes in the heap; null rows and blobs may get any mark. Returns
    /// false if the predicate has no special method for this cluster.
    func fillHeap(_ mask: MaskBytes, _ view: ColumnView, _ count: Int) -> Bool { false }

    /// Whether no value of this length can pass.
    func excludes(length: Int) -> Bool { false }

    @inline(__always)
    private final func matchesBytes(_ bytes: UnsafeRawBufferPointer, _ run: ScanRun) -> Bool {
        guard let folding else { return test(bytes) != isInverted }
        folding.fold(bytes, into: run.folded)
        return test(run.folded.contents) != isInverted
    }

    final override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        let view = view(column, in: cluster)
        let count = cluster.count
        if view.encoding == .absent {
            Mask.fill(
                mask, count: count,
                with: view.nulls == nil && view.isNullable
                    ? matchesNull : matchesBytes(UnsafeRawBufferPointer(start: nil, count: 0), run))
        } else if !fillHeap(mask, view, count) {
            for row in 0..<count {
                mask[row] = Mask.byte(matchesBytes(view.heapBytes(at: row), run))
            }
        } else if isInverted {
            Mask.invert(mask, count: count)
        }
        if let nulls = view.nulls {
            Bitmap.overlay(nulls, count: count, value: matchesNull, on: mask)
        }
        if let blobs = view.blobs {
            for row in 0..<count where Bitmap.isSet(blobs, row) && !view.isNull(at: row) {
                mask[row] = Mask.byte(matchesBlob(row, view, cluster, run))
            }
        }
    }

    final override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        let view = view(column, in: cluster)
        if view.isNull(at: row) { return matchesNull }
        if view.isBlob(at: row) { return matchesBlob(row, view, cluster, run) }
        return matchesBytes(view.heapBytes(at: row), run)
    }

    private final func matchesBlob(
        _ row: Int, _ view: ColumnView, _ cluster: ClusterView, _ run: ScanRun
    ) -> Bool {
        let stored = view.heapBytes(at: row)
        if folding == nil, stored.count == 8,
            let length = Int(exactly: UInt64(littleEndian: stored.loadUnaligned(as: UInt64.self))),
            excludes(length: length)
        {
            return isInverted
        }
        return table.withBlob(column: column, key: cluster.key(at: row)) { matchesBytes($0, run) }
    }
}
