import Foundation
import Freehold
import FreeholdPostgres
import FreeholdSharing
import Glibc
import PostgresServer

/// Many realms on a server, and many clients of a realm.
extension Bench {
    /// 10,000 realms with commits; up to 2,000 of them open at once.
    func realms() async throws {
        let count = 10_000
        let numbers = Counter(count)
        let created = try await time {
            try await atOnce(2) {
                while let number = await numbers.next() {
                    try await upstream.create("many \(number)")
                }
            }
        }
        print("\(count) realms created in \(short(created)) s")
        let pushes = Counter(count)
        let pushed = try await time {
            try await atOnce(2) {
                while let number = await pushes.next() {
                    let connection = try await connect("many \(number)")
                    _ = try await connection.push(commits(1..<11), in: 1, expecting: nil)
                    await connection.close()
                }
            }
        }
        print("10 commits pushed to each, with a connection each, in \(short(pushed)) s")
        try await server.query("VACUUM")
        for table in ["realm", "client", "commit"] {
            let size = try await server.query("SELECT pg_total_relation_size('freehold.\(table)')")
            print("  \(table): \((Int(size) ?? 0) / count) bytes a realm")
        }
        let listed = try await time { _ = try await upstream.realms() }
        print("listed in \(short(listed)) s")
        var open: [any UpstreamConnection] = []
        for count in [200, 1000, 2000] {
            let first = open.count
            let opened = try await time {
                while open.count < count { open.append(try await connect("many \(open.count)")) }
            }
            let memory = ServerUse(server)
            let rounds = Counter(count * 5)
            let connections = open
            let rate = try await time {
                try await atOnce(8) {
                    while let number = await rounds.next() {
                        let (place, round) = (number % count, Int64(number / count))
                        let first = Int64(count) * 100 + round + 1
                        _ = try await connections[place].push(
                            commits(first..<first + 1), in: 1, expecting: nil)
                    }
                }
            }
            let quiet = ServerUse(server)
            try await server.query(
                """
                DO $$ BEGIN
                    FOR i IN 1..100 LOOP
                        PERFORM pg_notify('other', i::text);
                        COMMIT;
                        PERFORM pg_sleep(0.02);
                    END LOOP;
                END $$
                """)
            let after = ServerUse(server)
            print(
                """
                \(count) realms open: \(short(opened / Double(count - first) * 1000)) ms to open \
                one, \(memory.bytes >> 20) MB of the server in all, \
                \((memory.bytes / count) >> 10) KB each; \(short(Double(count * 5) / rate)) \
                pushes/s of one commit to realms in turn, 8 at once; a notification takes \
                \(short((after.processorTime - quiet.processorTime) / 100 * 1e6 / Double(count))) \
                us of a core a client
                """)
        }
        for connection in open { await connection.close() }
    }

    /// Shared realms of one realm, each with a file of its own, in this process.
    func clients() async throws {
        let realm = try await makeRealm()
        var shared: [SharedRealm] = []
        for count in [100, 500, 1000] {
            let (before, first) = (Self.ownUse(), shared.count)
            let opened = try await time {
                while shared.count < count {
                    shared.append(try await open(realm, number: shared.count))
                }
                for shared in shared { try await shared.synchronize() }
            }
            let server = ServerUse(server)
            let own = (Self.ownUse().bytes - before.bytes) / (count - first)
            print(
                """
                \(count) clients: \(short(opened / Double(count - first) * 1000)) ms to open one, \
                \(server.bytes >> 20) MB of the server, \((server.bytes / count) >> 10) KB each, \
                \(own >> 10) KB each in this process
                """)
            try await idle(count)
            var times: [Double] = []
            for _ in 1...5 { times.append(try await commit(by: shared[0], shared) * 1000) }
            print("  one commit is in all files after \(times.map(short)) ms")
            let all = try await time { try await commitByAll(shared) }
            print("  one commit of each is in all files after \(short(all)) s")
        }
        for shared in shared { await shared.close() }
    }

    private func open(_ realm: String, number: Int) async throws -> SharedRealm {
        let path = server.directory.appendingPathComponent("client-\(number).realm")
        var configuration = Realm.Configuration(fileURL: path, objectTypes: [SharedItem.self])
        // Clients have a disk each; these have one together.
        configuration.durability = .none
        return try await SharedRealm(configuration, upstream: upstream, name: realm)
    }

    /// What waiting costs: each client looks once a second.
    private func idle(_ count: Int) async throws {
        let (server, own) = (ServerUse(server), Self.ownUse())
        try await Task.sleep(for: .seconds(10))
        let used = ServerUse(self.server).processorTime - server.processorTime
        let ownUsed = Self.ownUse().processorTime - own.processorTime
        print(
            "  waiting: \(short(used * 10)) % of a core in the server, "
                + "\(short(ownUsed * 10)) % in this process")
    }

    private func commit(by writer: SharedRealm, _ shared: [SharedRealm]) async throws -> Double {
        try await time {
            try write(writer)
            try await writer.synchronize()
            let number = writer.status.applied
            for shared in shared { await wait(shared, for: number) }
        }
    }

    private func commitByAll(_ shared: [SharedRealm]) async throws {
        let last = shared.map(\.status.applied).max() ?? 0
        for shared in shared { try write(shared) }
        for other in shared { await wait(other, for: last + Int64(shared.count)) }
    }

    private func write(_ shared: SharedRealm) throws {
        let realm = try shared.realm()
        try realm.write { realm.add(SharedItem(number: 1)) }
    }

    private func wait(_ shared: SharedRealm, for number: Int64) async {
        for await status in shared.statusChanges where status.applied >= number { return }
    }

    // MARK: Use

    private func atOnce(_ count: Int, _ body: @escaping @Sendable () async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { try await body() } }
            try await group.waitForAll()
        }
    }

    private static func ownUse() -> (bytes: Int, processorTime: Double) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let time = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
        return (ServerUse.memory(of: "self"), time)
    }
}

/// What the processes of a server have used so far.
struct ServerUse {
    /// Proportional memory.
    var bytes = 0
    /// Seconds of a core.
    var processorTime = 0.0

    init(_ server: PostgresServer) {
        guard let parent = server.processIdentifier else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for name in names where Int32(name) != nil {
            guard name == "\(parent)" || Self.parent(of: name) == parent else { continue }
            bytes += Self.memory(of: name)
            processorTime += Self.processorTime(of: name)
        }
    }

    static func memory(of process: String) -> Int {
        let path = "/proc/\(process)/smaps_rollup"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") } ?? ""
        return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) << 10
    }

    /// Of the process's first thread, the only one that processes of PostgreSQL have.
    private static func processorTime(of process: String) -> Double {
        let path = "/proc/\(process)/schedstat"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }

    private static func parent(of process: String) -> Int32? {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        guard let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].split(separator: " ").dropFirst().first
            .flatMap { Int32($0) }
    }
}

/// Numbers that tasks share.
actor Counter {
    private let count: Int
    private var last = -1

    init(_ count: Int) { self.count = count }

    func next() -> Int? {
        last += 1
        return last < count ? last : nil
    }
}
