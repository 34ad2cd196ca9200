extension FormatRecord {
    /// The record that a transaction sees, or LMDB's failure.
    static func stored(in transaction: LMDBTransaction)
        -> Result<UnsafeRawBufferPointer, LMDBResult>
    {
        key.withUnsafeBytes { transaction.value(Database.meta.handle, $0) }
    }

    /// Stores the record, in plain and in encrypted files: it is not an entry of an encrypted
    /// tree. Returns LMDB's result.
    func put(in transaction: LMDBTransaction) -> LMDBResult { Self.put(encoded(), in: transaction) }

    /// Stores the bytes of an encoded record. Returns LMDB's result.
    static func put(_ bytes: [UInt8], in transaction: LMDBTransaction) -> LMDBResult {
        bytes.withUnsafeBytes { bytes in
            key.withUnsafeBytes { transaction.put(Database.meta.handle, $0, bytes) }
        }
    }
}
