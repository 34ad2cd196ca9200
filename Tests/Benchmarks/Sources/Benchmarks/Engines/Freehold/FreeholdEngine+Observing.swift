import Dispatch
import Foundation
import Freehold

/// Change notifications.
///
/// - `observe-one`, `observe-sorted`, `observe-objects`: another realm commits on the same
///   thread; then the realm, which does not move by itself, is told to refresh, which finds
///   what changed, moves, and calls the block. All of it on one thread, so that nothing of it
///   hides behind the commit's return: it is what otherwise the notifier's thread does, and the
///   little that the realm's own does.
/// - `observe-delivery`: that little: what is left for the realm's scheduler when the notifier
///   computed the changes.
/// - `observe-main`, `observe-process`: the main thread runs its run loop and nothing else. The
///   one who commits, another thread or another process, notes the time when its commit
///   returned.
extension FreeholdEngine {
    func observeOne() throws -> Sample {
        try observing(commits: 200, byRefresh: true) { realm in
            [realm.objects(Person.self).observe { _ in }]
        }
    }

    func observeDelivery() throws -> Sample {
        try observing(commits: 200, byRefresh: false) { realm in
            [realm.objects(Person.self).observe { _ in }]
        }
    }

    func observeSorted() throws -> Sample {
        let limit = 100_000
        return try observing(commits: 20, byRefresh: true) { realm in
            [
                realm.objects(Person.self).where { $0.id < limit }.sorted(by: \.score).observe {
                    _ in
                }
            ]
        }
    }

    func observeObjects() throws -> Sample {
        let identifiers = dataset.lookupIdentifiers.prefix(1_000)
        return try observing(commits: 200, byRefresh: true) { realm in
            identifiers.map {
                realm.object(ofType: Person.self, forPrimaryKey: $0)!.observe { _ in }
            }
        }
    }

    /// - Parameters:
    ///   - isRefreshed: Whether the realm computes the changes itself.
    ///   - observe: Makes the observers.
    private func observing(
        commits: Int, byRefresh isRefreshed: Bool, _ observe: (Realm) -> [NotificationToken]
    ) throws -> Sample {
        var values: [Double] = []
        _ = try withCopy { writer in
            let scheduler = ManualScheduler()
            let realm = try Realm(configuration: writer.configuration, scheduler: scheduler)
            realm.autorefresh = !isRefreshed
            let tokens = observe(realm)
            realm.refresh()
            let identifiers = dataset.lookupIdentifiers.prefix(1_000)
            for number in 0..<(commits + 10) {
                let person =
                    writer.object(
                        ofType: Person.self,
                        forPrimaryKey: identifiers[number * 37 % identifiers.count] % 100_000)
                    ?? writer.objects(Person.self).first!
                scheduler.runAll()
                try writer.write {
                    person.age += 1
                    person.score = Double(number * 7919 % 100_003)
                }
                if !isRefreshed { scheduler.waitForWork() }
                let value = nanoseconds(per: 1) {
                    if isRefreshed { realm.refresh() } else { scheduler.runAll() }
                }
                // The first ones read the file.
                if number >= 10 { values.append(value) }
            }
            for token in tokens { token.invalidate() }
            return Sample(value: 0, answer: nil)
        }
        return Sample(value: values.sorted()[values.count / 2], answer: nil)
    }

    // MARK: The main thread

    func observeMain() throws -> Sample {
        try onIdleMain(commits: 200) { configuration, commits, note in
            Thread.detachNewThread {
                guard let realm = try? Realm(configuration: configuration) else { return }
                for _ in 0..<commits {
                    usleep(5_000)
                    try? realm.write { realm.objects(Person.self).first!.age += 1 }
                    note(DispatchTime.now().uptimeNanoseconds)
                }
            }
        }
    }

    func observeProcess() throws -> Sample {
        try onIdleMain(commits: 200) { configuration, commits, note in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [
                "--commit-to", configuration.fileURL!.path, "--rows", "\(commits)",
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            Thread.detachNewThread {
                // A line is a time; it comes after the commit, and most likely after the block
                // was called.
                var rest = Data()
                while true {
                    let data = pipe.fileHandleForReading.availableData
                    if data.isEmpty { return }
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        if let time = UInt64(
                            String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                        {
                            note(time)
                        }
                        rest = rest[rest.index(after: end)...]
                    }
                }
            }
        }
    }

    /// What another process does for ``observeProcess()``.
    static func commit(to path: String, times: Int) throws {
        let realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: [Person.self]))
        for _ in 0..<times {
            usleep(5_000)
            try realm.write { realm.objects(Person.self).first!.age += 1 }
            print(DispatchTime.now().uptimeNanoseconds)
            fflush(nil)
        }
    }

    /// Runs the main thread's run loop until as many commits were seen as were made.
    private func onIdleMain(
        commits: Int,
        _ start: (Realm.Configuration, Int, @escaping @Sendable (UInt64) -> Void) throws -> Void
    ) throws -> Sample {
        var value = 0.0
        _ = try withCopy { realm in
            let committed = Times()
            var seen: [UInt64] = []
            let token = realm.objects(Person.self).observe { change in
                if case .update = change { seen.append(DispatchTime.now().uptimeNanoseconds) }
            }
            realm.refresh()
            try start(realm.configuration, commits) { committed.add($0) }
            while committed.all.count < commits {
                _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
            }
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
            token.invalidate()
            // The block may be called before the committing side looks at the clock; and once
            // for two commits.
            let delays = committed.all.compactMap { time in
                seen.first { $0 + 2_000_000 > time }.map { Double($0 > time ? $0 - time : 0) }
            }.sorted()
            value = delays[delays.count / 2]
            return Sample(value: 0, answer: nil)
        }
        return Sample(value: value, answer: nil)
    }
}

/// Times that one thread notes and another one reads.
private final class Times: @unchecked Sendable {
    // @unchecked: protected by `lock`.
    private let lock = NSLock()
    private var times: [UInt64] = []

    func add(_ time: UInt64) { lock.withLock { times.append(time) } }

    var all: [UInt64] { lock.withLock { times } }
}
