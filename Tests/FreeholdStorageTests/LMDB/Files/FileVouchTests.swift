import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Synchronization
import Testing

/// Whether the pages are walked before the first commit: not if the file
/// is as it was when it was closed.
@Suite("Environment: files that were left sound") struct FileVouchTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    /// Opens the file, commits once and closes it.
    ///
    /// - Returns: How often the pages were walked.
    @discardableResult
    private func commit(
        _ path: String? = nil, _ configure: (inout Environment.Options) -> Void = { _ in }
    ) throws -> Int {
        let environment = try Environment.open(.init(path ?? self.path, configure: configure))
        try environment.put("a", UUID().uuidString)
        return environment.counters.pageWalks.load(ordering: .relaxed)
    }

    @Test func aFileThatWasClosedIsNotWalkedAgain() throws {
        #expect(try commit() == 1)
        for _ in 0..<3 { #expect(try commit() == 0) }
        // Who only reads leaves it as it was.
        for _ in 0..<2 { #expect(try Environment.open(.init(path)).read().text("a") != nil) }
        #expect(try commit() == 0)
        #expect(try commit { $0.durability = .relaxed } == 0)
        #expect(try commit() == 0)
    }

    @Test func withoutSyncsThereIsNoVouching() throws {
        try commit()
        #expect(try commit { $0.durability = .none } == 0)
        #expect(try commit() == 1)
    }

    /// Within a tick of the clock that tells when files change.
    @Test func aFileThatWasChangedIsWalked() throws {
        for _ in 0..<20 {
            try commit()
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            let end = try file.seekToEnd()
            try file.seek(toOffset: end - 1)
            try file.write(contentsOf: [0])
            try file.close()
            #expect(try commit() == 1)
        }
    }

    @Test func aCopyIsWalked() throws {
        try commit()
        let copy = directory.file("b.realm")
        for name in ["", ".control"] {
            try FileManager.default.copyItem(atPath: path + name, toPath: copy + name)
        }
        // As a backup that keeps the times.
        var status = stat()
        try #require(stat(path, &status) == 0)
        try #require(utimensat(AT_FDCWD, copy, [status.st_atim, status.st_mtim], 0) == 0)
        #expect(try commit(copy) == 1)
        #expect(try commit(copy) == 0)
        // An older version in the place of the newer one.
        try FileManager.default.removeItem(atPath: copy)
        try FileManager.default.moveItem(atPath: path, toPath: copy)
        // An encrypted one is shorter than the newer one was, and so was walked when it was opened.
        #expect(try commit(copy) == (EncryptedSuite.isOn ? 0 : 1))
    }

    @Test func afterAKillItIsWalked() async throws {
        try commit()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "killed")
            kill(getpid(), SIGKILL)
        }
        #expect(try commit() == 1)
        // It read, and changed nothing.
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            _ = try environment.read().text("a")
            kill(getpid(), SIGKILL)
        }
        #expect(try commit() == 0)
    }

    @Test func afterAnExitWithTheFileOpenItIsNot() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "left")
            _ = Unmanaged.passRetained(environment)
            exit(0)
        }
        #expect(try commit() == 0)
    }

    /// The end of the process looks at what other threads go on using.
    @Test func afterAnExitBesideReadersItIsNotConcurrently() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "left")
            let count = Atomic<Int>(0)
            for _ in 0..<2 {
                startThread {
                    while (try? environment.read()) != nil {
                        count.wrappingAdd(1, ordering: .relaxed)
                    }
                }
            }
            while count.load(ordering: .relaxed) < 100 { sched_yield() }
            exit(0)
        }
        #expect(try commit() == 0)
    }

    @Test func processesThatComeLaterNeedNotWalk() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        #expect(environment.counters.pageWalks.load(ordering: .relaxed) == 1)
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "2")
            try #require(environment.counters.pageWalks.load(ordering: .relaxed) == 0)
        }
        // What the other process wrote is vouched for by the last one.
        withExtendedLifetime(environment) {}
    }

    @Test func theLastOfSeveralProcessesVouches() async throws {
        do {
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            await #expect(processExitsWith: .success) { [path = path as String] in
                _ = try Environment.open(.init(path)).put("a", "2")
            }
        }
        #expect(try commit() == 0)
    }

    @Test func afterACompactionItIsNotWalked() throws {
        do {
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            let grant = try environment.writer.begin()
            try environment.compact(grant)
            grant.cancel()
            try environment.put("a", "2")
            #expect(environment.counters.pageWalks.load(ordering: .relaxed) == 1)
        }
        #expect(try commit() == 0)
    }
}
