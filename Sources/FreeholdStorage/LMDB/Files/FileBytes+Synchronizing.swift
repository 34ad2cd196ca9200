/// Brings what a directory says of its files to the medium.
func synchronizeDirectory(_ path: String) throws(StorageError) {
    let descriptor = try Files.openDirectory(path).get("synchronise the file", path: path)
    defer { Files.close(descriptor) }
    try Files.synchronize(descriptor).check("synchronise the file", path: path)
}

/// Gives a new file the permissions and, where the system allows, the owner of another one.
func copyOwnership(from old: FileHead, to file: FilePaths.OpenFile) {
    // First the owner: changing it takes permission bits away.
    if file.head.owner != old.owner || file.head.group != old.group {
        _ = Files.setOwner(file.descriptor, old.owner, group: old.group)
    }
    Files.setMode(file.descriptor, old.mode)
}
