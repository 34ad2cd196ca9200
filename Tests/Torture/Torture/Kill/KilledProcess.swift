import Foundation

/// A process of a ``KilledFile``.
final class KilledProcess {
    let child: ChildProcess
    let ways: [KillWay]
    let writer: Int
    private let began = monotonicNanoseconds()
    /// Until its first report, in seconds.
    private(set) var startTime = 0.0
    private(set) var reportCount = 0
    /// By writer; its readers' by negative numbers.
    var tracks: [Int: OperationTrack] = [:]
    /// Its end was noticed.
    var wasMissed = false

    var hasReported: Bool { reportCount > 0 }

    init(_ arguments: [String], ways: [KillWay], writer: Int, errorPath: String) {
        (self.ways, self.writer) = (ways, writer)
        child = ChildProcess(arguments, errorPath: errorPath)
    }

    func reported() {
        if reportCount == 0 { startTime = Double(monotonicNanoseconds() - began) / 1e9 }
        reportCount += 1
    }

    func add(_ key: Int, from start: UInt64, to end: UInt64) {
        // What is between two writes of the others is not theirs to decide.
        guard
            key < 0
                || [.sync, .paced, .writeAsync, .asyncWrite].contains(
                    ways[min(ways.count - 1, (key - writer) / 2)])
        else { return }
        tracks[key, default: OperationTrack()].add(from: start, to: end)
    }
}

extension KilledFile {
    /// A line that a process has reported.
    func note(_ line: String, _ process: KilledProcess) {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().compactMap { UInt64($0) }
        process.reported()
        switch words.first {
        case "a" where numbers.count == 4:
            let writer = Int(numbers[0])
            acknowledged[writer] = max(acknowledged[writer] ?? 0, Int(numbers[1]))
            process.add(writer, from: numbers[2], to: numbers[3])
        case "r" where numbers.count == 2:
            process.add(-1 - process.writer, from: numbers[0], to: numbers[1])
        case "g" where numbers.count == 1: generation = max(generation, Int(numbers[0]))
        case "m" where numbers.count == 1: version = max(version, Int(numbers[0]))
        case "copying" where words.count == 3:
            let numbers = words[2].split(separator: ",").compactMap { pair -> (Int, Int)? in
                let parts = pair.split(separator: ":").compactMap { Int($0) }
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
            copies.append(
                KillQuestion.Copy(
                    name: String(words[1]), numbers: Dictionary(uniqueKeysWithValues: numbers)))
        case "copied" where words.count == 2:
            if let index = copies.firstIndex(where: { $0.name == words[1] }) {
                copies[index].isAcknowledged = true
            }
        case "creating" where words.count == 3:
            creations.append(
                KillQuestion.Creation(name: String(words[1]), isSeeded: words[2] == "1"))
        case "created" where words.count == 2:
            creations.indices.last.map { creations[$0].isAcknowledged = true }
        case "wrote" where words.count == 3:
            creations.indices.last.map { creations[$0].number = Int(words[2]) ?? 0 }
        case "c", "seen": break
        default: complain("A process says: \(line)")
        }
    }
}
