extension EnvironmentOpener {
    /// Copies the seed to the place where new files are prepared, and checks the copy. Under
    /// the opening lock. After an error, the caller removes the file.
    ///
    /// The bytes are copied unchanged, while no process can commit to the seed.
    ///
    /// - Parameter target: The new file.
    func copySeed(_ seed: String, to target: Int32) throws(StorageError) -> FormatRecord {
        do throws(StorageError) {
            let paths = try FilePaths(resolving: seed)
            let (source, head) = try paths.openData(.readOnly)
            defer { Files.close(source) }
            // A seed that was never opened, or that is on a read-only medium, has no control
            // file and no writers.
            let control = try paths.open(.control, .readOnly, data: head)
            defer { if let control { Files.close(control.descriptor) } }
            if let control {
                let file = ControlFile(
                    path: paths.control, descriptor: control.descriptor, isWritable: false,
                    identity: control.head.identity)
                try file.lock(.writeGate, .shared, until: .now + .seconds(60))
            }
            return try copy(source, of: paths.data, to: target)
        } catch {
            throw StorageError(
                error.code, "The seed of \"\(self.paths.data)\" cannot be used: \(error.message)",
                path: seed, systemError: error.systemError, underlying: error)
        }
    }

    private func copy(_ source: Int32, of path: String, to target: Int32) throws(StorageError)
        -> FormatRecord
    {
        var size = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let read = buffer.withUnsafeMutableBytes { Files.read(source, into: $0, at: size) }
            let count = try read.get("read the seed", path: path)
            if count == 0 { break }
            let error = buffer[..<count].withUnsafeBytes { Files.write($0, to: target, at: size) }
            if let error { throw .system(error, "write the file", path: paths.creation) }
            size += count
        }
        // Checks the copy rather than the source: the copy is what will be read.
        guard size > 0 else { throw PageReader.notAnEnvironment(path) }
        var reader = try PageReader(descriptor: target, path: path, fileSize: size, isOurs: false)
        guard let format = try reader.formatRecord() else {
            throw StorageError(
                .foreignFile, "\"\(path)\" is an LMDB file of another program. Check the path.",
                path: path)
        }
        try format.checkReadable(path: path)
        _ = try format.keys(for: options.encryptionKey, path: path)
        reader.useThreads()
        try reader.walk()
        return format
    }
}
