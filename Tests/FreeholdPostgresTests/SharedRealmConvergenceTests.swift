import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import PostgresServer
import Testing
import UpstreamConformance

/// Five machines' files over a real PostgreSQL that is killed and started again, and connections
/// that are cut in the middle of messages: all files are equal at the end, and what programs did
/// and were told keeps what is promised.
///
/// `FREEHOLD_SHARING_TRANSACTIONS` gives the number of transactions, for `Tests/sharing`.
@Suite(.needsPostgres)
struct SharedRealmConvergenceTests {
    private static let transactions =
        ProcessInfo.processInfo.environment["FREEHOLD_SHARING_TRANSACTIONS"].flatMap(Int.init)
        ?? 300
    private static let machineCount = 5

    @Test func fiveMachinesAndFaults() async throws {
        let server = try await PostgresServer()
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        try await upstream.create("shop")
        let proxy = try CuttingProxy(for: server)
        let through = PostgresUpstream(server.url(sockets: proxy.sockets))
        let directory = try TemporaryDirectory()
        let history = Locked(SharedHistory())
        var random = Seed.random()
        let machines = (0..<Self.machineCount).map { index in
            // Some by way of the proxy.
            SharedMachine(
                index, directory.file("\(index).realm"), index < 3 ? through : upstream,
                seed: random.next(), history)
        }
        for machine in machines { try await machine.begin(Self.machineCount) }

        let (steps, step) = AsyncStream<Void>.makeStream()
        let faults = (0..<Self.transactions / 60 + 1).map { _ in
            Fault(
                after: random.int(5...60), kind: random.int(0...2), bytes: random.int(500...40_000))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for machine in machines {
                group.addTask {
                    try await machine.run(Self.transactions / Self.machineCount) { step.yield() }
                }
            }
            group.addTask {
                try await Self.bring(faults, after: steps, server, proxy)
            }
            // The first error ends the others, too.
            for try await _ in group {}
        }

        for machine in machines { try await machine.open() }
        for _ in 0..<2 {
            for machine in machines { try await machine.synchronize() }
        }
        var identities: [UUID: Int] = [:]
        for machine in machines { identities[try await machine.finish()] = machine.index }
        let first = try SharedShop.contents(machines[0].configuration)
        for machine in machines.dropFirst() {
            let other = try SharedShop.contents(machine.configuration)
            for key in Set(first.keys).union(other.keys) where first[key] != other[key] {
                Issue.record("\(key): \(first[key] ?? "none") / \(other[key] ?? "none")")
            }
        }
        try SharedShop.judgeAccounts(first)
        let reader = try await upstream.connect(to: "shop", as: .random())
        let log = try await reader.allCommits().map { try NotedCommit($0, machines: identities) }
        await reader.close()
        try judge(log, history.withLock { $0 })
        proxy.close()
        await server.delete()
        directory.delete()
    }

    private struct Fault {
        /// So many transactions after the one before it.
        var after: Int
        var kind: Int
        var bytes: Int
    }

    private static func bring(
        _ faults: [Fault], after steps: AsyncStream<Void>, _ server: PostgresServer,
        _ proxy: CuttingProxy
    ) async throws {
        var iterator = steps.makeAsyncIterator()
        var remaining = Self.transactions / Self.machineCount * Self.machineCount
        for fault in faults {
            for _ in 0..<min(fault.after, remaining) { await iterator.next() }
            remaining -= min(fault.after, remaining)
            proxy.cut(after: nil)
            switch fault.kind {
            case 0:
                await server.kill()
                try await server.start()
            case 1:
                proxy.cutAll()
                proxy.restore()
            default:
                // Connections that begin now end in the middle of messages.
                proxy.cut(after: fault.bytes)
                proxy.cutAll()
                proxy.restore()
            }
        }
        proxy.cut(after: nil)
    }

    private func judge(_ log: [NotedCommit], _ history: SharedHistory) throws {
        var checker = SharedHistoryChecker(log, history, machines: Self.machineCount)
        checker.check()
        for problem in checker.problems.prefix(20) { Issue.record("\(problem)") }
        let outcomes = history.transactions.map(\.outcome)
        print(
            """
            Convergence: \(log.count) commits, \(history.rejections.count) rejections, \
            \(outcomes.count { $0 == .notDone }) not done, \
            \(outcomes.count { $0 == .unknown }) unknown
            """)
        #expect(history.transactions.contains { $0.isShared && $0.outcome == .done })
    }
}
