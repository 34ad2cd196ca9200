import Foundation
import FreeholdPostgres
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import Testing
import UpstreamConformance

/// Many clients over a server that is killed and connections that are cut; what they saw is
/// recorded and judged. `FREEHOLD_SHARING_CHAOS` gives the number of rounds, for `Tests/sharing`.
@Suite(.needsPostgres)
struct PostgresChaosTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["FREEHOLD_SHARING_CHAOS"].flatMap(Int.init) ?? 1

    @Test func chaos() async throws {
        let server = try await PostgresServer()
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        let proxy = try CuttingProxy(for: server)
        let through = PostgresUpstream(server.url(sockets: proxy.sockets))
        var random = Seed.random()
        var counts = (operations: 0, commits: 0, unknown: 0)
        for round in 1...Self.rounds {
            let name = "round \(round)"
            try await upstream.create(name)
            let history = LogHistory()
            let seeds = (0..<5).map { _ in random.next() }
            let faults = (0..<3).map { _ in (random.int(0...2), random.int(200...40_000)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, seed) in seeds.enumerated() {
                    // Some by way of the proxy.
                    let way = index % 2 == 0 ? through : upstream
                    group.addTask {
                        var client = ChaosClient(way, realm: name, seed, history)
                        try await client.run(steps: 40)
                    }
                }
                group.addTask {
                    for (kind, size) in faults {
                        try await Self.waitForOperations(history, more: 30)
                        switch kind {
                        case 0:
                            await server.kill()
                            try await server.start()
                        case 1:
                            proxy.cutAll()
                            proxy.restore()
                        default: proxy.cut(after: size)
                        }
                    }
                    proxy.cut(after: nil)
                }
                // The first error ends the others, too.
                for try await _ in group {}
            }
            let reader = try await upstream.connect(to: name, as: .random())
            let log = try await reader.allCommits()
            await reader.close()
            var checker = LogChecker(log)
            let operations = await history.operations
            checker.check(operations)
            #expect(checker.problems == [], "round \(round)")
            counts.operations += operations.count
            counts.commits += log.count
            counts.unknown += operations.count {
                if case .unknown = $0.answer { true } else { false }
            }
        }
        print("Chaos: \(Self.rounds) rounds, \(counts)")
        proxy.close()
        await server.delete()
    }

    /// Faults come after some work, not after some time.
    private static func waitForOperations(_ history: LogHistory, more count: Int) async throws {
        let goal = await history.operations.count + count
        // All clients have 200 steps together.
        while await history.operations.count < min(goal, 190) { await Task.yield() }
    }
}

/// A client that pushes and reads at random, and records it.
struct ChaosClient {
    private let client: PersistentClient
    private let history: LogHistory
    private var random: SeededGenerator
    private var next: Int64 = 1
    private var seen: Int64 = 0

    init(_ upstream: any Upstream, realm: String, _ seed: UInt64, _ history: LogHistory) {
        client = PersistentClient(upstream, realm: realm)
        random = SeededGenerator(seed: seed)
        self.history = history
    }

    mutating func run(steps: Int) async throws {
        for _ in 1...steps {
            switch random.int(0...9) {
            case 0...4: try await push(expecting: nil)
            case 5...6: try await push(expecting: seen)
            case 7...8: try await read()
            default: try await look()
            }
        }
        await client.disconnect()
    }

    private mutating func push(expecting head: Int64?) async throws {
        let id = await client.id
        let numbers = next...next + Int64(random.int(0...4))
        let answer = try await record(.push(client: id, numbers: numbers, expecting: head)) {
            let commits = numbers.map { PushedCommit.numbered($0) }
            switch try await $0.push(commits, in: 1, expecting: head) {
            case .appended(let last): return .appended(last: last)
            case .conflict(let head): return .conflict(head: head)
            }
        }
        switch answer {
        case .appended(let last):
            seen = max(seen, last)
            next = numbers.upperBound + 1
        case .conflict(let head): seen = max(seen, head)
        default:
            // As the real client: what became of it is known before anything else is pushed.
            next = try await client.persist { try await $0.state().lastClientSequence } + 1
        }
    }

    private mutating func read() async throws {
        let after = seen
        let answer = try await record(.read(after: after)) {
            .commits(try await $0.commits(after: after, in: 1, upTo: 1 << 30))
        }
        if case .commits(let found) = answer { seen = found.last?.sequence ?? seen }
    }

    private mutating func look() async throws {
        _ = try await record(.head) { .head(try await $0.state().head) }
    }

    private func record(
        _ kind: LogHistory.Operation.Kind,
        _ body: @Sendable (any UpstreamConnection) async throws -> LogHistory.Operation.Answer
    ) async throws -> LogHistory.Operation.Answer {
        let connection = try await client.persist { $0 }
        let index = await history.begin(kind)
        do {
            let answer = try await body(connection)
            await history.end(index, answer)
            return answer
        } catch let error as SharingError where error.code == .unreachable {
            await client.disconnect()
            return .unknown
        }
    }
}
