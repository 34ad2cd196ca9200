import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import Testing
import UpstreamConformance

/// Five machines whose programs have the addresses of a primary and its standby. The primary dies
/// and the standby is promoted while they write.
@Suite(.needsPostgres)
struct SharedRealmFailoverTests {
    /// It has all that was acknowledged: nothing is lost, and the log goes on.
    @Test func aSynchronousStandby() async throws {
        let pair = try await Pair()
        var random = Seed.random()
        let machines = try await SharedMachines(&random) { _ in pair.upstream }
        try await machines.run { steps in
            await steps.wait(for: steps.remaining / 2)
            await pair.primary.kill()
            await steps.wait(for: 5)
            try await pair.standby.promote()
        }
        let (_, identities) = try await machines.finish()
        let reader = try await pair.upstream.connect(to: SharedMachines.realm, as: .random())
        #expect(try await reader.state().epoch == 1)
        let log = try await reader.allCommits().map { try NotedCommit($0, machines: identities) }
        await reader.close()
        var checker = SharedHistoryChecker(
            log, machines.history, machines: SharedMachines.count)
        checker.check()
        for problem in checker.problems.prefix(20) { Issue.record("\(problem)") }
        #expect(machines.history.losers.isEmpty)
        await pair.delete()
        machines.delete()
    }

    /// It lacks the newest commits. A client that has them begins an epoch; who lost some is told.
    @Test func aStandbyThatLacksCommits() async throws {
        let pair = try await Pair()
        var random = Seed.random()
        let machines = try await SharedMachines(&random) { _ in pair.upstream }
        try await machines.run { steps in
            await steps.wait(for: steps.remaining / 3)
            try await pair.primary.query("ALTER SYSTEM SET synchronous_standby_names = ''")
            try await pair.primary.query("SELECT pg_reload_conf()")
            await pair.standby.kill()
            let replicated = try await pair.head()
            repeat {
                await steps.wait(for: 1)
            } while try steps.remaining > 0 && machines.applied() <= replicated + 10
            await pair.primary.kill()
            try await pair.standby.start()
            try await pair.standby.promote()
        }
        _ = try await machines.finish()
        try machines.judgeNotes(mayLose: true)
        let reader = try await pair.upstream.connect(to: SharedMachines.realm, as: .random())
        #expect(try await reader.state().epoch > 1)
        await reader.close()
        await pair.delete()
        machines.delete()
    }

    private struct Pair {
        let primary: PostgresServer
        let standby: PostgresServer
        let upstream: PostgresUpstream

        init() async throws {
            primary = try await PostgresServer()
            let first = PostgresUpstream(primary.url())
            try await first.prepare()
            try await first.create(SharedMachines.realm)
            standby = try await primary.makeStandby()
            upstream = PostgresUpstream(primary.url(with: standby))
        }

        func head() async throws -> Int64 {
            let head = try await primary.query("SELECT head FROM freehold.realm")
            return try #require(Int64(head))
        }

        func delete() async {
            await standby.delete()
            await primary.delete()
        }
    }
}

extension SharedMachines {
    /// The number of the newest commit that a machine's file has.
    fileprivate func applied() throws -> Int64 {
        try machines.map { machine in
            let realm = try Realm(configuration: machine.configuration)
            return try SharedFileStatus(of: realm)?.applied ?? 0
        }.max() ?? 0
    }
}
