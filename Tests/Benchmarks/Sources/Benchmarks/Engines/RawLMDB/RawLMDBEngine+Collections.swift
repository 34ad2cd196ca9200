import CRawLMDB
import Foundation

/// A list in raw LMDB: an entry for each element, under its position.
extension RawLMDBEngine {
    private func fill(_ store: RawLMDBStore) throws {
        try store.write { transaction in
            for (position, row) in dataset.rows.enumerated() {
                var position = UInt64(position).bigEndian
                var number = Int64(row.age)
                try withUnsafeMutableBytes(of: &position) { keyBytes in
                    try withUnsafeMutableBytes(of: &number) { valueBytes in
                        var key = MDB_val(mv_size: keyBytes.count, mv_data: keyBytes.baseAddress)
                        var value = MDB_val(
                            mv_size: valueBytes.count, mv_data: valueBytes.baseAddress)
                        try checkLMDB(
                            mdb_put(transaction, store.rows, &key, &value, UInt32(MDB_APPEND)),
                            "mdb_put")
                    }
                }
            }
        }
    }

    func listAppend() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let store = try RawLMDBStore(file: folder.appendingPathComponent("shelf.mdb"))
            let value = try nanoseconds(per: dataset.rows.count) { try fill(store) }
            let count = try store.read { transaction in
                var statistics = MDB_stat()
                try checkLMDB(mdb_stat(transaction, store.rows, &statistics), "mdb_stat")
                return Int(statistics.ms_entries)
            }
            return Sample(value: value, answer: count)
        }
    }

    func listIterate() throws -> Sample {
        let store = try shelf ?? RawLMDBStore(file: directory.appendingPathComponent("shelf.mdb"))
        if shelf == nil { try fill(store) }
        shelf = store
        return try store.read { transaction in
            var sum = 0
            let value = try nanoseconds(per: dataset.rows.count) {
                var opened: OpaquePointer?
                try checkLMDB(mdb_cursor_open(transaction, store.rows, &opened), "mdb_cursor_open")
                defer { mdb_cursor_close(opened) }
                var key = MDB_val()
                var value = MDB_val()
                var code = mdb_cursor_get(opened, &key, &value, MDB_FIRST)
                while code == 0 {
                    sum += Int(value.mv_data.loadUnaligned(as: Int64.self))
                    code = mdb_cursor_get(opened, &key, &value, MDB_NEXT)
                }
                guard code == MDB_NOTFOUND else {
                    throw LMDBFailure(call: "mdb_cursor_get", code: code)
                }
            }
            return Sample(value: value, answer: sum)
        }
    }
}
