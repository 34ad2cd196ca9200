/// The right to connect a file with a server: one in all processes. Released with the last
/// reference, and with the process.
package final class SharingLock: Sendable {
    private let descriptor: Int32

    /// Nil if others have it. Makes a file beside the data file, and removes what a process that
    /// ended while it had the lock left of a snapshot.
    package init?(ofFileAt path: String) throws(StorageError) {
        let paths = try FilePaths(resolving: path)
        let path = paths.sharing
        var opened = Files.open(path, .readWrite)
        if case .failure = opened { opened = Files.create(path, permissions: 0o644) }
        if case .failure = opened { opened = Files.open(path, .readWrite) }
        switch opened {
        case .failure(let error):
            throw .system(error, "open the lock of a shared realm", path: path)
        case .success(let descriptor):
            if let error = FileLocks.take(descriptor, .exclusive, at: 0) {
                Files.close(descriptor)
                if error.meansLocked { return nil }
                throw .system(error, "lock a shared realm", path: path)
            }
            self.descriptor = descriptor
            // What cannot be removed is met again by whoever needs the place.
            for path in paths.sharingSnapshotFiles { _ = Files.remove(path) }
        }
    }

    /// Where the holder of a file's lock makes or receives one snapshot at a time.
    package static func snapshotPath(besideFileAt path: String) throws(StorageError) -> String {
        try FilePaths(resolving: path).sharingSnapshot
    }

    /// Where a snapshot is compressed, by its path.
    package static func compressedPath(ofSnapshotAt path: String) -> String {
        FilePaths(resolved: path).compressed
    }

    /// Where the holder of a file's lock migrates a snapshot.
    package static func migrationPath(besideFileAt path: String) throws(StorageError) -> String {
        try FilePaths(resolving: path).sharingMigration
    }

    deinit {
        // Not by closing alone: a process that is just being forked has the descriptor, too.
        FileLocks.release(descriptor, at: 0)
        Files.close(descriptor)
    }
}
