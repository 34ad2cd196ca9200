extension Environment {
    /// Names the contents of the file through copies and renames; of an encrypted file what was
    /// authenticated with its key.
    package var identifier: UniqueIdentifier { handle.treeEncryption?.keys.identifier ?? uuid }

    /// Refuses another file than the one that is expected, and an older state of it.
    ///
    /// The identifier of an encrypted file is authenticated with its key, and the version with
    /// the roots. Of a plain file both are what it says.
    ///
    /// - Throws: `otherFile`, `olderVersion`, and what reading throws.
    func checkExpected(_ options: Options) throws(StorageError) {
        if let expected = options.expectedIdentifier, expected != identifier {
            throw StorageError(
                .otherFile,
                """
                "\(path)" is another file than expected: its identifier is \(identifier), \
                not \(expected). Restore the right file.
                """,
                path: path)
        }
        if options.minimumVersion == 0 { return }
        let newest = try read()
        // Reads the roots, which nobody without the key can make.
        if let encrypted = newest.encrypted { _ = try encrypted.tree(.meta) }
        if newest.version < options.minimumVersion {
            throw StorageError(
                .olderVersion,
                """
                "\(path)" is an older state of itself: its version is \(newest.version), and \
                \(options.minimumVersion) was known. Restore the newer file, or accept the \
                loss by asking for a lower version.
                """,
                path: path)
        }
    }
}
