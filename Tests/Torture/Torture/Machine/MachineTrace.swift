/// All that was told and answered in a run, and a number of it, by which two runs are compared.
struct MachineTrace: CustomStringConvertible {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private var lines: [String] = []

    mutating func add(_ line: String) {
        lines.append(line)
        for byte in line.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        value = (value ^ 10) &* 0x100_0000_01B3
    }

    /// Without what an error says of processes, paths and times.
    mutating func add(answer: String) {
        let words = answer.split(separator: " ")
        switch words.first {
        case "failed", "refused", "unopened", "found", "problem":
            add(
                words.enumerated().prefix(3).filter { $0.offset == 0 || Int($0.element) != nil }
                    .map(\.element).joined(separator: " "))
        default: add(answer)
        }
    }

    mutating func add(_ other: MachineTrace) { add(other.description) }

    /// Where another run of the same seed went another way; nil if it did not.
    func difference(from other: MachineTrace) -> String? {
        if value == other.value { return nil }
        let index =
            zip(lines, other.lines).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(lines.count, other.lines.count)
        func line(_ trace: MachineTrace) -> String {
            index < trace.lines.count ? "\"\(trace.lines[index])\"" : "nothing"
        }
        return
            """
            line \(index), behind \(lines.prefix(index).suffix(3)): \(line(self)) and \
            \(line(other))
            """
    }

    var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
