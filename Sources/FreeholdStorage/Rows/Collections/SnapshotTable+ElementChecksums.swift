/// Verifies checksums of collections. Ordinary reads check only lengths and counts; this serves
/// callers that met an unexpected element.
extension SnapshotTable {
    /// Verifies the checksums of all nodes of a row's collection, and remembers damage. O(bytes
    /// of the elements).
    func verifyElements(of column: ColumnID, _ kind: StoredCollectionKind, key: RowKey) {
        guard let place = locate(key) else { return }
        do throws(StoredColumn.Defect) {
            switch try CollectionCell(
                decoding: place.cluster.columns[column.position].heapBytes(at: place.row))
            {
            case .empty: break
            case .leaf(let bytes):
                let seed = CollectionLeaf.seed(
                    id, column, rowKey: key.rawValue, CollectionLeaf.cellNode)
                if !CollectionLeaf.hasRightChecksum(bytes, kind, seed: seed) {
                    throw StoredColumn.Defect(reason: "the checksum does not match")
                }
            case .tree(let root):
                var seen: Set<UInt32> = []
                try verifyNode(
                    root.node, height: root.height, of: column, kind, row: key.rawValue, &seen)
            }
        } catch {
            noteDamage(CollectionDamage.error(error.reason, self, column, row: key.rawValue))
        }
    }

    /// - Parameter seen: The visited nodes, so that a crafted file whose branches share
    ///   children takes no longer.
    private func verifyNode(
        _ number: UInt32, height: Int, of column: ColumnID, _ kind: StoredCollectionKind,
        row: Int64, _ seen: inout Set<UInt32>
    ) throws(StoredColumn.Defect) {
        guard seen.insert(number).inserted else {
            throw StoredColumn.Defect(reason: "node \(number) is there twice")
        }
        guard let bytes = node(number, column, row: row) else {
            throw StoredColumn.Defect(reason: "node \(number) is missing")
        }
        let seed = CollectionLeaf.seed(id, column, rowKey: row, number)
        let wrongChecksum = StoredColumn.Defect(
            reason: "the checksum of node \(number) does not match")
        if height == 0 {
            if !CollectionLeaf.hasRightChecksum(bytes, kind, seed: seed) { throw wrongChecksum }
            return
        }
        let branch = try CollectionBranch(decoding: bytes, height: height)
        if !branch.hasRightChecksum(seed: seed) { throw wrongChecksum }
        for child in 0..<branch.count {
            try verifyNode(
                branch.node(child), height: height - 1, of: column, kind, row: row, &seen)
        }
    }
}
