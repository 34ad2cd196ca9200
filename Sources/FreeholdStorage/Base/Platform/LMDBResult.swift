internal import CLMDB

/// What a call of LMDB returns: success, a failure of its own, or the `errno` of the system.
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

    /// The system's failure, if it is one.
    var errorNumber: ErrorNumber? { rawValue > 0 ? ErrorNumber(rawValue: rawValue) : nil }

    /// A write that a full disk cuts short comes back as `inputOutput`: then `diskFull`.
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
    /// The value.
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
    /// LMDB does not write through the keys and values it is given.
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
