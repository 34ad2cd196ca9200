internal import CLMDB

/// An LMDB environment (`MDB_env`), for one file. The owner closes it.
struct LMDBEnvironment {
    /// How a file is opened.
    struct Options: OptionSet {
        let rawValue: Int32

        static let readOnly = Options(rawValue: MDB_RDONLY)
        /// Without a lock file.
        static let unlocked = Options(rawValue: MDB_NOLOCK)
        /// Commits do not wait for the medium.
        static let unsynchronized = Options(rawValue: MDB_NOSYNC)
        /// Commits do not wait for the meta page to be on the medium.
        static let unsynchronizedMeta = Options(rawValue: MDB_NOMETASYNC)
    }

    private let pointer: OpaquePointer

    /// Creates an environment without a file.
    static func create(databaseCount: Int) -> Result<LMDBEnvironment, LMDBResult> {
        var created: OpaquePointer?
        let result = LMDBResult(mdb_env_create(&created))
        guard result == .success, let created else { return .failure(result) }
        mdb_env_set_maxdbs(created, UInt32(databaseCount))
        return .success(LMDBEnvironment(pointer: created))
    }

    func setMapSize(_ size: Int) { mdb_env_set_mapsize(pointer, size) }

    func setReaderCount(_ count: Int) { mdb_env_set_maxreaders(pointer, UInt32(clamping: count)) }

    /// Opens the file of a path. Read transactions are not bound to threads (`MDB_NOTLS`). After a
    /// failure, the environment can only be closed.
    func open(_ path: String, _ options: Options, permissions: UInt32) -> LMDBResult {
        LMDBResult(
            mdb_env_open(
                pointer, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS | options.rawValue), permissions))
    }

    /// Closes the environment. Call it after the last transaction has ended.
    func close() { mdb_env_close(pointer) }

    /// Waits until all commits are on the medium.
    func synchronize() { mdb_env_sync(pointer, 1) }

    func beginReading() -> Result<LMDBTransaction, LMDBResult> { begin(UInt32(MDB_RDONLY)) }

    func beginWriting() -> Result<LMDBTransaction, LMDBResult> { begin(0) }

    private func begin(_ flags: UInt32) -> Result<LMDBTransaction, LMDBResult> {
        var begun: OpaquePointer?
        let result = LMDBResult(mdb_txn_begin(pointer, nil, flags, &begun))
        guard result == .success, let begun else { return .failure(result) }
        return .success(LMDBTransaction(pointer: begun))
    }

    /// LMDB's own descriptor of the file.
    var descriptor: Int32 {
        var descriptor: Int32 = -1
        mdb_env_get_fd(pointer, &descriptor)
        return descriptor
    }

    /// The id of the newest transaction, from the meta pages.
    var newestTransaction: UInt64 {
        var information = MDB_envinfo()
        mdb_env_info(pointer, &information)
        return UInt64(truncatingIfNeeded: information.me_last_txnid)
    }

    /// The last page in use, as of the newest commit.
    var lastPage: Int {
        var information = MDB_envinfo()
        mdb_env_info(pointer, &information)
        return information.me_last_pgno
    }

    var pageSize: Int {
        var statistics = MDB_stat()
        mdb_env_stat(pointer, &statistics)
        return Int(statistics.ms_psize)
    }

    /// Frees the reader slots of dead processes. Returns how many there were.
    @discardableResult
    func discardDeadReaders() -> Int {
        var count: Int32 = 0
        mdb_reader_check(pointer, &count)
        return Int(count)
    }

    /// The reader slots in use by all processes, as lines of text: `pid thread transaction`, the
    /// last a number or `-`.
    var readerLines: [String] {
        final class Lines { var lines: [String] = [] }
        let found = Lines()
        mdb_reader_list(
            pointer,
            { line, context in
                guard let line, let context else { return 0 }
                Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().lines
                    .append(String(cString: line))
                return 0
            }, Unmanaged.passUnretained(found).toOpaque())
        return found.lines
    }
}
