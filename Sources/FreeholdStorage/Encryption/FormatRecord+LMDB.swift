internal import CLMDB

extension FormatRecord {
    static func withKey<Result>(_ body: (inout MDB_val) -> Result) -> Result {
        key.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            return body(&key)
        }
    }

    /// Puts the record, in a plain file and in an encrypted one: it is no entry of a encrypted
    /// tree. LMDB's result.
    func put(in transaction: OpaquePointer) -> CInt {
        encoded().withUnsafeBytes { bytes in
            var value = MDB_val(bytes)
            return Self.withKey { mdb_put(transaction, Database.meta.handle, &$0, &value, 0) }
        }
    }
}
