import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A model checker for asynchronous writes and the line of writers: every sequence of a few
/// steps, and long ones at random. Schedulers and time are stepped by hand; after each step the
/// invariants are asked.
@Suite struct WriteModelTests {
    @Test func everySequenceOfAFewSteps() async throws {
        try await awaitThread {
            let checker = try WriteModel()
            let steps = WriteModel.Step.allCases
            let depth = 3
            var count = 1
            for _ in 0..<depth { count *= steps.count }
            for number in 0..<count {
                var rest = number
                let sequence = (0..<depth).map { _ -> WriteModel.Step in
                    defer { rest /= steps.count }
                    return steps[rest % steps.count]
                }
                try checker.run(sequence)
            }
            try checker.finish()
        }
    }

    @Test func longSequencesAtRandom() async throws {
        let seed = Seed.random().seed
        try await awaitThread {
            var generator = SeededGenerator(seed: seed)
            let checker = try WriteModel()
            for _ in 0..<200 {
                let sequence = (0..<Int.random(in: 4...40, using: &generator)).map { _ in
                    WriteModel.Step.allCases.randomElement(using: &generator) ?? .deadline
                }
                try checker.run(sequence, note: "FREEHOLD_SEED=\(seed)")
            }
            try checker.finish()
        }
    }
}

/// Two realms of a file on schedulers that are stepped by hand, and a writer that is no realm.
/// On one thread.
private final class WriteModel {
    enum Step: CaseIterable {
        case writeAsync0, writeAsync1, grouped0, grouped1
        case cancel0, cancel1
        case work0, work1
        case deadline
        case write0, write1
        case begin0, end0, cancelWrite0
        case invalidate0, freeze0
        case request, accept, decline
        case writerThread
        case breakDisk, mendDisk

        /// Whether blocks that are asked for still begin in the order in which they were asked
        /// for, in all realms.
        var keepsOrder: Bool {
            switch self {
            case .writeAsync0, .writeAsync1, .grouped0, .grouped1, .work0, .work1, .freeze0,
                .writerThread, .breakDisk, .mendDisk:
                true
            default: false
            }
        }
    }

    private final class Side {
        let scheduler = ManualScheduler()
        var realm: Realm
        var ids: [UInt32] = []

        init(_ configuration: Realm.Configuration) throws {
            realm = try Realm(configuration: configuration, scheduler: scheduler)
        }
    }

    private let directory: TemporaryDirectory
    private let configuration: Realm.Configuration
    private let environment: Environment
    private var sides: [Side]
    private var stranger: WriteRequest?
    private var grant: WriteGrant?
    /// How often each write that was asked for ended.
    private let ends = Locker<[Int]>([])
    private var cancelled: Set<Int> = []
    /// Whose blocks have run.
    private let begun = Locker<Set<Int>>([])
    private var numbers: [UInt32: Int] = [:]
    /// Those whose completion has a name of its own once the block has run.
    private var grouped: Set<Int> = []
    /// Whose completion was taken back after the block had run: the file may have it or not.
    private var silenced: Set<Int> = []
    /// The side of each write.
    private var askers: [Int] = []
    private var isOrdered = true
    private let disorder = Locker<String?>(nil)
    /// What commits fail with, while they do.
    private var failure: SystemCalls.Failure?
    /// Changes that are stored, for certain; and before this sequence.
    private let stored = Locker(0)
    private var storedBefore = 0
    private var sequence: [Step] = []
    private var note = ""

    init() throws {
        directory = try TemporaryDirectory()
        var configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        configuration.writeTimeout = .seconds(1)
        configuration.durability = .none
        self.configuration = configuration
        sides = [try Side(configuration), try Side(configuration)]
        var options = Store.Options(path: directory.file().path)
        options.durability = .none
        environment = try Store.open(options).environment
        environment.stepDeadlinesByHand()
        try sides[0].realm.write { sides[0].realm.add(Fixture.Person(id: 0)) }
    }

    private func fail(_ text: String) -> WriteModelFinding {
        WriteModelFinding(
            text: "\(text)\n  after \(sequence) \(note)\n  \(environment.writeQueueState)")
    }

    func run(_ steps: [Step], note: String = "") throws {
        sequence = []
        self.note = note
        for step in steps {
            sequence.append(step)
            if !step.keepsOrder { isOrdered = false }
            try take(step)
            try check()
        }
        try settle()
    }

    /// Ends all that is open, and lets everybody come until nothing is left.
    private func settle() throws {
        mendDisk()
        isOrdered = false
        grant?.cancel()
        stranger?.cancel()
        (grant, stranger) = (nil, nil)
        for side in sides where side.realm.isInWriteTransaction { side.realm.cancelWrite() }
        var rounds = 0
        while sides.contains(where: {
            $0.realm.isPerformingAsynchronousWriteOperations || $0.scheduler.workCount > 0
        }) {
            rounds += 1
            if rounds > 1_000 { throw fail("Asynchronous writes do not end.") }
            for side in sides { side.scheduler.runAll() }
            environment.waitForWriterThread()
            // Only when nothing else goes on: an owner that is here need not wait for anybody's
            // patience.
            if !sides.contains(where: { $0.scheduler.workCount > 0 }) {
                _ = environment.passNextDeadline()
            }
            try check()
        }
        while environment.passNextDeadline() {}
        let state = environment.writeQueueState
        if state.grant != .free || state.waitingCount != 0 {
            throw fail("Nothing is left to do, and the grant is not free.")
        }
        for (number, count) in ends.value.enumerated()
        where count != (cancelled.contains(number) ? 0 : 1) {
            throw fail("The write \(number) ended \(count) times.")
        }
        sides[0].realm.refresh()
        let age =
            (sides[0].realm.object(ofType: Fixture.Person.self, forPrimaryKey: 0)?.age ?? 0)
            - storedBefore
        if age < stored.value || age > stored.value + silenced.count {
            throw fail(
                """
                \(stored.value) changes were stored, and \(age) are there; \
                \(silenced.count) were not notified.
                """
            )
        }
        storedBefore += age
        stored.value = 0
        ends.value = []
        (cancelled, numbers, grouped, silenced, askers, isOrdered) = ([], [:], [], [], [], true)
        begun.value = []
        for side in sides { side.ids = [] }
    }

    /// What is true at all times, but for moments of the writer thread's.
    private func check() throws {
        guard problem() != nil else { return }
        environment.waitForWriterThread()
        if let problem = problem() { throw fail(problem) }
    }

    private func problem() -> String? {
        if let found = disorder.value { return found }
        if sides.contains(where: { $0.realm.isKeptAliveWrongly }) {
            return "A realm is kept alive for nothing, or is not kept."
        }
        let state = environment.writeQueueState
        let holders = sides.count { $0.realm.isInWriteTransaction } + (grant == nil ? 0 : 1)
        if state.isStuck { return "The grant is free, and a writer that could use it waits." }
        if state.grant == .offered, state.deadlineCount == 0 { return "An offer stands for ever." }
        if state.grant == .reserved {
            return
                "The lock between processes is waited for, and no other process has the file open."
        }
        if holders > 1 { return "\(holders) writers have the grant." }
        if holders == 1, state.grant != .held {
            return "A transaction is open, and the grant is \(state.grant)."
        }
        if holders == 0, state.grant == .held {
            return "The grant is held, and no transaction is open."
        }
        return nil
    }

    private func take(_ step: Step) throws {
        switch step {
        case .writeAsync0: writeAsync(sides[0])
        case .writeAsync1: writeAsync(sides[1])
        case .grouped0: grouped(sides[0])
        case .grouped1: grouped(sides[1])
        case .cancel0: try cancel(sides[0])
        case .cancel1: try cancel(sides[1])
        case .work0: sides[0].scheduler.runNext()
        case .work1: sides[1].scheduler.runNext()
        case .deadline: _ = environment.passNextDeadline()
        case .write0: try write(sides[0])
        case .write1: try write(sides[1])
        case .begin0: if try mayWait(sides[0]) { sides[0].realm.beginWrite() }
        case .end0:
            if sides[0].realm.isInWriteTransaction {
                change(sides[0].realm)
                try unlessBroken { try sides[0].realm.commitWrite() }
            }
        case .cancelWrite0: if sides[0].realm.isInWriteTransaction { sides[0].realm.cancelWrite() }
        case .invalidate0:
            // Drops what has not begun.
            for id in sides[0].ids {
                if let number = numbers[key(id, sides[0])], !begun.value.contains(number),
                    ends.value[number] == 0
                {
                    cancelled.insert(number)
                }
            }
            sides[0].realm.invalidate()
        case .freeze0: _ = sides[0].realm.freeze()
        case .request: if stranger == nil, grant == nil { request() }
        case .accept: try accept()
        case .decline:
            grant?.cancel()
            stranger?.cancel()
            (grant, stranger) = (nil, nil)
        case .writerThread: environment.waitForWriterThread()
        case .breakDisk:
            if failure == nil {
                failure = SystemCalls.fail("mdb_txn_commit", in: directory.url.path, with: ENOSPC)
            }
        case .mendDisk: mendDisk()
        }
    }

    private func mendDisk() {
        environment.waitForWriterThread()
        failure?.end()
        failure = nil
    }

    /// A synchronous write, which fails if commits do.
    private func unlessBroken(_ body: () throws -> Void) throws {
        do {
            try body()
            stored.update { $0 += 1 }
        } catch {
            if failure == nil { throw fail("A write fails: \(error)") }
        }
    }

    /// A block begins. Those that were asked for before it and have neither begun nor ended are
    /// overtaken.
    private func begin(_ number: Int) {
        begun.update { $0.insert(number) }
        for other in 0..<number where isOrdered || askers[other] == askers[number] {
            if begun.value.contains(other) || cancelled.contains(other) || ends.value[other] > 0 {
                continue
            }
            disorder.value = "The write \(number) begins before the write \(other)."
        }
    }

    private func end(_ number: Int, _ error: (any Error)?) {
        ends.update { $0[number] += 1 }
        if error == nil { stored.update { $0 += 1 } }
    }

    /// The number of a write that is asked for now.
    private func nextNumber(_ side: Side) -> Int {
        ends.update { $0.append(0) }
        askers.append(side === sides[0] ? 0 : 1)
        return ends.value.count - 1
    }

    private func change(_ realm: Realm) {
        realm.object(ofType: Fixture.Person.self, forPrimaryKey: 0)?.age += 1
    }

    private func writeAsync(_ side: Side) {
        let number = nextNumber(side)
        let realm = side.realm
        let id = realm.writeAsync { [self] in
            begin(number)
            change(realm)
        } onComplete: { [self] in
            end(number, $0)
        }
        note(id, number, side)
    }

    private func grouped(_ side: Side) {
        let number = nextNumber(side)
        let realm = side.realm
        let id = realm.beginAsyncWrite { [self] in
            begin(number)
            grouped.insert(number)
            change(realm)
            realm.commitAsyncWrite(allowGrouping: true) { [self] in end(number, $0) }
        }
        note(id, number, side)
    }

    private func note(_ id: UInt32, _ number: Int, _ side: Side) {
        side.ids.append(id)
        numbers[key(id, side)] = number
    }

    /// Ids are a realm's own.
    private func key(_ id: UInt32, _ side: Side) -> UInt32 {
        id &* 2 &+ (side === sides[0] ? 0 : 1)
    }

    private func cancel(_ side: Side) throws {
        guard let id = side.ids.popLast() else { return }
        if let number = numbers[key(id, side)], ends.value[number] == 0, !grouped.contains(number) {
            cancelled.insert(number)
            if begun.value.contains(number) { silenced.insert(number) }
        }
        try side.realm.cancelAsyncWrite(id)
    }

    /// Whether a side may write synchronously without waiting for one that cannot go on.
    private func mayWait(_ side: Side) throws -> Bool {
        if side.realm.isInWriteTransaction || grant != nil
            || sides.contains(where: { $0.realm.isInWriteTransaction })
        {
            return false
        }
        // The patience of others passes while the thread waits, and commits end.
        environment.waitForWriterThread()
        while environment.writeQueueState.grant == .offered, environment.passNextDeadline() {}
        return true
    }

    private func write(_ side: Side) throws {
        if sides.contains(where: { $0 !== side && $0.realm.isInWriteTransaction }),
            !side.realm.isInWriteTransaction
        {
            // On the same thread: it would wait for itself.
            let error = #expect(throws: Realm.Error.self) { try side.realm.write {} }
            if error?.code != .nestedWrite {
                throw fail("A nested write is not refused: \(String(describing: error))")
            }
            return
        }
        if try mayWait(side) { try unlessBroken { try side.realm.write { change(side.realm) } } }
    }

    private func request() {
        let made = environment.writer.request { _, _ in }
        made.armFirstPatience()
        stranger = made
    }

    private func accept() throws {
        guard let request = stranger, grant == nil else { return }
        let isFree = environment.writeQueueState.grant != .held
        grant = try request.accept()
        if grant != nil {
            stranger = nil
        } else if isFree, environment.writeQueueState.grant == .free {
            throw fail("The grant is free, and cannot be had.")
        }
    }

    func finish() throws {
        let realm = sides[0].realm
        if try !realm.check().isEmpty { throw fail("The file is not sound: \(directory.url.path)") }
        directory.delete()
    }
}

private struct WriteModelFinding: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
