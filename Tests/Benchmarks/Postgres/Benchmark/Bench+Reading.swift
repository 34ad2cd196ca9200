import Foundation
import FreeholdPostgres
import FreeholdSharing
import PostgresServer

extension Bench {
    /// 100,000 commits read by a client that has none, as the owner and with row-level security.
    func catchUp() async throws {
        let realm = try await makeRealm()
        let writer = try await connect(realm)
        let count: Int64 = 100_000
        for start in stride(from: 1, to: count, by: 1000) {
            _ = try await writer.push(commits(start..<start + 1000), in: 1, expecting: nil)
        }
        await writer.close()
        try await server.query("CREATE ROLE reader LOGIN")
        try await upstream.grant(realm, to: "reader", canWrite: false)
        let users = [("owner", upstream), ("reader", PostgresUpstream(server.url(user: "reader")))]
        for (user, upstream) in users {
            for size in [1 << 20, 4 << 20] {
                let reader = try await connect(realm, upstream)
                let start = ContinuousClock.now
                var seen: Int64 = 0
                var calls = 0
                while seen < count {
                    let found = try await reader.commits(after: seen, in: 1, upTo: size)
                    seen = found.last?.sequence ?? seen
                    calls += 1
                }
                let time = (ContinuousClock.now - start).inSeconds
                print("\(user), \(size >> 20) MB a call: \(short(time)) s, \(calls) calls")
                await reader.close()
            }
        }
    }

    /// A file written to the server and read to another file that is synced, beside `cp`.
    func snapshot(_ path: String?) async throws {
        let source = try path ?? makeFile()
        let size = try Data(contentsOf: URL(fileURLWithPath: source), options: .alwaysMapped).count
        let target = server.directory.appendingPathComponent("copy").path
        let realm = try await makeRealm()
        let connection = try await connect(realm)
        _ = try await connection.push(commits(1..<4), in: 1, expecting: nil)
        var writes: [Double] = []
        var reads: [Double] = []
        var copies: [Double] = []
        for round in Int64(1)...5 {
            let snapshot = UpstreamSnapshot(
                epoch: 1, sequence: round, byteCount: Int64(size), isEncrypted: false)
            writes.append(
                try await time {
                    let file = SourceFile(source)
                    try await connection.write(snapshot) { try await file.next() }
                })
            // The server's own writing is not part of the next measurements.
            try await server.query("CHECKPOINT")
            copies.append(
                try await time {
                    try? FileManager.default.removeItem(atPath: target)
                    try await copyFile(source, to: target)
                })
            reads.append(
                try await time {
                    try? FileManager.default.removeItem(atPath: target)
                    let file = try TargetFile(target)
                    try await connection.read(snapshot) { try await file.append($0) }
                    try await file.finish()
                })
        }
        let newest = try await connection.newestSnapshot()
        let only = try await time {
            if let newest { try await connection.read(newest) { _ in } }
        }
        print("read without a file in \(short(only)) s")
        let ratios = zip(reads, copies).map { $0 / $1 }
        print(
            "\(size >> 20) MB: written in \(short(writes.median)) s, read and synced in "
                + "\(short(reads.median)) s, cp and sync in \(short(copies.median)) s, "
                + "ratio of reading \(ratios.map(short)); bar: 2")
        await connection.close()
    }

    func copyFile(_ source: String, to target: String) async throws {
        try await onThread { try run("cp '\(source)' '\(target)' && sync '\(target)'") }
    }

    func time(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start).inSeconds
    }

    /// 250 MB that do not compress.
    private func makeFile() throws -> String {
        let path = server.directory.appendingPathComponent("source").path
        try run("head -c 250000000 /dev/urandom > '\(path)'")
        return path
    }

    /// What the documents' plans are computed from.
    func sizes() async throws {
        let realm = try await makeRealm()
        let writer = try await connect(realm)
        try await server.query("VACUUM")
        let before = try await usage()
        for start in stride(from: Int64(1), to: 10_001, by: 100) {
            _ = try await writer.push(commits(start..<start + 100), in: 1, expecting: nil)
        }
        let after = try await usage()
        print("bytes a commit of 200 bytes, in batches of 100:")
        print("  table and indexes \((after.table - before.table) / 10_000)")
        print("  write-ahead log \((after.log - before.log) / 10_000)")
        for start in stride(from: Int64(10_001), to: 11_001, by: 1) {
            _ = try await writer.push(commits(start..<start + 1), in: 1, expecting: nil)
        }
        print("  write-ahead log, one by one \((try await usage().log - after.log) / 1000)")
        var clients: [any UpstreamConnection] = []
        for count in [0, 50, 200] {
            while clients.count < count { clients.append(try await connect(realm)) }
            let memory = try await memoryOfBackends()
            // A notification wakes all that listen in the database.
            let start = ContinuousClock.now
            for _ in 1...200 {
                _ = try await server.query("SELECT pg_notify('other', '')")
            }
            let time = (ContinuousClock.now - start).inSeconds / 200
            print(
                "\(count) clients: \(memory / 1024 / (count + 1)) KB of the server's memory "
                    + "each, psql with a notification \(short(time * 1000)) ms")
        }
        for client in clients { await client.close() }
        await writer.close()
    }

    private func usage() async throws -> (table: Int, log: Int) {
        let text = try await server.query(
            "SELECT pg_total_relation_size('freehold.commit'), pg_current_wal_lsn() - '0/0'")
        let parts = text.split(separator: "|").compactMap { Int($0) }
        return (parts[0], parts[1])
    }

    /// Proportional memory of all processes that serve connections.
    private func memoryOfBackends() async throws -> Int {
        let pids = try await server.query(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' "
                + "AND pid <> pg_backend_pid()")
        return pids.split(separator: "\n").reduce(0) { sum, pid in
            let path = "/proc/\(pid)/smaps_rollup"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") } ?? ""
            return sum + (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) << 10
        }
    }
}

/// A file that is read piece by piece.
actor SourceFile {
    private let handle: FileHandle?

    init(_ path: String) { handle = FileHandle(forReadingAtPath: path) }

    func next() throws -> Data? {
        guard let data = try handle?.read(upToCount: 1 << 20), !data.isEmpty else { return nil }
        return data
    }
}

/// A file that is written piece by piece.
actor TargetFile {
    private let handle: FileHandle
    private var unsynced = 0

    init(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    /// Syncs now and then, so that the medium works while the rest is on its way.
    func append(_ data: Data) throws {
        try handle.write(contentsOf: data)
        unsynced += data.count
        if unsynced >= 32 << 20 {
            try handle.synchronize()
            unsynced = 0
        }
    }

    func finish() throws {
        try handle.synchronize()
        try handle.close()
    }
}

func run(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    try process.run()
    process.waitUntilExit()
}
