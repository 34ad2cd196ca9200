/// The columns of an encrypted file's cluster, decrypted when they are first read.
final class EncryptedColumns: DeferredColumns, @unchecked Sendable {
    // Sendable: as the superclass; the added properties are immutable.

    /// The place of a stored column. Its node lives as long as the transaction.
    struct Place {
        let leaf: EncryptedNode
        let index: Int
    }

    private let places: ContiguousArray<Place?>
    private unowned let table: SnapshotTable
    private let firstKey: Int64
    private let count: Int

    init(
        _ view: ClusterView, _ places: ContiguousArray<Place?>, _ table: SnapshotTable,
        _ monitor: Monitor
    ) {
        firstKey = view.firstKey
        count = view.count
        self.places = places
        self.table = table
        super.init(view.unsafeColumns, isThere: places.map { $0 == nil }, monitor)
    }

    override func makeView(_ position: Int) -> ColumnView? {
        guard let place = places[position] else { return nil }
        return table.view(of: place, position, firstKey: firstKey, count: count)
    }
}
