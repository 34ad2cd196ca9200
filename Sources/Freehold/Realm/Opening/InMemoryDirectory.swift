import Foundation
import FreeholdStorage

/// The directory of a user's in-memory realms, in the system's memory file system if there is
/// one. Only the user can write to it.
///
/// Every user can write to that file system and to the directory for temporary files. So another
/// user could prepare a predictable path there. A link to one of this user's files would make the
/// library open or remove that file. A file with locks would block the library for ever.
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
            Files.mayWriteIn(directory: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        var failure = ErrorNumber.fileExists
        // Skips names that another user has taken.
        for number in 0..<1000 {
            let user = SystemProcess.effectiveUser
            let path = "\(parent)/freehold-\(user)" + (number == 0 ? "" : "-\(number)")
            guard let error = Files.makeDirectory(path, permissions: 0o700) else { return path }
            failure = error
            if error != .fileExists { break }
            if isOwn(path) { return path }
        }
        throw Realm.Error(
            .fileAccess,
            """
            There is no directory for realms in memory at '\(parent)': \
            \(failure.message). Make \(parent) writable, or set TMPDIR.
            """, fileURL: URL(fileURLWithPath: parent))
    }

    /// Whether a path is a directory, not a link to one, that only this user can access.
    private static func isOwn(_ path: String) -> Bool {
        guard case .success(let head) = FileHead.at(path) else { return false }
        return head.kind == .directory && head.owner == SystemProcess.effectiveUser
            && head.mode & 0o077 == 0
    }
}
