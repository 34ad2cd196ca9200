import Testing

@testable import FreeholdStorage

/// Records that no commit would write, in a file that is open.
extension Environment {
    /// Stores bytes under a key; nil removes what is there.
    func put(_ bytes: [UInt8]?, under key: StorageKey, _ database: Database) throws {
        let key = Array(key.salvageKey)
        try writer.begin().commit { transaction in
            try key.withUnsafeBytes { key in
                guard let bytes else {
                    let isRemoved = try transaction.delete(database, key: key)
                    return try #require(isRemoved)
                }
                try bytes.withUnsafeBytes { try transaction.put(database, key: key, value: $0) }
            }
        }
    }

    /// Changes what a cluster stores of a column, with the checksum that the changed bytes should
    /// have.
    func changeColumn(
        _ table: TableID, firstKey: Int64, _ column: ColumnID, _ change: (inout [UInt8]) -> Void
    ) throws {
        let key = StorageKey.column(table, firstKey: firstKey, column)
        let keyBytes = Array(key.salvageKey)
        var bytes = try #require(try read().entries(.clusters).first { $0.key == keyBytes }).value
        change(&bytes)
        let checksum = bytes.withUnsafeBytes {
            StoredColumn.checksum($0, seed: StoredColumn.seed(table, firstKey: firstKey, column))
        }
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: checksum, toByteOffset: 4, as: UInt32.self)
        }
        try put(bytes, under: key, .clusters)
    }
}
