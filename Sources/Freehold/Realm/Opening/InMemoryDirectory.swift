import Foundation
import FreeholdStorage
import Glibc

/// The directory of a user's in-memory realms, in the system's memory file system if there is
/// one. Only the user can write to it.
///
/// Every user can write to that file system and to the directory for temporary files. Another
/// user could prepare a predictable path there: with a link to one of this user's files, which
/// the library would open or remove, or with a file whose locks are never released.
enum InMemoryDirectory {
    /// The directory chosen last. It is kept so that realms with one identifier share one file.
    private static let chosen = Locked<String?>(processWide: nil)

    /// Returns the directory, and creates it if necessary.
    ///
    /// - Throws: `fileAccess` if it cannot be created.
    static func path() throws(Realm.Error) -> String {
        if let path = chosen.withLock({ $0 }), isOwn(path) { return path }
        let path = try choose()
        chosen.withLock { $0 = path }
        return path
    }

    private static func choose() throws(Realm.Error) -> String {
        let memory = "/dev/shm"
        let parent =
            access(memory, W_OK | X_OK) == 0 ? memory : FileManager.default.temporaryDirectory.path
        // Skips names that another user has taken.
        for number in 0..<1000 {
            let path = "\(parent)/freehold-\(geteuid())" + (number == 0 ? "" : "-\(number)")
            if mkdir(path, 0o700) == 0 || errno == EEXIST && isOwn(path) { return path }
            if errno != EEXIST { break }
        }
        throw Realm.Error(
            .fileAccess,
            """
            There is no directory for realms in memory at '\(parent)': \
            \(String(cString: strerror(errno))). Make \(parent) writable, or set TMPDIR.
            """, fileURL: URL(fileURLWithPath: parent))
    }

    /// Whether a path is a directory, not a link to one, that only this user can access.
    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }
}
