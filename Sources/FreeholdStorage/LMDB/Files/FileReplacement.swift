internal import CLMDB
internal import Glibc

/// Renames a file over another one, provided that the other one is the file that the caller
/// expects.
///
/// A plain rename replaces any file of that name. It would destroy a file that another program
/// has put there in the meantime, such as a restored backup.
enum FileReplacement {
    /// Gives a new file its name.
    ///
    /// - Parameters:
    ///   - expected: The file that has the name and will be removed; nil if the name is unused.
    ///   - new: The file that gets the name.
    /// - Throws: `replacedWhileOpen` if either name refers to another file, and errors of the
    ///   system. Neither name has changed then.
    static func rename(
        _ from: String, _ new: FileIdentity, over to: String, _ expected: FileIdentity?
    ) throws(StorageError) {
        guard FileIdentity.at(from) == new else { throw changed(from) }
        guard let expected else {
            let result = freehold_rename_new(from, to)
            if result == 0 { return }
            // A network file system may report failure although the rename happened; that is a
            // success.
            guard FileIdentity.at(to) == new else {
                throw result == EEXIST ? changed(to) : .system(result, "name the file", path: to)
            }
            remove(from, new)
            return
        }
        guard FileIdentity.at(to) == expected else { throw changed(to) }
        // An atomic exchange, which can be undone: a file that appeared between check and
        // exchange is not lost.
        let result = freehold_exchange_names(from, to)
        switch result {
        case 0:
            if FileIdentity.at(from) == expected {
                // If the process is killed here, the next opener removes the left-over.
                unlink(from)
                return
            }
            // But not if the name has been replaced once more: the exchange would lose that
            // file.
            if FileIdentity.at(to) == new { _ = freehold_exchange_names(from, to) }
            throw changed(to)
        case EINVAL, ENOSYS:
            // The file system cannot exchange names; the check came immediately before.
            if Glibc.rename(from, to) != 0, FileIdentity.at(to) != new {
                throw .system(errno, "name the file", path: to)
            }
        default:
            // As above, a reported failure may have happened after the exchange.
            guard FileIdentity.at(to) == new, FileIdentity.at(from) == expected else {
                throw result == ENOENT ? changed(to) : .system(result, "name the file", path: to)
            }
            unlink(from)
        }
    }

    /// Removes a name if it still refers to a file.
    static func remove(_ path: String, _ identity: FileIdentity) {
        if FileIdentity.at(path) == identity { unlink(path) }
    }

    private static func changed(_ path: String) -> StorageError {
        StorageError(
            .replacedWhileOpen,
            """
            Another program has put something else at "\(path)" in the meantime. Nothing was \
            replaced; release every use of the file, and see which of the two is wanted.
            """, path: path)
    }
}
