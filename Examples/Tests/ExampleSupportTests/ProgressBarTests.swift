import ExampleSupport
import Testing

@Suite("Progress bar")
struct ProgressBarTests {
    /// A clock that moves only when the test moves it, and everything that was printed.
    private final class Screen {
        var time: Duration = .zero
        var printed: [String] = []

        func output(width: Int?) -> ProgressBar.Output {
            .init(terminalWidth: width, now: { self.time }, write: { self.printed.append($0) })
        }
    }

    @Test("a terminal sees a bar, ten times a second at most")
    func terminal() {
        let screen = Screen()
        let bar = ProgressBar("Importing", total: 64_000, output: screen.output(width: 80))
        bar.advance(to: 1)
        #expect(screen.printed.isEmpty)
        screen.time = .seconds(2)
        bar.advance(to: 32_000)
        bar.advance(to: 32_001)
        #expect(
            screen.printed == [
                """
                \r\u{1B}[KImporting  [###############................]  50%  32,000 of \
                64,000  2.0 s left
                """
            ])
        #expect(screen.printed[0].count - 4 <= 79)
        bar.finish()
        #expect(screen.printed.last == "\r\u{1B}[K")
        bar.finish()
        #expect(screen.printed.count == 2)
    }

    @Test("a narrow terminal sees as much as fits", arguments: [1, 2, 10, 30, 45])
    func narrow(width: Int) {
        let screen = Screen()
        let bar = ProgressBar("Importing", total: 10, output: screen.output(width: width))
        screen.time = .seconds(1)
        bar.advance(to: 10)
        #expect(screen.printed.count == 1)
        #expect(screen.printed[0].dropFirst(4).count < width)
    }

    @Test("without a total there is a count")
    func unknownTotal() {
        let screen = Screen()
        let bar = ProgressBar("Reading", output: screen.output(width: 80))
        screen.time = .seconds(1)
        bar.advance(to: 1_234)
        #expect(screen.printed == ["\r\u{1B}[KReading  1,234"])
    }

    @Test("a line of text takes the bar's place, and the bar comes back")
    func log() {
        let screen = Screen()
        let bar = ProgressBar("Reading", output: screen.output(width: 80))
        bar.log("early")
        screen.time = .seconds(1)
        bar.advance(to: 1)
        bar.log("bad \u{1B}[31m")
        screen.time = .seconds(2)
        bar.advance(to: 2)
        #expect(
            screen.printed == [
                "early\n", "\r\u{1B}[KReading  1", "\r\u{1B}[K", "bad \u{FFFD}[31m\n",
                "\r\u{1B}[KReading  2",
            ])
    }

    @Test("a log sees a plain line every few seconds, and nothing of short work")
    func plain() {
        let screen = Screen()
        let bar = ProgressBar("Importing", total: 100, output: screen.output(width: nil))
        for second in 0...12 {
            screen.time = .seconds(second)
            bar.advance(to: second * 8)
        }
        bar.finish()
        #expect(screen.printed == ["Importing: 40 of 100 (40%)\n", "Importing: 80 of 100 (80%)\n"])
    }

    @Test("an empty piece of work is done")
    func nothingToDo() {
        let screen = Screen()
        let bar = ProgressBar("Importing", total: 0, output: screen.output(width: nil))
        screen.time = .seconds(5)
        bar.advance(to: 0)
        #expect(screen.printed == ["Importing: 0 of 0 (100%)\n"])
    }
}
