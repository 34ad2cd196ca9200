import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

@Suite("Environment: one instance a file")
struct EnvironmentRegistryTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("a.realm")
    }

    @Test func everyPathLeadsToTheSameInstance() throws {
        let environment = try Environment.open(.init(path))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link"), withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: directory.file("hard"))
        try FileManager.default.createDirectory(
            atPath: directory.file("sub"), withIntermediateDirectories: false)
        for other in [
            path, directory.file("link"), directory.file("hard"), directory.file("sub/../a.realm"),
        ] {
            #expect(try Environment.open(.init(other)) === environment)
        }
    }

    @Test func aSymbolicLinkOpensItsTarget() throws {
        do {
            let environment = try Environment.open(.init(path))
            try environment.put("a", "1")
        }
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link"), withDestinationPath: path)
        let environment = try Environment.open(.init(directory.file("link")))
        #expect(environment.path.hasSuffix("/a.realm"))
        #expect(try environment.read().text("a") == "1")
    }

    @Test func anotherConfigurationIsRefusedWithBothNames() throws {
        let environment = try Environment.open(.init(path))
        do {
            _ = try Environment.open(.init(path) { $0.access = .readOnly })
            Issue.record("Opened in two ways.")
        } catch {
            #expect(error.code == .alreadyOpen)
            #expect(error.message.contains("readWrite") && error.message.contains("readOnly"))
        }
        #expect(
            storageCode { try Environment.open(.init(path) { $0.durability = .none }) }
                == .alreadyOpen)
        withExtendedLifetime(environment) {}
    }

    /// A thread that handed over what it did with the file holds it for a moment longer.
    @Test func filesThatAreBeingLetGoOfAreRemoved() throws {
        let path = path
        for _ in 0..<30 {
            let holder = Shared<Environment?>(try Environment.open(.init(path)))
            try runThreads(2) { number in
                guard number == 0 else { return holder.change { $0 = nil } }
                try #require(try Environment.removeFiles(at: path))
            }
        }
    }

    /// The system gives the inode of a deleted file to the next one as soon as it is closed,
    /// which is before its environment has closed in full.
    ///
    /// A lease on what lies at the old path stops the closing at its last step, where it looks
    /// for the file once more.
    @Test(.enabled(if: Lease.isPossible, "The file system of temporary files has no leases."))
    func aFileMayHaveTheIdentityOfOneThatIsClosing() throws {
        for round in 0..<10 {
            let (old, new) = (directory.file("old \(round)"), directory.file("new \(round)"))
            let holder = Shared<Environment?>(try Environment.open(.init(old)))
            try holder.value?.put("a", "1")
            // There already, so that the data file is the next one to get an inode.
            close(open(new + ".control", O_RDWR | O_CREAT, 0o644))
            unlink(old)
            let lease = try #require(Lease(onNewFileAt: old))
            let opened = Shared<Environment?>(nil)
            try runThreads(2) { number in
                if number == 0 { return holder.change { $0 = nil } }
                let deadline = ContinuousClock.now + .seconds(10)
                while !lease.isWanted, ContinuousClock.now < deadline { sched_yield() }
                #expect(lease.isWanted, "Closing does not look for the file any more.")
                let environment = try Environment.open(.init(new))
                opened.change { $0 = environment }
                lease.end()
            }
            #expect(try Environment.open(.init(new)) === opened.value)
        }
    }

    @Test func concurrentOpensShareOneInstance() throws {
        let path = path
        let opened = Shared<[Environment]>([])
        try runThreads(
            Array(
                repeating: {
                    let environment = try Environment.open(.init(path))
                    opened.change { $0.append(environment) }
                }, count: 8))
        let environments = opened.value
        #expect(environments.count == 8)
        #expect(environments.allSatisfy { $0 === environments[0] })
    }

    @Test func concurrentOpensAndClosesNeverOverlap() throws {
        let path = path
        try Environment.open(.init(path)).put("count", "0")
        try runThreads(
            Array(
                repeating: {
                    for _ in 0..<25 {
                        try incrementCount(try Environment.open(.init(path)), times: 1)
                    }
                }, count: 4))
        #expect(try Environment.open(.init(path)).read().text("count") == "100")
    }

    @Test func aViewAloneKeepsTheFileOpen() throws {
        let view = try Environment.open(.init(path)).put("a", "1")
        #expect(try view.text("a") == "1")
        #expect(try Environment.open(.init(path)) === view.environment)
    }

    @Test func aFileDeletedWhileOpenIsNotMadeAnewBesideIt() throws {
        let environment = try Environment.open(.init(path))
        try FileManager.default.removeItem(atPath: path)
        #expect(storageCode { try Environment.open(.init(path)) } == .replacedWhileOpen)
        #expect(storageCode { try environment.put("a", "1") } == .replacedWhileOpen)
    }

    /// Opening a file that was deleted while it is open looks at the environment that is still
    /// open, which may be released meanwhile.
    @Test func theLastReleaseMayHappenWhileAnotherThreadLooks() async throws {
        let path = path
        await #expect(processExitsWith: .success) { [path = path as String] in
            // The failure is that two threads wait for one another.
            alarm(60)
            let isDone = Shared(false)
            let looker: @Sendable () throws -> Void = {
                while !isDone.value {
                    _ = try? Environment.open(.init(path) { $0.access = .readOnly })
                }
            }
            let closer: @Sendable () throws -> Void = {
                var closed = 0
                // The lookers may starve the closer on a busy machine.
                let end = ContinuousClock.now + .seconds(3)
                while closed < 500, ContinuousClock.now < end {
                    guard
                        let environment = try? Environment.open(
                            .init(path) { $0.durability = .none })
                    else { continue }
                    unlink(path)
                    closed += 1
                    for _ in 0..<closed % 16 { sched_yield() }
                    withExtendedLifetime(environment) {}
                }
                isDone.change { $0 = true }
            }
            try runThreads([closer, looker, looker])
        }
    }

    @Test func openingAndClosingLeaksNothing() async throws {
        let path = path
        await #expect(processExitsWith: .success) { [path = path as String] in
            func descriptorCount() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            func writerThreadCount() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count {
                    task in
                    (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))
                        == "freehold-writer\n"
                }
            }
            func round(_ index: Int) throws {
                let environment = try Environment.open(.init(path))
                let thread: CommitThread = index.isMultiple(of: 2) ? .callers : .writers
                let view = try environment.put("a", "\(index)", on: thread)
                try #require(try environment.pinnedVersions().pins.count <= 2)
                try #require(try view.text("a") == "\(index)")
            }
            for index in 0..<5 { try round(index) }
            let before = try descriptorCount()
            for index in 0..<300 { try round(index) }
            try #require(try descriptorCount() == before)
            // A joined thread stays in /proc for a moment.
            let deadline = ContinuousClock.now + .seconds(10)
            while try writerThreadCount() > 0, ContinuousClock.now < deadline { sched_yield() }
            try #require(try writerThreadCount() == 0)
        }
    }

    @Test func theLastReleaseMayHappenOnTheWriterThread() async throws {
        let path = path
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            do {
                try Environment.open(.init(path)).writer.begin().commitAsync({
                    try $0.put("a", "1")
                }) { result in
                    done.resume(with: result.map { _ in () })
                }
            } catch {
                done.resume(throwing: error)
            }
        }
        #expect(try Environment.open(.init(path)).read().text("a") == "1")
    }
}

/// Opening the file waits until the lease ends (`fcntl`, F_SETLEASE: Linux, on files of
/// one's own).
private final class Lease: Sendable {
    private let descriptor: Int32
    private static let (set, get): (Int32, Int32) = (1024, 1025)

    /// Nil where the file system has no leases.
    init?(onNewFileAt path: String) {
        // What the holder is told with when another one waits.
        signal(SIGIO, SIG_IGN)
        descriptor = open(path, O_RDWR | O_CREAT, 0o644)
        if fcntl(descriptor, Self.set, Int32(F_WRLCK)) != 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Whether an opener waits.
    var isWanted: Bool { fcntl(descriptor, Self.get, 0) != F_WRLCK }

    func end() { _ = fcntl(descriptor, Self.set, Int32(F_UNLCK)) }

    static var isPossible: Bool {
        (try? TemporaryDirectory()).flatMap { Lease(onNewFileAt: $0.file("lease")) } != nil
    }
}
