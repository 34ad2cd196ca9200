/// Progress of one piece of work, for a person who waits.
///
/// On a terminal it is a bar that is drawn over itself, ten times a second at most; elsewhere,
/// in a log say, it is a plain line every few seconds, so work that ends sooner prints none.
/// Other output goes through `log` while the bar is there. Not `Sendable`: one thread does the
/// work and reports it.
public final class ProgressBar {
    /// Where and how the bar is drawn. Tests pass their own.
    public struct Output {
        /// The columns of the terminal, or nil where the output is not a terminal.
        public var terminalWidth: Int?
        /// The time since some fixed moment.
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
    /// Whether the bar is on the terminal's last line now.
    private var isDrawn = false

    /// Begins a piece of work. `total` is the number of steps where that is known; nothing is
    /// printed yet.
    public init(_ title: String, total: Int? = nil, output: Output = .standardError) {
        self.title = title
        self.total = total
        self.output = output
        start = output.now()
        lastDrawn = start
    }

    /// Says how many steps are done. Cheap enough for every step: it reads the clock, and
    /// prints rarely.
    public func advance(to done: Int) {
        self.done = done
        let now = output.now()
        guard now - lastDrawn >= (output.terminalWidth == nil ? .seconds(5) : .milliseconds(100))
        else { return }
        lastDrawn = now
        draw(at: now)
    }

    /// Prints a line of text that stays, above the bar on a terminal.
    public func log(_ text: String) {
        erase()
        output.write(text.printable + "\n")
    }

    /// Ends the work: takes the bar away. The caller says in its own words what came of it.
    public func finish() {
        erase()
    }

    private func erase() {
        guard isDrawn else { return }
        // To the first column, then clear to the end of the line.
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
                line +=
                    """
                    [\(String(repeating: "#", count: filled))\(String(repeating: ".", count: barWidth - filled))]
                    """
            }
            line += rest
        } else {
            line += countText
        }
        output.write("\r\u{1B}[K" + line.prefix(max(0, width - 1)))
        isDrawn = true
    }

    /// The done part of the whole, from 0 to 1, where the whole is known.
    private var fraction: Double? {
        guard let total else { return nil }
        return total == 0 ? 1 : min(1, Double(done) / Double(total))
    }

    private var countText: String {
        total.map { "\(done.grouped) of \($0.grouped)" } ?? done.grouped
    }

    private func percent(_ fraction: Double) -> String { "\(Int(fraction * 100))%" }

    /// How long it will take if it goes on as it did; empty until there is something to judge
    /// by, and at the end.
    private func remainingText(at now: Duration) -> String {
        let elapsed = now - start
        guard let fraction, fraction > 0.02, elapsed >= .seconds(1) else { return "" }
        let remaining = elapsed / fraction - elapsed
        return remaining < .seconds(1) ? "" : "  \(remaining.shortText) left"
    }
}
