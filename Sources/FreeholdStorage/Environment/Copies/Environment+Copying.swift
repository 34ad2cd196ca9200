extension Environment {
    /// Writes a version of this file, with optional changes, into a new, compacted file.
    ///
    /// The new file gets its name when it is complete and durable. If the process is killed
    /// meanwhile, a file with another name remains, which the next copy to this place replaces.
    /// O(bytes in use). Any thread; other threads read and write meanwhile.
    ///
    /// - Parameters:
    ///   - key: The key to encrypt the new file with; nil for a plain one.
    ///   - change: Changes the copied contents.
    ///   - progress: Called from time to time with the part that is copied, from 0 to 1.
    /// - Throws: `fileExists`, `missingDirectory`, `permissionDenied`, `outOfDiskSpace`,
    ///   `networkFileSystem`, and errors of `change`.
    package static func copy(
        _ source: ReadTransaction, to destination: String, key: EncryptionKey?,
        _ change: ((WriteTransaction) throws(StorageError) -> Void)? = nil,
        progress: (@Sendable (Double) -> Void)? = nil
    ) throws(StorageError) {
        let environment = source.environment
        try environment.checkOwned()
        let place = try CopyPlace(destination)
        defer { place.close() }
        do throws(StorageError) {
            try FileCopy(
                source: source, path: place.temporaryPath, place.file, key: key,
                progress: progress
            ).write(change)
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

/// The place of a copy: a temporary file and the final name. The descriptor holds a lock, so
/// only one copy at a time is written to a place.
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
            """, path: path)
    }

    /// Opens the temporary file, which may remain from a killed process, and locks it.
    private static func openTemporary(_ paths: FilePaths) throws(StorageError) -> FilePaths.OpenFile
    {
        while true {
            let file = try paths.openOrCreate(.copy, mode: 0o600, data: nil)
            let error = FileLocks.take(file.descriptor, .exclusive, at: 0)
            if error == nil, FileIdentity.at(paths.copy) == file.head.identity { return file }
            Files.close(file.descriptor)
            // Otherwise another process has just finished that copy and given it its name.
            guard let error else { continue }
            if error.meansLocked {
                throw StorageError(
                    .fileExists,
                    """
                    Another copy to "\(paths.data)" is being written. Give this one \
                    another path.
                    """, path: paths.data)
            }
            throw .system(error, "lock the copy", path: paths.copy)
        }
    }

    /// Makes the copy durable, then gives it its name unless another file has that name by
    /// then.
    func finish(mode: UInt32) throws(StorageError) {
        Files.setMode(descriptor, mode)
        try Files.synchronize(descriptor).check("synchronise the copy", path: paths.copy)
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
