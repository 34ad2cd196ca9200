/// Judges what programs did and were told by the log at its end.
///
/// - No transaction that returned is lost, none is there twice, and one that promised not to be
///   done is not there.
/// - Each machine's commits have its order.
/// - Each transaction has read all commits of others up to a number of the log that is below its
///   own, none after it, and all of its own machine's before it. Later ones have not read less.
///   So causal order is kept: what a transaction read is before it in the log.
/// - A shared write has read every commit before its own.
/// - A shared write that began after another one had returned is after it.
/// - A change of an object that was deleted is reported, once.
struct SharedHistoryChecker {
    private let log: [NotedCommit]
    private let history: SharedHistory
    private let machineCount: Int
    /// Places in the log of each machine's transactions, in the log's order.
    private var places: [[(number: Int, place: Int64, commit: NotedCommit)]] = []
    private var outcomes: [Key: SharedHistory.Transaction] = [:]
    private(set) var problems: [String] = []

    private struct Key: Hashable {
        var machine: Int
        var number: Int
    }

    init(_ log: [NotedCommit], _ history: SharedHistory, machines: Int) {
        self.log = log
        self.history = history
        machineCount = machines
        places = (0..<machines).map { machine in
            log.compactMap { commit in
                guard commit.machine == machine, let number = commit.number else { return nil }
                return (number, commit.sequence, commit)
            }
        }
        for transaction in history.transactions {
            outcomes[Key(machine: transaction.machine, number: transaction.number)] = transaction
        }
    }

    /// Runs all checks.
    mutating func check() {
        checkOrder()
        checkOutcomes()
        for machine in 0..<machineCount { checkReads(of: machine) }
        checkRealTime()
        checkRejections()
    }

    private mutating func checkOrder() {
        for (machine, places) in places.enumerated() {
            for (one, next) in zip(places, places.dropFirst()) where one.number >= next.number {
                problems.append(
                    "Machine \(machine): \(next.number) follows \(one.number) in the log.")
            }
        }
        for (one, next) in zip(log, log.dropFirst()) where one.sequence + 1 != next.sequence {
            problems.append("The log has \(next.sequence) after \(one.sequence).")
        }
    }

    private mutating func checkOutcomes() {
        let found = places.map { Set($0.map(\.number)) }
        for transaction in history.transactions {
            let isThere = found[transaction.machine].contains(transaction.number)
            let name = "Machine \(transaction.machine): \(transaction.number)"
            switch transaction.outcome {
            case .done where !isThere: problems.append("\(name) returned, and is lost.")
            case .notDone where isThere: problems.append("\(name) threw, and is done.")
            default: break
            }
        }
        for (machine, places) in places.enumerated() {
            for place in places where outcomes[Key(machine: machine, number: place.number)] == nil {
                problems.append("Machine \(machine): nobody wrote \(place.number).")
            }
        }
    }

    // MARK: Reads

    /// How many transactions of a machine are at places up to a number of the log.
    private func count(of machine: Int, upTo place: Int64) -> Int {
        var (low, high) = (0, places[machine].count)
        while low < high {
            let middle = (low + high) / 2
            if places[machine][middle].place <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func checkReads(of machine: Int) {
        var earlier: Int64 = 0
        var unknown: [Int] = []
        for (index, own) in places[machine].enumerated() {
            let name = "Machine \(machine): \(own.number)"
            let seen = own.commit.seen
            guard seen.count == machineCount else {
                problems.append("\(name) saw \(seen.count) machines.")
                continue
            }
            // The prefix that it read ends between these.
            var (low, high): (Int64, Int64) = (0, own.place - 1)
            for other in 0..<machineCount where other != machine {
                let count = seen[other].count
                let isThere =
                    count == 0
                    ? seen[other].last == 0
                    : count <= places[other].count
                        && places[other][count - 1].number == seen[other].last
                guard isThere else {
                    problems.append("\(name) read \(seen[other]) of \(other): no such state.")
                    continue
                }
                if count > 0 { low = max(low, places[other][count - 1].place) }
                if count < places[other].count {
                    high = min(high, places[other][count].place - 1)
                }
            }
            if low > high {
                problems.append("\(name), at \(own.place), read no prefix: \(low), \(high).")
            }
            if high < earlier { problems.append("\(name) read less than the one before it.") }
            earlier = max(earlier, low)
            if own.commit.isShared, high != own.place - 1 {
                problems.append("\(name) is shared, and did not read all before \(own.place).")
            }
            checkOwnRead(own.commit, index, of: machine, low: low, unknown: unknown)
            if outcomes[Key(machine: machine, number: own.number)]?.outcome == .unknown {
                unknown.append(index)
            }
        }
    }

    /// All of the machine's transactions before it; of those whose outcome was unknown to the
    /// program, only what is in the prefix.
    ///
    /// - Parameter unknown: Places of those among the ones before it.
    private mutating func checkOwnRead(
        _ commit: NotedCommit, _ index: Int, of machine: Int, low: Int64, unknown: [Int]
    ) {
        // They need not be there.
        let optional = commit.isShared ? [] : unknown.filter { places[machine][$0].place > low }
        let seen = commit.seen[machine]
        let newest = index > 0 ? places[machine][index - 1].number : 0
        let least = (0..<index).last { !optional.contains($0) }
        let last = least.map { places[machine][$0].number } ?? 0
        if !(index - optional.count...index ~= seen.count) || !(last...newest ~= seen.last) {
            problems.append(
                """
                Machine \(machine): \(commit.number ?? 0) read \(seen) of its own, \
                \(index) up to \(newest).
                """)
        }
    }

    // MARK: Real time

    private mutating func checkRealTime() {
        let done = history.transactions.filter { $0.isShared && $0.outcome == .done }
            .compactMap { transaction -> (began: Int, ended: Int, place: Int64)? in
                let place = places[transaction.machine].first { $0.number == transaction.number }
                return place.map { (transaction.began, transaction.ended, $0.place) }
            }
        let ended = done.sorted { $0.ended < $1.ended }
        var (next, highest): (Int, Int64) = (0, 0)
        for transaction in done.sorted(by: { $0.began < $1.began }) {
            while next < ended.count, ended[next].ended < transaction.began {
                highest = max(highest, ended[next].place)
                next += 1
            }
            if transaction.place < highest {
                problems.append(
                    "The shared write at \(transaction.place) began after that at \(highest).")
            }
        }
    }

    // MARK: Rejections

    private mutating func checkRejections() {
        var (present, everDeleted): (Set<String>, Set<String>) = ([], [])
        var expected: Set<SharedHistory.Rejection> = []
        for commit in log {
            present.subtract(commit.deleted)
            everDeleted.formUnion(commit.deleted)
            present.formUnion(commit.inserted)
            for object in commit.updated where !present.contains(object) {
                let words = object.split(separator: " ", maxSplits: 1).map(String.init)
                expected.insert(
                    SharedHistory.Rejection(
                        machine: commit.machine, commit: commit.clientSequence,
                        className: words[0], key: words.last ?? ""))
            }
        }
        for rejection in expected.subtracting(history.rejections) {
            problems.append("Not reported: \(rejection)")
        }
        var told: Set<SharedHistory.Rejection> = []
        for rejection in history.rejections {
            if !told.insert(rejection).inserted { problems.append("Reported twice: \(rejection)") }
            if !everDeleted.contains("\(rejection.className) \(rejection.key)") {
                problems.append("Reported without a deletion: \(rejection)")
            }
        }
    }
}
