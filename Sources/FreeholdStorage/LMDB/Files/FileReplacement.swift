/// Giving a file the name of another one, provided that one is what the caller takes it for.
///
/// A rename replaces whatever has the name. A file that somebody else has put there in the
/// meantime, a restored backup say, would be lost without a trace.
enum FileReplacement {
    /// Gives a new file its name.
    ///
    /// - Parameters:
    ///   - expected: What has the name now and goes; nil where nothing has it.
    ///   - new: What is to get it.
    /// - Throws: `replacedWhileOpen` where either name refers to something else, and what the
    ///   system refuses. Neither name has changed then.
    static func rename(
        _ from: String, _ new: FileIdentity, over to: String, _ expected: FileIdentity?
    ) throws(StorageError) {
        guard FileIdentity.at(from) == new else { throw changed(from) }
        guard let expected else {
            guard let error = Files.rename(from, toNew: to) else { return }
            // A failure that is reported although the name was given, as by a network, is none.
            guard FileIdentity.at(to) == new else {
                throw error == .fileExists ? changed(to) : .system(error, "name the file", path: to)
            }
            remove(from, new)
            return
        }
        guard FileIdentity.at(to) == expected else { throw changed(to) }
        // In one step and back again: what came between the look and the exchange is not lost.
        switch Files.exchange(from, to) {
        case nil:
            if FileIdentity.at(from) == expected {
                // What stays after a kill is removed by whoever opens the file next.
                Files.remove(from)
                return
            }
            // Unless the name has got something else again, which would be lost in its turn.
            if FileIdentity.at(to) == new { _ = Files.exchange(from, to) }
            throw changed(to)
        case .invalidArgument?, .noSuchCall?:
            // A file system without that: the look came immediately before.
            if let error = Files.rename(from, over: to), FileIdentity.at(to) != new {
                throw .system(error, "name the file", path: to)
            }
        case let error?:
            // As above.
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
