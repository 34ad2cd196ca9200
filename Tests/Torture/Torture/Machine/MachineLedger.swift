/// What is known of every write of one run: what its process said, and what the file had when
/// it was looked at.
struct MachineLedger {
    enum State: String {
        /// Asked for.
        case open
        /// Committed in memory, on its way to the disk.
        case committed
        /// The file may have it or not: its process died, or a failure left it open.
        case unknown
        /// Its completion said so, or it was seen in the file. It must be there from now on.
        case stored
        /// It must never be there.
        case lost
    }

    private struct Write {
        let process: Int
        var state = State.open
    }

    private var writes: [Int: Write] = [:]
    private(set) var problems: [String] = []

    var storedCount: Int { writes.values.count { $0.state == .stored } }

    mutating func ask(_ write: Int, _ process: Int) { writes[write] = Write(process: process) }

    /// What a process says of one of its writes.
    mutating func note(_ word: Substring, _ write: Int, isAmbiguous: Bool) {
        guard let state = writes[write]?.state else {
            return problems.append("Write \(write) was never asked for.")
        }
        let new: State =
            switch word {
            case "committed": .committed
            case "stored": .stored
            // A failed call may have done its work: what it left in the file decides.
            case "failed": isAmbiguous && state == .committed ? .unknown : .lost
            default: .lost
            }
        if state == .lost || (state == .stored && new != .stored) {
            problems.append("Write \(write) is said to be \(word), and was \(state).")
        }
        writes[write]?.state = new
    }

    /// A process ended: what it did not say is not known.
    mutating func end(_ process: Int) {
        for (number, write) in writes where write.process == process {
            switch write.state {
            case .open, .committed: writes[number]?.state = .unknown
            case .unknown, .stored, .lost: break
            }
        }
    }

    /// Compares with the writes in the file, in their order.
    ///
    /// - Parameter isAtRest: Whether no process has anything in flight.
    mutating func judge(_ entries: [Int], isAtRest: Bool) {
        let there = Set(entries)
        if there.count != entries.count { problems.append("An entry is there twice: \(entries)") }
        for (number, write) in writes.sorted(by: { $0.key < $1.key }) {
            switch (write.state, there.contains(number)) {
            case (.stored, false):
                problems.append("Write \(number) was stored, and is not in the file.")
            case (.lost, true):
                problems.append("Write \(number) failed or was cancelled, and is in the file.")
            case (.unknown, let isThere): writes[number]?.state = isThere ? .stored : .lost
            case (.open, true):
                problems.append("Write \(number) is in the file before its block has run.")
            case (.open, false), (.committed, false):
                if isAtRest {
                    problems.append(
                        """
                        Write \(number) of process \(write.process) never ended: it is \
                        \(write.state).
                        """
                    )
                }
            case (.committed, true), (.stored, true), (.lost, false): break
            }
        }
        for entry in entries where writes[entry] == nil {
            problems.append("An entry \(entry) that was never written.")
        }
    }
}
