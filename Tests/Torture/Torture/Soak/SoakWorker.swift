import ArgumentParser
import Dispatch
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import FreeholdWorkload

/// One of the processes of a soak: writers of each kind, readers, observers, checks, and a file
/// of its own that is compacted.
struct SoakWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak-worker", shouldDisplay: false)

    @Argument var directory: String
    @Option var number: Int
    @Option var deadline: UInt64
    @Option var seed: UInt64

    func run() async throws {
        let worker = SoakWorker(
            files: SoakFiles(directory: directory), number: number, deadline: deadline,
            seed: seed &+ UInt64(number) &* 104_729)
        try await awaitThread { try worker.run() }
        worker.tell()
    }
}

final class SoakWorker: Sendable {
    private let files: SoakFiles
    private let number: Int
    private let deadline: UInt64
    private let seed: UInt64
    private struct Tally {
        var acknowledged: [String: [Int: Int]] = [:]
        var counts: [String: Int] = [:]
    }
    private let tally = Locked(Tally())

    init(files: SoakFiles, number: Int, deadline: UInt64, seed: UInt64) {
        (self.files, self.number, self.deadline, self.seed) = (files, number, deadline, seed)
    }

    private var isOver: Bool { machineNanoseconds() >= deadline }

    private func count(_ name: String) { tally.withLock { $0.counts[name, default: 0] += 1 } }

    private func acknowledge(_ name: String, _ writer: Int, _ transaction: Int) {
        tally.withLock {
            $0.acknowledged[name, default: [:]][writer] = max(
                transaction, $0.acknowledged[name]?[writer] ?? 0)
        }
    }

    private func find(_ text: String) { SpawnedProcess.say(text.replacing("\n", with: " ")) }

    func tell() {
        let tally = tally.withLock { $0 }
        for (name, writers) in tally.acknowledged {
            for (writer, last) in writers {
                SpawnedProcess.say("acknowledged \(name) \(writer) \(last)")
            }
        }
        for (name, count) in tally.counts { SpawnedProcess.say("count \(name) \(count)") }
    }

    func run() throws {
        // The records that are kept decrypted would grow up to 64 MiB, which hides what grows
        // without end. Realms share what is open.
        var options = Environment.Options(
            path: files.path("encrypted"), hooks: TestHooks { $0.recordCacheSize = 2 << 20 })
        options.encryptionKey = EncryptionKey(Realm.Configuration.limitKey)
        let encrypted = try Environment.open(options)
        defer { withExtendedLifetime(encrypted) {} }
        let bodies = files.shared.enumerated().flatMap {
            index, name -> [@Sendable () throws -> Void] in
            let first = number * 100 + index * 10
            return [
                { try self.write(name, first) }, { try self.writeOnQueues(name, first + 1) },
                { self.writeInActors(name, first + 2) },
                { try self.read(name, first + 3) }, { try self.observe(name, first + 4) },
            ]
        }
        try runThreads(bodies + [{ try self.compact() }])
    }

    /// A thread's realm, opened again now and then.
    private func write(_ name: String, _ writer: Int) throws {
        while !isOver {
            let realm = try Realm(configuration: files.configuration(name))
            for _ in 0..<40 where !isOver {
                let transaction = try realm.write { Workload.change(realm, writer) }
                acknowledge(name, writer, transaction)
                count("writes")
            }
        }
    }

    private func writeOnQueues(_ name: String, _ writer: Int) throws {
        var random = SeededGenerator(seed: seed &+ UInt64(writer))
        while !isOver {
            let queue = DispatchQueue(label: "soak \(writer)")
            let group = DispatchGroup()
            let isGrouped = random.once(in: 2)
            try queue.sync {
                let realm = try Realm(configuration: files.configuration(name), queue: queue)
                for _ in 0..<20 {
                    group.enter()
                    realm.beginAsyncWrite {
                        let transaction = Workload.change(realm, writer)
                        realm.commitAsyncWrite(allowGrouping: isGrouped) { error in
                            if let error {
                                self.find("An asynchronous write fails: \(error)")
                            } else {
                                self.acknowledge(name, writer, transaction)
                            }
                            self.count("asynchronous-writes")
                            group.leave()
                        }
                    }
                }
            }
            group.wait()
        }
    }

    private actor Home {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func write(_ writer: Int) async throws -> Int {
            guard let realm else { return 0 }
            return try await realm.asyncWrite { Workload.change(realm, writer) }
        }
    }

    private func writeInActors(_ name: String, _ writer: Int) {
        let done = DispatchSemaphore(value: 0)
        Task {
            do {
                while !isOver {
                    let home = Home()
                    try await home.open(files.configuration(name))
                    for _ in 0..<10 {
                        let victim = Task { try await home.write(writer) }
                        victim.cancel()
                        acknowledge(name, writer, try await home.write(writer))
                        _ = try? await victim.value
                        count("task-writes")
                    }
                }
            } catch {
                find("A task's write fails: \(error)")
            }
            done.signal()
        }
        done.wait()
    }

    /// Queries, frozen values that are kept for a while and read on other threads, references,
    /// checks.
    private func read(_ name: String, _ reader: Int) throws {
        var random = SeededGenerator(seed: seed &+ UInt64(reader))
        var kept: [(parts: Frozen<Results<Workload.Part>>, count: Int)] = []
        var realm = try Realm(configuration: files.configuration(name))
        while !isOver {
            realm.refresh()
            switch random.int(0...60) {
            case 0:
                // Of a version that does not move.
                for problem in try Workload.problems(realm.freeze(), acknowledged: [:]) {
                    find("\(name): \(problem)")
                }
                count("checks")
            case 1: realm = try Realm(configuration: files.configuration(name))
            case 2...12:
                let parts = Frozen(realm.objects(Workload.Part.self))
                kept.append((parts, parts.count))
                if kept.count > 6 { kept.remove(at: random.int(0...5)) }
            case 13...20:
                guard let one = kept.randomElement(using: &random) else { continue }
                if one.parts.count != one.count
                    || one.parts.reduce(0, { total, _ in total + 1 }) != one.count
                {
                    find("\(name): a frozen version has changed.")
                }
            case 21...30:
                guard let part = realm.objects(Workload.Part.self).first else { continue }
                let reference = ThreadSafeReference(to: part)
                if random.once(in: 3) { continue }
                try runThreads(1) { _ in
                    _ = try Realm(configuration: self.files.configuration(name)).resolve(reference)?
                        .number
                }
            default:
                for last in realm.objects(Workload.Last.self) {
                    let parts = realm.objects(Workload.Part.self).where { $0.writer == last.writer }
                    let expected =
                        min(last.number, Workload.keptTransactions) * Workload.partsOfATransaction
                    if parts.count != expected || last.parts.count != expected {
                        find(
                            """
                            \(name): writer \(last.writer) has \(parts.count) parts, not \
                            \(expected).
                            """
                        )
                    }
                }
            }
            count("reads")
        }
    }

    /// Observers that come and go, on queues; the last that each is told is what there is.
    private func observe(_ name: String, _ observer: Int) throws {
        while !isOver {
            let queue = DispatchQueue(label: "soak \(observer)")
            let told = Locked(0)
            var tokens: [NotificationToken] = []
            try queue.sync {
                let realm = try Realm(configuration: files.configuration(name), queue: queue)
                tokens = [
                    realm.objects(Workload.Last.self).observe { _ in
                        told.withLock { $0 += 1 }
                        self.count("notifications")
                    },
                    realm.objects(Workload.Part.self).sorted(by: \.number).observe { _ in
                        self.count("notifications")
                    },
                    realm.observe { _, _ in self.count("notifications") },
                ]
            }
            let begin = Date()
            while !isOver, Date().timeIntervalSince(begin) < 0.5 { usleep(5_000) }
            if told.withLock({ $0 }) == 0, Date().timeIntervalSince(begin) > 10 {
                find("\(name): an observer was told nothing.")
            }
            queue.sync {
                for token in tokens { token.invalidate() }
                tokens = []
            }
        }
    }

    /// A file that this process has for itself: it grows, shrinks and is compacted beside a
    /// frozen value and an observer.
    private func compact() throws {
        let name = "own-\(number)"
        let configuration = files.configuration(name)
        var round = 0
        while !isOver {
            round += 1
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            let token = realm.objects(Workload.Last.self).observe { _ in self.count("notifications")
            }
            var frozen: Realm?
            for _ in 0..<30 where !isOver {
                let transaction = try realm.write { Workload.change(realm, 0) }
                acknowledge(name, 0, transaction)
                if round % 3 == 0 { frozen = realm.freeze() }
                if round % 2 == 0 { scheduler.runAll() }
            }
            _ = try realm.compact()
            count("compactions")
            if let frozen, frozen.objects(Workload.Part.self).isEmpty {
                find("A frozen version was empty after a compaction.")
            }
            for problem in try Workload.problems(realm, acknowledged: [:]) where round % 8 == 0 {
                find("\(name): \(problem)")
            }
            token.invalidate()
        }
    }
}
