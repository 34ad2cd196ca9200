extension StorageError {
    /// The error for a failed system call.
    ///
    /// - Parameters:
    ///   - number: What the system said.
    ///   - action: What was tried, as in "open the control file".
    ///   - path: The file or directory the call was about.
    package static func system(_ number: ErrorNumber, _ action: String, path: String)
        -> StorageError
    {
        let (code, remedy): (Code, String) =
            switch number {
            case .noSuchFile:
                (.fileNotFound, "Check the path, or open it for writing to create it.")
            case .permissionDenied, .notPermitted:
                (
                    .permissionDenied,
                    "Give this user read and write permission for it and for its directory."
                )
            case .readOnlyFileSystem:
                (.readOnly, "The medium is read-only: open the file for reading only, or move it.")
            case .notADirectory:
                (
                    .notADirectory,
                    """
                    A component of the path is a file where a directory should be: correct \
                    the path.
                    """
                )
            case .isDirectory:
                (.isDirectory, "Give the path of a file, not of a directory.")
            case .diskFull, .quotaExceeded:
                (.outOfDiskSpace, "Free some space on the disk (or raise the quota) and try again.")
            case .fileTooLarge:
                (
                    .fileTooLarge,
                    "Raise the file size limit (ulimit -f), or use a file system with larger files."
                )
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
                (.tooManyOpenFiles, "Close files, or raise the limit of open files (ulimit -n).")
            case .outOfMemory, .tryAgain:
                (.outOfMemory, "Free memory, or raise the limits of this process.")
            case .nameTooLong, .tooManyLinks:
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
