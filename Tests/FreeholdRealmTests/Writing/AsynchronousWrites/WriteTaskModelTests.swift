import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// As ``WriteModelTests``, with tasks that wait in `asyncWrite`, are cancelled and throw, and
/// groups that rest for them. The main actor is stepped by yielding: each of its jobs runs once
/// meanwhile.
@MainActor @Suite struct WriteTaskModelTests {
    @Test func everySequenceOfAFewSteps() async throws {
        let model = try await WriteTaskModel()
        let steps = WriteTaskModel.Step.allCases
        for first in steps {
            for second in steps {
                for third in steps { try await model.run([.task, first, second, third]) }
            }
        }
        try model.finish()
    }

    @Test func longSequencesAtRandom() async throws {
        var generator = Seed.random()
        let seed = generator.seed
        let model = try await WriteTaskModel()
        for _ in 0..<200 {
            let count = Int.random(in: 4...40, using: &generator)
            let sequence = (0..<count).map { _ in
                WriteTaskModel.Step.oftenUsed.randomElement(using: &generator) ?? .deadline
            }
            try await model.run(sequence, note: "FREEHOLD_SEED=\(seed)")
        }
        try model.finish()
    }
}

/// A realm of the main actor with tasks, one on a scheduler that is stepped by hand, and a
/// writer that is no realm.
@MainActor private final class WriteTaskModel {
    enum Step: CaseIterable {
        case task, throwing, cancelFirst, cancelLast
        case yield, deadline, allDeadlines
        case writeAsync, work
        case write
        case request, accept, decline
        case writerThread
        case breakDisk, mendDisk

        /// Each step, and those more often that lead tasks behind one another into groups.
        static let oftenUsed =
            allCases + [.task, .task, .throwing, .request, .accept, .decline]
            + Array(repeating: .yield, count: 12)
    }

    enum End { case stored, cancelled, threw, failed }

    private struct Thrown: Error {}

    private let directory: TemporaryDirectory
    private let environment: Environment
    private let realm: Realm
    private let scheduler = MainStepper()
    private let other: Realm
    private var tasks: [Task<Void, Never>] = []
    private var ends: [[End]] = []
    private var wasCancelled: Set<Int> = []
    private var begun: [Int] = []
    private var otherEnds: [Bool] = []
    private var asked = 0
    private var stranger: WriteRequest?
    private var grant: WriteGrant?
    private var failure: SystemCalls.Failure?
    private var stored = 0
    private var storedBefore = 0
    private var sequence: [Step] = []
    private var note = ""

    init() async throws {
        directory = try TemporaryDirectory()
        var configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        configuration.durability = .none
        realm = try await Realm(configuration: configuration)
        other = try Self.open(configuration, scheduler)
        environment = realm.environment
        environment.stepDeadlinesByHand()
        try other.write { other.add(Fixture.Person(id: 0)) }
    }

    private static func open(_ configuration: Realm.Configuration, _ scheduler: MainStepper) throws
        -> Realm
    {
        try Realm(configuration: configuration, scheduler: scheduler)
    }

    private func fail(_ text: String) -> WriteTaskModelFinding {
        let (steps, ends) = (sequence.map { "\($0)" }, ends.map { $0.map { "\($0)" } })
        return WriteTaskModelFinding(
            text:
                "\(text)\n  after \(steps) \(note)\n  \(environment.writeQueueState), tasks \(ends)"
        )
    }

    func run(_ steps: [Step], note: String = "") async throws {
        sequence = []
        self.note = note
        for step in steps {
            sequence.append(step)
            try await take(step)
            try check()
        }
        try await settle()
    }

    private func take(_ step: Step) async throws {
        switch step {
        case .task: begin(throwing: false)
        case .throwing: begin(throwing: true)
        case .cancelFirst: if let number = ends.firstIndex(where: \.isEmpty) { cancel(number) }
        case .cancelLast: if let number = ends.lastIndex(where: \.isEmpty) { cancel(number) }
        case .yield: await Task.yield()
        case .deadline: _ = environment.passNextDeadline()
        case .allDeadlines: try passAllDeadlines()
        case .writeAsync:
            asked += 1
            other.writeAsync { [self] in
                change(other)
            } onComplete: { [self] error in
                otherEnds.append(error == nil)
                if error == nil { stored += 1 }
            }
        case .work: scheduler.runNext()
        case .write: try write()
        case .request:
            if stranger != nil || grant != nil { return }
            let made = environment.writer.request { _, _ in }
            made.armFirstPatience()
            stranger = made
        case .accept:
            guard let request = stranger, grant == nil else { return }
            grant = try request.accept()
            if grant != nil { stranger = nil }
        case .decline: decline()
        case .writerThread: environment.waitForWriterThread()
        case .breakDisk:
            if failure == nil {
                failure = SystemCalls.fail("mdb_txn_commit", in: directory.url.path, with: ENOSPC)
            }
        case .mendDisk: mendDisk()
        }
    }

    /// Passes all deadlines while no block runs. Then only an open transaction has the grant.
    private func passAllDeadlines() throws {
        repeat { environment.waitForWriterThread() } while environment.passNextDeadline()
        if grant == nil, environment.writeQueueState.grant != .free {
            throw fail("The grant is kept until a scheduler comes.")
        }
    }

    private func begin(throwing: Bool) {
        let number = ends.count
        ends.append([])
        tasks.append(
            Task { [self] in
                do {
                    try await realm.asyncWrite {
                        begun.append(number)
                        change(realm)
                        if throwing { throw Thrown() }
                    }
                    ends[number].append(.stored)
                    stored += 1
                } catch is CancellationError {
                    ends[number].append(.cancelled)
                } catch is Thrown {
                    ends[number].append(.threw)
                } catch {
                    ends[number].append(.failed)
                }
            })
    }

    private func change(_ realm: Realm) {
        realm.object(ofType: Fixture.Person.self, forPrimaryKey: 0)?.age += 1
    }

    private func cancel(_ number: Int) {
        wasCancelled.insert(number)
        tasks[number].cancel()
    }

    /// A synchronous write of the tasks' realm, beside them.
    private func write() throws {
        if grant != nil { return }
        // What it would wait for, as time stands still while it does: a group that is flushed
        // lets the next one have an offer.
        try passAllDeadlines()
        do {
            try realm.write { change(realm) }
            stored += 1
        } catch {
            if failure == nil { throw fail("A write fails: \(error)") }
        }
    }

    private func decline() {
        grant?.cancel()
        stranger?.cancel()
        (grant, stranger) = (nil, nil)
    }

    private func mendDisk() {
        environment.waitForWriterThread()
        failure?.end()
        failure = nil
    }

    private func check() throws {
        guard problem() != nil else { return }
        environment.waitForWriterThread()
        if let problem = problem() { throw fail(problem) }
    }

    private func problem() -> String? {
        let state = environment.writeQueueState
        if state.isStuck { return "The grant is free, and a writer that could use it waits." }
        if state.grant == .offered, state.deadlineCount == 0 { return "An offer stands for ever." }
        if state.grant == .reserved {
            return
                "The lock between processes is waited for, and no other process has the file open."
        }
        if grant != nil, state.grant != .held {
            return "A transaction is open, and the grant is \(state.grant)."
        }
        if realm.isInWriteTransaction { return "A block has ended, and its transaction is open." }
        if realm.isKeptAliveWrongly || other.isKeptAliveWrongly {
            return "A realm is kept alive for nothing, or is not kept."
        }
        if let number = ends.firstIndex(where: { $0.count > 1 }) {
            return "The task \(number) ended twice."
        }
        return nil
    }

    /// Lets everything end: time passes only when nothing else goes on.
    private func settle() async throws {
        mendDisk()
        decline()
        var rounds = 0
        while ends.contains(where: \.isEmpty) || otherEnds.count < asked
            || realm.isPerformingAsynchronousWriteOperations
        {
            rounds += 1
            if rounds > 1_000 { throw fail("Writes do not end.") }
            environment.waitForWriterThread()
            scheduler.runAll()
            await Task.yield()
            if rounds % 8 == 0 { _ = environment.passNextDeadline() }
            try check()
        }
        environment.waitForWriterThread()
        scheduler.runAll()
        while environment.passNextDeadline() {}
        let state = environment.writeQueueState
        if state.grant != .free || state.waitingCount != 0 {
            throw fail("Nothing is left to do, and the grant is not free.")
        }
        for (number, end) in ends.enumerated()
        where end == [.cancelled] && !wasCancelled.contains(number) {
            throw fail("The task \(number) was not cancelled.")
        }
        if Set(begun).count != begun.count { throw fail("A block ran twice: \(begun)") }
        realm.refresh()
        let age = realm.object(ofType: Fixture.Person.self, forPrimaryKey: 0)?.age ?? 0
        if age - storedBefore != stored {
            throw fail("\(stored) changes were stored, and \(age - storedBefore) are there.")
        }
        (storedBefore, stored, asked) = (age, 0, 0)
        (tasks, ends, begun, otherEnds, wasCancelled) = ([], [], [], [], [])
    }

    func finish() throws {
        if try !realm.check().isEmpty { throw fail("The file is not sound: \(directory.url.path)") }
        directory.delete()
    }
}

/// A scheduler of the main queue, whichever thread serves that, which is stepped by hand.
private final class MainStepper: RealmScheduler {
    private static let key = DispatchSpecificKey<Bool>()
    private let jobs = Locker<[@Sendable () -> Void]>([])

    init() { DispatchQueue.main.setSpecific(key: Self.key, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) ?? false }

    var name: String { "the main queue, by hand" }

    func run(_ work: @escaping @Sendable () -> Void) { jobs.update { $0.append(work) } }

    @discardableResult func runNext() -> Bool {
        var next: (@Sendable () -> Void)?
        jobs.update { if !$0.isEmpty { next = $0.removeFirst() } }
        next?()
        return next != nil
    }

    func runAll() { while runNext() {} }
}

private struct WriteTaskModelFinding: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
