import Foundation
import Glibc

/// A child of the same program, with which one talks in lines.
///
/// It ends when its standard input does.
final class ModelChild {
    enum Line: Equatable { case line(String), ended, silent }

    let process: pid_t
    private let input: Int32
    private let output: Int32
    private var buffer: [UInt8] = []
    private var isReaped = false

    /// - Parameter errors: Where what it says on standard error goes; nil to say it here.
    init(_ arguments: [String], errors: String? = nil) throws {
        let (inputRead, inputWrite) = try Self.pipe()
        let (outputRead, outputWrite) = try Self.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputRead, 0)
        posix_spawn_file_actions_adddup2(&actions, outputWrite, 1)
        if let errors {
            posix_spawn_file_actions_addopen(
                &actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        }
        var strings = (["torture"] + arguments).map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        // A crash ends it at once, unless the environment asks for a backtrace.
        setenv("SWIFT_BACKTRACE", "enable=no", 0)
        var process = pid_t()
        let result = posix_spawn(&process, "/proc/self/exe", &actions, nil, &strings, environ)
        close(inputRead)
        close(outputWrite)
        if result != 0 {
            throw ModelDifference("a child cannot be started: \(String(cString: strerror(result)))")
        }
        (self.process, input, output) = (process, inputWrite, outputRead)
    }

    deinit {
        close(input)
        close(output)
        if !isReaped { kill() }
    }

    private static func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        if Glibc.pipe(&ends) != 0 {
            throw ModelDifference("no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    func send(_ line: String) {
        var bytes = Array(line.utf8)[...]
        bytes.append(UInt8(ascii: "\n"))
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            // That it ended is seen when its answer is read.
            if count < 0, errno == EINTR { continue }
            if count < 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func receive(seconds: Double) -> Line {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return .line(line)
            }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let left = deadline.timeIntervalSinceNow
            if left <= 0 { return .silent }
            if poll(&waiting, 1, Int32(min(left * 1000 + 1, 60_000))) <= 0 { continue }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(output, &bytes, bytes.count)
            if count == 0 || (count < 0 && errno != EINTR) { return .ended }
            if count > 0 { buffer += bytes[..<count] }
        }
    }

    /// Kills it, if it is still there, and says how it ended.
    @discardableResult
    func kill() -> String {
        if isReaped { return "it has ended" }
        Glibc.kill(process, SIGKILL)
        return wait()
    }

    func wait() -> String {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        let signal = status & 0x7f
        return signal == 0 ? "it exited with \((status >> 8) & 0xff)" : "signal \(signal)"
    }
}
