import Dispatch
import Foundation
import Freehold
import FreeholdTestSupport
import FreeholdWorkload
import Glibc

/// One way's work in the process that is killed, until it is or is told to end.
struct KillWork: Sendable {
    let reporter: Reporter
    let path: String
    let writer: Int
    let rows: Int
    let open: @Sendable (String?) -> Realm.Configuration
    private let openVersion: @Sendable (Int) -> Realm.Configuration
    private let key: Data?

    init(reporter: Reporter, file: KilledFileOptions, writer: Int, rows: Int, isOnLaunch: Bool) {
        (self.reporter, self.path, self.writer, self.rows, key) = (
            reporter, file.path, writer, rows, file.key
        )
        let (path, encrypted, durability) = (file.path, file.encrypted, file.durability)
        open = { other in
            var configuration = KilledFileOptions(
                path: path, encrypted: encrypted, durability: durability
            ).configuration(other)
            if isOnLaunch { configuration.shouldCompactOnLaunch = { _, _ in true } }
            return configuration
        }
        openVersion = {
            KilledFileOptions(path: path, encrypted: encrypted, durability: durability)
                .configuration(version: $0)
        }
    }

    func run(_ way: KillWay) async throws {
        switch way {
        case .sync: try await awaitThread(write)
        case .paced: try await awaitThread(writeAndReadAtLeisure)
        case .compact: try await awaitThread(compact)
        case .launch: try await awaitThread(launch)
        case .copy: try await awaitThread(copy)
        case .large: try await awaitThread(writeLarge)
        case .migrate: try await awaitThread(migrate)
        case .create: try await awaitThread(create)
        case .observe: try await awaitThread(observe)
        case .draft: try await awaitThread(saveDrafts)
        case .draftAsync: try await saveDraftsWithoutBlocking()
        case .writeAsync: try await writeAsync()
        case .asyncWrite: try await asyncWrite()
        }
    }

    // MARK: Small writes

    private func write() throws {
        let realm = try Realm(configuration: open(nil))
        while !reporter.isStopped { try write(realm) }
    }

    @discardableResult
    private func write(_ realm: Realm) throws -> Int {
        let start = monotonicNanoseconds()
        let number = try realm.write { Workload.change(realm, writer) }
        reporter.acknowledge(writer, number, since: start)
        return number
    }

    private func writeAndReadAtLeisure() throws {
        let realm = try Realm(configuration: open(nil))
        while !reporter.isStopped {
            try write(realm)
            usleep(500)
            let start = monotonicNanoseconds()
            realm.refresh()
            let parts = realm.objects(Workload.Part.self).where { $0.writer == writer }
            let expected =
                Workload.partsOfATransaction
                * min(
                    Workload.keptTransactions,
                    realm.object(ofType: Workload.Last.self, forPrimaryKey: writer)?.number ?? 0)
            if parts.count != expected {
                reporter.say("e \(parts.count) parts of writer \(writer) are read, not \(expected)")
            }
            reporter.say("r \(start) \(monotonicNanoseconds())")
            usleep(500)
        }
    }

    private func writeAsync() async throws {
        let queue = DispatchQueue(label: "killed")
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                do {
                    writeOn(try Realm(configuration: open(nil), queue: queue), continuation)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private func writeOn(_ realm: Realm, _ continuation: CheckedContinuation<Void, any Error>) {
        if reporter.isStopped { return continuation.resume() }
        var number = 0
        let start = monotonicNanoseconds()
        realm.writeAsync {
            number = Workload.change(realm, writer)
        } onComplete: { error in
            if let error { return continuation.resume(throwing: error) }
            reporter.acknowledge(writer, number, since: start)
            writeOn(realm, continuation)
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

    private func asyncWrite() async throws {
        let home = Home()
        try await home.open(open(nil))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in writer..<writer + 2 {
                group.addTask {
                    while !reporter.isStopped {
                        let start = monotonicNanoseconds()
                        reporter.acknowledge(writer, try await home.write(writer), since: start)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Large ones

    private func writeLarge() throws {
        let realm = try Realm(configuration: open(nil))
        while !reporter.isStopped {
            let number = try realm.write { Workload.changeRows(realm, count: rows) }
            reporter.say("g \(number)")
        }
    }

    private func migrate() throws {
        if try VersionedWorkload.version(ofFileAt: path, encryptionKey: key) <= 1 {
            let realm = try Realm(configuration: openVersion(1))
            if realm.isEmpty { try realm.write { VersionedWorkload.fill(realm) } }
            reporter.say("m 1")
        }
        while !reporter.isStopped {
            let version = try VersionedWorkload.version(ofFileAt: path, encryptionKey: key) + 1
            _ = try Realm(configuration: openVersion(version))
            reporter.say("m \(version)")
        }
    }

    // MARK: Files

    private func compact() throws {
        let realm = try Realm(configuration: open(nil))
        while !reporter.isStopped {
            try write(realm)
            do {
                try realm.compact()
                reporter.say("c")
            } catch let error as Realm.Error where error.code == .alreadyOpen {
                // As it must be while another process has the file open.
                usleep(1_000)
            }
        }
    }

    private func launch() throws {
        while !reporter.isStopped {
            let realm = try Realm(configuration: open(nil))
            try write(realm)
        }
    }

    private func copy() throws {
        let realm = try Realm(configuration: open(nil))
        var count = 0
        while !reporter.isStopped {
            try write(realm)
            count += 1
            let name = path + ".copy-\(getpid())-\(count)"
            let numbers = Workload.numbers(realm).map { "\($0):\($1)" }.joined(separator: ",")
            reporter.say("copying \(name) \(numbers)")
            try realm.writeCopy(toFile: URL(fileURLWithPath: name), encryptionKey: key)
            reporter.say("copied \(name)")
        }
    }

    private func create() throws {
        var seed: String?
        var count = 0
        while !reporter.isStopped {
            count += 1
            let name = path + ".new-\(getpid())-\(count)"
            var configuration = open(name)
            if count % 2 == 0, let seed { configuration.seedFilePath = URL(fileURLWithPath: seed) }
            reporter.say("creating \(name) \(configuration.seedFilePath == nil ? 0 : 1)")
            let realm = try Realm(configuration: configuration)
            reporter.say("created \(name)")
            reporter.say("wrote \(name) \(try realm.write { Workload.change(realm, 0) })")
            seed = name
        }
    }

    // MARK: Readers

    /// Holds the last versions frozen; observes commits of its own and of other processes.
    private func observe() throws {
        let queue = DispatchQueue(label: "observing")
        nonisolated(unsafe) var kept: [Any] = []
        try queue.sync {
            let realm = try Realm(configuration: open(nil), queue: queue)
            kept.append(
                realm.objects(Workload.Last.self).observe(on: nil) { change in
                    switch change {
                    case .initial(let writers), .update(let writers, _, _, _):
                        reporter.say("seen \(writers.first { $0.writer == 0 }?.number ?? 0)")
                    case .error(let error): reporter.say("e \(error)")
                    }
                })
        }
        let realm = try Realm(configuration: open(nil))
        var frozen: [(Realm, [Int: Int])] = []
        while !reporter.isStopped {
            realm.refresh()
            frozen.append((realm.freeze(), Workload.numbers(realm)))
            for (frozen, numbers) in frozen where Workload.numbers(frozen) != numbers {
                reporter.say("e a frozen realm has changed")
            }
            if frozen.count > 5 { frozen.removeFirst() }
            usleep(2_000)
        }
        queue.sync { kept = [] }
    }
}
