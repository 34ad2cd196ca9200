import Foundation
import Glibc

/// A child process of this program, with a pipe on which it reports lines and one that tells it
/// to end by being closed.
///
/// One thread.
final class ChildProcess {
    let identifier: pid_t
    /// What it reports; nonblocking; -1 once it has ended.
    private(set) var output: Int32
    private var input: Int32
    private var pending: [UInt8] = []
    /// How it ended, as `waitpid` says it.
    private(set) var status: Int32?
    /// Where its standard error goes.
    let errorPath: String

    static let programPath: String = {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(
            decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// The descriptor that a child reports on.
    static let reportDescriptor: Int32 = 3

    init(_ arguments: [String], environment: [String: String] = [:], errorPath: String) {
        var report: [Int32] = [0, 0]
        var command: [Int32] = [0, 0]
        precondition(pipe(&report) == 0 && pipe(&command) == 0, "No pipes are left.")
        // One thread starts processes, so that nothing can be inherited in between.
        for descriptor in report + command { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.errorPath = errorPath
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, command[0], 0)
        posix_spawn_file_actions_addopen(
            &actions, 2, errorPath, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, report[1], Self.reportDescriptor)
        // The backtracer would take seconds at each planted crash.
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }.merging([
            "SWIFT_BACKTRACE": "enable=no"
        ]) { $1 }
        var process: pid_t = 0
        let result = withCStrings([Self.programPath] + arguments) { arguments in
            withCStrings(merged.map { "\($0)=\($1)" }) {
                posix_spawn(&process, Self.programPath, &actions, nil, arguments, $0)
            }
        }
        precondition(result == 0, "No process can be started: \(result).")
        close(report[1])
        close(command[0])
        identifier = process
        output = report[0]
        input = command[1]
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        if status == nil { kill() }
        if input >= 0 { close(input) }
        if output >= 0 { close(output) }
    }

    func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }

    /// Tells it to end when what it does is done.
    func stop() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Kills it and waits until it is gone.
    func kill() {
        Glibc.kill(identifier, SIGKILL)
        reap()
    }

    /// Waits until it has ended.
    func reap() {
        guard status == nil else { return }
        var result: Int32 = 0
        while waitpid(identifier, &result, 0) < 0, errno == EINTR {}
        status = result
    }

    /// The lines that have come. Closes `output` at its end.
    func lines() -> [String] {
        guard output >= 0 else { return [] }
        var lines: [String] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 {
                close(output)
                output = -1
            }
            if count <= 0 { break }
            pending += buffer[..<count]
        }
        var start = pending.startIndex
        while let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: pending[start..<end], as: UTF8.self))
            start = end + 1
        }
        pending.removeFirst(start)
        return lines
    }

    /// Whether SIGKILL ended it.
    var wasKilled: Bool { status.map { $0 & 0x7F == SIGKILL } ?? false }
    /// Whether it ended as a program that has nothing to complain of does.
    var succeeded: Bool { status == 0 }

    /// How it ended, and what it had to say about that.
    var ending: String {
        let errors = (try? String(contentsOfFile: errorPath, encoding: .utf8))?.suffix(600) ?? ""
        return "process \(identifier) ended with status \(status ?? -1): \(errors)"
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}

/// Nanoseconds that are the same in all processes.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
