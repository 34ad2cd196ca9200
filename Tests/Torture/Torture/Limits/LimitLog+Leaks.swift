import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import Glibc

/// Realms that come and go.
extension LimitLog {
    /// What the process has must come down to what it had; threads that end and closings on
    /// other threads take their time.
    func settle(to before: ProcessFigures?, _ what: String, slack: Int) {
        guard let before else { return find("The figures of the process cannot be read.") }
        let deadline = Date() + 20
        // Run loops, which Foundation makes for threads of queues, have descriptors of their
        // own; ours lead to files.
        while Date() < deadline, !ProcessFigures.openFiles(in: directory).isEmpty { usleep(20_000) }
        let files = ProcessFigures.openFiles(in: directory)
        expect(files.isEmpty, "After \(what) these files are open: \(files)")
        guard let now = ProcessFigures.ofThisProcess() else { return }
        figure("bytes after", now.anonymousBytes)
        expect(
            now.descriptors <= before.descriptors + 24,
            """
            After \(what) \(now.descriptors) descriptors are open, before it were \
            \(before.descriptors).
            """
        )
        expect(
            now.anonymousBytes <= before.anonymousBytes + slack,
            """
            After \(what) the process has \(now.anonymousBytes) bytes, before it had \
            \(before.anonymousBytes).
            """
        )
        // They end by themselves, soon.
        var names = Self.threadNames()
        while Date() < deadline, names.contains(where: { $0.hasPrefix("freehold-") }) {
            usleep(20_000)
            names = Self.threadNames()
        }
        expect(
            !names.contains { $0.hasPrefix("freehold-") },
            "After \(what) these threads run: \(names)")
    }

    static func threadNames() -> [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap {
            try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
        }.sorted()
    }

    /// Opens, uses and closes; memory after the first quarter is what it must come back to.
    func openAndClose(_ count: Int) throws {
        var random = SeededGenerator(seed: seed)
        let files = 12
        var warm: ProcessFigures?
        var samples: [Int] = []
        for number in 0..<count {
            let file = random.int(0...files - 1)
            try useOnce(
                .limits(path("leaks-\(file).realm"), isEncrypted: file % 3 == 0), number, &random)
            if number == count / 4 { warm = ProcessFigures.ofThisProcess() }
            if number % max(1, count / 20) == 0, let now = ProcessFigures.ofThisProcess() {
                samples.append(now.anonymousBytes)
            }
        }
        note("bytes on the way: \(samples.map { "\($0 >> 10) K" }.joined(separator: " "))")
        figure("realms", count)
        figure("bytes after the first quarter", warm?.anonymousBytes ?? 0)
        settle(to: warm, "\(count) realms", slack: 4 << 20)
        for file in 0..<files
        where FileManager.default.fileExists(atPath: path("leaks-\(file).realm")) {
            let realm = try Realm(
                configuration: .limits(path("leaks-\(file).realm"), isEncrypted: file % 3 == 0))
            let report = try realm.versionReport()
            expect(
                report.activeVersionCount == 1,
                "File \(file) has \(report.activeVersionCount) versions that are read: \(report)")
            expect(try realm.check().isEmpty, "File \(file) is not sound.")
        }
    }

    /// One of the ways to use a realm, and what people keep of it beyond that.
    private func useOnce(
        _ configuration: Realm.Configuration, _ number: Int, _ random: inout SeededGenerator
    ) throws {
        switch random.int(0...7) {
        case 0:  // A thread's realm, read and written.
            let realm = try Realm(configuration: configuration)
            try realm.putNote(number % 500)
            expect(
                realm.object(ofType: LimitNote.self, forPrimaryKey: number % 500) != nil,
                "A note is missing.")
        case 1:  // Observers, of which one stays registered until its realm goes.
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            let tokens = [
                realm.objects(LimitNote.self).observe { _ in }, realm.observe { _, _ in },
            ]
            try realm.putNote(number % 500)
            realm.waitForNotifier()
            scheduler.runAll()
            tokens[0].invalidate()
        case 2:  // Frozen values that outlive their realm, read on another thread.
            let frozen = Frozen(try Realm(configuration: configuration).objects(LimitNote.self))
            try runThreads(2) { _ in _ = frozen.reduce(0) { $0 + $1.number } }
        case 3:  // References that are resolved, and that are not.
            let realm = try Realm(configuration: configuration)
            try realm.putNote(number % 500)
            let references = Array(realm.objects(LimitNote.self).prefix(3)).map {
                ThreadSafeReference(to: $0)
            }
            try runThreads(1) { _ in
                let other = try Realm(configuration: configuration)
                if let first = references.first { _ = other.resolve(first) }
            }
        case 4:  // A queue's asynchronous writes; the realm goes before they end.
            let queue = DispatchQueue(label: "leaks")
            let group = DispatchGroup()
            group.enter()
            queue.async {
                defer { group.leave() }
                guard let realm = try? Realm(configuration: configuration, queue: queue) else {
                    return find("A queue's realm does not open.")
                }
                for part in 0..<3 {
                    group.enter()
                    realm.writeAsync {
                        realm.create(
                            LimitNote.self, value: ["id": (number + part) % 500], update: .all)
                    } onComplete: { error in
                        if let error { find("An asynchronous write fails: \(error)") }
                        group.leave()
                    }
                }
            }
            group.wait()
        case 5:  // A manual scheduler that is never run again.
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            let token = realm.objects(LimitNote.self).observe { _ in }
            realm.writeAsync {
                realm.create(LimitNote.self, value: ["id": number % 500], update: .all)
            }
            if random.once(in: 2) {
                scheduler.waitForWork()
                scheduler.runAll()
                while realm.isPerformingAsynchronousWriteOperations {
                    if scheduler.waitForWork(until: Date() + 10) { scheduler.runAll() }
                }
            }
            token.invalidate()
            realm.invalidate()
        case 6:  // A transaction that is cancelled, a block that throws, a copy and a compaction.
            struct Undo: Error {}
            let realm = try Realm(configuration: configuration)
            try? realm.write {
                realm.create(LimitNote.self, value: ["id": -number - 1])
                throw Undo()
            }
            if random.once(in: 3) { _ = try? realm.compact() }
        default:  // Rows come and go.
            let realm = try Realm(configuration: configuration)
            try realm.write {
                realm.delete(Array(realm.objects(LimitNote.self).prefix(20)))
                for id in 500..<510 {
                    realm.create(
                        LimitNote.self,
                        value: ["id": id, "text": String(repeating: "x", count: id)], update: .all)
                }
            }
        }
    }
}
