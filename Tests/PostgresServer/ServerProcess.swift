import Foundation
import FreeholdStorage
import Glibc

/// A running server and the thread that started it.
///
/// The kernel signals a process when the thread that started it ends: this one ends last of all,
/// or with the test's process. It reads what the server logs, to its end: the last process of the
/// server is gone then.
final class ServerProcess: Sendable {
    private struct State {
        var identifier: Int32 = 0
        var lines: [String] = []
        var isOver = false
    }

    private let state = Locked(State())
    private let monitor = Monitor()

    var identifier: Int32 { state.withLock { $0.identifier } }
    var log: String { state.withLock { $0.lines.joined(separator: "\n") } }

    /// Starts a server, and returns when it accepts connections.
    init(_ command: [String]) throws {
        let began = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            read(command, began)
            state.withLock { $0.isOver = true }
            monitor.withLock { monitor.wakeAll() }
            began.signal()
        }
        thread.name = "postgres"
        thread.start()
        began.wait()
        if state.withLock({ $0.isOver }) { throw ServerFailure("The server ended: \(log)") }
    }

    private func read(_ command: [String], _ began: DispatchSemaphore) {
        guard let (identifier, output) = Self.spawn(command) else {
            state.withLock { $0.lines.append("\(command[0]) cannot be started.") }
            return
        }
        state.withLock { $0.identifier = identifier }
        var rest = Data()
        while case let data = output.availableData, !data.isEmpty {
            rest.append(data)
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                state.withLock { $0.lines.append(line) }
                if line.contains("ready to accept") { began.signal() }
            }
        }
        while waitpid(identifier, nil, 0) == -1, errno == EINTR {}
    }

    private typealias CloseFrom =
        @convention(c) (
            UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
        ) -> Int32

    /// glibc's `posix_spawn_file_actions_addclosefrom_np`, which its module for Swift lacks.
    private static let closeOthers = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"), to: CloseFrom.self)

    /// Starts a program with nothing open but its standard error.
    ///
    /// Foundation's `Process` leaves descriptors open that other threads make meanwhile: also what
    /// it, or the reader of a program's output, waits for the end of. That would then be the
    /// server's.
    private static func spawn(_ command: [String]) -> (identifier: pid_t, errors: FileHandle)? {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing, 2)
        _ = closeOthers(&actions, 3)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, command[0], &actions, nil, &arguments, environ)
        try? pipe.fileHandleForWriting.close()
        return result == 0 ? (identifier, pipe.fileHandleForReading) : nil
    }

    func signal(_ number: Int32) {
        state.withLock { if !$0.isOver { Glibc.kill($0.identifier, number) } }
    }

    func waitForEnd() {
        monitor.withLock { while !state.withLock({ $0.isOver }) { monitor.wait() } }
    }
}

package struct ServerFailure: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
