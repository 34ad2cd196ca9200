/// A cluster of a damaged file: the keys of its rows, and the readable columns.
///
/// The instance owns the memory of the columns.
final class SalvagedCluster {
    let table: TableID
    let firstKey: Int64
    private(set) var keys: [Int64] = []
    /// By position. Missing columns read as absent.
    private(set) var columns: [Int: ColumnView] = [:]
    /// Columns that exist, or may have existed, and cannot be read.
    private(set) var lostColumns: [ColumnDefinition] = []
    private var memory: [UnsafeMutableRawBufferPointer] = []

    deinit { for bytes in memory { bytes.deallocate() } }

    /// The reason why the rows are lost.
    struct Loss: Error {
        /// The number of rows, as far as it is known.
        var rowCount: Int
        var reason: String
    }

    /// Reads a cluster.
    ///
    /// If the directory's entry is lost and no row keys are stored, the keys are consecutive.
    /// They are known if the rows fill the cluster's range: then they begin with its first key.
    ///
    /// - Parameter end: The first key of the next cluster, or a key greater than all that the
    ///   table has used; nil if neither is known.
    /// - Throws: A `Loss` if the keys of its rows are unknown, or if nothing of it can be read.
    init(_ source: SalvageSource, _ definition: TableDefinition, firstKey: Int64, end: Int64?)
        throws(Loss)
    {
        table = definition.id
        self.firstKey = firstKey
        let kinds = ColumnKinds(definition)
        let entry = source.value(
            StorageKey.directory(table, firstKey: firstKey).salvageKey, .directory
        ).flatMap {
            $0.withUnsafeBytes { DirectoryEntry(decoding: $0, of: table, firstKey: firstKey) }
        }
        var stored: [Int: ContiguousArray<UInt8>] = [:]
        for (position, kind) in kinds.byPosition.enumerated() {
            guard let kind, !kind.isRowKey else { continue }
            let column = ColumnID(rawValue: UInt16(position))
            let key = StorageKey.column(table, firstKey: firstKey, column).salvageKey
            let bytes = source.value(key, .clusters)
            if let bytes,
                bytes.withUnsafeBytes({
                    StoredColumn.hasRightChecksum(
                        $0, seed: StoredColumn.seed(table, firstKey: firstKey, column))
                })
            {
                stored[position] = bytes
            } else if source.entries.value(key, .clusters) != nil
                || source.entries.mayHaveLost(key, .clusters), position > 0
            {
                if let column = definition[column] { lostColumns.append(column) }
            }
        }
        let count =
            entry?.count ?? stored.values.first.map { bytes in
                bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
            } ?? 0
        if let first = entry?.consecutiveFrom {
            keys = (0..<Int64(count)).map { first + $0 }
        } else if let bytes = stored[0],
            let view = view(bytes, count: count, .integer, isNullable: false)
        {
            keys = (0..<count).map { view.integer(at: $0) }
        } else if entry == nil, stored[0] == nil, count > 0,
            source.entries.value(
                StorageKey.column(table, firstKey: firstKey, .rowKeys).salvageKey, .clusters)
                == nil,
            end.map({ $0.subtractingReportingOverflow(firstKey) }).map({
                !$0.overflow && $0.partialValue == Int64(count)
            }) ?? false
        {
            keys = (0..<Int64(count)).map { firstKey + $0 }
        } else {
            throw Loss(rowCount: count, reason: "the keys of its rows cannot be read")
        }
        stored[0] = nil
        guard zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }),
            keys.first ?? firstKey >= firstKey
        else { throw Loss(rowCount: count, reason: "the keys of its rows are in disorder") }
        for column in definition.columns {
            guard let bytes = stored[column.id.position] else { continue }
            if let view = view(bytes, count: count, column.type, isNullable: column.isNullable) {
                columns[column.id.position] = view
            } else {
                lostColumns.append(column)
            }
        }
        if columns.isEmpty, !lostColumns.isEmpty {
            throw Loss(
                rowCount: count, reason: "nothing of it can be read but the keys of its rows")
        }
    }

    private func view(
        _ bytes: ContiguousArray<UInt8>, count: Int, _ type: ColumnType, isNullable: Bool
    ) -> ColumnView? {
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(bytes.count, 1), alignment: 16)
        memory.append(copy)
        bytes.withUnsafeBytes { copy.copyMemory(from: $0) }
        let whole = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<bytes.count])
        guard
            let view = try? StoredColumn.view(
                of: whole, count: count, type: type, isNullable: isNullable)
        else { return nil }
        if type.isVariableLength, view.heapDefect(count, isText: type == .text) != nil {
            return nil
        }
        return view
    }
}
