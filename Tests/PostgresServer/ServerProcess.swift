import Foundation
import FreeholdStorage
import FreeholdTestProcesses
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
        let process = ChildProcess(URL(fileURLWithPath: command[0]), Array(command.dropFirst()))
        let pipe = Pipe()
        process.standardOutput = .null
        process.standardError = .pipe(pipe)
        do {
            try process.run()
        } catch {
            state.withLock { $0.lines.append("\(error)") }
            return
        }
        state.withLock { $0.identifier = process.processIdentifier }
        let output = pipe.fileHandleForReading
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
        process.waitUntilExit()
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
