import Foundation
import FreeholdStorage

/// Where a user's realms in memory are: a directory that nobody else can write, in the system's
/// memory file system where there is one.
///
/// That file system is everybody's, and so is the directory for temporary files. In a path
/// there that the library chooses, another user could put a link to a file of this one's, which
/// would be opened or removed, or a file with locks that are never let go of.
enum InMemoryDirectory {
    /// The directory that was chosen last: realms of one identifier are one file.
    private static let chosen = Locked<String?>(processWide: nil)

    /// The directory, made if need be.
    ///
    /// - Throws: `fileAccess` where it cannot be made.
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
        // Whoever has taken a name of ours is left behind.
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

    /// Whether a name is that of a directory, and of no link to one, that only this user can use.
    private static func isOwn(_ path: String) -> Bool {
        guard case .success(let head) = FileHead.at(path) else { return false }
        return head.kind == .directory && head.owner == SystemProcess.effectiveUser
            && head.mode & 0o077 == 0
    }
}
