import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Hearing of other processes' commits. The other process is an exit test's.
@Suite("Environment: watching commits", .timeLimit(.minutes(10)))
struct CommitWatchTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    /// Counts calls, and waits for more.
    private final class Calls: Sendable {
        private let monitor = Monitor()
        private let count = Shared(0)

        func add() {
            monitor.lock()
            count.change { $0 += 1 }
            monitor.wakeAll()
            monitor.unlock()
        }

        var value: Int { count.value }

        /// Waits until a condition holds; it is looked at before and after each call.
        func wait(until condition: () throws -> Bool) rethrows {
            monitor.lock()
            defer { monitor.unlock() }
            while try !condition() { monitor.wait() }
        }
    }

    /// Events alone, and the look alone that stands in for them.
    private static func watcher(_ hearsEvents: Bool) -> CommitWatcher {
        CommitWatcher(
            lookInterval: hearsEvents ? .seconds(86_400) : .milliseconds(5),
            hearsEvents: hearsEvents)
    }

    private static func commitInAnotherProcess(_ path: String) async {
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Environment.open(.init(path)).put("a", "\(getpid())")
        }
    }

    /// Only calls look for versions, so the last one is not found if a commit had no call, or
    /// one too early.
    @Test(arguments: [true, false]) func everyCommitIsHeard(hearsEvents: Bool) async throws {
        let environment = try Environment.open(.init(path))
        let first = try environment.read().version
        let calls = Calls()
        let seen = Shared<[UInt64]>([first])
        let watch = Self.watcher(hearsEvents).watch(environment) {
            if let version = try? environment.read().version { seen.change { $0.append(version) } }
            calls.add()
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            for number in 0..<300 { try environment.put("a", "\(number)") }
        }
        calls.wait { seen.value.last == first + 300 }
        #expect(seen.value == seen.value.sorted())
        watch.stop()
    }

    @Test func theSharedWatcherHears() async throws {
        let store = try Store.open(Store.Options(path: path))
        let calls = Calls()
        let watch = store.watchCommits { calls.add() }
        let version = try store.newestSnapshot().version
        await Self.commitInAnotherProcess(path)
        try calls.wait { try store.newestSnapshot().version > version }
        watch.stop()
    }

    /// A process that dies while it writes notifies no watch. The next commit does, and nothing
    /// of the dead one is left.
    @Test func aProcessKilledWhileWritingDisturbsNoWatch() async throws {
        let environment = try Environment.open(.init(path))
        let calls = Calls()
        let watch = Self.watcher(true).watch(environment) { calls.add() }
        for round in 0..<3 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let environment = try Environment.open(.init(path))
                let watch = CommitWatcher(lookInterval: .seconds(1), hearsEvents: true).watch(
                    environment
                ) {}
                try environment.writer.begin().commit { transaction in
                    try transaction.put("a", "lost")
                    kill(getpid(), SIGKILL)
                }
                watch.stop()
            }
            #expect(try environment.read().text("a") != "lost")
            // Its lock is free,
            let version = try environment.put("b", "\(round)").version
            // others are heard,
            await Self.commitInAnotherProcess(path)
            try calls.wait { try environment.read().version == version + 1 }
            // and its reader slot is free.
            #expect(
                try environment.pinnedVersions().pins.allSatisfy {
                    $0.processIdentifier == getpid()
                })
        }
        watch.stop()
    }

    @Test func manyWatchersOfSeveralFiles() async throws {
        let paths = (0..<3).map { directory.file("\($0).realm") }
        let environments = try paths.map { try Environment.open(.init($0)) }
        let watcher = Self.watcher(true)
        let calls = environments.map { _ in (0..<5).map { _ in Calls() } }
        var watches = zip(environments, calls).map { environment, calls in
            calls.map { call in watcher.watch(environment) { call.add() } }
        }
        await Self.commitInAnotherProcess(paths[1])
        for call in calls[1] { call.wait { call.value > 0 } }
        #expect(calls[0].allSatisfy { $0.value == 0 } && calls[2].allSatisfy { $0.value == 0 })
        // Stopped, or released.
        watches[1][0].stop()
        watches[1].remove(at: 1)
        let counts = calls[1].map(\.value)
        await Self.commitInAnotherProcess(paths[1])
        await Self.commitInAnotherProcess(paths[2])
        for call in calls[1][2...] { call.wait { call.value > counts[2] } }
        for call in calls[2] { call.wait { call.value > 0 } }
        #expect(calls[1][0].value == counts[0] && calls[1][1].value == counts[1])
        #expect(calls[0].allSatisfy { $0.value == 0 })
        for watch in watches.joined() { watch.stop() }
        // A file without watches can be watched again.
        let again = Calls()
        let watch = watcher.watch(environments[1]) { again.add() }
        await Self.commitInAnotherProcess(paths[1])
        again.wait { again.value > 0 }
        watch.stop()
    }

    /// Inside of a call, twice, and from many threads at once while calls run.
    @Test func stoppingFromAnywhere() async throws {
        let environment = try Environment.open(.init(path))
        let watcher = Self.watcher(true)
        let held = Shared<CommitWatch?>(nil)
        let calls = Calls()
        let watch = watcher.watch(environment) {
            held.value?.stop()
            held.value?.stop()
            calls.add()
        }
        held.change { $0 = watch }
        await Self.commitInAnotherProcess(path)
        calls.wait { calls.value > 0 }
        // A second watch shows that the next commit was reported.
        let second = Calls()
        let other = watcher.watch(environment) { second.add() }
        await Self.commitInAnotherProcess(path)
        second.wait { second.value > 0 }
        #expect(calls.value == 1)
        other.stop()
        held.change { $0 = nil }

        async let writer: Void = {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let environment = try Environment.open(.init(path))
                for number in 0..<100 { try environment.put("a", "\(number)") }
            }
        }()
        try runThreads(4) { _ in
            for _ in 0..<100 {
                let watch = watcher.watch(environment) {}
                watch.stop()
            }
        }
        await writer
    }

    /// The last watch of a file may be what keeps it open.
    @Test func theWatchKeepsTheFileOpen() async throws {
        let calls = Calls()
        var watch: CommitWatch? = Self.watcher(true).watch(try Environment.open(.init(path))) {
            calls.add()
        }
        await Self.commitInAnotherProcess(path)
        calls.wait { calls.value > 0 }
        #expect(watch != nil)
        watch = nil
        #expect(try Environment.removeFiles(at: path))
    }

    /// In a process of its own, where no other test has threads or descriptors.
    @Test func nothingIsLeftBehind() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            func entries(_ name: String) throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(name)").count
            }
            let environments = try ["a", "b", "c"].map { try Environment.open(.init(path + $0)) }
            for environment in environments { try environment.put("a", "1") }
            let before = (descriptors: try entries("fd"), threads: try entries("task"))
            for _ in 0..<20 {
                let watches = environments.flatMap { environment in
                    (0..<4).map { _ in CommitWatcher.shared.watch(environment) {} }
                }
                try #require(try entries("fd") >= before.descriptors + 2)
                for (index, watch) in watches.enumerated() where index % 3 != 0 { watch.stop() }
                // The others are released.
            }
            // The threads end by themselves, soon.
            while try entries("fd") > before.descriptors || entries("task") > before.threads {
                sched_yield()
            }
            try #require(
                try entries("fd") == before.descriptors && entries("task") == before.threads)
        }
    }

    /// Where no other process listens, a commit writes nothing for listeners.
    @Test func onlyListenersAreToldOf() async throws {
        let environment = try Environment.open(.init(path))
        /// Behind the control record. What follows says who writes, listeners or not.
        func announcement() throws -> [UInt8] {
            [UInt8](
                try #require(FileManager.default.contents(atPath: path + ".control"))[128..<136])
        }
        let none = [UInt8](repeating: 0, count: 8)
        try environment.put("a", "1")
        await Self.commitInAnotherProcess(path)
        #expect(try announcement() == none)
        let calls = Calls()
        let watch = Self.watcher(true).watch(environment) { calls.add() }
        try environment.put("a", "2")
        #expect(try announcement() == none)
        await Self.commitInAnotherProcess(path)
        calls.wait { calls.value > 0 }
        let told = try announcement()
        #expect(told != none)
        #expect(calls.value == 1)
        watch.stop()
        await Self.commitInAnotherProcess(path)
        #expect(try announcement() == told)
    }

    @Test(.disabled(if: isThreadSanitized)) func aForkedChildIsNotTheWatcher() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment.open(.init(path))
            let calls = Calls()
            let watch = CommitWatcher.shared.watch(environment) { calls.add() }
            let version = try environment.read().version
            typealias Fork = @convention(c) () -> pid_t
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
            let child = fork()
            if child == 0 {
                // Exits with the number of the first check that fails.
                watch.stop()
                CommitWatcher.shared.watch(environment) { _exit(1) }.stop()
                guard let own = try? Environment.open(.init(path)), own !== environment else {
                    _exit(2)
                }
                let watch = CommitWatcher.shared.watch(own) {}
                guard (try? own.put("a", "child")) != nil else { _exit(3) }
                watch.stop()
                _exit(0)
            }
            var status: Int32 = -1
            try #require(waitpid(child, &status, 0) == child)
            try #require(status == 0)
            try calls.wait { try environment.read().version == version + 1 }
            watch.stop()
        }
    }

    // MARK: Own commits

    @Test func ownCommitsAreToldOf() async throws {
        try await withTemporaryDirectoryStore { store in
            let heard = Shared<[UInt64]>([])
            _ = try write(store) { _ = $0.createTable(named: "Before") }
            store.onCommit { [unowned store] in
                let version = (try? store.newestSnapshot().version) ?? 0
                heard.change { $0.append(version) }
            }
            let (table, first) = try write(store) { $0.createTable(named: "Items") }
            #expect(heard.value == [first.version])
            // Nothing is written.
            try write(store) { _ in }
            #expect(heard.value == [first.version])
            let writeSet = try store.beginWrite()
            _ = writeSet.mutableTable(table).insertRow(RowKey(rawValue: 1))
            let (snapshot, count) = try await withCheckedThrowingContinuation { continuation in
                store.commitAsync(writeSet) { result in
                    continuation.resume(with: result.map { ($0, heard.value.count) })
                }
            }
            // Before the completion.
            #expect(count == 2)
            #expect(heard.value == [first.version, snapshot.version])
        }
    }

    private func withTemporaryDirectoryStore(_ body: (Store) async throws -> Void) async throws {
        let store = try Store.open(Store.Options(path: path))
        try await body(store)
        #expect(try store.check(try store.newestSnapshot()) == [])
    }

    @Test func aLaterListenerReplacesTheFirst() throws {
        let store = try Store.open(Store.Options(path: path))
        let told = Locked<[String]>([])
        store.onCommit { told.withLock { $0.append("first") } }
        store.onCommit { told.withLock { $0.append("second") } }
        let writeSet = try store.beginWrite()
        _ = writeSet.createTable(named: "T")
        _ = try store.commit(writeSet)
        #expect(told.withLock { $0 } == ["second"])
    }
}
