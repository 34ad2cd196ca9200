extension EnvironmentHandle {
    /// LMDB's descriptor of its data file, which it opened by a path and with any links.
    ///
    /// - Throws: `replacedWhileOpen` if that is another file than the one that was judged.
    @discardableResult
    static func check(_ raw: LMDBEnvironment, hasOpen identity: FileIdentity, path: String)
        throws(StorageError) -> Int32
    {
        let descriptor = raw.descriptor
        guard try FileHead.of(descriptor, path: path).identity == identity else {
            throw StorageError(
                .replacedWhileOpen,
                "\"\(path)\" was replaced while it was being opened. Open it again.", path: path)
        }
        return descriptor
    }

    /// - Throws: `replacedWhileOpen` if the path of the data file names another file, or
    ///   nothing: what is written to a file without its name is lost with the process. Where
    ///   the system does not tell, as for a process that may not search the directory any more,
    ///   nothing is known to be wrong. One system call.
    func checkIsAtPath(_ identity: FileIdentity) throws(StorageError) {
        let what: String
        switch FileHead.at(path) {
        case .success(let head):
            if head.identity == identity { return }
            what = "names another file than the one that is open: that was replaced"
        case .failure(let error):
            guard error == .noSuchFile || error == .notADirectory else { return }
            what = "names nothing: the file that is open was deleted or moved"
        }
        throw StorageError(
            .replacedWhileOpen,
            """
            "\(path)" \(what). Nothing is written to it, as it would be lost. Release every \
            use of the file, or put it back in its place.
            """, path: path)
    }
}
