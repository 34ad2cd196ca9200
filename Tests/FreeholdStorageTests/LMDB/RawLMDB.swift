import Foundation
import Testing

/// LMDB without Freehold, as another program uses it. Its functions are looked up by name: only
/// FreeholdStorage imports it.
enum RawLMDB {
    private typealias Create = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> CInt
    private typealias Open =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CUnsignedInt, mode_t) -> CInt
    private typealias Copy =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CUnsignedInt) -> CInt
    private typealias Begin =
        @convention(c) (
            OpaquePointer?, OpaquePointer?, CUnsignedInt, UnsafeMutablePointer<OpaquePointer?>
        ) -> CInt
    private typealias OpenDatabase =
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>?, CUnsignedInt, UnsafeMutablePointer<CUnsignedInt>
        ) -> CInt
    private typealias Put =
        @convention(c) (
            OpaquePointer?, CUnsignedInt, UnsafeMutableRawPointer, UnsafeMutableRawPointer,
            CUnsignedInt
        ) -> CInt
    private typealias Commit = @convention(c) (OpaquePointer?) -> CInt
    private typealias Close = @convention(c) (OpaquePointer?) -> Void

    private struct Value {
        var size: Int
        var data: UnsafeMutableRawPointer?
    }

    static let noSubdirectory: CUnsignedInt = 0x4000
    private static let noLockNoSubdirectory: CUnsignedInt = 0x40_0000 | noSubdirectory

    private static func function<Function>(_ name: String, _ type: Function.Type) throws -> Function
    {
        unsafeBitCast(try #require(dlsym(nil, name)), to: type)
    }

    private static func withEnvironment(
        _ path: String, flags: CUnsignedInt = noLockNoSubdirectory,
        _ body: (OpaquePointer?) throws -> Void
    ) throws {
        var environment: OpaquePointer?
        try #require(try function("mdb_env_create", Create.self)(&environment) == 0)
        defer { _ = try? function("mdb_env_close", Close.self)(environment) }
        try #require(try function("mdb_env_open", Open.self)(environment, path, flags, 0o644) == 0)
        try body(environment)
    }

    /// What `mdb_copy -c` does.
    static func copyCompactly(_ path: String, to copy: String) throws {
        try withEnvironment(path) { environment in
            let result = try function("mdb_env_copy2", Copy.self)(environment, copy, 1)
            #expect(result == 0)
        }
    }

    /// A file with some entries in the unnamed database.
    static func makeFile(_ path: String) throws {
        try write(path, count: 1000, flags: noLockNoSubdirectory)
    }

    /// Puts entries into the unnamed database, in one transaction.
    static func write(_ path: String, count: Int, flags: CUnsignedInt = noLockNoSubdirectory) throws
    {
        try withEnvironment(path, flags: flags) { environment in
            var transaction: OpaquePointer?
            try #require(
                try function("mdb_txn_begin", Begin.self)(environment, nil, 0, &transaction) == 0)
            var database: CUnsignedInt = 0
            try #require(
                try function("mdb_dbi_open", OpenDatabase.self)(transaction, nil, 0, &database) == 0
            )
            let put = try function("mdb_put", Put.self)
            for index in 0..<count {
                var bytes = Array("foreign \(index)".utf8)
                let result = bytes.withUnsafeMutableBytes { buffer in
                    var key = Value(size: buffer.count, data: buffer.baseAddress)
                    var value = key
                    return put(transaction, database, &key, &value, 0)
                }
                #expect(result == 0)
            }
            try #require(try function("mdb_txn_commit", Commit.self)(transaction) == 0)
        }
    }

    // MARK: Named databases

    private typealias CursorOpen =
        @convention(c) (OpaquePointer?, CUnsignedInt, UnsafeMutablePointer<OpaquePointer?>) -> CInt
    private typealias CursorGet =
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer, CUnsignedInt
        ) -> CInt
    private typealias Delete =
        @convention(c) (
            OpaquePointer?, CUnsignedInt, UnsafeMutableRawPointer, UnsafeMutableRawPointer?
        ) -> CInt
    private typealias SetMaximum = @convention(c) (OpaquePointer?, CUnsignedInt) -> CInt

    private static func withDatabase(
        _ path: String, _ name: String?, _ body: (OpaquePointer?, CUnsignedInt) throws -> Void
    ) throws {
        var environment: OpaquePointer?
        try #require(try function("mdb_env_create", Create.self)(&environment) == 0)
        defer { _ = try? function("mdb_env_close", Close.self)(environment) }
        try #require(try function("mdb_env_set_maxdbs", SetMaximum.self)(environment, 10) == 0)
        try #require(
            try function("mdb_env_open", Open.self)(environment, path, noLockNoSubdirectory, 0o644)
                == 0)
        var transaction: OpaquePointer?
        try #require(
            try function("mdb_txn_begin", Begin.self)(environment, nil, 0, &transaction) == 0)
        var database: CUnsignedInt = 0
        try #require(
            try function("mdb_dbi_open", OpenDatabase.self)(transaction, name, 0, &database) == 0)
        try body(transaction, database)
        try #require(try function("mdb_txn_commit", Commit.self)(transaction) == 0)
    }

    /// The entries of a database of a file that is not open; of the unnamed one without a name.
    static func entries(_ path: String, _ name: String?) throws -> [(key: [UInt8], value: [UInt8])]
    {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try withDatabase(path, name) { transaction, database in
            var cursor: OpaquePointer?
            try #require(
                try function("mdb_cursor_open", CursorOpen.self)(transaction, database, &cursor)
                    == 0)
            defer { _ = try? function("mdb_cursor_close", Close.self)(cursor) }
            let get = try function("mdb_cursor_get", CursorGet.self)
            var (key, value) = (Value(size: 0), Value(size: 0))
            // MDB_FIRST, then MDB_NEXT.
            var result = get(cursor, &key, &value, 0)
            while result == 0 {
                entries.append(
                    (
                        Array(UnsafeRawBufferPointer(start: key.data, count: key.size)),
                        Array(UnsafeRawBufferPointer(start: value.data, count: value.size))
                    ))
                result = get(cursor, &key, &value, 8)
            }
        }
        return entries
    }

    /// Puts an entry into a database of a file that is not open, or removes it.
    static func set(_ path: String, _ name: String?, _ key: [UInt8], _ value: [UInt8]?) throws {
        try withDatabase(path, name) { transaction, database in
            var (key, value) = (key, value)
            let result = try key.withUnsafeMutableBytes { keyBytes in
                var rawKey = Value(size: keyBytes.count, data: keyBytes.baseAddress)
                guard value != nil else {
                    return try function("mdb_del", Delete.self)(transaction, database, &rawKey, nil)
                }
                let put = try function("mdb_put", Put.self)
                return value?.withUnsafeMutableBytes { valueBytes in
                    var rawValue = Value(size: valueBytes.count, data: valueBytes.baseAddress)
                    return put(transaction, database, &rawKey, &rawValue, 0)
                } ?? 0
            }
            try #require(result == 0)
        }
    }
}
