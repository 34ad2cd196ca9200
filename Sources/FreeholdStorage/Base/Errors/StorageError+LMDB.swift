extension StorageError {
    /// The error for a failed LMDB call, with the usual cause of each code.
    ///
    /// - Parameters:
    ///   - result: What LMDB returned.
    ///   - action: What was tried, as in "begin a read transaction".
    ///   - path: The data file.
    static func lmdb(_ result: LMDBResult, _ action: String, path: String) -> StorageError {
        if let error = result.errorNumber {
            return error == .notRecoverable
                ? lostLock(action, path: path) : system(error, action, path: path)
        }
        let (code, text): (Code, String) =
            switch result {
            case .corrupted, .pageNotFound, .cursorFull, .incompatible:
                (.corrupted, "The file is damaged: restore it from a backup.")
            case .invalid:
                (.notAnEnvironment, "It is not an LMDB file: check the path.")
            case .versionMismatch:
                (
                    .incompatibleLockFile,
                    """
                    A program with another word size or LMDB version has the file open: \
                    close it there.
                    """
                )
            case .panic:
                (
                    .poisoned,
                    """
                    An earlier failure of the medium stopped this file: close every use of \
                    it and open it again.
                    """
                )
            case .mapFull, .mapResized:
                (
                    .addressSpaceExhausted,
                    """
                    The file has outgrown the address space reserved for it: open it with \
                    a larger reserved map size, or raise the address space limit (ulimit \
                    -v).
                    """
                )
            case .readersFull:
                (
                    .readersFull,
                    """
                    Too many versions are being read at once: release snapshots that are \
                    no longer used.
                    """
                )
            case .badValueSize:
                (.valueTooLarge, "A key must have 1 to 511 bytes and a value less than 4 GiB.")
            default:
                (
                    .internalLMDB,
                    "LMDB says: \(result.message) (\(result.rawValue)). Please report this."
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
            """, path: path, systemError: .notRecoverable)
    }
}
