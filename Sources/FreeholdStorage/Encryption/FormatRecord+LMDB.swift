internal import CLMDB

extension FormatRecord {
    static func withKey<Result>(_ body: (inout MDB_val) -> Result) -> Result {
        key.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            return body(&key)
        }
    }

    /// Stores the record, in plain and in encrypted files: it is not an entry of an encrypted
    /// tree. Returns LMDB's result.
    func put(in transaction: OpaquePointer) -> CInt {
        encoded().withUnsafeBytes { bytes in
            var value = MDB_val(bytes)
            return Self.withKey { mdb_put(transaction, Database.meta.handle, &$0, &value, 0) }
        }
    }
}
