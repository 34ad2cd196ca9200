internal import CLMDB

/// The result of an LMDB call: success, an error of LMDB, or an `errno`.
struct LMDBResult: Error, Equatable {
    let rawValue: Int32

    init(_ rawValue: Int32) { self.rawValue = rawValue }

    init(_ error: ErrorNumber) { rawValue = error.rawValue }

    static let success = LMDBResult(MDB_SUCCESS)
    static let notFound = LMDBResult(MDB_NOTFOUND)
    static let pageNotFound = LMDBResult(MDB_PAGE_NOTFOUND)
    static let corrupted = LMDBResult(MDB_CORRUPTED)
    static let cursorFull = LMDBResult(MDB_CURSOR_FULL)
    static let incompatible = LMDBResult(MDB_INCOMPATIBLE)
    static let invalid = LMDBResult(MDB_INVALID)
    static let versionMismatch = LMDBResult(MDB_VERSION_MISMATCH)
    static let panic = LMDBResult(MDB_PANIC)
    static let mapFull = LMDBResult(MDB_MAP_FULL)
    static let mapResized = LMDBResult(MDB_MAP_RESIZED)
    static let readersFull = LMDBResult(MDB_READERS_FULL)
    static let badTransaction = LMDBResult(MDB_BAD_TXN)
    static let badValueSize = LMDBResult(MDB_BAD_VALSIZE)

    /// The `errno`, if the result is one.
    var errorNumber: ErrorNumber? { rawValue > 0 ? ErrorNumber(rawValue: rawValue) : nil }

    /// Replaces `inputOutput` by `diskFull` if the file system is full. LMDB reports a write that
    /// a full disk cut short as `inputOutput`.
    func namingFullDisk(of system: FileSystem?) -> LMDBResult {
        errorNumber == .inputOutput && system?.isFull == true ? LMDBResult(.diskFull) : self
    }

    /// LMDB's text.
    var message: String { String(cString: mdb_strerror(rawValue)) }

    /// - Throws: The error for a failed call (``StorageError/lmdb(_:_:path:)``).
    @inline(__always)
    func check(_ action: String, path: @autoclosure () -> String) throws(StorageError) {
        if self != .success { throw .lmdb(self, action, path: path()) }
    }
}

extension Result where Failure == LMDBResult {
    /// Returns the value of a successful call.
    ///
    /// - Throws: The error for a failed call (``StorageError/lmdb(_:_:path:)``).
    @inline(__always)
    func get(_ action: String, path: @autoclosure () -> String) throws(StorageError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let result): throw .lmdb(result, action, path: path())
        }
    }
}

extension MDB_val {
    /// LMDB does not write through the keys and values that it receives.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    @inline(__always)
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}
