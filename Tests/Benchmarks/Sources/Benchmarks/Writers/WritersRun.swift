import Foundation
import Freehold

/// A counter of `--writers`; each writer has its own.
final class WriterCounter: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var count: Int
}

/// A work of `--writers` with a file of its own: throughput, fairness and memory of many writers.
struct WritersRun {
    let file: URL

    private var configuration: Realm.Configuration { Self.configuration(file) }

    private static func configuration(_ file: URL) -> Realm.Configuration {
        Realm.Configuration(fileURL: file, objectTypes: [WriterCounter.self])
    }

    /// Begins with a file in which each writer has a counter.
    private func makeFile(writers: Int) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for id in 0..<writers { realm.create(WriterCounter.self, value: [id, 0]) }
        }
    }

    private func expectCounts(_ expected: Int) throws {
        let sum = try Realm(configuration: configuration).objects(WriterCounter.self)
            .sum(of: \.count)
        precondition(sum == expected, "\(sum) writes of \(expected) are in the file")
    }

    // MARK: Actors

    /// Each actor has as many `asyncWrite`s in flight.
    func actors(_ count: Int, each: Int) throws -> WritersResult {
        try makeFile(writers: count)
        let configuration = configuration
        let clock = ContinuousClock()
        let (waits, done) = (Waits(), DispatchSemaphore(value: 0))
        let before = ResidentMemory.ownBytes() ?? 0
        let sampler = MemorySampler()
        Task {
            var writers: [WritingActor] = []
            for id in 0..<count { writers.append(try await WritingActor(id, configuration)) }
            waits.begin(clock.now)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in writers { group.addTask { try await writer.write(each, waits) } }
                try await group.waitForAll()
            }
            waits.end(clock.now)
            done.signal()
        }
        done.wait()
        let memory = sampler.end() - before
        try expectCounts(count * each)
        return WritersResult(
            name: "actors", writers: count, seconds: waits.seconds, waits: waits.all,
            memory: max(0, memory))
    }

    // MARK: Realms

    /// Realms of one process, each on a queue of its own, which write at once.
    func realms(_ count: Int, each: Int) throws -> WritersResult {
        try makeFile(writers: count)
        let before = ResidentMemory.ownBytes() ?? 0
        let queues = (0..<count).map { DispatchQueue(label: "writer \($0)") }
        let realms = Realms()
        for queue in queues {
            try queue.sync {
                realms.add(try Realm(configuration: configuration, queue: queue))
            }
        }
        let memory = (ResidentMemory.ownBytes() ?? 0) - before
        let clock = ContinuousClock()
        let waits = Waits()
        let done = DispatchGroup()
        waits.begin(clock.now)
        for (id, queue) in queues.enumerated() {
            for _ in 0..<each {
                done.enter()
                let asked = clock.now
                queue.async {
                    let realm = realms[id]
                    realm.writeAsync {
                        realm.object(ofType: WriterCounter.self, forPrimaryKey: id)!.count += 1
                    } onComplete: { error in
                        precondition(error == nil)
                        waits.add((clock.now - asked) / .seconds(1))
                        done.leave()
                    }
                }
            }
        }
        done.wait()
        waits.end(clock.now)
        for (id, queue) in queues.enumerated() { queue.sync { realms.remove(id) } }
        try expectCounts(count * each)
        return WritersResult(
            name: "realms", writers: count, seconds: waits.seconds, waits: waits.all,
            memory: max(0, memory))
    }

    // MARK: Processes

    /// Processes that write synchronously, all at once.
    func processes(_ count: Int, each: Int) throws -> WritersResult {
        try makeFile(writers: count)
        let clock = ContinuousClock()
        var children: [(process: Process, input: Pipe, output: Pipe)] = []
        for id in 0..<count {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
                .resolvingSymlinksInPath()
            process.arguments = ["--write-as", "\(id)", "\(each)", file.path]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            children.append((process, input, output))
        }
        // Each says that it has opened the file.
        for child in children { _ = child.output.fileHandleForReading.availableData }
        let start = clock.now
        for child in children { try child.input.fileHandleForWriting.close() }
        var waits: [Double] = []
        for child in children {
            let data = child.output.fileHandleForReading.readDataToEndOfFile()
            waits += try JSONDecoder().decode([Double].self, from: data)
            child.process.waitUntilExit()
        }
        let seconds = (clock.now - start) / .seconds(1)
        try expectCounts(count * each)
        return WritersResult(
            name: "processes", writers: count, seconds: seconds, waits: waits, memory: nil)
    }

    /// What each of these processes does.
    static func write(as id: Int, times: Int, to path: String) throws {
        let realm = try Realm(configuration: configuration(URL(fileURLWithPath: path)))
        let counter = realm.object(ofType: WriterCounter.self, forPrimaryKey: id)!
        print("ready")
        fflush(nil)
        _ = FileHandle.standardInput.readDataToEndOfFile()
        var waits: [Double] = []
        for _ in 0..<times {
            waits.append(try nanoseconds(per: 1) { try realm.write { counter.count += 1 } } / 1e9)
        }
        FileHandle.standardOutput.write(try JSONEncoder().encode(waits))
    }
}

/// An actor with a realm.
private actor WritingActor {
    private let id: Int
    private let configuration: Realm.Configuration
    private var realm: Realm?

    init(_ id: Int, _ configuration: Realm.Configuration) async throws {
        self.id = id
        self.configuration = configuration
        try await open()
    }

    private func open() async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    func write(_ count: Int, _ waits: Waits) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { try await self.writeOnce(waits) } }
            while try await group.next() != nil {}
        }
    }

    private func writeOnce(_ waits: Waits) async throws {
        guard let realm else { preconditionFailure("opened by the initialiser") }
        let clock = ContinuousClock()
        let start = clock.now
        let id = id
        try await realm.asyncWrite {
            realm.object(ofType: WriterCounter.self, forPrimaryKey: id)!.count += 1
        }
        waits.add((clock.now - start) / .seconds(1))
    }
}
