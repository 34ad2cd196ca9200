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
@Suite(.needsPostgres)
struct SharedRealmConvergenceTests {
    @Test func fiveMachinesAndFaults() async throws {
        let room = try await Room()
        var random = Seed.random()
        let machines = try await SharedMachines(&random) { room.upstream(of: $0) }
        try await room.run(machines, &random)
        let (_, identities) = try await machines.finish()
        let reader = try await room.upstream.connect(to: SharedMachines.realm, as: .random())
        let log = try await reader.allCommits().map { try NotedCommit($0, machines: identities) }
        await reader.close()
        judge(log, machines.history)
        await room.close()
        machines.delete()
    }

    /// Machines that make snapshots, which cut the log, and begin epochs, in the middle of all
    /// that.
    @Test func snapshotsAndEpochs() async throws {
        let room = try await Room()
        var random = Seed.random()
        let machines = try await SharedMachines(&random, beginEpochs: true) {
            room.upstream(of: $0)
        }
        try await room.run(machines, &random)
        _ = try await machines.finish()
        try machines.judgeNotes()
        let state = try #require(try await room.upstream.realms().first)
        #expect(state.epoch > 1)
        await room.close()
        machines.delete()
    }

    /// A server with faults.
    private final class Room: Sendable {
        let upstream: PostgresUpstream
        private let through: PostgresUpstream
        private let server: PostgresServer
        private let proxy: CuttingProxy

        init() async throws {
            server = try await PostgresServer()
            upstream = PostgresUpstream(server.url())
            try await upstream.prepare()
            try await upstream.create(SharedMachines.realm)
            proxy = try CuttingProxy(for: server)
            through = PostgresUpstream(server.url(sockets: proxy.sockets))
        }

        /// Some by way of the proxy.
        func upstream(of machine: Int) -> PostgresUpstream { machine < 3 ? through : upstream }

        func run(_ machines: SharedMachines, _ random: inout SeededGenerator) async throws {
            let faults = (0..<SharedMachines.transactions / 60 + 1).map { _ in
                Fault(
                    after: random.int(5...60), kind: random.int(0...2),
                    bytes: random.int(500...40_000))
            }
            try await machines.run { [self] steps in
                for fault in faults {
                    await steps.wait(for: fault.after)
                    try await bring(fault)
                }
                proxy.cut(after: nil)
            }
        }

        private func bring(_ fault: Fault) async throws {
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

        func close() async {
            proxy.close()
            await server.delete()
        }
    }

    private struct Fault {
        /// So many transactions after the one before it.
        var after: Int
        var kind: Int
        var bytes: Int
    }

    private func judge(_ log: [NotedCommit], _ history: SharedHistory) {
        var checker = SharedHistoryChecker(log, history, machines: SharedMachines.count)
        checker.check()
        for problem in checker.problems.prefix(20) { Issue.record("\(problem)") }
        let outcomes = history.transactions.map(\.outcome)
        print(
            """
            Convergence: \(log.count) commits, \(history.rejections.count) rejections \
            (\(history.toldAgainCount) told again), \
            \(outcomes.count { $0 == .notDone }) not done, \
            \(outcomes.count { $0 == .unknown }) unknown
            """)
        #expect(history.transactions.contains { $0.isShared && $0.outcome == .done })
    }
}
