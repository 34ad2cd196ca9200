extension Environment {
    /// Writes a version of this file, and changes to it, into a new file, compacted.
    ///
    /// The new file gets its name when it is whole and on the medium; what a process that is
    /// killed meanwhile leaves under another name, the next copy to this place replaces.
    /// O(bytes in use). Any thread; others read and write meanwhile.
    ///
    /// - Parameters:
    ///   - key: What the new file is encrypted with; nil for a plain one.
    ///   - change: Makes changes to what was copied.
    /// - Throws: `fileExists`, `missingDirectory`, `permissionDenied`, `outOfDiskSpace`,
    ///   `networkFileSystem`, and what `change` throws.
    package static func copy(
        _ source: ReadTransaction, to destination: String, key: EncryptionKey?,
        _ change: ((WriteTransaction) throws(StorageError) -> Void)? = nil
    ) throws(StorageError) {
        let environment = source.environment
        try environment.checkOwned()
        let place = try CopyPlace(destination)
        defer { place.close() }
        do throws(StorageError) {
            try FileCopy(source: source, path: place.temporaryPath, place.file, key: key).write(
                change)
            try place.finish(
                mode: try FileHead.of(environment.handle.dataDescriptor, path: environment.path)
                    .permissions)
            EventLog.say(
                .info, "\(environment.path): version \(source.version) copied to \(destination)")
        } catch {
            place.abandon()
            throw error
        }
    }
}

/// Where a copy is written, and the name that it gets. One copy at a time is written to a
/// place: the descriptor holds a lock.
private struct CopyPlace {
    private let paths: FilePaths
    let file: FilePaths.OpenFile

    private var descriptor: Int32 { file.descriptor }

    var temporaryPath: String { paths.copy }

    init(_ destination: String) throws(StorageError) {
        paths = try FilePaths(resolving: destination)
        try FileSystemKind.checkSuitable(directory: paths.directory, path: paths.data)
        if FileIdentity.at(paths.data) != nil { throw Self.exists(paths.data) }
        file = try Self.openTemporary(paths)
    }

    private static func exists(_ path: String) -> StorageError {
        StorageError(
            .fileExists,
            """
            "\(path)" exists, and a copy replaces no file. Delete it first, or give the \
            copy another path.
            """,
            path: path)
    }

    /// Opens the temporary file, which may be there because a process was killed, and locks it.
    private static func openTemporary(_ paths: FilePaths) throws(StorageError) -> FilePaths.OpenFile
    {
        while true {
            let file = try paths.openOrCreate(.copy, mode: 0o600, data: nil)
            let error = FileLocks.take(file.descriptor, .exclusive, at: 0)
            if error == nil, FileIdentity.at(paths.copy) == file.head.identity { return file }
            Files.close(file.descriptor)
            // Else whoever wrote it has just finished, and given it its name.
            guard let error else { continue }
            if error.meansLocked {
                throw StorageError(
                    .fileExists,
                    """
                    Another copy to "\(paths.data)" is being written. Give this one \
                    another path.
                    """,
                    path: paths.data)
            }
            throw .system(error, "lock the copy", path: paths.copy)
        }
    }

    /// Makes the copy durable, then gives it its name, unless a file has got that meanwhile.
    func finish(mode: UInt32) throws(StorageError) {
        Files.setMode(descriptor, mode)
        try Files.synchronize(descriptor)
            .check("synchronise the copy", path: paths.copy)
        do throws(StorageError) {
            try FileReplacement.rename(paths.copy, file.head.identity, over: paths.data, nil)
        } catch {
            throw FileIdentity.at(paths.data) == nil ? error : Self.exists(paths.data)
        }
        try synchronizeDirectory(paths.directory)
    }

    func abandon() { FileReplacement.remove(paths.copy, file.head.identity) }

    func close() { Files.close(descriptor) }
}
