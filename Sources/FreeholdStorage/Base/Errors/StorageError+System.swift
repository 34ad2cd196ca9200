internal import CLMDB
internal import Glibc

extension StorageError {
    /// The system's text for an `errno`.
    static func systemMessage(_ number: Int32) -> String {
        guard let text = strerror(number) else { return "errno \(number)" }
        return "\(String(cString: text)), errno \(number)"
    }

    /// The error for a failed system call.
    ///
    /// - Parameters:
    ///   - number: The `errno`, read right after the call.
    ///   - action: What was tried, as in "open the control file".
    ///   - path: The file or directory the call was about.
    static func system(_ number: Int32, _ action: String, path: String) -> StorageError {
        let (code, remedy): (Code, String) =
            switch number {
            case ENOENT:
                (.fileNotFound, "Check the path, or open it for writing to create it.")
            case EACCES, EPERM:
                (
                    .permissionDenied,
                    "Give this user read and write permission for it and for its directory."
                )
            case EROFS:
                (.readOnly, "The medium is read-only: open the file for reading only, or move it.")
            case ENOTDIR:
                (
                    .notADirectory,
                    """
                    A component of the path is a file where a directory should be: correct \
                    the path.
                    """
                )
            case EISDIR:
                (.isDirectory, "Give the path of a file, not of a directory.")
            case ENOSPC, EDQUOT:
                (.outOfDiskSpace, "Free some space on the disk (or raise the quota) and try again.")
            case EFBIG:
                (
                    .fileTooLarge,
                    "Raise the file size limit (ulimit -f), or use a file system with larger files."
                )
            case EMFILE, ENFILE:
                (.tooManyOpenFiles, "Close files, or raise the limit of open files (ulimit -n).")
            case ENOMEM, EAGAIN:
                (.outOfMemory, "Free memory, or raise the limits of this process.")
            case ENAMETOOLONG, ELOOP:
                (.fileNotFound, "Use a shorter path with fewer symbolic links.")
            default:
                (
                    .inputOutput,
                    "Check the medium (dmesg names its errors), then open the file again."
                )
            }
        return StorageError(
            code, "Could not \(action) at \"\(path)\". \(remedy)", path: path, systemError: number)
    }
}
