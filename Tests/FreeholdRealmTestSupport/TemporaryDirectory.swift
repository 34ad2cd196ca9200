package import Foundation
import FreeholdTestSupport
import Glibc
import Synchronization

/// A directory for the files of one test.
///
/// Deleted when the test is over, unless the test failed to leave a sound file behind; then it
/// is kept and named. Directories of processes that ended in the middle of a test, as exit
/// tests do, are deleted by the next process.
package struct TemporaryDirectory: Sendable {
    package let url: URL

    private static let counter = Atomic<Int>(0)

    private static let parent: URL = {
        let parent = FileManager.default.temporaryDirectory
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
            let parts = name.split(separator: "-")
            guard parts.count == 4, parts[0] == "freehold", parts[1] == "tests",
                let process = pid_t(parts[2])
            else { continue }
            if kill(process, 0) != 0, errno == ESRCH {
                try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
            }
        }
        return parent
    }()

    package init() throws {
        _ = ReportRecorder.shared
        let number = TemporaryDirectory.counter.wrappingAdd(1, ordering: .relaxed).newValue
        url = TemporaryDirectory.parent.appendingPathComponent(
            "freehold-tests-\(getpid())-\(number)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    package func file(_ name: String = "test.realm") -> URL { url.appendingPathComponent(name) }

    package func delete() { try? FileManager.default.removeItem(at: url) }
}

/// Runs `body` with a directory that is deleted afterwards.
@discardableResult
package func withTemporaryDirectory<Result>(_ body: (TemporaryDirectory) throws -> Result) throws
    -> Result
{
    let directory = try TemporaryDirectory()
    defer { directory.delete() }
    return try body(directory)
}
