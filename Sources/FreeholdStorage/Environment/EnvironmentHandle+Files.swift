extension EnvironmentHandle {
    /// Returns LMDB's descriptor of its data file, which LMDB opened by path and following
    /// links.
    ///
    /// - Throws: `replacedWhileOpen` if it is another file than the one that was checked.
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
    ///   nothing: writes to an unnamed file are lost with the process. Does not throw if the
    ///   system refuses to say, as for a process that lost access to the directory. One system
    ///   call.
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
