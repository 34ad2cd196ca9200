import CRawLMDB
import Foundation

/// An LMDB call failed.
struct LMDBFailure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String {
        "\(call) failed: \(String(cString: mdb_strerror(code))) (\(code))."
    }
}

/// Throws unless an LMDB call succeeded.
@inline(__always)
func checkLMDB(_ code: Int32, _ call: StaticString) throws {
    if code != 0 {
        throw LMDBFailure(call: "\(call)", code: code)
    }
}

/// One LMDB file with two databases: the rows by primary key, and an index of entries
/// `name, 0, primary key` with empty values.
///
/// LMDB's defaults: a commit syncs the pages, then writes the meta page through to the disk. No
/// write map, no relaxed syncing.
final class RawLMDBStore {
    let environment: OpaquePointer
    let rows: MDB_dbi
    let names: MDB_dbi

    /// - Parameter file: Created when it is missing; its lock file lies beside it.
    init(file: URL) throws {
        var created: OpaquePointer?
        try checkLMDB(mdb_env_create(&created), "mdb_env_create")
        let environment = created!
        do {
            // Address space only, nothing is allocated.
            try checkLMDB(mdb_env_set_mapsize(environment, 64 << 30), "mdb_env_set_mapsize")
            try checkLMDB(mdb_env_set_maxdbs(environment, 2), "mdb_env_set_maxdbs")
            let flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
            try checkLMDB(mdb_env_open(environment, file.path, flags, 0o644), "mdb_env_open")
            var databases: (rows: MDB_dbi, names: MDB_dbi) = (0, 0)
            try Self.write(environment) { transaction in
                try checkLMDB(
                    mdb_dbi_open(transaction, "rows", UInt32(MDB_CREATE), &databases.rows),
                    "mdb_dbi_open")
                try checkLMDB(
                    mdb_dbi_open(transaction, "names", UInt32(MDB_CREATE), &databases.names),
                    "mdb_dbi_open")
            }
            (rows, names) = databases
        } catch {
            mdb_env_close(environment)
            throw error
        }
        self.environment = environment
    }

    deinit {
        mdb_env_close(environment)
    }

    func read<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        var begun: OpaquePointer?
        try checkLMDB(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun), "mdb_txn_begin")
        defer { mdb_txn_abort(begun) }
        return try body(begun!)
    }

    /// Commits when `body` returns, and syncs to disk.
    func write<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        try Self.write(environment, body)
    }

    private static func write<Result>(
        _ environment: OpaquePointer,
        _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        var begun: OpaquePointer?
        try checkLMDB(mdb_txn_begin(environment, nil, 0, &begun), "mdb_txn_begin")
        let result: Result
        do {
            result = try body(begun!)
        } catch {
            mdb_txn_abort(begun)
            throw error
        }
        try checkLMDB(mdb_txn_commit(begun), "mdb_txn_commit")
        return result
    }
}
