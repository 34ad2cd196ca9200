import Foundation
import Freehold

/// Judges the records of a run:
///
/// - transactions are numbered without gaps, each number was acknowledged once, and the
///   counters add up to them: no update was lost;
/// - all readers of one version saw the same values, and a frozen one reads the same later;
/// - what a participant sees never goes back, and has all of its own transactions that were
///   acknowledged;
/// - who asked for the newest version has everything that was acknowledged anywhere before it
///   asked.
struct HistoryJudge {
    private let report: TortureReport
    private let realm: Realm
    private let participants: Int

    init(_ report: TortureReport, _ realm: Realm, participants: Int) {
        (self.report, self.realm, self.participants) = (report, realm, participants)
    }

    func judge() throws {
        let histories = try (0..<participants).map {
            try HistoryWriter.read(report.path("\($0).history"))
        }
        report.set("operations", histories.reduce(0) { $0 + $1.count })
        let commits = histories.joined().filter { $0.kind == .commit }
        report.set("commits", commits.count)
        judgeNumbers(commits)
        judgeValues(histories)
        for (participant, history) in histories.enumerated() { judgeOrder(participant, history) }
        judgeFreshness(commits, histories)
        for problem in try realm.check() { report.find("The file is not sound: \(problem)") }
        let last = HistoryData.look(realm, 0)
        if let problem = last.problem { report.find("At the end: \(problem)") }
        report.expect(
            last.number == UInt64(commits.count),
            "\(commits.count) transactions were acknowledged, and \(last.number) are there.")
        let owners = realm.object(ofType: HistoryHead.self, forPrimaryKey: 0)?.owners
        for (participant, history) in histories.enumerated() {
            let own = history.count { $0.kind == .commit }
            report.expect(
                owners?["\(participant)"] ?? 0 == own,
                """
                Participant \(participant) made \(own) transactions, and \
                \(owners?["\(participant)"] ?? 0) are there.
                """
            )
        }
        report.expect(
            !commits.isEmpty && histories.allSatisfy { $0.count > 10 },
            "A participant hardly ran: \(histories.map(\.count))")
    }

    private func judgeNumbers(_ commits: [HistoryRecord]) {
        let numbers = commits.map(\.number).sorted()
        for (index, number) in numbers.enumerated() where number != UInt64(index + 1) {
            return report.find(
                """
                The transactions' numbers are not those from 1 to \(numbers.count): in the \
                place of \(index + 1) is \(number).
                """
            )
        }
    }

    private func judgeValues(_ histories: [[HistoryRecord]]) {
        var digests: [UInt64: UInt64] = [:]
        for (participant, history) in histories.enumerated() {
            for record in history where record.kind != .commit {
                let known = digests.updateValue(record.digest, forKey: record.number)
                if let known, known != record.digest {
                    return report.find(
                        """
                        Version \(record.number) says something else to participant \
                        \(participant), in a \(record.kind).
                        """
                    )
                }
            }
        }
        report.set("versions seen", digests.count)
    }

    private func judgeOrder(_ participant: Int, _ history: [HistoryRecord]) {
        var (seen, own) = (UInt64(0), UInt64(0))
        // By when they were taken.
        var taken: [UInt64: UInt64] = [:]
        for record in history {
            switch record.kind {
            case .commit:
                seen = max(seen, record.number)
                own += 1
            case .frozen, .read, .fresh:
                if record.number < seen {
                    return report.find(
                        """
                        Participant \(participant) saw \(record.number) after \(seen), in \
                        a \(record.kind).
                        """
                    )
                }
                if record.own < own {
                    return report.find(
                        """
                        Participant \(participant) finds \(record.own) transactions of its \
                        own after \(own), in a \(record.kind).
                        """
                    )
                }
                seen = record.number
                if record.kind == .frozen { taken[record.begin] = record.number }
            case .again:
                if taken[record.begin] != record.number {
                    return report.find(
                        """
                        A frozen version of participant \(participant) was \
                        \(taken[record.begin] ?? 0) and is \(record.number).
                        """
                    )
                }
            }
        }
    }

    private func judgeFreshness(_ commits: [HistoryRecord], _ histories: [[HistoryRecord]]) {
        let ends = commits.sorted { $0.end < $1.end }
        var newest: [UInt64] = []
        for commit in ends { newest.append(max(newest.last ?? 0, commit.number)) }
        var count = 0
        for (participant, history) in histories.enumerated() {
            for record in history where record.kind == .fresh {
                count += 1
                var (low, high) = (0, ends.count)
                while low < high {
                    let middle = (low + high) / 2
                    if ends[middle].end < record.begin { low = middle + 1 } else { high = middle }
                }
                guard low > 0, record.number < newest[low - 1] else { continue }
                let writer = { number in
                    histories.firstIndex {
                        $0.contains { $0.kind == .commit && $0.number == number }
                    }.map { "participant \($0)" } ?? "no participant"
                }
                return report.find(
                    """
                    Participant \(participant) asked for the newest version and got \
                    \(record.number), by \(writer(record.number)), after \(newest[low - 1]), \
                    by \(writer(newest[low - 1])), had been acknowledged \
                    \(record.begin - ends[low - 1].end) ns before.
                    """
                )
            }
        }
        report.set("fresh reads", count)
    }
}
