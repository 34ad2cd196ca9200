import Foundation
import FreeholdInspection
import FreeholdStorage

/// The standard output, through a pager where it is a terminal and the text is longer than that.
final class Output {
    private var buffer: [UInt8] = []
    private var lineCount = 0
    private let mayPage: Bool
    private let rows: Int
    private var pager: (process: Process, input: FileHandle)?
    private var hasDecided: Bool

    /// - Parameter isPaged: Whether the output has an end, and is read from its beginning.
    init(_ options: OutputOptions, isPaged: Bool = true) {
        rows = Terminal.size?.rows ?? 24
        mayPage = isPaged && !options.hasNoPager && Terminal.isTerminal(1) && rows > 4
        hasDecided = !mayPage
    }

    func line(_ text: String = "") throws {
        buffer.append(contentsOf: text.utf8)
        try endLine(text.utf8.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 })
    }

    func line(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        try endLine(1)
    }

    func line(_ json: JSONBytes) throws { try line(json.bytes) }

    /// One line of JSON.
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try line([UInt8](encoder.encode(value)))
    }

    private func endLine(_ count: Int) throws {
        buffer.append(0x0A)
        lineCount += count
        if !hasDecided {
            if lineCount >= rows { startPager() }
            return
        }
        if buffer.count >= 1 << 16 { try flush() }
    }

    /// Hands over what was printed so far.
    func flush() throws {
        if buffer.isEmpty { return }
        let descriptor = pager?.input.fileDescriptor ?? 1
        let isWritten = buffer.withUnsafeBytes { Terminal.write($0, to: descriptor) }
        buffer.removeAll(keepingCapacity: true)
        if !isWritten {
            waitForPager()
            throw Failure.BrokenPipe()
        }
    }

    /// Ends the output, and waits until a pager was left.
    func finish() throws {
        hasDecided = true
        try flush()
        waitForPager()
    }

    private func waitForPager() {
        guard let pager else { return }
        try? pager.input.close()
        pager.process.waitUntilExit()
        self.pager = nil
    }

    private func startPager() {
        hasDecided = true
        var environment = ProcessInfo.processInfo.environment
        let chosen = environment["FREEHOLD_PAGER"] ?? environment["PAGER"] ?? "less"
        if chosen.isEmpty || chosen == "cat" { return }
        // Colours, no wrapped tables, and the text stays on the screen.
        if environment["LESS"] == nil { environment["LESS"] = "FRSX" }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec " + chosen]
        process.environment = environment
        let pipe = Pipe()
        process.standardInput = pipe
        guard (try? process.run()) != nil else { return }
        Terminal.ignoreInterrupts()
        try? pipe.fileHandleForReading.close()
        pager = (process, pipe.fileHandleForWriting)
    }
}
