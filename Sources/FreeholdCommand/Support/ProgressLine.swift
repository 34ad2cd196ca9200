import Foundation
import FreeholdStorage

/// A line on a terminal that is overwritten again and again; prints nothing if the standard error
/// is not a terminal.
struct ProgressLine {
    private let isTerminal = Terminal.isTerminal(2)
    private let begin = ContinuousClock.now
    private var last = ContinuousClock.now

    mutating func show(_ text: @autoclosure () -> String) {
        guard isTerminal, ContinuousClock.now - last > .milliseconds(200) else { return }
        last = .now
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text())".utf8))
    }

    /// A bar, with the part that is done and the time that the rest will take.
    mutating func show(part: Double, _ text: @autoclosure () -> String) {
        let done = min(max(part, 0), 1)
        let passed = begin.duration(to: .now)
        show(
            {
                let cells = 24
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
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
