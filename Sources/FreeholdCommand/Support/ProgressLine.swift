import Foundation
import FreeholdStorage
import Synchronization

/// A line on a terminal that is overwritten again and again; prints nothing if the standard error
/// is not a terminal, and nothing for programs.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let columns: Int
    private let begin = ContinuousClock.now
    private let state = Mutex(State())
    /// What is done sooner shows nothing. Of a debug build, tests want to see all.
    private static let interval: Duration = {
        #if DEBUG
        let variable = ProcessInfo.processInfo.environment["FREEHOLD_PROGRESS_INTERVAL"]
        if let milliseconds = variable.flatMap(Int.init) { return .milliseconds(milliseconds) }
        #endif
        return .milliseconds(200)
    }()

    private struct State {
        var last = ContinuousClock.now
        var isWritten = false
    }

    convenience init(_ options: OutputOptions) { self.init(isOn: !options.json) }

    init(isOn: Bool) {
        isShown = isOn && Terminal.isTerminal(2)
        columns = Terminal.size?.columns ?? 80
    }

    func show(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        let isDue = state.withLock { state in
            guard ContinuousClock.now - state.last >= Self.interval else { return false }
            state = State(last: .now, isWritten: true)
            return true
        }
        if isDue { write(text().prefix(columns - 1)) }
    }

    /// A bar, with the part that is done and the time that the rest will take.
    func show(part: Double, _ text: @autoclosure () -> String) {
        let done = min(max(part, 0), 1)
        let passed = begin.duration(to: .now)
        show(
            {
                let cells = columns < 70 ? 12 : 24
                let full = Int(done * Double(cells))
                let bar =
                    String(repeating: "█", count: full)
                    + String(repeating: "░", count: cells - full)
                var line = "\(bar) \(Int(done * 100)) % \(text())"
                if done > 0.02 {
                    let rest = passed * ((1 - done) / done)
                    line += ", \(durationText(rest)) left"
                }
                return line
            }())
    }

    func clear() {
        let isWritten = state.withLock { state in
            defer { state.isWritten = false }
            return state.isWritten
        }
        if isWritten { write("") }
    }

    private func write(_ text: some StringProtocol) {
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}
