import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// Several processes on one file. The other process is an exit test's: a child that runs its
/// body alone.
@Suite("Environment: processes")
struct EnvironmentProcessTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    @Test func twoProcessesWriteInTurns() async throws {
        let turn = await ChildThatWaits.turn()
        defer { turn.end() }
        let environment = try Environment.open(.init(path))
        try environment.put("count", "0")
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try incrementCount(try Environment.open(.init(path)), times: 200)
            }
        }()
        try incrementCount(environment, times: 200)
        await other
        let view = try environment.read()
        #expect(try view.text("count") == "400")
        #expect(
            try environment.pinnedVersions().pins.allSatisfy { $0.processIdentifier == getpid() })
    }

    @Test func anotherProcessSeesAndIsSeen() async throws {
        let environment = try Environment.open(.init(path))
        let before = try environment.put("a", "parent")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            try #require(try environment.read().text("a") == "parent")
            try environment.put("a", "child")
        }
        #expect(try before.text("a") == "parent")
        #expect(environment.newestVersionHint == before.version + 1)
        #expect(try environment.read().text("a") == "child")
    }

    @Test func aProcessKilledInsideACommitLosesOnlyThat() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "before")
        for round in 0..<3 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let environment = try Environment.open(.init(path))
                try environment.put("a", "committed")
                try environment.writer.begin().commit { transaction in
                    try transaction.put("a", "lost")
                    kill(getpid(), SIGKILL)
                }
            }
            #expect(try environment.read().text("a") == "committed")
            #expect(try environment.put("b", "\(round)").text("a") == "committed")
        }
        #expect(
            try environment.pinnedVersions().pins.allSatisfy { $0.processIdentifier == getpid() })
    }

    /// The meta page is written, and LMDB's lock file does not tell of it yet: most of a
    /// synchronous commit's time, for the page is there before it is on the medium. The commit
    /// was not acknowledged and is whole; the next writer, of whatever kind, goes on from it.
    @Test(arguments: [false, true]) func aProcessKilledBehindTheMetaPageLetsOthersWrite(
        isAsynchronous: Bool
    ) async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "before")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            let version = try environment.put("a", "whole").version
            let lockFile = open(path + "-lock", O_RDWR)
            try #require(lockFile >= 0)
            // Behind LMDB's magic number, format and a mutex: the newest transaction that can
            // be read.
            var newest: UInt64 = 0
            try #require(pread(lockFile, &newest, 8, 48) == 8 && newest == version)
            try environment.writer.begin().commit { transaction in
                try transaction.put("a", "lost")
                newest -= 1
                try #require(pwrite(lockFile, &newest, 8, 48) == 8)
                kill(getpid(), SIGKILL)
            }
        }
        if isAsynchronous {
            let base = try await withCheckedThrowingContinuation { continuation in
                environment.writer.begin { result in
                    do {
                        let grant = try result.get()
                        let base = try grant.base.text("a")
                        grant.commitAsync {
                            try $0.put("b", "next")
                        } completion: {
                            continuation.resume(with: $0.map { _ in base })
                        }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
            #expect(base == "whole")
        }
        let view = try environment.put("b", "next")
        #expect(try view.text("a") == "whole")
        #expect(try view.text("b") == "next")
        #expect(try environment.pageAccount().lostCount == 0)
    }

    @Test func aProcessKilledWithAGrantLetsOthersWrite() async throws {
        let environment = try Environment.open(.init(path))
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let grant = try Environment.open(.init(path)).writer.begin()
            kill(getpid(), SIGKILL)
            grant.cancel()
        }
        try environment.put("a", "1")
    }

    /// An asynchronous request that need not wait only looks for other waiting processes.
    @Test func anAsynchronousRequestDoesNotOvertakeAWaitingProcess() async throws {
        let turn = await ChildThatWaits.turn()
        defer { turn.end() }
        let environment = try Environment.open(.init(path))
        try environment.put("a", "parent")
        let grant = try environment.writer.begin()
        async let other: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Environment.open(.init(path)).put("a", "child")
            }
        }()
        let control = open(path + ".control", O_RDWR | O_CLOEXEC)
        try #require(control >= 0)
        while !isTurnstileHeld(control) { await Task.yield() }
        close(control)
        grant.cancel()
        let seen = try await withCheckedThrowingContinuation { continuation in
            environment.writer.begin { result in
                continuation.resume(
                    with: Result {
                        let grant = try result.get()
                        defer { grant.cancel() }
                        return try grant.base.text("a")
                    })
            }
        }
        #expect(seen == "child")
        await other
    }

    /// Found by `torture machine`: a process died with LMDB's lock, and LMDB got no memory for
    /// what it does next. The error said that the medium had failed.
    @Test(.disabled(if: isThreadSanitized)) func aLockThatIsLostSaysWhatToDo() async throws {
        do {
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
                pthread_mutex_lock(try writeMutex(path + "-lock"))
                _exit(7)
            }
            let mutex = try writeMutex(path + "-lock")
            try #require(pthread_mutex_lock(mutex) == EOWNERDEAD)
            // Without having been made consistent.
            pthread_mutex_unlock(mutex)
            let error = #expect(throws: StorageError.self) { try environment.put("b", "2") }
            #expect(error?.code == .incompatibleLockFile)
            #expect(error?.systemError == .notRecoverable)
            #expect(try environment.read().text("a") == "1")
        }
        #expect(try Environment.open(.init(path)).put("b", "2").text("a") == "1")
    }

    /// Whether a process waits for the write gate, by the byte that it has locked meanwhile.
    private func isTurnstileHeld(_ control: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = (1 << 30) + 4
        lock.l_len = 1
        let getDescriptionLock: Int32 = 36
        return fcntl(control, getDescriptionLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    @Test func aStoppedWriterIsATimeout() async throws {
        let environment = try Environment.open(.init(path))
        let grant = try environment.writer.begin()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            do throws(StorageError) {
                _ = try environment.writer.begin(timeout: .milliseconds(50))
            } catch {
                try #require(error.code == .writeLockTimeout)
                // Since when, by a clock that both processes have: less than a hundred seconds ago.
                try #require(error.message.contains(#/, for \d?\d\.\d s\. /#), "\(error)")
                try #require(try environment.read().entryCount(.clusters) == 0)
                exit(0)
            }
            Issue.record("Two write at once.")
        }
        grant.cancel()
        try environment.put("a", "1")
    }

    @Test func filesOpenElsewhereCannotBeRemovedOrBeTemporary() async throws {
        let environment = try Environment.open(.init(path))
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(storageCode { try Environment.removeFiles(at: path) } == .alreadyOpen)
            try #require(
                storageCode { try Environment.open(.init(path) { $0.isTemporary = true }) }
                    == .fileExists)
        }
        try environment.put("a", "1")
    }

    @Test func aTemporaryFileLivesUntilItsLastProcess() async throws {
        let options = Environment.Options(path) {
            $0.isTemporary = true
            $0.durability = .none
        }
        do {
            let environment = try Environment.open(options)
            try environment.put("a", "parent")
            await #expect(processExitsWith: .success) { [path = path as String] in
                let environment = try Environment.open(
                    .init(path) {
                        $0.isTemporary = true
                        $0.durability = .none
                    })
                try #require(try environment.read().text("a") == "parent")
                try environment.put("a", "child")
            }
            #expect(try environment.read().text("a") == "child")
        }
        #expect(directory.names == [])
    }

    @Test func aTemporaryFileLeftBehindIsReplaced() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try Environment.open(.init(path) { $0.isTemporary = true }).put("a", "old")
            let environment = try Environment.open(.init(path) { $0.isTemporary = true })
            try environment.put("b", "old")
            kill(getpid(), SIGKILL)
            withExtendedLifetime(environment) {}
        }
        #expect(!directory.names.isEmpty)
        let environment = try Environment.open(.init(path) { $0.isTemporary = true })
        #expect(environment.isNewlyCreated)
        #expect(try environment.read().entryCount(.clusters) == 0)
    }

    @Test func aDeadReadersSlotIsFreed() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let view = try Environment.open(.init(path)).read()
            try #require(try view.environment.pinnedVersions().pins.count >= 1)
            kill(getpid(), SIGKILL)
            withExtendedLifetime(view) {}
        }
        #expect(
            try environment.pinnedVersions().pins.allSatisfy { $0.processIdentifier == getpid() })
    }

    // MARK: Locks

    /// Closing any descriptor of the lock file drops the process's locks on it. A newcomer must
    /// not reset a lock that is in use.
    @Test func locksLostToAStrayCloseAreNoticedAndSetAgain() async throws {
        let environment = try Environment.open(.init(path))
        let view = try environment.put("a", "1")
        _ = try Data(contentsOf: URL(fileURLWithPath: path + "-lock"))
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(storageCode { try Environment.open(.init(path)) } == .incompatibleLockFile)
        }
        try environment.put("a", "2")
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Environment.open(.init(path)).put("a", "3")
        }
        #expect(try view.text("a") == "1")
        #expect(try environment.read().text("a") == "3")
    }

    /// Only a lock that another process has says that the file was taken over. A signal is no
    /// reason to stop, and what the system refuses for now fails the one commit.
    @Test(arguments: [EINTR, ENOLCK]) func locksThatCannotBeSetAgainAreNotTakenOver(error: Int32)
        throws
    {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        var code: StorageError.Code?
        let failure = SystemCalls.fail("setlk", in: directory.path, with: error)
        code = storageCode { try environment.put("a", "2") }
        failure.end()
        #expect(code == (error == EINTR ? nil : .inputOutput))
        if error == EINTR { #expect(try environment.read().text("a") == "2") }
        try environment.put("a", "3")
        #expect(try environment.read().text("a") == "3")
    }

    @Test func aControlFileDeletedWhileOpenIsNoticed() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        try FileManager.default.removeItem(atPath: path + ".control")
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(storageCode { try Environment.open(.init(path)) } == .incompatibleLockFile)
        }
        try environment.put("a", "2")
    }

    @Test func aDataFileReplacedWhileOpenIsNoticed() async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        try FileManager.default.copyItem(atPath: path, toPath: directory.file("copy"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: directory.file("copy"), toPath: path)
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(storageCode { try Environment.open(.init(path)) } == .replacedWhileOpen)
        }
        #expect(storageCode { try environment.put("a", "2") } == .replacedWhileOpen)
    }

    @Test func processesOfAnotherNamespaceAreRefused() async throws {
        let environment = try Environment.open(.init(path))
        // What a process of another namespace would have written.
        try writeControlRecord(in: \.place) { $0.processNamespace = 12345 }
        await #expect(processExitsWith: .success) { [path = path as String] in
            try #require(
                storageCode { try Environment.open(.init(path)) } == .foreignProcessNamespace)
        }
        try environment.put("a", "1")
    }

    /// Found by `torture machine`: where a record was written in part, no other process could
    /// open the file until the last that had it open closed it.
    @Test(arguments: [1, 40, 100, 127]) func aControlRecordThatIsWrittenInPartLeavesTheOneBefore(
        count: Int
    ) async throws {
        let environment = try Environment.open(.init(path))
        try environment.put("a", "1")
        try writeControlRecord(in: \.otherPlace, count: count) { $0.minimumSize += 4096 }
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Environment.open(.init(path)).put("b", String(repeating: "x", count: 1_000_000))
        }
        try environment.put("c", "3")
        #expect(try environment.read().entryCount(.clusters) == 3)
    }

    /// The holder of the write gate writes its name through a mapping of the control file.
    @Test func aControlFileThatIsCutOffWhileOpenEndsNoProcess() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            try #require(truncate(path + ".control", 0) == 0)
            try environment.put("b", "2")
            let grant = try environment.writer.begin()
            grant.cancel()
        }
        #expect(try Environment.open(.init(path)).put("c", "3").entryCount(.clusters) == 3)
    }

    /// Writes the first bytes of another record, under the next number.
    private func writeControlRecord(
        in place: KeyPath<ControlRecord.Stored, Int>, count: Int = 128,
        _ change: (inout ControlRecord) -> Void
    ) throws {
        let descriptor = open(path + ".control", O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        var newest = try #require(try ControlRecord.newest(in: descriptor, path: path))
        change(&newest.record)
        let bytes = newest.record.encoded(number: newest.number + 1)
        let offset = ControlRecord.places[newest[keyPath: place]]
        try #require(pwrite(descriptor, bytes, count, off_t(offset)) == count)
    }

    // MARK: Forks and descriptors

    @Test(.disabled(if: isThreadSanitized)) func aForkedChildGetsErrorsAndMayOpenAnew() async throws
    {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            let view = try environment.put("a", "1")
            typealias Fork = @convention(c) () -> pid_t
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
            let child = fork()
            if child == 0 {
                // Exits with the number of the first check that fails.
                if storageCode({ try environment.read() }) != .forkedChild { _exit(1) }
                if storageCode({ try environment.writer.begin() }) != .forkedChild { _exit(2) }
                if storageCode({ try view.text("a") }) != .forkedChild { _exit(3) }
                guard let own = try? Environment.open(.init(path)), own !== environment else {
                    _exit(4)
                }
                guard (try? own.put("a", "child"))?.version == view.version + 1 else { _exit(5) }
                if storageCode({ _ = try view.cursor(.clusters) }) != .forkedChild { _exit(6) }
                if storageCode({ try view.mappedTree(.clusters) }) != .forkedChild { _exit(7) }
                if storageCode({ try Environment.copy(view, to: path + ".copy", key: nil) })
                    != .forkedChild
                {
                    _exit(8)
                }
                // Before anything is looked at or written, so no other error comes first.
                if storageCode({ try Environment.copy(view, to: path, key: nil) }) != .forkedChild {
                    _exit(9)
                }
                _exit(0)
            }
            var status: Int32 = -1
            try #require(waitpid(child, &status, 0) == child)
            try #require(status == 0)
            try #require(try view.text("a") == "1")
            try #require(try environment.read().text("a") == "child")
            try environment.put("a", "parent")
            try #require(
                try environment.pinnedVersions().pins.allSatisfy {
                    $0.processIdentifier == getpid()
                })
        }
    }

    @Test func everyDescriptorIsClosedOnExec() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            var count = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                guard
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "/proc/self/fd/\(name)"),
                    target.hasPrefix(path), let descriptor = Int32(name)
                else { continue }
                try #require(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
                count += 1
            }
            try #require(count >= 4)
            withExtendedLifetime(environment) {}
        }
    }
}

/// Adds 1 to the number under "count", one transaction each.
func incrementCount(_ environment: Environment, times: Int) throws {
    for _ in 0..<times {
        let grant = try environment.writer.begin()
        let count = Int(try grant.base.text("count") ?? "") ?? -1_000_000
        try grant.commit { try $0.put("count", "\(count + 1)") }
    }
}

extension ControlRecord.Stored {
    fileprivate var otherPlace: Int { 1 - place }
}

/// LMDB's lock for writers, mapped once more: in the cache line behind `MDB_txbody` (`mdb.c`,
/// 0.9), which is two numbers of 4 bytes, the lock for readers, and 12 bytes.
private func writeMutex(_ path: String) throws -> UnsafeMutablePointer<pthread_mutex_t> {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw POSIXError(.ENOMEM) }
    try #require(mapped.load(as: UInt32.self) == 0xBEEF_C0DE)
    let offset = (8 + MemoryLayout<pthread_mutex_t>.size + 12 + 63) / 64 * 64
    return (mapped + offset).assumingMemoryBound(to: pthread_mutex_t.self)
}
