internal import CLMDB
internal import Glibc

/// Makes a file durable, or a directory's entries for its files.
///
/// - Parameter flags: How to open it: `O_RDWR`, or `O_DIRECTORY`.
func synchronize(_ path: String, _ flags: Int32) throws(StorageError) {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC)
    if descriptor < 0 { throw .system(errno, "synchronise the file", path: path) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw .system(errno, "synchronise the file", path: path) }
}

/// Gives a new file the permissions and, where the system allows, the owner of another one.
func copyOwnership(from old: FileHead, to file: FilePaths.OpenFile) {
    // First the owner: changing it takes permission bits away.
    if file.head.owner != old.owner || file.head.group != old.group {
        _ = fchown(file.descriptor, old.owner, old.group)
    }
    fchmod(file.descriptor, old.mode & 0o7777)
}
