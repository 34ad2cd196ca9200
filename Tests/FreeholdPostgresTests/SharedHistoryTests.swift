import Testing

/// The checker finds what it is for.
struct SharedHistoryTests {
    /// A commit of machine 0 or 1 at the next place of the log.
    private struct Log {
        var commits: [NotedCommit] = []
        var history = SharedHistory()

        mutating func add(
            _ machine: Int, _ number: Int, seen: [(last: Int, count: Int)], isShared: Bool = false,
            outcome: SharedHistory.Transaction.Outcome? = .done
        ) {
            commits.append(
                NotedCommit(
                    sequence: Int64(commits.count + 1), machine: machine,
                    clientSequence: Int64(number), number: number, isShared: isShared, seen: seen))
            guard let outcome else { return }
            let index = history.begin(machine: machine, number, isShared: isShared)
            history.end(index, outcome)
        }

        /// What was not found in the log.
        mutating func lose(_ machine: Int, _ number: Int) {
            let index = history.begin(machine: machine, number)
            history.end(index, .done)
        }

        var problems: [String] {
            var checker = SharedHistoryChecker(commits, history, machines: 2)
            checker.check()
            return checker.problems
        }
    }

    private func problems(_ body: (inout Log) -> Void) -> [String] {
        var log = Log()
        body(&log)
        return log.problems
    }

    @Test func soundHistories() {
        let found = problems { log in
            log.add(0, 1, seen: [(0, 0), (0, 0)])
            log.add(1, 1, seen: [(1, 1), (0, 0)])
            // It had not read the other's.
            log.add(0, 2, seen: [(1, 1), (0, 0)])
            log.add(1, 2, seen: [(2, 2), (1, 1)], isShared: true)
            // Its outcome was unknown: the next one may have read it, or not.
            log.add(0, 3, seen: [(2, 2), (2, 2)], isShared: true, outcome: .unknown)
            log.add(0, 5, seen: [(2, 2), (2, 2)])
            log.add(0, 6, seen: [(5, 4), (2, 2)])
        }
        #expect(found == [])
    }

    @Test func lostAndInventedTransactions() {
        #expect(problems { $0.lose(0, 1) }.count == 1)
        #expect(problems { $0.add(0, 1, seen: [(0, 0), (0, 0)], outcome: nil) }.count == 1)
        #expect(problems { $0.add(0, 1, seen: [(0, 0), (0, 0)], outcome: .notDone) }.count == 1)
    }

    @Test func ordersThatAreNone() {
        let swapped = problems { log in
            log.add(0, 2, seen: [(0, 0), (0, 0)])
            log.add(0, 1, seen: [(2, 1), (0, 0)])
        }
        #expect(!swapped.isEmpty)
        let twice = problems { log in
            log.add(0, 1, seen: [(0, 0), (0, 0)])
            log.add(0, 1, seen: [(1, 1), (0, 0)])
        }
        #expect(!twice.isEmpty)
    }

    @Test func readsOfWhatCameLater() {
        let found = problems { log in
            log.add(0, 1, seen: [(0, 0), (1, 1)])
            log.add(1, 1, seen: [(0, 0), (0, 0)])
        }
        #expect(found.count == 1)
    }

    @Test func readsThatMissOwnWrites() {
        let found = problems { log in
            log.add(0, 1, seen: [(0, 0), (0, 0)])
            log.add(0, 2, seen: [(0, 0), (0, 0)])
        }
        #expect(found.count == 1)
    }

    @Test func readsThatGoBack() {
        let found = problems { log in
            log.add(1, 1, seen: [(0, 0), (0, 0)])
            log.add(0, 1, seen: [(0, 0), (1, 1)])
            log.add(0, 2, seen: [(1, 1), (0, 0)])
        }
        #expect(found.count == 1)
    }

    @Test func sharedWritesThatMissOthers() {
        let found = problems { log in
            log.add(1, 1, seen: [(0, 0), (0, 0)])
            log.add(0, 1, seen: [(0, 0), (0, 0)], isShared: true)
        }
        #expect(found.count == 1)
    }

    @Test func sharedWritesAgainstRealTime() {
        var log = Log()
        let second = log.history.begin(machine: 1, 1, isShared: true)
        log.history.end(second, .done)
        log.add(0, 1, seen: [(0, 0), (0, 0)], isShared: true)
        log.commits.append(
            NotedCommit(
                sequence: 2, machine: 1, clientSequence: 1, number: 1, isShared: true,
                seen: [(1, 1), (0, 0)]))
        #expect(log.problems.count == 1)
    }

    @Test func changesThatNobodyIsToldOf() {
        var log = Log()
        log.commits = [
            NotedCommit(sequence: 1, machine: 0, clientSequence: 1, inserted: ["Thing a"]),
            NotedCommit(sequence: 2, machine: 1, clientSequence: 1, deleted: ["Thing a"]),
            NotedCommit(sequence: 3, machine: 0, clientSequence: 2, updated: ["Thing a"]),
        ]
        #expect(log.problems.count == 1)
        let told = SharedHistory.Rejection(machine: 0, commit: 2, className: "Thing", key: "a")
        log.history.rejections = [told]
        #expect(log.problems == [])
        log.history.rejections = [told, told]
        #expect(log.problems.count == 1)
        log.history.rejections = [
            told, SharedHistory.Rejection(machine: 0, commit: 1, className: "Thing", key: "b"),
        ]
        #expect(log.problems.count == 1)
    }
}
