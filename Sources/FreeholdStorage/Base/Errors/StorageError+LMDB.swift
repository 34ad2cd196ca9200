internal import CLMDB
internal import Glibc

extension StorageError {
    /// The error for a failed LMDB call, with the usual cause of each code.
    ///
    /// - Parameters:
    ///   - result: LMDB's return code: one of its own (negative) or an `errno` (positive).
    ///   - action: What was tried, as in "begin a read transaction".
    ///   - path: The data file.
    static func lmdb(_ result: CInt, _ action: String, path: String) -> StorageError {
        if result == ENOTRECOVERABLE { return lostLock(action, path: path) }
        if result > 0 { return system(result, action, path: path) }
        let (code, text): (Code, String) =
            switch result {
            case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_CURSOR_FULL, MDB_INCOMPATIBLE:
                (.corrupted, "The file is damaged: restore it from a backup.")
            case MDB_INVALID:
                (.notAnEnvironment, "It is not an LMDB file: check the path.")
            case MDB_VERSION_MISMATCH:
                (
                    .incompatibleLockFile,
                    """
                    A program with another word size or LMDB version has the file open: \
                    close it there.
                    """
                )
            case MDB_PANIC:
                (
                    .poisoned,
                    """
                    An earlier failure of the medium stopped this file: close every use of \
                    it and open it again.
                    """
                )
            case MDB_MAP_FULL, MDB_MAP_RESIZED:
                (
                    .addressSpaceExhausted,
                    """
                    The file has outgrown the address space reserved for it: open it with \
                    a larger reserved map size, or raise the address space limit (ulimit \
                    -v).
                    """
                )
            case MDB_READERS_FULL:
                (
                    .readersFull,
                    """
                    Too many versions are being read at once: release snapshots that are \
                    no longer used.
                    """
                )
            case MDB_BAD_VALSIZE:
                (.valueTooLarge, "A key must have 1 to 511 bytes and a value less than 4 GiB.")
            default:
                (
                    .internalLMDB,
                    """
                    LMDB says: \(String(cString: mdb_strerror(result))) (\(result)). \
                    Please report this.
                    """
                )
            }
        return StorageError(code, "Could not \(action) in \"\(path)\". \(text)", path: path)
    }

    /// The error for a lock that cannot be recovered.
    ///
    /// LMDB's locks survive a process that dies while it holds one. They do not survive a
    /// failed clean-up by the next holder (`mdb_mutex_failed` in `mdb.c`), such as one for lack
    /// of memory. Every process that has the file open then loses the lock.
    private static func lostLock(_ action: String, path: String) -> StorageError {
        StorageError(
            .incompatibleLockFile,
            """
            Could not \(action) in "\(path)": a process died while it held LMDB's lock, and \
            the memory to clean up behind it was lacking. Close the file in every program, and \
            open it again. Nothing is lost.
            """,
            path: path, systemError: ENOTRECOVERABLE)
    }
}
