import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import TortureCalls

/// What one process of the machine does: realms on schedulers of one thread, stepped by the
/// controller.
final class MachineWork {
    /// A virtual thread with its realm; nil where that could not be opened.
    private final class Actor {
        let scheduler = ManualScheduler()
        var realm: Realm?
        var token: NotificationToken?
        var frozen: [Realm] = []
        var told = 0
        var seen = 0
        /// Asked for, not begun: the number of the library's, by the number of the write.
        var waiting: [Int: UInt32] = [:]
    }

    private let path: String
    private let configuration: Realm.Configuration
    private let features: MachineFeatures
    private var actors: [Actor] = []
    private let tasks: MachineTasks?

    init(_ path: String, _ features: MachineFeatures, actors count: Int) {
        self.path = path
        configuration = MachineProcessCommand.configuration(path, features)
        self.features = features
        tasks = features.contains(.tasks) ? MachineTasks(path, features) : nil
        actors = (0..<count).map { _ in Actor() }
        for actor in actors { open(actor) }
        tasks?.open()
        settle()
    }

    static func text(_ write: Int) -> String {
        String(repeating: "entry \(write) ", count: 1 + write % 40)
    }

    static func say(_ text: String) { SpawnedProcess.say(text.replacing("\n", with: " ")) }

    private func say(_ text: String) { Self.say(text) }

    /// Any error is allowed while a call may fail; the controller knows whether one may.
    static func say(_ word: String, _ error: any Error) {
        say("\(word) \((error as? Realm.Error)?.code.rawValue ?? -1) \(error)")
    }

    private func say(_ word: String, _ error: any Error) { Self.say(word, error) }

    private func open(_ actor: Actor) {
        do {
            actor.realm = try Realm(configuration: configuration, scheduler: actor.scheduler)
        } catch {
            say("unopened", error)
        }
    }

    private func close(_ actor: Actor) {
        actor.token = nil
        actor.frozen = []
        (actor.told, actor.seen) = (0, 0)
        actor.realm = nil
    }

    func perform(_ action: MachineAction, _ number: Int, _ random: UInt64, _ write: Int) {
        let actor = actors[number]
        var random = SeededGenerator(seed: random)
        if actor.realm == nil, action.mayWait, action != .heal { open(actor) }
        // Calls that cannot throw may end the process where a read fails.
        let cannotThrow = action.cannotThrow
        if cannotThrow { torture_pause_fault(1) }
        defer { if cannotThrow { torture_pause_fault(0) } }
        // As does a file that LMDB refuses since its meta page could not be written.
        if cannotThrow, let environment, (try? environment.read()) == nil { return }
        switch action {
        case .ask: ask(actor, write, &random)
        case .run: run(actor)
        case .task:
            if let tasks {
                tasks.write(write, throwing: random.once(in: 8), isPreferring: random.once(in: 3))
            } else {
                say("cancelled \(write)")
            }
        case .runTasks: tasks?.run()
        case .cancelTask: tasks?.cancel(&random)
        case .deadline: _ = actors.lazy.compactMap(\.realm).first?.environment.passNextDeadline()
        case .rest: break
        case .pass: pass()
        case .drain:
            for actor in actors { actor.scheduler.runAll() }
            tasks?.runAll()
        case .write: writeNow(actor, write)
        case .cancel: cancel(actor, &random)
        case .observe: observe(actor)
        case .freeze: freeze(actor)
        case .refresh: refresh(actor)
        case .invalidate: invalidate(actor)
        case .reopen:
            cancelWaiting(actor)
            close(actor)
            open(actor)
        case .compact:
            do { _ = try actor.realm?.compact() } catch { say("refused", error) }
        case .copy: copy(actor)
        case .fault: arm(&random)
        case .heal: heal()
        case .clock: torture_move_clock(Int64(random.int(-400_000_000...400_000_000)))
        }
        switch action {
        case .rest, .pass, .drain:
            settle()
            say("state \(state)")
        case .heal: settle()
        // Else its threads stay where they are, in the middle of a commit, say.
        default: if random.once(in: 2) { settle() }
        }
    }

    /// Runs some of what a scheduler has. Other threads may go on between two pieces.
    private func run(_ actor: Actor) {
        for _ in 0..<actor.scheduler.workCount {
            actor.scheduler.runNext()
            SteppedThreads.yield()
        }
    }

    private var environment: Environment? { actors.lazy.compactMap(\.realm).first?.environment }

    /// Lets the library's own threads come to rest, and what this process may hear of others
    /// arrive.
    private func settle() {
        SteppedThreads.settle()
        CommitWatcher.shared.settle()
        SteppedThreads.settle()
    }

    /// What the controller waits for to stay as it is: the turn, and how many schedulers have
    /// work or writes in flight.
    private var state: String {
        let turn = environment.map { "\($0.writeQueueState.grant)" } ?? "closed"
        let busy = actors.count {
            $0.scheduler.workCount > 0 || $0.realm?.isPerformingAsynchronousWriteOperations == true
        }
        return "\(turn) \(busy + (tasks?.isBusy == true ? 1 : 0))"
    }

    /// Lets time pass until no turn is offered, or kept by a group that rests.
    private func pass() {
        settle()
        while let environment, [.offered, .held].contains(environment.writeQueueState.grant),
            environment.passNextDeadline()
        { settle() }
    }

    // MARK: Writes

    static func store(_ write: Int, in realm: Realm) {
        let counter = realm.create(MachineCounter.self, value: ["id": 0], update: .modified)
        realm.create(
            MachineEntry.self,
            value: ["write": write, "order": counter.entries, "text": text(write)])
        counter.entries += 1
    }

    private func ask(_ actor: Actor, _ write: Int, _ random: inout SeededGenerator) {
        guard let realm = actor.realm else { return say("cancelled \(write)") }
        let (cancels, isGrouped) = (
            random.once(in: 8), features.contains(.grouping) && random.once(in: 2)
        )
        let end: ((any Error)?) -> Void = { [unowned self, unowned actor] error in
            actor.waiting[write] = nil
            if let error { say("failed \(write)", error) } else { say("stored \(write)") }
        }
        let block = { [unowned self, unowned actor] in
            actor.waiting[write] = nil
            Self.store(write, in: realm)
            if cancels {
                say("cancelled \(write)")
                realm.cancelWrite()
            } else {
                say("committed \(write)")
            }
        }
        // `beginAsyncWrite` cannot throw: where a call may fail, it may have to end the process.
        if features.contains(.faults) || random.once(in: 2) {
            actor.waiting[write] = realm.writeAsync {
                block()
                if isGrouped, realm.isInWriteTransaction {
                    realm.commitAsyncWrite(allowGrouping: true, end)
                }
            } onComplete: {
                end($0)
            }
        } else {
            actor.waiting[write] = realm.beginAsyncWrite {
                block()
                if realm.isInWriteTransaction {
                    realm.commitAsyncWrite(allowGrouping: isGrouped, end)
                }
            }
        }
    }

    private func writeNow(_ actor: Actor, _ write: Int) {
        guard let realm = actor.realm else { return say("cancelled \(write)") }
        do {
            try realm.write {
                Self.store(write, in: realm)
                say("committed \(write)")
            }
            say("stored \(write)")
        } catch {
            say("failed \(write)", error)
        }
    }

    private func cancel(_ actor: Actor, _ random: inout SeededGenerator) {
        guard let victim = actor.waiting.keys.sorted().randomElement(using: &random),
            let id = actor.waiting[victim]
        else { return }
        do {
            try actor.realm?.cancelAsyncWrite(id)
            actor.waiting[victim] = nil
            say("cancelled \(victim)")
        } catch {
            say("found cancelAsyncWrite fails: \(error)")
        }
    }

    private func cancelWaiting(_ actor: Actor) {
        for (write, id) in actor.waiting.sorted(by: { $0.key < $1.key }) {
            do { try actor.realm?.cancelAsyncWrite(id) } catch {
                say("found cancelAsyncWrite fails: \(error)")
            }
            say("cancelled \(write)")
        }
        actor.waiting = [:]
    }

    // MARK: Reads

    private func entryCount(_ realm: Realm) -> Int { realm.objects(MachineEntry.self).count }

    private func refresh(_ actor: Actor) {
        guard let realm = actor.realm else { return }
        realm.refresh()
        let count = entryCount(realm)
        if count < actor.seen { say("saw \(count) after \(actor.seen)") }
        actor.seen = count
    }

    private func observe(_ actor: Actor) {
        guard let realm = actor.realm else { return }
        actor.told = 0
        actor.token = realm.objects(MachineEntry.self).observe {
            [unowned self, unowned actor] change in
            switch change {
            case .initial(let entries), .update(let entries, _, _, _):
                if entries.count < actor.told { say("saw \(entries.count) after \(actor.told)") }
                actor.told = entries.count
            case .error(let error): say("refused", error)
            }
        }
    }

    private func freeze(_ actor: Actor) {
        guard let realm = actor.realm else { return }
        if actor.frozen.count >= 2 {
            actor.frozen.removeFirst()
        } else {
            actor.frozen.append(realm.freeze())
        }
        for frozen in actor.frozen {
            let counted = frozen.object(ofType: MachineCounter.self, forPrimaryKey: 0)?.entries ?? 0
            if entryCount(frozen) != counted {
                say("found A frozen realm has \(entryCount(frozen)) entries and counts \(counted).")
            }
        }
    }

    private func invalidate(_ actor: Actor) {
        cancelWaiting(actor)
        actor.token = nil
        actor.realm?.invalidate()
    }

    private func copy(_ actor: Actor) {
        let copy = URL(fileURLWithPath: path + ".copy")
        do {
            try actor.realm?.writeCopy(toFile: copy, encryptionKey: configuration.encryptionKey)
            try FileManager.default.removeItem(at: copy)
        } catch {
            say("refused", error)
            try? FileManager.default.removeItem(at: copy)
        }
    }

    // MARK: Faults

    /// A call of one of the next ones of a kind fails, or ends the process.
    private func arm(_ random: inout SeededGenerator) {
        let kind = random.pick(Fault.Kind.allCases)
        let number = Int64(random.int(1...8))
        let dies = features.contains(.deaths) && (!features.contains(.faults) || random.once(in: 2))
        let isSticky = random.once(in: 3)
        let error = random.pick(kind.errors)
        let death = features.contains(.power) && random.once(in: 2) ? Fault.power : Fault.death
        say(
            """
            armed \(kind) \(number) \
            \(dies ? (death == Fault.power ? "power death" : "death") : "\(error)")
            """
        )
        torture_arm_fault(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, kind.rawValue, number,
            dies ? death : error,
            isSticky ? 1 : 0)
    }

    private func heal() {
        _ = torture_disarm_fault()
        // A database that is closed to writing since a failure is opened again by closing all
        // of its realms.
        for actor in actors {
            cancelWaiting(actor)
            actor.token = nil
        }
        tasks?.cancelAll()
        runEverything()
        for actor in actors { close(actor) }
        tasks?.close()
        runEverything()
        say("healed")
        for actor in actors { open(actor) }
        tasks?.open()
        for actor in actors where actor.realm == nil {
            say("found A realm does not open after the faults have ended.")
        }
    }

    private func runEverything() {
        for _ in 0..<2 {
            settle()
            for actor in actors { actor.scheduler.runAll() }
            tasks?.runAll()
        }
        settle()
    }
}
