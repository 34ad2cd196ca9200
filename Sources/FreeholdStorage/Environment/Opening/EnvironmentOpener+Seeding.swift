internal import CLMDB
internal import Glibc

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
            defer { close(source) }
            // A seed that was never opened, or that is on a read-only medium, has no control
            // file and no writers.
            let control = try paths.open(.control, O_RDONLY, data: head)
            defer { if let control { close(control.descriptor) } }
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
            let count = buffer.withUnsafeMutableBytes {
                pread(source, $0.baseAddress, $0.count, off_t(size))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .system(errno, "read the seed", path: path) }
            if count == 0 { break }
            try write(buffer[..<count], to: target, at: size)
            size += count
        }
        // Checks the copy rather than the source: the copy is what will be read.
        guard size > 0 else { throw PageReader.notAnEnvironment(path) }
        let reader = try PageReader(descriptor: target, path: path, fileSize: size, isOurs: false)
        guard let format = try reader.formatRecord() else {
            throw StorageError(
                .foreignFile, "\"\(path)\" is an LMDB file of another program. Check the path.",
                path: path)
        }
        try format.checkReadable(path: path)
        _ = try format.keys(for: options.encryptionKey, path: path)
        try reader.walk()
        return format
    }

    private func write(_ bytes: ArraySlice<UInt8>, to target: Int32, at offset: Int)
        throws(StorageError)
    {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    target, $0.baseAddress.map { $0 + done }, bytes.count - done,
                    off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                throw .system(count < 0 ? errno : ENOSPC, "write the file", path: paths.creation)
            }
            done += count
        }
    }
}
