import Dispatch
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// What all participants need.
struct HistoryRun: Sendable {
    let configuration: Realm.Configuration
    let directory: String
    let seed: UInt64
    let deadline: UInt64

    var isOver: Bool { machineNanoseconds() >= deadline }

    func find(_ text: String) { SpawnedProcess.say("found \(text)") }
}

/// One who reads and writes, and records it: its realm, its records and what it keeps.
final class HistoryParticipant {
    let number: Int
    private let run: HistoryRun
    private let writer: HistoryWriter
    var random: SeededGenerator
    private var kept: [(realm: Realm, begin: UInt64)] = []

    init(_ number: Int, _ run: HistoryRun) {
        self.number = number
        self.run = run
        writer = HistoryWriter("\(run.directory)/\(number).history")
        random = SeededGenerator(seed: run.seed &+ UInt64(number) &* 7_919)
    }

    func look(_ realm: Realm, _ kind: HistoryRecord.Kind, since begin: UInt64) {
        let (seen, digest, own, problem) = HistoryData.look(realm, number)
        if let problem { run.find("Participant \(number), \(kind): \(problem)") }
        writer.add(
            HistoryRecord(
                kind: kind, begin: begin, end: machineNanoseconds(), number: seen, digest: digest,
                own: own))
    }

    func acknowledge(_ transaction: UInt64, since begin: UInt64) {
        writer.add(
            HistoryRecord(
                kind: .commit, begin: begin, end: machineNanoseconds(), number: transaction,
                digest: 0, own: 0))
    }

    /// Something other than a write.
    func readSomething(_ realm: Realm) {
        let begin = machineNanoseconds()
        switch random.int(0...9) {
        case 0:
            kept.append((realm.freeze(), begin))
            if let last = kept.last { look(last.realm, .frozen, since: begin) }
            if kept.count > 4 { lookAgain(kept.removeFirst()) }
        case 1:
            if let one = kept.randomElement(using: &random) { lookAgain(one) }
        case 2...5: look(realm, .read, since: begin)
        default:
            realm.refresh()
            look(realm, .fresh, since: begin)
        }
    }

    private func lookAgain(_ one: (realm: Realm, begin: UInt64)) {
        look(one.realm, .again, since: one.begin)
    }

    func finish() {
        for one in kept { lookAgain(one) }
        kept = []
        writer.close()
    }
}

extension HistoryRun {
    /// A thread with `write`.
    func runThread(_ number: Int) throws {
        let participant = HistoryParticipant(number, self)
        let realm = try Realm(configuration: configuration)
        while !isOver {
            if participant.random.once(in: 4) {
                let begin = machineNanoseconds()
                let transaction = try realm.write {
                    HistoryData.change(realm, number, &participant.random)
                }
                participant.acknowledge(transaction, since: begin)
                participant.look(realm, .read, since: begin)
            } else {
                participant.readSomething(realm)
            }
        }
        participant.finish()
    }

    /// A serial queue with asynchronous writes, some of them in groups.
    func runQueue(_ number: Int) throws {
        let queue = DispatchQueue(label: "history \(number)")
        let group = DispatchGroup()
        nonisolated(unsafe) var participant: HistoryParticipant?
        nonisolated(unsafe) var realm: Realm?
        try queue.sync {
            participant = HistoryParticipant(number, self)
            realm = try Realm(configuration: configuration, queue: queue)
        }
        while !isOver {
            queue.sync {
                guard let participant, let realm else { return }
                for _ in 0..<participant.random.int(1...3) {
                    let begin = machineNanoseconds()
                    group.enter()
                    let isGrouped = participant.random.once(in: 2)
                    realm.beginAsyncWrite {
                        let transaction = HistoryData.change(realm, number, &participant.random)
                        if participant.random.once(in: 12) {
                            realm.cancelWrite()
                            return group.leave()
                        }
                        realm.commitAsyncWrite(allowGrouping: isGrouped) { error in
                            if let error { find("An asynchronous write fails: \(error)") }
                            participant.acknowledge(transaction, since: begin)
                            group.leave()
                        }
                    }
                }
            }
            group.wait()
            queue.sync {
                guard let participant, let realm else { return }
                for _ in 0..<participant.random.int(1...6) { participant.readSomething(realm) }
            }
        }
        queue.sync {
            participant?.finish()
            (participant, realm) = (nil, nil)
        }
    }

    private actor Home {
        private let participant: HistoryParticipant
        private let run: HistoryRun
        private var realm: Realm?
        /// How many writes have begun and not ended.
        private(set) var writing = 0

        init(_ number: Int, _ run: HistoryRun) {
            participant = HistoryParticipant(number, run)
            self.run = run
        }

        func open() async throws { realm = try await Realm.open(configuration: run.configuration) }

        func write() async throws {
            guard let realm else { return }
            writing += 1
            defer { writing -= 1 }
            let begin = machineNanoseconds()
            let transaction = try await realm.asyncWrite {
                HistoryData.change(realm, participant.number, &participant.random)
            }
            participant.acknowledge(transaction, since: begin)
        }

        func read() { if let realm { participant.readSomething(realm) } }

        func finish() {
            participant.finish()
            realm = nil
        }
    }

    /// An actor with several `asyncWrite`s at once.
    func runActor(_ number: Int) async throws {
        let home = Home(number, self)
        try await home.open()
        var round = 0
        while !isOver {
            round += 1
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { try await home.write() } }
                for _ in 0..<4 { group.addTask { await home.read() } }
                // At times until the last of them is done: while it waits for its turn, runs,
                // and is on its way to the disk.
                if round % 4 == 0 {
                    group.addTask {
                        while await home.writing > 0 {
                            await home.read()
                            await Task.yield()
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        await home.finish()
    }
}
