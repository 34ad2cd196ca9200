/// The progress of one piece of work, for a waiting person.
///
/// On a terminal it is a bar, redrawn at most ten times a second. Elsewhere, as in a log, it is a
/// plain line every few seconds, so short work prints none. While the bar is visible, other output
/// goes through `log`. Not `Sendable`: one thread does the work and reports it.
public final class ProgressBar {
    /// The output and the clock of the bar. Tests pass their own.
    public struct Output {
        /// The columns of the terminal, or nil if the output is not a terminal.
        public var terminalWidth: Int?
        /// The time since a fixed moment.
        public var now: () -> Duration
        public var write: (String) -> Void

        public init(
            terminalWidth: Int?, now: @escaping () -> Duration, write: @escaping (String) -> Void
        ) {
            self.terminalWidth = terminalWidth
            self.now = now
            self.write = write
        }

        /// Standard error and the real time.
        public static var standardError: Output {
            let start = ContinuousClock.now
            return Output(
                terminalWidth: Terminal.standardErrorWidth,
                now: { ContinuousClock.now - start },
                write: Terminal.writeToStandardError
            )
        }
    }

    private let title: String
    private let total: Int?
    private let output: Output
    private let start: Duration
    private var done = 0
    private var lastDrawn: Duration
    /// Whether the bar is on the terminal's last line.
    private var isDrawn = false

    /// Begins a piece of work. `total` is the number of steps, if known. Prints nothing yet.
    public init(_ title: String, total: Int? = nil, output: Output = .standardError) {
        self.title = title
        self.total = total
        self.output = output
        start = output.now()
        lastDrawn = start
    }

    /// Sets the number of steps done. Cheap enough for every step: it reads the clock, and prints
    /// rarely.
    public func advance(to done: Int) {
        self.done = done
        let now = output.now()
        guard now - lastDrawn >= (output.terminalWidth == nil ? .seconds(5) : .milliseconds(100))
        else { return }
        lastDrawn = now
        draw(at: now)
    }

    /// Prints a permanent line of text, above the bar on a terminal.
    public func log(_ text: String) {
        erase()
        output.write(text.printable + "\n")
    }

    /// Ends the work and removes the bar. The caller prints the outcome itself.
    public func finish() {
        erase()
    }

    private func erase() {
        guard isDrawn else { return }
        // Moves to the first column, then clears to the end of the line.
        output.write("\r\u{1B}[K")
        isDrawn = false
    }

    private func draw(at now: Duration) {
        guard let width = output.terminalWidth else {
            output.write("\(title): \(countText)\(fraction.map { " (\(percent($0)))" } ?? "")\n")
            return
        }
        var line = "\(title)  "
        if let fraction {
            let rest = "  \(percent(fraction))  \(countText)\(remainingText(at: now))"
            // One column stays free: text in the last one makes some terminals wrap.
            let barWidth = min(40, width - line.count - rest.count - 3)
            if barWidth >= 5 {
                let filled = Int(Double(barWidth) * fraction)
                let empty = barWidth - filled
                line += "[" + String(repeating: "#", count: filled)
                line += String(repeating: ".", count: empty) + "]"
            }
            line += rest
        } else {
            line += countText
        }
        output.write("\r\u{1B}[K" + line.prefix(max(0, width - 1)))
        isDrawn = true
    }

    /// The done part of the work, from 0 to 1, if the total is known.
    private var fraction: Double? {
        guard let total else { return nil }
        return total == 0 ? 1 : min(1, Double(done) / Double(total))
    }

    private var countText: String {
        total.map { "\(done.grouped) of \($0.grouped)" } ?? done.grouped
    }

    private func percent(_ fraction: Double) -> String { "\(Int(fraction * 100))%" }

    /// The estimated remaining time at the average speed; empty until there is enough to estimate
    /// from, and at the end.
    private func remainingText(at now: Duration) -> String {
        let elapsed = now - start
        guard let fraction, fraction > 0.02, elapsed >= .seconds(1) else { return "" }
        let remaining = elapsed / fraction - elapsed
        return remaining < .seconds(1) ? "" : "  \(remaining.shortText) left"
    }
}
