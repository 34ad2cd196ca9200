import Foundation
import FreeholdSharing
import Testing
import UpstreamConformance

/// The checker finds what it is for.
struct LogHistoryTests {
    private let client = UUID()

    private func problems(
        _ log: [(sequence: Int64, number: Int64)], _ body: (LogHistory) async -> Void
    ) async -> [String] {
        let history = LogHistory()
        await body(history)
        var checker = LogChecker(
            log.map { LoggedCommit(number: $0.number, sequence: $0.sequence, client: client) })
        checker.check(await history.operations)
        return checker.problems
    }

    private func push(
        _ history: LogHistory, _ numbers: ClosedRange<Int64>, expecting: Int64? = nil,
        _ answer: LogHistory.Operation.Answer
    ) async {
        let index = await history.begin(
            .push(client: client, numbers: numbers, expecting: expecting))
        await history.end(index, answer)
    }

    @Test func soundHistories() async {
        let found = await problems([(1, 1), (2, 2), (3, 3)]) { history in
            await push(history, 1...2, expecting: 0, .appended(last: 2))
            await push(history, 3...3, .unknown)
            await push(history, 4...4, .unknown)
            let read = await history.begin(.read(after: 1))
            await history.end(
                read,
                .commits([
                    LoggedCommit(number: 2, sequence: 2, client: client),
                    LoggedCommit(number: 3, sequence: 3, client: client),
                ]))
        }
        #expect(found == [])
    }

    @Test func unsoundLogs() async {
        #expect(await problems([(1, 1), (3, 2)]) { _ in }.count == 1)
        #expect(await problems([(1, 1), (2, 1)]) { _ in }.count == 1)
        #expect(await problems([(1, 2), (2, 1)]) { _ in }.count == 1)
    }

    @Test func lostAndMisplacedPushes() async {
        let lost = await problems([(1, 1)]) { await push($0, 1...2, .appended(last: 2)) }
        #expect(lost.count == 1)
        let unexpected = await problems([(1, 1), (2, 2)]) {
            await push($0, 1...1, .appended(last: 1))
            await push($0, 2...2, expecting: 0, .appended(last: 2))
        }
        #expect(unexpected.count == 1)
    }

    @Test func headsThatGoBack() async {
        let found = await problems([(1, 1), (2, 2)]) { history in
            await push(history, 1...2, .appended(last: 2))
            let head = await history.begin(.head)
            await history.end(head, .head(1))
        }
        #expect(found.count == 1)
    }

    @Test func readersThatSeeOtherCommits() async {
        let found = await problems([(1, 1), (2, 2)]) { history in
            let read = await history.begin(.read(after: 0))
            await history.end(
                read, .commits([LoggedCommit(number: 2, sequence: 1, client: client)]))
        }
        #expect(found.count == 1)
    }
}
