import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// F17: realms on schedulers that are stepped in an order that the seed chooses. One thread;
/// after each step the library's own threads come to rest, so a seed replays.
struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract:
            """
            Asynchronous writes, cancellations, failing commits and closings on schedulers \
            that are stepped by seeds.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How many seeds, from the first one on.") var seeds = 100
    @Option(help: "How many steps a seed takes.") var steps = 150

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let report = try TortureReport("simulate", options)
        for offset in 0..<UInt64(seeds) {
            let simulation = try Simulation(
                seed: report.seed &+ offset, path: report.path("\(offset).realm"), report: report)
            try simulation.run(steps: steps)
            if report.hasFindings { break }
        }
        try report.finish()
    }
}

/// An entry that a write made, in the order of transactions.
final class SimulatedEntry: Object {
    @Persisted(primaryKey: true) var write = 0
    @Persisted(indexed: true) var order = 0
}

/// One seed.
final class Simulation {
    /// A write, from the call that asks for it to its completion.
    private struct Write {
        let actor: Int
        var id: UInt32 = 0
        var runs = 0
        /// Committed in memory; the number says which commit of its realm.
        var commit: Int?
        /// Cancelled before it ran, inside of its block, or by the end of the realm.
        var isCancelled = false
        /// Its completion was taken away.
        var isSilent = false
        var completions = 0
        var error: (any Error)?
    }

    /// A virtual thread with its realm.
    private final class Actor {
        let scheduler = ManualScheduler()
        var realm: Realm
        var token: NotificationToken?
        var toldLast = 0
        var completed = 0

        init(_ configuration: Realm.Configuration) throws {
            realm = try Realm(configuration: configuration, scheduler: scheduler)
        }
    }

    private let seed: UInt64
    private let report: TortureReport
    private let configuration: Realm.Configuration
    private let store: Store
    private var random: SeededGenerator
    private var actors: [Actor] = []
    private var writes: [Write] = []
    private var commits = 0
    private var frozen: [Realm] = []
    /// Whether so many versions were alive that a commit may have failed.
    private var wasFull = false
    private static let versionLimit = 12

    init(seed: UInt64, path: String, report: TortureReport) throws {
        self.seed = seed
        self.report = report
        random = SeededGenerator(seed: seed)
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [SimulatedEntry.self])
        configuration.durability = .none
        // Versions that are held make commits fail.
        configuration.maximumNumberOfActiveVersions = UInt(Self.versionLimit)
        self.configuration = configuration
        let first = try Realm(configuration: configuration)
        var options = Store.Options(path: path)
        options.durability = .none
        store = try Store.open(options)
        // What follows depends on the seed, and not on how long a step takes.
        store.environment.stepDeadlinesByHand()
        for _ in 0..<4 { actors.append(try Actor(configuration)) }
        withExtendedLifetime(first) {}
    }

    private func find(_ text: String) {
        report.find(
            "\(text) Replay: FREEHOLD_SEED=\(seed) Tests/torture simulate --seeds 1")
    }

    func run(steps: Int) throws {
        for _ in 0..<steps {
            try step()
            settle()
            try check()
            if report.hasFindings { return }
        }
        try finish()
    }

    /// Waits until the writer thread and the notifier have nothing to do, so that what follows
    /// depends on the seed alone.
    private func settle() {
        for _ in 0..<2 {
            store.environment.waitForWriterThread()
            actors[0].realm.waitForNotifier()
        }
    }

    private func step() throws {
        let number = random.int(0...actors.count - 1)
        let actor = actors[number]
        switch random.int(0...19) {
        case 0...6: ask(number)
        case 7...13: actor.scheduler.runNext()
        case 14:
            // Whatever of this realm's writes has not completed.
            let open = writes.indices.filter {
                writes[$0].actor == number && writes[$0].completions == 0 && !writes[$0].isCancelled
                    && !writes[$0].isSilent && writes[$0].error == nil
            }
            guard let victim = open.randomElement(using: &random) else { return }
            try actor.realm.cancelAsyncWrite(writes[victim].id)
            if writes[victim].commit == nil {
                writes[victim].isCancelled = true
            } else {
                writes[victim].isSilent = true
            }
        case 15:
            if frozen.count < 3 {
                frozen.append(actor.realm.freeze())
            } else {
                frozen.removeFirst()
            }
        case 16:
            actor.realm.refresh()
            // Nothing is on its way, so this is all that was committed, and what the realm has
            // committed in memory.
            let (seen, there) = (
                entryCount(actor.realm), entryCount(try Realm(configuration: configuration))
            )
            if seen < there { find("A realm was refreshed and has \(seen) entries, of \(there).") }
        case 17:
            for index in writes.indices
            where writes[index].actor == number && writes[index].commit == nil
                && writes[index].runs == 0
            { writes[index].isCancelled = true }
            actor.token = nil
            actor.realm.invalidate()
            report.add("invalidations")
        case 18:
            actor.toldLast = 0
            actor.token = actor.realm.objects(SimulatedEntry.self).observe {
                [unowned self, unowned actor] change in
                guard case .update(let entries, _, _, _) = change else { return }
                let told = entries.count
                if told < actor.toldLast {
                    find("An observer was notified of \(told) entries after \(actor.toldLast).")
                }
                actor.toldLast = told
                report.add("notifications")
            }
        default:
            // The realm goes, with writes in flight; another one of the same scheduler comes.
            actor.token = nil
            actor.realm = try Realm(configuration: configuration)
            actor.realm = try Realm(configuration: configuration, scheduler: actor.scheduler)
        }
        report.add("steps")
    }

    private func entryCount(_ realm: Realm) -> Int { realm.objects(SimulatedEntry.self).count }

    private func ask(_ number: Int) {
        let write = writes.count
        writes.append(Write(actor: number))
        let actor = actors[number]
        let realm = actor.realm
        let (cancels, isGrouped) = (random.once(in: 6), random.once(in: 2))
        writes[write].id = realm.beginAsyncWrite { [unowned self] in
            writes[write].runs += 1
            if writes[write].isCancelled { find("Write \(write) runs, though it was cancelled.") }
            realm.create(
                SimulatedEntry.self,
                value: [
                    "write": write,
                    "order": (realm.objects(SimulatedEntry.self).max(of: \.order) ?? 0) + 1,
                ])
            if cancels {
                writes[write].isCancelled = true
                return realm.cancelWrite()
            }
            commits += 1
            writes[write].commit = commits
            writes[write].id = realm.commitAsyncWrite(allowGrouping: isGrouped) {
                [unowned self] error in complete(write, error)
            }
        }
    }

    private func complete(_ write: Int, _ error: (any Error)?) {
        writes[write].completions += 1
        writes[write].error = error
        report.add(error == nil ? "completions" : "failed commits")
        if writes[write].isSilent {
            find("Write \(write) completes, though its completion was cancelled.")
        }
        guard let commit = writes[write].commit else {
            return find("Write \(write) completes without a commit.")
        }
        let actor = actors[writes[write].actor]
        if commit <= actor.completed { find("Write \(write) completes out of order.") }
        actor.completed = commit
        if let error, (error as? Realm.Error)?.code != .tooManyReaders {
            find("Write \(write) fails: \(error)")
        }
    }

    private func check() throws {
        let newest = try store.environment.read().version
        if newest - min(newest, store.environment.readerPins.first?.version ?? newest) + 1
            >= Self.versionLimit
        {
            wasFull = true
        }
        for (number, write) in writes.enumerated() {
            if write.runs > 1 { find("Write \(number) ran \(write.runs) times.") }
            if write.completions > 1 {
                find("Write \(number) completed \(write.completions) times.")
            }
        }
    }

    /// Lets everything end; then the file has what was committed, in its order, and nothing else.
    private func finish() throws {
        frozen = []
        for round in 0...2_000 {
            settle()
            let isDone = actors.map { $0.scheduler.runNext() }.allSatisfy { !$0 }
            if isDone, actors.allSatisfy({ !$0.realm.isPerformingAsynchronousWriteOperations }) {
                break
            }
            if round == 2_000 {
                return find(
                    """
                    It does not come to rest: \
                    \(writes.count { $0.completions == 0 && !$0.isCancelled }) writes are \
                    open.
                    """
                )
            }
        }
        let realm = actors[0].realm
        realm.refresh()
        let there = realm.objects(SimulatedEntry.self).sorted(by: \.order).map(\.write)
        // A commit that fails takes its group along, of which some, or all, may be silent:
        // these are unknown.
        let failed = wasFull || writes.contains { $0.error != nil }
        let expected = writes.indices.filter {
            writes[$0].commit != nil && writes[$0].error == nil
                && (writes[$0].completions == 1 || writes[$0].isSilent)
        }
        .sorted { writes[$0].commit ?? 0 < writes[$1].commit ?? 0 }
        let known =
            failed ? expected.filter { !writes[$0].isSilent || there.contains($0) } : expected
        if Array(there) != known {
            find("In the file are the entries of the writes \(Array(there)), and not of \(known).")
        }
        for (number, write) in writes.enumerated()
        where write.completions == 0 && !write.isCancelled && !write.isSilent {
            find("Write \(number) was lost: it ran \(write.runs) times, and never completed.")
        }
        for problem in try realm.check() { find(problem) }
        for actor in actors { actor.token = nil }
        report.add("writes", writes.count)
    }
}
