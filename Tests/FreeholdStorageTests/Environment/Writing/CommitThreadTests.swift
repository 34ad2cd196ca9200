import Foundation
@testable import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// Which thread commits, how much of its stack that takes, and that nothing interrupts it.
@Suite("Environment: threads of commits")
struct CommitThreadTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    // MARK: Which thread

    @Test func aSynchronousCommitRunsOnItsCallersThread() throws {
        let environment = try Environment.open(.init(path))
        let threads = try runThreads(8) { index in
            var threads: Set<UInt> = [UInt(pthread_self())]
            for round in 0..<10 {
                try environment.writer.begin().commit { transaction in
                    threads.insert(UInt(pthread_self()))
                    try transaction.put("\(index)-\(round)", "x")
                }
            }
            return threads.count
        }
        #expect(threads == Array(repeating: 1, count: 8))
        #expect(try environment.read().entryCount(.clusters) == 80)
    }

    /// Commits of both kinds, from several threads: each is there, and the asynchronous ones are
    /// made by one thread.
    @Test func synchronousAndAsynchronousCommitsTakeTurns() throws {
        let environment = try Environment.open(.init(path) { $0.durability = .none })
        let asynchronous = Shared<Set<UInt>>([])
        let callers = try runThreads(4) { index in
            for round in 0..<50 {
                let grant = try environment.writer.begin()
                if (index + round).isMultiple(of: 2) {
                    try grant.commit { try $0.put("\(index)-\(round)", "x") }
                } else {
                    let end = DispatchSemaphore(value: 0)
                    grant.commitAsync(
                        {
                            let thread = UInt(pthread_self())
                            asynchronous.change { _ = $0.insert(thread) }
                            try $0.put("\(index)-\(round)", "x")
                        },
                        completion: { outcome in
                            if case .failure(let error) = outcome { Issue.record(error) }
                            end.signal()
                        })
                    if round.isMultiple(of: 5) { end.wait() }
                }
            }
            return UInt(pthread_self())
        }
        environment.waitForWriterThread()
        #expect(asynchronous.value.count == 1)
        #expect(asynchronous.value.isDisjoint(with: callers))
        #expect(try environment.read().entryCount(.clusters) == 200)
    }

    @Test func onlyAnAsynchronousCommitStartsTheWriterThread() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            for index in 0..<10 { try environment.put("\(index)", "1") }
            try #require(try writerThreadCount() == 0)
            let end = DispatchSemaphore(value: 0)
            try environment.writer.begin().commitAsync(
                { try $0.put("a", "1") }, completion: { _ in end.signal() })
            end.wait()
            try #require(try writerThreadCount() == 1)
        }
    }

    // MARK: The stack

    /// A thread with less stack than a commit may need waits for the writer thread.
    @Test(.disabled(if: isThreadSanitized || isAddressSanitized))
    func aThreadWithLittleStackLeavesTheCommitToTheWriterThread() throws {
        let environment = try Environment.open(.init(path))
        func isOnCaller(stackSize: Int) throws -> Bool {
            try startThread(stackSize: stackSize) {
                let caller = pthread_self()
                return try environment.writer.begin().commit { transaction in
                    try transaction.put("\(stackSize)", "x")
                    return pthread_equal(caller, pthread_self()) != 0
                }.0
            }.join()
        }
        #expect(try !isOnCaller(stackSize: 112 << 10))
        #expect(try isOnCaller(stackSize: 512 << 10))
        #expect(try environment.read().entryCount(.clusters) == 2)
    }

    /// A coroutine's stack is not the thread's: how much of it is left cannot be known.
    @Test func theRoomOnAForeignStackIsUnknown() throws {
        let room = try startThread(stackSize: 1 << 20) { ThreadStack.room }.join()
        #expect(room > 512 << 10 && room <= 1 << 20)
        #expect(ThreadStack.room > 0)
    }

    /// Half of what a commit is given is enough for large commits that split and merge pages,
    /// spill dirty pages and extend the file, encrypted or not.
    @Test(
        .disabled(if: isThreadSanitized || isAddressSanitized), arguments: [false, true])
    func aCommitNeedsLessStackThanItIsGiven(isEncrypted: Bool) throws {
        let environment = try Environment.open(
            .init(path) {
                $0.durability = .none
                if isEncrypted { $0.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) }) }
            })
        let use = try stackUse {
            for round in 0..<4 {
                try environment.writer.begin().commit { transaction in
                    for index in 0..<20_000 where index % (round + 1) == 0 {
                        try transaction.put(
                            "key \(index)", String(repeating: "x", count: index * 7 % 900))
                    }
                    for index in 0..<20_000 where round > 0 && index % 3 == round {
                        try transaction.delete("key \(index)")
                    }
                    try transaction.put("long", String(repeating: "y", count: 3_000_000))
                }
            }
        }
        #expect(use < WriteGrant.stackNeed / 2, "\(use) bytes of stack")
    }

    /// The same for rows with a column of every type, indexes, and clusters that split and go.
    @Test(.disabled(if: isThreadSanitized || isAddressSanitized))
    func aCommitOfRowsNeedsLessStackThanItIsGiven() throws {
        try withTemporaryStore { store in
            let target = try write(store) { $0.createTable(named: "Target") }.0
            var random = SeededGenerator(seed: 1)
            var table = try write(store) {
                StoredModelTable.create(
                    in: $0, named: "Model", primaryKeyIsRowKey: false, target: target)
            }.0
            for round in 0..<3 {
                let writeSet = try store.beginWrite()
                for key in Int64(round * 700)..<Int64(round * 700 + 1_000) {
                    if table.rows[key] == nil { table.insert(key, in: writeSet) }
                    for column in table.columns {
                        let value = table.randomValue(of: column, using: &random, targets: [])
                        try table.set(column, of: key, to: value, in: writeSet)
                    }
                }
                let use = try stackUse { _ = try store.commit(writeSet) }
                #expect(use < WriteGrant.stackNeed / 2, "\(use) bytes of stack")
            }
        }
    }

    // MARK: Interruptions

    /// A handler runs when the commit has ended. It may jump out of it, which would leave LMDB's
    /// lock held for ever.
    @Test(.disabled(if: isThreadSanitized))
    func noSignalHandlerRunsInACommit() async throws {
        await #expect(processExitsWith: .success) {
            [path = path as String, directory = directory.path as String] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            allowSignals()
            signal(SIGUSR1) { _ in wasHandled = true }
            var wasHandledInside = false
            try SystemCalls.before("fdatasync", in: directory) {
                pthread_kill(pthread_self(), SIGUSR1)
                wasHandledInside = wasHandled
            } _: {
                try environment.put("a", "2")
            }
            try #require(!wasHandledInside)
            try #require(wasHandled)
            // The mask is the caller's again, also after an error.
            wasHandled = false
            _ = storageCode { try environment.writer.begin().commit { try $0.put("", "") } }
            pthread_kill(pthread_self(), SIGUSR1)
            try #require(wasHandled)
        }
    }

    enum Ending: String, CaseIterable, Codable { case cancelled, endedByHandler }

    /// Threads that are ended in the middle of a commit finish it, so that the next can begin.
    @Test(.disabled(if: isThreadSanitized), arguments: Ending.allCases)
    func aThreadEndsAfterItsCommit(_ ending: Ending) async throws {
        await #expect(processExitsWith: .success) {
            [path = path as String, directory = directory.path as String, ending = ending as Ending]
            in
            allowSignals()
            alarm(60)
            signal(SIGUSR1) { _ in pthread_exit(nil) }
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            let wasPassed = Shared(false)
            var thread = pthread_t()
            let work = Unmanaged.passRetained(
                ThreadBody {
                    try? SystemCalls.before("fdatasync", in: directory) {
                        switch ending {
                        case .cancelled: pthread_cancel(pthread_self())
                        case .endedByHandler: pthread_kill(pthread_self(), SIGUSR1)
                        }
                    } _: {
                        try environment.put("a", "2")
                    }
                    pthread_testcancel()
                    wasPassed.change { $0 = true }
                })
            pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<ThreadBody>.fromOpaque(context).takeUnretainedValue().run()
                    return nil
                }, work.toOpaque())
            pthread_join(thread, nil)
            try #require(!wasPassed.value)
            try #require(try environment.read().text("a") == "2")
            try environment.put("a", "3")
            try #require(try environment.read().text("a") == "3")
        }
    }

    /// A child of a process in which a thread is in a commit refuses the file; the parent's
    /// commit succeeds. The thread itself may fork, in a handler of the program's, or another.
    @Test(
        .disabled(if: isThreadSanitized, "ThreadSanitizer does not survive a fork."),
        arguments: CommitThread.allCases, [false, true])
    func aForkInACommit(on thread: CommitThread, byAnotherThread: Bool) async throws {
        await #expect(processExitsWith: .success) {
            [
                path = path as String, directory = directory.path as String,
                thread = thread as CommitThread, byAnotherThread = byAnotherThread as Bool
            ] in
            allowSignals()
            alarm(60)
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            nonisolated(unsafe) let fork = unsafeBitCast(
                try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            let child = Shared<pid_t>(-1)
            let forking: @Sendable () -> Void = {
                let started = fork()
                if started == 0 {
                    if storageCode({ try environment.writer.begin() }) != .forkedChild { _exit(1) }
                    if storageCode({ try environment.read() }) != .forkedChild { _exit(2) }
                    // A file of its own, on this thread, which in the parent holds LMDB's lock.
                    guard let own = try? Environment.open(.init(path + ".child")),
                        (try? own.put("a", "1")) != nil
                    else { _exit(3) }
                    _exit(0)
                }
                child.change { $0 = started }
            }
            try SystemCalls.before("fdatasync", in: directory) {
                if byAnotherThread { try? onNewThread(forking) } else { forking() }
            } _: {
                try environment.put("a", "2", on: thread)
            }
            var status: Int32 = -1
            try #require(waitpid(child.value, &status, 0) == child.value && status == 0)
            try environment.put("a", "3", on: thread)
            try #require(try environment.read().text("a") == "3")
        }
    }

    /// The default of SIGXFSZ ends the process. A commit reports the limit as an error instead,
    /// on any thread.
    @Test(arguments: CommitThread.allCases)
    func aFileSizeLimitEndsNoProcess(on thread: CommitThread) async throws {
        await #expect(processExitsWith: .success) {
            [path = path as String, thread = thread as CommitThread] in
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
            allowSignals()
            var limit = rlimit(rlim_cur: 600_000, rlim_max: 600_000)
            try #require(setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0)
            let code = storageCode {
                try environment.put("large", String(repeating: "x", count: 2_000_000), on: thread)
            }
            try #require(code == .fileTooLarge, "\(String(describing: code))")
            try environment.put("b", "2", on: thread)
            try #require(try environment.read().entryCount(.clusters) == 2)
        }
    }
}

nonisolated(unsafe) private var wasHandled = false

/// The threads of the tasks' pool, which run exit tests, block all signals.
private func allowSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
}

private final class ThreadBody: @unchecked Sendable {
    // @unchecked: one thread runs it.
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}

private func writerThreadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))
            == "freehold-writer\n"
    }
}

/// The bytes of stack that a body uses on a thread of its own: the memory of a new stack is
/// zero where nothing was written.
private func stackUse(_ body: @escaping () throws -> Void) throws -> Int {
    let size = 1 << 20
    let stack = try #require(
        mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(stack, size) }
    nonisolated(unsafe) var outcome: Result<Void, any Error>?
    nonisolated(unsafe) var start = 0
    let work = Unmanaged.passRetained(
        ThreadBody {
            start = ThreadStack.room
            outcome = Result { try body() }
        })
    defer { work.release() }
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
        pthread_attr_destroy(attributes)
        attributes.deallocate()
    }
    try #require(pthread_attr_setstack(attributes, stack, size) == 0)
    var thread = pthread_t()
    let status = pthread_create(
        &thread, attributes,
        { context in
            guard let context else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(context).takeUnretainedValue().run()
            return nil
        }, work.toOpaque())
    try #require(status == 0)
    pthread_join(thread, nil)
    try outcome?.get()
    let bytes = UnsafeRawBufferPointer(start: stack, count: size)
    return start - (bytes.firstIndex { $0 != 0 } ?? size)
}
