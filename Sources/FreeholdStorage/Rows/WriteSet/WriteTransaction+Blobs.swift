/// Long values, in chunks (``StoredBlob``).
extension WriteTransaction {
    /// Stores a value.
    ///
    /// - Returns: The number of its chunks.
    func putBlob(
        _ value: ContiguousArray<UInt8>, _ table: TableID, _ column: ColumnID, rowKey: Int64
    ) throws(StorageError) -> UInt32 {
        try value.withBytes { bytes throws(StorageError) in
            var (chunk, start) = (UInt32(0), 0)
            while start < bytes.count {
                let part = UnsafeRawBufferPointer(
                    rebasing: bytes[start..<min(start + StoredBlob.chunkSize, bytes.count)])
                try putChunk(part, table, column, rowKey: rowKey, chunk)
                start += part.count
                chunk += 1
            }
            return chunk
        }
    }

    private func putChunk(
        _ part: UnsafeRawBufferPointer, _ table: TableID, _ column: ColumnID, rowKey: Int64,
        _ chunk: UInt32
    ) throws(StorageError) {
        let checksum = StoredBlob.checksum(part, table, column, rowKey: rowKey, chunk: chunk)
        try StorageKey.blob(table, column, rowKey: rowKey, chunk: chunk).withBytes {
            key throws(StorageError) in
            let target = try reserve(.blobs, key: key, count: StoredBlob.headerSize + part.count)
            target.storeBytes(of: checksum.littleEndian, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: target[StoredBlob.headerSize...])
                .copyMemory(from: part)
        }
    }

    /// Deletes the chunks of a value from one of them on.
    ///
    /// - Returns: The number of the chunk after the last one.
    @discardableResult
    func deleteBlob(
        _ table: TableID, _ column: ColumnID, rowKey: Int64, from first: UInt32 = 0
    ) throws(StorageError) -> UInt32 {
        var chunk = first
        while try StorageKey.blob(table, column, rowKey: rowKey, chunk: chunk)
            .withBytes({ key throws(StorageError) in try delete(.blobs, key: key) })
        { chunk += 1 }
        return chunk
    }
}
