import Foundation
import Glibc

/// This program once more, in a process of its own, whose lines are read as they come, and
/// which is killed if none comes for too long.
final class WatchedChild {
    enum End: Equatable, CustomStringConvertible {
        case exit(Int32)
        case signal(Int32)
        case hang

        var description: String {
            switch self {
            case .exit(let code): "exit code \(code)"
            case .signal(let number): "signal \(number)"
            case .hang: "it hung"
            }
        }
    }

    private let process = Process()
    private let pipe = Pipe()
    private let errors: String

    /// - Parameters:
    ///   - library: What is preloaded.
    ///   - errors: The file for its standard error.
    init(_ arguments: [String], preloading library: String? = nil, errors: String) throws {
        self.errors = errors
        process.executableURL = URL(fileURLWithPath: Self.executable)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        if let library { environment["LD_PRELOAD"] = library }
        process.environment = environment
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        try pipe.fileHandleForWriting.close()
    }

    static let executable =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        ?? "/proc/self/exe"

    /// A shim beside this program, as `swift build --product` leaves it.
    static func shim(_ name: String) throws -> String {
        let path =
            URL(fileURLWithPath: executable).deletingLastPathComponent().path + "/lib\(name).so"
        guard FileManager.default.fileExists(atPath: path) else {
            throw RecordedLog.Unreadable(
                description:
                    """
                    \(path) is missing. Build it: FREEHOLD_TESTS=torture swift build \
                    --product \(name)
                    """
            )
        }
        return path
    }

    /// Calls back with each line until the child ends.
    func run(silenceLimit: Int = 60, _ line: (Substring) -> Void) -> End {
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = Glibc.poll(&poll, 1, Int32(silenceLimit * 1000))
            if ready < 0, errno == EINTR { continue }
            if ready == 0 {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                return .hang
            }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: 10) {
                line(Substring(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
            ? .signal(process.terminationStatus) : .exit(process.terminationStatus)
    }

    /// The end of what it said on standard error.
    var lastErrors: String {
        String((try? String(contentsOfFile: errors, encoding: .utf8))?.suffix(400) ?? "")
            .replacingOccurrences(of: "\n", with: " ")
    }
}
