import CRawLMDB
import Foundation

extension RawLMDBStore {
    /// Inserts all rows and their index entries in one transaction, the fastest way LMDB has:
    /// rows are written straight into their pages in key order with `MDB_APPEND`, index entries
    /// are sorted first and then appended too, so pages are full.
    func insert(_ people: [PersonRow]) throws {
        try write { transaction in
            try appendRows(people, transaction)
            try appendNames(people, transaction)
        }
    }

    private func appendRows(_ people: [PersonRow], _ transaction: OpaquePointer) throws {
        let flags = UInt32(MDB_APPEND | MDB_RESERVE)
        for person in people {
            var identifier = UInt64(person.id).bigEndian
            try withUnsafeMutableBytes(of: &identifier) { keyBytes in
                var key = MDB_val(mv_size: keyBytes.count, mv_data: keyBytes.baseAddress)
                var value = MDB_val(mv_size: RawLMDBRow.size(of: person), mv_data: nil)
                try checkLMDB(mdb_put(transaction, rows, &key, &value, flags), "mdb_put")
                RawLMDBRow.encode(person, to: value.mv_data)
            }
        }
    }

    private func appendNames(_ people: [PersonRow], _ transaction: OpaquePointer) throws {
        // All keys in one buffer, sorted by their places in it.
        let capacity = people.reduce(0) { $0 + $1.name.utf8.count + 9 }
        let keys = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        defer { keys.deallocate() }
        var entries: [NameEntry] = []
        entries.reserveCapacity(people.count)
        var end = 0
        for person in people {
            let start = end
            end += RawLMDBRow.copy(person.name, to: keys + end)
            keys.storeBytes(of: 0, toByteOffset: end, as: UInt8.self)
            keys.storeBytes(of: UInt64(person.id).bigEndian, toByteOffset: end + 1, as: UInt64.self)
            end += 9
            entries.append(NameEntry(bytes: keys + start, size: end - start))
        }
        entries.sort { $0.precedes($1) }
        for entry in entries {
            var key = MDB_val(mv_size: entry.size, mv_data: entry.bytes)
            var value = MDB_val(mv_size: 0, mv_data: nil)
            try checkLMDB(mdb_put(transaction, names, &key, &value, UInt32(MDB_APPEND)), "mdb_put")
        }
    }
}

/// A key of the index, in the order LMDB compares keys.
private struct NameEntry {
    let bytes: UnsafeMutableRawPointer
    let size: Int

    func precedes(_ other: NameEntry) -> Bool {
        let order = memcmp(bytes, other.bytes, min(size, other.size))
        return order == 0 ? size < other.size : order < 0
    }
}
