import CMeasurement
import CRawLMDB
import Foundation

/// LMDB used directly, one value for each row: what a store on LMDB costs that knows nothing of
/// objects, queries or columns.
///
/// - `bulk-insert`: see `RawLMDBStore.insert`; the clock includes the synced commit.
/// - `pk-read`: `mdb_get` in one read transaction, then one field is decoded.
/// - `hot-read`: the same `mdb_get` of one and the same key, for want of anything that stays at
///   a row.
/// - `scan-int`: a cursor over all rows.
/// - `durable-commit`: a transaction for each row: get, put of the changed row, commit with
///   LMDB's default syncing.
final class RawLMDBEngine: Engine {
    static let name = EngineName.lmdb
    static let works: Set<Work> = [
        .bulkInsert, .pkRead, .hotRead, .scanInt, .durableCommit, .fileSize, .listAppend,
        .listIterate,
    ]

    let dataset: Dataset
    let directory: URL
    /// The store with the list, once made.
    var shelf: RawLMDBStore?
    private let baseFolder: URL
    private let base: RawLMDBStore

    init(dataset: Dataset, directory: URL) throws {
        self.dataset = dataset
        self.directory = directory
        baseFolder = directory.appendingPathComponent("base")
        try StoreFiles.makeEmptyFolder(baseFolder)
        base = try RawLMDBStore(file: Self.file(in: baseFolder))
        try base.insert(dataset.rows)
    }

    func sample(_ work: Work) throws -> Sample {
        switch work {
        case .bulkInsert: try bulkInsert()
        case .pkRead: try pkRead()
        case .hotRead: try hotRead()
        case .scanInt: try scanInt()
        case .durableCommit: try durableCommit()
        case .fileSize: Sample(value: Double(try StoreFiles.size(of: baseFolder)), answer: nil)
        case .listAppend: try listAppend()
        case .listIterate: try listIterate()
        default: preconditionFailure("raw LMDB has no counterpart of \(work.rawValue)")
        }
    }

    private static func file(in folder: URL) -> URL {
        folder.appendingPathComponent("people.mdb")
    }
}

extension RawLMDBEngine {
    private func bulkInsert() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let store = try RawLMDBStore(file: Self.file(in: folder))
            let value = try nanoseconds(per: dataset.rows.count) { try store.insert(dataset.rows) }
            let count = try store.read { transaction in
                var statistics = MDB_stat()
                try checkLMDB(mdb_stat(transaction, store.rows, &statistics), "mdb_stat")
                return Int(statistics.ms_entries)
            }
            return Sample(value: value, answer: count)
        }
    }

    private func pkRead() throws -> Sample {
        try base.read { transaction in
            var sum = 0
            let value = try nanoseconds(per: dataset.lookupIdentifiers.count) {
                for identifier in dataset.lookupIdentifiers {
                    sum &+= try age(of: identifier, transaction)
                }
            }
            return Sample(value: value, answer: sum)
        }
    }

    private func hotRead() throws -> Sample {
        var identifier = UInt64(dataset.hotIdentifier).bigEndian
        return try base.read { transaction in
            try withUnsafeMutableBytes(of: &identifier) { keyBytes in
                var key = MDB_val(mv_size: keyBytes.count, mv_data: keyBytes.baseAddress)
                var found = MDB_val()
                var sum = 0
                let value = try nanoseconds(per: dataset.hotReads) {
                    for _ in 0..<dataset.hotReads {
                        try checkLMDB(mdb_get(transaction, base.rows, &key, &found), "mdb_get")
                        sum &+= RawLMDBRow.age(found.mv_data)
                        measurement_memory_barrier()
                    }
                }
                return Sample(value: value, answer: sum)
            }
        }
    }

    private func scanInt() throws -> Sample {
        try base.read { transaction in
            var count = 0
            let value = try nanoseconds(per: dataset.rows.count) {
                var opened: OpaquePointer?
                try checkLMDB(mdb_cursor_open(transaction, base.rows, &opened), "mdb_cursor_open")
                defer { mdb_cursor_close(opened) }
                var key = MDB_val()
                var value = MDB_val()
                var code = mdb_cursor_get(opened, &key, &value, MDB_FIRST)
                while code == 0 {
                    count += RawLMDBRow.age(value.mv_data) > 50 ? 1 : 0
                    code = mdb_cursor_get(opened, &key, &value, MDB_NEXT)
                }
                guard code == MDB_NOTFOUND else {
                    throw LMDBFailure(call: "mdb_cursor_get", code: code)
                }
            }
            return Sample(value: value, answer: count)
        }
    }

    private func durableCommit() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            try StoreFiles.copy(Self.file(in: baseFolder), to: Self.file(in: folder))
            let store = try RawLMDBStore(file: Self.file(in: folder))
            let value = try nanoseconds(per: dataset.commitIdentifiers.count) {
                for identifier in dataset.commitIdentifiers {
                    try store.write { transaction in
                        try incrementAge(of: identifier, store, transaction)
                    }
                }
            }
            let sum = try store.read { transaction in
                try dataset.commitIdentifiers.reduce(0) { try $0 + age(of: $1, store, transaction) }
            }
            return Sample(value: value, answer: sum)
        }
    }

    @inline(__always)
    private func age(of identifier: Int, _ transaction: OpaquePointer) throws -> Int {
        try age(of: identifier, base, transaction)
    }

    @inline(__always)
    private func age(of identifier: Int, _ store: RawLMDBStore, _ transaction: OpaquePointer) throws
        -> Int
    {
        var identifier = UInt64(identifier).bigEndian
        return try withUnsafeMutableBytes(of: &identifier) { keyBytes in
            var key = MDB_val(mv_size: keyBytes.count, mv_data: keyBytes.baseAddress)
            var value = MDB_val()
            try checkLMDB(mdb_get(transaction, store.rows, &key, &value), "mdb_get")
            return RawLMDBRow.age(value.mv_data)
        }
    }

    private func incrementAge(
        of identifier: Int, _ store: RawLMDBStore, _ transaction: OpaquePointer
    ) throws {
        var identifier = UInt64(identifier).bigEndian
        try withUnsafeMutableBytes(of: &identifier) { keyBytes in
            var key = MDB_val(mv_size: keyBytes.count, mv_data: keyBytes.baseAddress)
            var value = MDB_val()
            try checkLMDB(mdb_get(transaction, store.rows, &key, &value), "mdb_get")
            // LMDB's own page must not be written, and the put may move it.
            try withUnsafeTemporaryAllocation(byteCount: value.mv_size, alignment: 8) { copy in
                copy.copyMemory(
                    from: UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
                RawLMDBRow.setAge(RawLMDBRow.age(value.mv_data) + 1, in: copy.baseAddress!)
                value.mv_data = copy.baseAddress
                try checkLMDB(mdb_put(transaction, store.rows, &key, &value, 0), "mdb_put")
            }
        }
    }
}
