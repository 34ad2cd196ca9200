import Freehold
import Testing

/// The table of states and events of a realm's asynchronous writes, pair by pair.
@Suite struct WriteStateTests {
    /// The next state and what follows; `-` is the same state, and nothing to do. `begun`,
    /// `uncommitted` and `uncancelled` are the program's errors, `x` is the library's.
    private static let table = """
        event         | idle                | taskWoken      | open            | committed                       | joined          | resting          | restingForTask          | flushing
        advance       | - beginFirst        | -              | -               | - joinFirst                     | -               | - takeBack       | -                       | -
        flush         | -                   | -              | x               | flushing flush                  | x               | - takeBack       | - takeBack              | -
        wake          | taskWoken wakeFirst | x              | x               | restingForTask restAndWakeFirst | x               | x                | x                       | x
        come          | -                   | idle beginFirst | -              | -                               | -               | -                | resting takeBack        | -
        leave         | -                   | idle           | -               | -                               | -               | -                | resting                 | -
        begin         | open                | x              | begun           | joined                          | begun           | x                | x                       | x
        commit        | uncommitted         | uncommitted    | committed advance | uncommitted                   | committed advance | uncommitted    | uncommitted             | uncommitted
        write         | uncommitted         | uncommitted    | idle            | uncommitted                     | idle            | uncommitted      | uncommitted             | uncommitted
        cancel        | uncancelled         | uncancelled    | idle            | uncancelled                     | resting rest    | uncancelled      | uncancelled             | uncancelled
        cancelInBlock | uncancelled         | uncancelled    | idle            | uncancelled                     | committed       | uncancelled      | uncancelled             | uncancelled
        takeBack      | x                   | x              | x               | x                               | x               | committed        | committed               | x
        expire        | x                   | x              | x               | x                               | x               | flushing         | flushing ask            | x
        end           | x                   | x              | x               | x                               | x               | idle             | taskWoken ask           | idle
        """

    private static func text(_ outcome: WriteState.Outcome, in state: WriteState) -> String {
        switch outcome {
        case .next(let next, let action):
            (next == state ? "-" : "\(next)") + (action == .nothing ? "" : " \(action)")
        case .misuse(.alreadyInTransaction): "begun"
        case .misuse(.commitWithoutTransaction): "uncommitted"
        case .misuse(.cancelWithoutTransaction): "uncancelled"
        case .fault(let reason): reason.isEmpty ? "no reason" : "x"
        }
    }

    @Test func everyPair() throws {
        let rows = Self.table.split(separator: "\n").map { row in
            row.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
        }
        #expect(rows[0].dropFirst() == WriteState.allCases.map { "\($0)" }[...])
        #expect(rows.dropFirst().map { $0[0] } == WriteState.Event.allCases.map { "\($0)" })
        for (row, event) in zip(rows.dropFirst(), WriteState.Event.allCases) {
            try #require(row.count == WriteState.allCases.count + 1)
            for (cell, state) in zip(row.dropFirst(), WriteState.allCases) {
                let found = Self.text(state.outcome(of: event), in: state)
                #expect(found == cell, "\(state), \(event)")
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

    /// What was asked to go on ends: without an outcome from elsewhere, no state asks for the
    /// same for ever.
    @Test func drivingEnds() {
        for event in [WriteState.Event.advance, .flush] {
            for start in WriteState.allCases {
                var (state, steps) = (start, 0)
                loop: while steps < 10 {
                    steps += 1
                    guard case .next(let next, let action) = state.outcome(of: event) else { break }
                    state = next
                    switch action {
                    case .takeBack:
                        guard case .next(let taken, _) = state.outcome(of: .takeBack) else {
                            break loop
                        }
                        state = taken
                    case .joinFirst:
                        // Nobody joins.
                        guard case .next(let flushed, _) = state.outcome(of: .flush) else {
                            break loop
                        }
                        state = flushed
                    case .flush: break
                    default: break loop
                    }
                }
                #expect(steps < 10, "\(start), \(event)")
                if event == .flush, !start.isOpen {
                    #expect(!state.hasGroup || state == .flushing, "\(start)")
                }
            }
        }
    }
}
