import Foundation

/// What many writers of one file took.
struct WritersResult: Codable {
    let name: String
    let writers: Int
    let writes: Int
    let seconds: Double
    /// From the call to the completion of a write, in seconds.
    let medianWait: Double
    let longestWait: Double
    /// How much the process's own memory grew, at its highest; nil where it was not measured.
    let memory: Int?

    init(name: String, writers: Int, seconds: Double, waits: [Double], memory: Int?) {
        self.name = name
        self.writers = writers
        writes = waits.count
        self.seconds = seconds
        let sorted = waits.sorted()
        medianWait = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        longestWait = sorted.last ?? 0
        self.memory = memory
    }

    static let header = """
        many writers            writers    writes   writes/s   median wait   longest wait     memory
        """

    var line: String {
        func pad(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        func milliseconds(_ seconds: Double) -> String {
            HumanFormat.fixed(seconds * 1_000, digits: 1) + " ms"
        }
        return name.padding(toLength: 24, withPad: " ", startingAt: 0)
            + pad("\(writers)", 7) + pad("\(writes)", 10)
            + pad(HumanFormat.fixed(Double(writes) / seconds, digits: 0), 11)
            + pad(milliseconds(medianWait), 14) + pad(milliseconds(longestWait), 15)
            + pad(memory.map(HumanFormat.bytes) ?? "", 11)
    }
}
