package import Foundation
import FreeholdStorage
import Glibc

/// Another program, as a child of the tests' process. It gets the descriptors that are given to it,
/// and no others.
///
/// Not Foundation's `Process`. With a thousand descriptors open, that of Swift 6.3 reads behind the
/// end of a directory's entries, and crashes if nothing is there (swift-corelibs-foundation, pull
/// request 5472). And the child gets descriptors that other threads open meanwhile: also what
/// `Process`, or the reader of a program's output, waits for the end of.
package final class ChildProcess: @unchecked Sendable {
    // @unchecked: what describes the program is set before run(), on one thread; the rest is
    // protected by `state`.

    /// What the child has as its standard input, output or errors.
    package enum Stream {
        case null
        /// The other end is closed here.
        case pipe(Pipe)
        case file(FileHandle)
        /// What the tests have.
        case inherited
    }

    package struct Failure: Error, CustomStringConvertible { package let description: String }

    package var executableURL: URL
    package var arguments: [String]
    /// Nil for that of the tests.
    package var environment: [String: String]?
    package var currentDirectoryURL: URL?
    package var standardInput = Stream.null
    package var standardOutput = Stream.inherited
    package var standardError = Stream.inherited

    private struct State {
        var identifier: pid_t = 0
        /// What `waitpid` says. Nil until the process has ended and was waited for.
        var status: Int32?
    }
    private let state = Locked(State())

    package init(_ executable: URL, _ arguments: [String] = []) {
        executableURL = executable
        self.arguments = arguments
    }

    // MARK: Starting

    // glibc's module for Swift lacks these two.
    private typealias AddDirectory =
        @convention(c) (
            UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
        ) -> Int32
    private typealias AddCloseFrom =
        @convention(c) (
            UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
        ) -> Int32
    private static let addDirectory = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addchdir_np"), to: AddDirectory.self)
    private static let addCloseFrom = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"), to: AddCloseFrom.self)

    /// Starts the program.
    package func run() throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let directory = currentDirectoryURL {
            _ = Self.addDirectory(&actions, directory.path)
        }
        add(standardInput, as: 0, to: &actions)
        add(standardOutput, as: 1, to: &actions)
        add(standardError, as: 2, to: &actions)
        _ = Self.addCloseFrom(&actions, 3)
        // The threads of queues block signals, and a child would block them, too.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = environment ?? ProcessInfo.processInfo.environment
        let result = Self.withWords([executableURL.path] + arguments) { arguments in
            Self.withWords(variables.map { "\($0.key)=\($0.value)" }) { variables in
                state.withLock {
                    posix_spawn(
                        &$0.identifier, executableURL.path, &actions, &attributes, arguments,
                        variables)
                }
            }
        }
        if case .pipe(let pipe) = standardInput { try? pipe.fileHandleForReading.close() }
        for case .pipe(let pipe) in [standardOutput, standardError] {
            try? pipe.fileHandleForWriting.close()
        }
        if result != 0 {
            throw Failure(
                description: "\(executableURL.path): \(String(cString: strerror(result)))")
        }
    }

    private func add(
        _ stream: Stream, as descriptor: Int32, to actions: inout posix_spawn_file_actions_t
    ) {
        switch stream {
        case .null:
            posix_spawn_file_actions_addopen(
                &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
        case .pipe(let pipe):
            let end = descriptor == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting
            posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, descriptor)
        case .file(let handle):
            posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, descriptor)
        case .inherited: break
        }
    }

    private static func withWords<Result>(
        _ words: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var words = words.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        return words.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }

    // MARK: Ending

    package var processIdentifier: Int32 { state.withLock { $0.identifier } }

    package var isRunning: Bool { status(waiting: false) == nil }

    /// Asks the process to end (SIGTERM).
    package func terminate() { signal(SIGTERM) }

    package func signal(_ number: Int32) {
        // Not before its start: 0 is the tests' own group. Not after its end: its number may be
        // another's then.
        state.withLock {
            precondition($0.identifier > 0, "the process was not started")
            if $0.status == nil { _ = kill($0.identifier, number) }
        }
    }

    /// Blocks the thread until the process has ended.
    package func waitUntilExit() { _ = status(waiting: true) }

    /// What the program returned, or the signal that ended it. Waits for its end.
    package var terminationStatus: Int32 {
        let status = endStatus
        return status & 0x7f == 0 ? status >> 8 & 0xff : status & 0x7f
    }

    /// Whether the program returned, and no signal ended it. Waits for its end.
    package var hasReturned: Bool { endStatus & 0x7f == 0 }

    private var endStatus: Int32 {
        guard let status = status(waiting: true) else {
            fatalError("Other code took the end of process \(processIdentifier).")
        }
        return status
    }

    /// Nil if the process runs.
    private func status(waiting: Bool) -> Int32? {
        if let status = state.withLock({ $0.status }) { return status }
        // `waitpid` takes 0 for any child.
        precondition(processIdentifier > 0, "the process was not started")
        // Several threads may wait, and one of them takes the status.
        if waiting {
            var information = siginfo_t()
            let identifier = id_t(processIdentifier)
            while waitid(P_PID, identifier, &information, WEXITED | WNOWAIT) == -1,
                errno == EINTR
            {}
        }
        return state.withLock { state in
            if state.status == nil {
                var status: Int32 = 0
                if waitpid(state.identifier, &status, WNOHANG) == state.identifier {
                    state.status = status
                }
            }
            return state.status
        }
    }
}
