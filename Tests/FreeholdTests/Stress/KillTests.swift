import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// A process that writes in every way is killed, again and again on one file. Each time the file opens afterwards, is sound, has every transaction that
/// was acknowledged, and none in part.
///
/// The process says so for each write that has returned, or whose completion was called, through a pipe, which keeps what was said when the process
/// is gone. It is killed after a random number of these, so anywhere in whatever it does then.
///
/// A longer run: `FREEHOLD_STRESS=20 Tests/run --filter KillTests`.
@Suite struct KillTests {
    /// A transaction makes three of these, with one number.
    final class Part: Object {
        @Persisted(primaryKey: true) var name = ""
        @Persisted(indexed: true) var writer = 0
        @Persisted var number = 0
        @Persisted var text = ""
    }

    /// The number of the last transaction of a writer.
    final class Last: Object {
        @Persisted(primaryKey: true) var writer = 0
        @Persisted var number = 0
    }

    private static let kills = 10 * (ProcessInfo.processInfo.environment["FREEHOLD_STRESS"].flatMap(Int.init) ?? 1)
    private static let writers = 4
    private static let parts = 3

    private static func configuration(_ path: String) -> Realm.Configuration {
        Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Part.self, Last.self])
    }

    // MARK: The process that is killed

    /// In a write: the writer's next transaction. Returns its number.
    private static func change(_ realm: Realm, _ writer: Int) -> Int {
        let last = realm.object(ofType: Last.self, forPrimaryKey: writer) ?? realm.create(Last.self, value: ["writer": writer])
        last.number += 1
        for part in 0..<parts {
            realm.create(Part.self, value: [
                "name": name(writer, last.number, part), "writer": writer, "number": last.number, "text": text(writer, last.number, part),
            ])
        }
        return last.number
    }

    private static func name(_ writer: Int, _ number: Int, _ part: Int) -> String { "\(writer).\(number).\(part)" }

    /// Of any length: within a cluster, and in pages of its own.
    private static func text(_ writer: Int, _ number: Int, _ part: Int) -> String {
        String(repeating: "\(number) ", count: (number * 7 + writer * 3 + part * 31) % 300)
    }

    /// Says things through a pipe: one line with one call, which comes whole or not at all.
    private struct Reporter: Sendable {
        let descriptor: Int32

        func say(_ line: String) {
            let bytes = Array((line + "\n").utf8)
            precondition(write(descriptor, bytes, bytes.count) == bytes.count, "The pipe takes nothing more.")
        }

        func acknowledge(_ writer: Int, _ number: Int) { say("\(writer) \(number)") }
    }

    /// Writes one after the other, each in the completion of the one before.
    private static func writeOnAndOn(_ realm: Realm, _ writer: Int, _ reporter: Reporter) {
        var number = 0
        realm.writeAsync {
            number = change(realm, writer)
        } onComplete: { error in
            precondition(error == nil, "\(error.debugDescription)")
            reporter.acknowledge(writer, number)
            writeOnAndOn(realm, writer, reporter)
        }
    }

    private actor Home {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws { realm = try await Realm.open(configuration: configuration) }

        func write(_ writer: Int) async throws -> Int {
            guard let realm else { return 0 }
            return try await realm.asyncWrite { KillTests.change(realm, writer) }
        }
    }

    /// Writes until it is killed: a thread with `write`, a queue with `writeAsync`, two tasks of an actor with `asyncWrite`.
    private static func writeUntilKilled(_ path: String, _ pipe: String) async throws {
        let descriptor = open(pipe, O_WRONLY)
        try #require(descriptor >= 0)
        let reporter = Reporter(descriptor: descriptor)
        reporter.say("\(getpid())")
        Thread.detachNewThread {
            do {
                let realm = try Realm(configuration: configuration(path))
                while true { reporter.acknowledge(0, try realm.write { change(realm, 0) }) }
            } catch {
                fatalError("\(error)")
            }
        }
        let queue = DispatchQueue(label: "killed")
        queue.async {
            do {
                writeOnAndOn(try Realm(configuration: configuration(path), queue: queue), 1, reporter)
            } catch {
                fatalError("\(error)")
            }
        }
        let home = Home()
        try await home.open(configuration(path))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 2..<writers {
                group.addTask {
                    while true { reporter.acknowledge(writer, try await home.write(writer)) }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Afterwards

    /// Reads what the process says, until it is over, and kills it after some of that. Returns the last number of each writer.
    private static func listen(_ descriptor: Int32, killAfter limit: Int) -> [Int: Int] {
        var process: pid_t?
        var acknowledged: [Int: Int] = [:]
        var count = 0
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let length = read(descriptor, &buffer, buffer.count)
            if length < 0, errno == EINTR { continue }
            if length <= 0 { return acknowledged }
            pending += buffer[..<length]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let numbers = String(decoding: pending[..<end], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
                pending.removeFirst(end + 1)
                if numbers.count == 2 {
                    acknowledged[numbers[0]] = numbers[1]
                    count += 1
                } else if let first = numbers.first {
                    process = pid_t(first)
                }
            }
            if count >= limit, let victim = process.take() { kill(victim, SIGKILL) }
        }
    }

    @Test func whatWasAcknowledgedSurvivesAKill() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let pipe = directory.file("pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        for round in 0..<Self.kills {
            // A file that another process keeps open is not opened anew, and not recovered in the same way.
            let kept = Bool.random(using: &random) && round > 0 ? try onNewThread { Frozen(try Realm(configuration: Self.configuration(path)).objects(Last.self)) } : nil
            let reading = open(pipe, O_RDONLY | O_NONBLOCK)
            // Until this one is closed, too, the pipe does not end.
            let writing = open(pipe, O_WRONLY)
            try #require(reading >= 0 && writing >= 0 && fcntl(reading, F_SETFL, 0) == 0)
            let limit = Int.random(in: 1...300, using: &random)
            async let heard = onThreadsOfTheirOwn { Self.listen(reading, killAfter: limit) }
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, pipe = pipe as String] in
                try await KillTests.writeUntilKilled(path, pipe)
            }
            close(writing)
            let acknowledged = try await heard
            close(reading)
            #expect(acknowledged.values.reduce(0, +) > 0)
            let problems = try onNewThread { try Self.problems(path, acknowledged) }
            #expect(problems == [], "seed \(seed), kill \(round); the file is kept at \(path)")
            if !problems.isEmpty { return }
            withExtendedLifetime(kept) {}
        }
        directory.delete()
    }

    /// What is wrong with the file.
    private static func problems(_ path: String, _ acknowledged: [Int: Int]) throws -> [String] {
        let realm = try Realm(configuration: configuration(path))
        var problems = try realm.check()
        for writer in 0..<writers {
            let last = realm.object(ofType: Last.self, forPrimaryKey: writer)?.number ?? 0
            if last < acknowledged[writer] ?? 0 { problems.append("Writer \(writer) lost what was acknowledged after transaction \(last).") }
            let count = realm.objects(Part.self).where { $0.writer == writer }.count
            if count != last * parts { problems.append("Writer \(writer) has \(count) parts of \(last) transactions.") }
            for number in stride(from: 1, through: last, by: 1) {
                for part in 0..<parts where realm.object(ofType: Part.self, forPrimaryKey: name(writer, number, part))?.text != text(writer, number, part) {
                    problems.append("Part \(part) of transaction \(number) of writer \(writer) is missing or wrong.")
                }
            }
        }
        return problems
    }
}
