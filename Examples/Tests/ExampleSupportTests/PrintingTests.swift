import ExampleSupport
import Testing

@Suite("Printing")
struct PrintingTests {
    @Test(
        "numbers are grouped",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1_000, "1,000"), (-1_000, "-1,000"),
            (64_101, "64,101"),
            (1_234_567, "1,234,567"), (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func grouped(number: Int, text: String) {
        #expect(number.grouped == text)
    }

    @Test(
        "byte counts have a unit",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"),
            (1_048_575, "1.0 MiB"),
            (1_377_557_908, "1.3 GiB"), (Int.max, "8.0 EiB"),
        ])
    func byteCounts(number: Int, text: String) {
        #expect(number.asByteCount == text)
    }

    @Test(
        "nouns agree", arguments: [(0, "0 packages"), (1, "1 package"), (2_000, "2,000 packages")])
    func counted(number: Int, text: String) {
        #expect(number.counted("package") == text)
        #expect(1.counted("entry", "entries") == "1 entry")
        #expect(2.counted("entry", "entries") == "2 entries")
    }

    @Test(
        "durations are short",
        arguments: [
            (Duration.milliseconds(0), "0 ms"), (.milliseconds(340), "340 ms"),
            (.milliseconds(2_140), "2.1 s"),
            (.seconds(200), "3 min 20 s"),
        ])
    func durations(duration: Duration, text: String) {
        #expect(duration.shortText == text)
    }

    @Test("a table is aligned, cut to the width, and free of control characters")
    func table() {
        var table = Table([("Package", .left), ("Size", .right), ("Summary", .left)])
        table.add("a", "1,000", "short")
        table.add("longer-name", "9", "a summary that is long\u{7}")
        #expect(
            table.lines() == [
                "Package       Size  Summary",
                "a            1,000  short",
                "longer-name      9  a summary that is long\u{FFFD}",
            ])
        #expect(table.lines(width: 30)[2] == "longer-name      9  a summa...")
        #expect(table.lines(width: 30).allSatisfy { $0.count <= 30 })
    }

    @Test(
        "control characters are replaced, everything else stays",
        arguments: [
            ("plain", "plain"), ("é\nü", "é\nü"), ("\u{1B}[2J", "\u{FFFD}[2J"),
            ("a\u{9B}31mb", "a\u{FFFD}31mb"), ("\u{A0}", "\u{A0}"),
        ])
    func printable(text: String, expected: String) {
        #expect(text.printable == expected)
    }
}
