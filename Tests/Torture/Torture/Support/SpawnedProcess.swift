import Foundation
import FreeholdStorage
import Glibc

/// This executable again, with another subcommand: it says lines on its standard output, and
/// can be told lines and be killed.
///
/// Not Foundation's `Process`, which needs a thread and a run loop for each.
final class SpawnedProcess: @unchecked Sendable {
    // @unchecked: `status` is protected by itself; the rest does not change.

    let identifier: pid_t
    private let output: Int32
    private let input: Int32
    private let status = Locked<Int32?>(nil)

    struct Failure: Error, CustomStringConvertible { let description: String }

    init(_ arguments: [String]) throws {
        var (out, into): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&out) == 0, pipe(&into) == 0 else {
            throw Failure(description: "pipe fails: \(errno)")
        }
        for descriptor in out + into { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, into[0], 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], 1)
        var words: [UnsafeMutablePointer<CChar>?] =
            ([CommandLine.arguments[0]] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let result = posix_spawn(&process, "/proc/self/exe", &actions, nil, &words, environ)
        close(out[1])
        close(into[0])
        guard result == 0 else { throw Failure(description: "posix_spawn fails: \(result)") }
        (identifier, output, input) = (process, out[0], into[1])
    }

    deinit {
        if status.withLock({ $0 }) == nil { kill() }
        close(output)
        close(input)
    }

    /// Each line that the process says, until it has ended or closes its output. On one thread
    /// at a time.
    func readLines(_ body: (String) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: 10) {
                body(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
    }

    /// The next line; nil if the process ends before one.
    func nextLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return nil }
            if byte == 10 { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    /// Says a line to the process.
    func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(input, bytes, bytes.count)
    }

    func kill() {
        Glibc.kill(identifier, SIGKILL)
        _ = wait()
    }

    func signal(_ number: Int32) { Glibc.kill(identifier, number) }

    /// How it ended: its code, or the number of the signal, negative.
    func wait() -> Int32 {
        status.withLock { known in
            if let known { return known }
            var raw: Int32 = 0
            while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
            let result = raw & 0x7f == 0 ? raw >> 8 & 0xff : -(raw & 0x7f)
            known = result
            return result
        }
    }

    /// In the process: says a line to the one that started it, in one call.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}
