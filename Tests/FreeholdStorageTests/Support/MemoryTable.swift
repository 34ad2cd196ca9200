@testable import FreeholdStorage
import FreeholdTestSupport

// Testable: only so can a class that is not open be subclassed here.

/// A table that is made of values in memory: what a snapshot's table looks like to its readers,
/// without a file.
final class MemoryTable: TableView, @unchecked Sendable {
    // Sendable: filled before it is read, by the test that made it.

    struct BlobKey: Hashable {
        var column: ColumnID
        var row: RowKey
    }

    private let clusters: [ClusterView]
    private let memory: ColumnMemory
    var blobs: [BlobKey: [UInt8]] { memory.blobs }

    /// - Parameters:
    ///   - rows: For each row the values of the definition's columns, in their order.
    ///   - sizes: How many rows each cluster has; adds up to the number of rows.
    init(
        definition: TableDefinition, keys: [Int64], rows: [[ScanValue]], sizes: [Int],
        using random: inout SeededGenerator
    ) {
        let memory = ColumnMemory()
        self.memory = memory
        var clusters: [ClusterView] = []
        var firstKeys: ContiguousArray<Int64> = []
        var start = 0
        let columnCount = Int(definition.nextColumnID)
        for size in sizes {
            let range = start..<start + size
            start += size
            let keys = Array(keys[range])
            let cluster = ClusterView(
                firstKey: keys[0], count: size, columnCount: columnCount, isMutable: false)
            let keyColumn = memory.integers(
                keys.map { .integer($0) }, isNullable: false, using: &random)
            cluster.columns[0] = keyColumn
            for (index, column) in definition.columns.enumerated() {
                if definition.usesPrimaryKeyAsRowKey && column.id == definition.primaryKey {
                    cluster.columns[column.id.position] = keyColumn
                    continue
                }
                let values = rows[range].map { $0[index] }
                cluster.columns[column.id.position] = memory.column(
                    column, values, keys: keys, using: &random)
            }
            clusters.append(cluster)
            firstKeys.append(keys[0])
        }
        self.clusters = clusters
        super.init(
            definition: definition,
            directory: ClusterDirectory(
                firstKeys: firstKeys, counts: ContiguousArray(sizes.map { Int32($0) })))
    }

    override func cluster(at index: Int) -> ClusterView { clusters[index] }

    override func withBlob<Result>(
        column: ColumnID, key: RowKey, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        (blobs[BlobKey(column: column, row: key)] ?? []).withUnsafeBytes(body)
    }

    override func index(of column: ColumnID) -> IndexReader? { nil }
}

/// Tables by their ids.
final class MemorySource: TableSource, @unchecked Sendable {
    // Sendable: filled before it is read.
    private var tables: [TableID: MemoryTable] = [:]

    func add(_ table: MemoryTable) { tables[table.id] = table }

    override func table(_ id: TableID) -> TableView {
        guard let table = tables[id] else { fatalError("no such table in this test") }
        return table
    }
}
