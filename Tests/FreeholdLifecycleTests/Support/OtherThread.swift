import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// A thread with a realm of its own, which stands where it was until it is asked.
final class OtherThread: @unchecked Sendable {
    // Sendable: `job` and `outcome` are handed over by the semaphores.
    private var job: ((Realm) throws -> Void)?
    private var outcome: Result<Void, any Error>?
    private let asked = DispatchSemaphore(value: 0)
    private let answered = DispatchSemaphore(value: 0)

    init(_ configuration: Realm.Configuration) {
        startThread { [self] in
            let realm = Result { try Realm(configuration: configuration) }
            while true {
                asked.wait()
                guard let job else { break }
                outcome = Result { try job(realm.get()) }
                self.job = nil
                answered.signal()
            }
            withExtendedLifetime(realm) {}
        }
    }

    func run(_ body: @escaping (Realm) throws -> Void) throws {
        job = body
        asked.signal()
        answered.wait()
        try outcome?.get()
    }

    func end() { asked.signal() }
}

func onOtherThread(_ directory: TemporaryDirectory, _ body: @escaping (Realm) throws -> Void) throws
    -> OtherThread
{
    let thread = OtherThread(World.configuration(directory.file()))
    try thread.run(body)
    return thread
}

/// How many files of a directory this process has open that have no name any more.
func openFileCount(ofDeleted directory: TemporaryDirectory) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
        guard
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/" + name)
        else { return false }
        return target.hasPrefix(directory.url.path) && target.hasSuffix("(deleted)")
    }
}

/// Runs `body` with a small file system of its own. Needs root.
func withSmallDisk(
    _ directory: TemporaryDirectory, _ options: String, _ body: (String) async throws -> Void
) async throws {
    let mount = directory.file("mount").path
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
    try run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", mount])
    do {
        try await body(mount)
    } catch {
        try? run("/bin/umount", [mount])
        throw error
    }
    try? run("/bin/umount", [mount])
}

func run(_ program: String, _ arguments: [String]) throws {
    let process = ChildProcess(URL(fileURLWithPath: program), arguments)
    try process.run()
    process.waitUntilExit()
    try requireZero(process.terminationStatus)
}
