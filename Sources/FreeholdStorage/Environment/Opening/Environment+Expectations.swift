extension Environment {
    /// Identifies the contents of the file through copies and renames. For an encrypted file,
    /// it was authenticated with the file's key.
    package var identifier: UniqueIdentifier { handle.treeEncryption?.keys.identifier ?? uuid }

    /// Refuses a file other than the expected one, or an older state of it.
    ///
    /// The identifier of an encrypted file is authenticated with its key, and the version with
    /// the roots. A plain file's own statements are trusted.
    ///
    /// - Throws: `otherFile`, `olderVersion`, and errors of reading.
    func checkExpected(_ options: Options) throws(StorageError) {
        if let expected = options.expectedIdentifier, expected != identifier {
            throw StorageError(
                .otherFile,
                """
                "\(path)" is another file than expected: its identifier is \(identifier), \
                not \(expected). Restore the right file.
                """, path: path)
        }
        if options.minimumVersion == 0 { return }
        let newest = try read()
        // Reads the roots, which cannot be forged without the key.
        if let encrypted = newest.encrypted { _ = try encrypted.tree(.meta) }
        if newest.version < options.minimumVersion {
            throw StorageError(
                .olderVersion,
                """
                "\(path)" is an older state of itself: its version is \(newest.version), and \
                \(options.minimumVersion) was known. Restore the newer file, or accept the \
                loss by asking for a lower version.
                """, path: path)
        }
    }
}
