/// File systems on which a memory-mapped file cannot be shared safely.
///
/// LMDB needs one page cache shared by all processes that use the file, and locks that all of
/// them see. Network file systems provide neither. A FUSE file system does not tell, and most
/// are remote (sshfs, object stores, folders shared with a container's host).
package enum FileSystemKind {
    /// The name of an unsuitable kind, by the number that `statfs` gives; `nil` for all others.
    package static func unsuitableName(magic: UInt64) -> String? {
        switch magic {
        case 0x6969: "NFS"
        case 0x517B, 0xFE53_4D42, 0xFF53_4D42: "SMB"
        case 0x0102_1997: "9P"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x7375_7245: "Coda"
        case 0x564C: "NCP"
        case 0x00C3_6400: "Ceph"
        case 0x0BD0_0BD0: "Lustre"
        case 0x4750_4653: "GPFS"
        case 0x1983_0326: "BeeGFS"
        case 0x0116_1970: "GFS2"
        case 0x7461_636F: "OCFS2"
        case 0x786F_4256: "VirtualBox shared folders"
        case 0x6573_5546: "FUSE"
        default: nil
        }
    }

    static func checkSuitable(directory: String, path: String) throws(StorageError) {
        let system = try FileSystem.of(directory).get("examine the file system", path: directory)
        try checkSuitable(magic: system.magic, path: path)
    }

    static func checkSuitable(magic: UInt64, path: String) throws(StorageError) {
        guard let name = unsuitableName(magic: magic) else { return }
        throw StorageError(
            .networkFileSystem,
            """
            "\(path)" lies on a network file system (\(name)), where several programs cannot \
            safely share a mapped file. Keep it on a local disk.
            """, path: path)
    }
}
