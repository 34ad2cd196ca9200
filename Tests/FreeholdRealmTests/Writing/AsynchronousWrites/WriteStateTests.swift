import Freehold
import Testing

/// The table of states and events of a realm's asynchronous writes, pair by pair.
@Suite struct WriteStateTests {
    private typealias Row = (entries: [WriteState: String], others: String)

    /// For each event, by state, the next state and what follows. A misuse is the
    /// program's error, a fault the library's.
    private static let table: [WriteState.Event: Row] = [
        .advance: (
            [
                .idle: "idle, beginFirst", .committed: "committed, joinFirst",
                .resting: "resting, takeBack",
            ], others: "stays"
        ),
        .flush: (
            [
                .committed: "flushing, flush", .resting: "resting, takeBack",
                .restingForTask: "restingForTask, takeBack", .open: "fault", .joined: "fault",
            ], others: "stays"
        ),
        .wake: (
            [.idle: "taskWoken, wakeFirst", .committed: "restingForTask, restAndWakeFirst"],
            others: "fault"
        ),
        .come: (
            [.taskWoken: "idle, beginFirst", .restingForTask: "resting, takeBack"],
            others: "stays"
        ),
        .leave: (
            [.taskWoken: "idle, nothing", .restingForTask: "resting, nothing"], others: "stays"
        ),
        .begin: (
            [
                .idle: "open, nothing", .committed: "joined, nothing",
                .open: "misuse", .joined: "misuse",
            ], others: "fault"
        ),
        .commit: (
            [.open: "committed, advance", .joined: "committed, advance"],
            others: "misuse"
        ),
        .write: (
            [.open: "idle, nothing", .joined: "idle, nothing"],
            others: "misuse"
        ),
        .cancel: (
            [.open: "idle, nothing", .joined: "resting, rest"],
            others: "misuse"
        ),
        .cancelInBlock: (
            [.open: "idle, nothing", .joined: "committed, nothing"],
            others: "misuse"
        ),
        .takeBack: (
            [.resting: "committed, nothing", .restingForTask: "committed, nothing"],
            others: "fault"
        ),
        .expire: (
            [.resting: "flushing, nothing", .restingForTask: "flushing, ask"], others: "fault"
        ),
        .end: (
            [
                .flushing: "idle, nothing", .resting: "idle, nothing",
                .restingForTask: "taskWoken, ask",
            ], others: "fault"
        ),
    ]

    private static func text(_ outcome: WriteState.Outcome) -> String {
        switch outcome {
        case .next(let next, let action): "\(next), \(action)"
        case .misuse: "misuse"
        case .fault(let reason): reason.isEmpty ? "no reason" : "fault"
        }
    }

    @Test func everyPair() throws {
        for event in WriteState.Event.allCases {
            let row = try #require(Self.table[event])
            for state in WriteState.allCases {
                let expected = row.entries[state] ?? row.others
                #expect(
                    Self.text(state.outcome(of: event))
                        == (expected == "stays" ? "\(state), nothing" : expected),
                    "\(state), \(event)")
            }
        }
    }

    /// All states that some events lead to from one.
    private func reachable(from state: WriteState) -> Set<WriteState> {
        var found: Set = [state]
        var new = [state]
        while let last = new.popLast() {
            for event in WriteState.Event.allCases {
                if case .next(let next, _) = last.outcome(of: event), found.insert(next).inserted {
                    new.append(next)
                }
            }
        }
        return found
    }

    @Test func everyStateIsReachedAndEnds() {
        for state in WriteState.allCases {
            #expect(reachable(from: state) == Set(WriteState.allCases), "\(state)")
        }
    }

    /// A transaction is opened by its beginning only, and a group made by a commit and ended
    /// with its outcome only.
    @Test func transactionsAndGroupsBeginAndEndInOneWay() {
        for state in WriteState.allCases {
            for event in WriteState.Event.allCases {
                guard case .next(let next, _) = state.outcome(of: event) else { continue }
                let (opened, closed) = (!state.isOpen && next.isOpen, state.isOpen && !next.isOpen)
                #expect(opened == (event == .begin), "\(state), \(event)")
                #expect(
                    closed == [.commit, .write, .cancel, .cancelInBlock].contains(event),
                    "\(state), \(event)")
                let (made, ended) = (
                    !state.hasGroup && next.hasGroup, state.hasGroup && !next.hasGroup
                )
                if made { #expect(event == .commit, "\(state), \(event)") }
                if ended { #expect([.write, .end].contains(event), "\(state), \(event)") }
            }
        }
    }
}
