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
            guard let error = Files.rename(from, toNew: to) else { return }
            // A network file system may report failure although the rename happened; that is a
            // success.
            guard FileIdentity.at(to) == new else {
                throw error == .fileExists ? changed(to) : .system(error, "name the file", path: to)
            }
            remove(from, new)
            return
        }
        guard FileIdentity.at(to) == expected else { throw changed(to) }
        // An atomic exchange, which can be undone: a file that appeared between check and
        // exchange is not lost.
        switch Files.exchange(from, to) {
        case nil:
            if FileIdentity.at(from) == expected {
                // If the process is killed here, the next opener removes the left-over.
                Files.remove(from)
                return
            }
            // But not if the name has been replaced once more: the exchange would lose that
            // file.
            if FileIdentity.at(to) == new { _ = Files.exchange(from, to) }
            throw changed(to)
        case .invalidArgument?, .noSuchCall?:
            // The file system cannot exchange names; the check came immediately before.
            if let error = Files.rename(from, over: to), FileIdentity.at(to) != new {
                throw .system(error, "name the file", path: to)
            }
        case let error?:
            // As above, a reported failure may have happened after the exchange.
            guard FileIdentity.at(to) == new, FileIdentity.at(from) == expected else {
                throw error == .noSuchFile ? changed(to) : .system(error, "name the file", path: to)
            }
            Files.remove(from)
        }
    }

    /// Removes a name if it still refers to a file.
    static func remove(_ path: String, _ identity: FileIdentity) {
        if FileIdentity.at(path) == identity { Files.remove(path) }
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
