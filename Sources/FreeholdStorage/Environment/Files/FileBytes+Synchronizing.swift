internal import CLMDB
internal import Glibc

/// Brings a file, or what a directory says of its files, to the medium.
///
/// - Parameter flags: How to open it: `O_RDWR`, or `O_DIRECTORY`.
func synchronize(_ path: String, _ flags: Int32) throws(StorageError) {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC)
    if descriptor < 0 { throw .system(errno, "synchronise the file", path: path) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw .system(errno, "synchronise the file", path: path) }
}

/// Gives a new file the permissions and, where the system allows, the owner of another one.
func copyOwnership(from status: stat, to path: String) {
    var own = stat()
    if stat(path, &own) != 0 { return }
    // First the owner: changing it takes permission bits away.
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid { _ = chown(path, status.st_uid, status.st_gid) }
    chmod(path, status.st_mode & 0o7777)
}
