import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Synchronization
import Testing

/// The reader slot that keeps pages from being reused, beside other processes.
@Suite("Recovery: blocking reuse") struct ReuseBlockTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let file: UnsoundFile

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
        file = UnsoundFile(path, count: 10_000)
        try file.make()
    }

    @Test func lmdbSeesTheBlockAndNoReaderIsReported() throws {
        let environment = try GuardedScript.open(path)
        #expect(!environment.handle.isReuseBlocked)
        try file.commit(environment)
        #expect(environment.handle.isReuseBlocked)
        #expect(try environment.pinnedVersions().pins.allSatisfy { $0.version > 1 })
        #expect(try reusablePageCount(environment) == 0)
        let view = try environment.read()
        #expect(try view.handle.problem(ofPagesReadBy: view.raw) == nil)
        try file.commit(environment)
        #expect(!environment.handle.isReuseBlocked)
        #expect(try reusablePageCount(environment) > 0)
    }

    private func reusablePageCount(_ environment: Environment) throws -> Int {
        let view = try environment.read()
        return try environment.handle.reusableByteCount(in: view.raw)
    }

    /// As after other code of the process has closed the lock file, so that its locks are gone,
    /// and another process has cleared the slots.
    @Test(arguments: [false, true]) func aLostBlockIsNoticed(isDamaged: Bool) throws {
        if isDamaged, !EncryptedSuite.isOn { try file.damageLastLeaf() }
        let environment = try GuardedScript.open(path)
        try file.commit(environment)
        try clearSlot(environment)
        #expect(!environment.handle.isReuseBlocked)
        if isDamaged, !EncryptedSuite.isOn {
            #expect(storageCode { try file.commit(environment) } == .corrupted)
            #expect(storageCode { try file.commit(environment) } == .corrupted)
            #expect(!environment.handle.hasSoundPages)
        } else {
            try file.commit(environment)
            #expect(environment.handle.hasSoundPages)
            #expect(environment.counters.pageWalks.load(ordering: .relaxed) == 1)
        }
    }

    private func clearSlot(_ environment: Environment) throws {
        let lock = environment.handle.lockDescriptor
        let size = Int(lseek(lock, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: size)
        try #require(pread(lock, &bytes, size, 0) == size)
        let slots = stride(from: 0, through: size - 64, by: 64).filter { offset in
            bytes.load(UInt32.self, at: offset + 8) == UInt32(getpid())
                && bytes.load(UInt64.self, at: offset + 16) != 0
                && bytes.load(UInt64.self, at: offset) == ReuseBlock.transaction
        }
        try #require(slots.count == 1)
        var process: UInt32 = 0
        try #require(pwrite(lock, &process, 4, off_t(slots[0] + 8)) == 4)
    }

    @Test func aKilledProcessReleasesItsBlock() async throws {
        let environment = try GuardedScript.open(path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try GuardedScript.open(path)
            try UnsoundFile(path, count: 10_000).commit(environment)
            try #require(environment.handle.isReuseBlocked)
            kill(getpid(), SIGKILL)
        }
        #expect(!environment.handle.isReuseBlocked)
        #expect(try reusablePageCount(environment) == 0)
        environment.handle.discardDeadReaders()
        #expect(try reusablePageCount(environment) > 0)
        try file.commit(environment)
    }

    /// The other process walks the file, finds it sound and could reuse pages, which would change
    /// under the walk of this one.
    @Test func theBlockHoldsForProcessesThatKnowTheFileToBeSound() async throws {
        let environment = try GuardedScript.open(path)
        try file.commit(environment)
        let end = (environment.handle.lastPage + 1) * pageSizeOfNewFiles
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(
                .init(path, hooks: TestHooks { $0.walkedPageCount = 1 << 20 }))
            for _ in 0..<10 { try UnsoundFile(path, count: 10_000).commit(environment) }
            try #require(environment.handle.hasSoundPages)
            try #require(!environment.handle.isReuseBlocked)
        }
        let after = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
            before[2 * pageSizeOfNewFiles..<end].elementsEqual(
                after[2 * pageSizeOfNewFiles..<end]))
        try file.commit(environment)
        #expect(environment.handle.isReuseBlocked)
        // Who joins now relies on the other's walk.
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try GuardedScript.open(path)
            try #require(environment.handle.hasSoundPages)
            try UnsoundFile(path, count: 10_000).commit(environment)
        }
    }

    @Test func aForkedChildLeavesTheBlockAlone() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            var hooks = GuardedScript.hooks
            hooks.walksInBackground = true
            var environment: Environment? = try GuardedScript.open(path, hooks: hooks)
            try UnsoundFile(path, count: 10_000).commit(#require(environment))
            let fork = unsafeBitCast(
                try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 {
                environment = nil
                _exit(0)
            }
            var status: Int32 = 1
            try #require(waitpid(child, &status, 0) == child && status == 0)
            let handle = try #require(environment).handle
            try #require(handle.isReuseBlocked)
        }
    }
}
