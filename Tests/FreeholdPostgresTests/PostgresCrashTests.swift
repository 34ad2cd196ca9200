import Foundation
import FreeholdPostgres
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import Testing
import UpstreamConformance

/// Servers that end and connections that break: nothing acknowledged is lost, nothing is there
/// twice.
@Suite(.needsPostgres)
struct PostgresCrashTests {
    @Test func killedServers() async throws {
        let server = try await PostgresServer()
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        try await upstream.create("orders")
        let clients = (1...3).map { _ in PersistentClient(upstream, realm: "orders") }
        var random = Seed.random()
        let goal = Int64(Stress.rounds(60))
        let batches = clients.map { _ in Int64(random.int(1...5)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (client, batch) in zip(clients, batches) {
                group.addTask { try await client.push(upTo: goal, batch: batch) }
            }
            for _ in 1...Stress.rounds(4) {
                let reader = PersistentClient(upstream, realm: "orders")
                let head = try await reader.persist { try await $0.state().head }
                let next = head + Int64(random.int(1...20))
                if next > goal { break }
                // At some number, in the middle of whatever is under way.
                while try await reader.persist({ try await $0.state().head }) < next {}
                await server.kill()
                await reader.disconnect()
                try await server.start()
            }
            // The first error ends the others, too.
            for try await _ in group {}
        }
        try await expectAll(goal, of: clients, at: upstream)
        await server.delete()
    }

    @Test func connectionsCutInTheMiddleOfMessages() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let proxy = try CuttingProxy(for: schema.server)
        let through = PostgresUpstream(
            schema.server.url(sockets: proxy.sockets), schema: schema.name)
        let clients = (1...2).map { _ in PersistentClient(through, realm: "orders") }
        var random = Seed.random()
        let goal: Int64 = 40
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                let budgets = (0..<12).map { _ in random.int(1...12_000) }
                group.addTask {
                    for (round, budget) in budgets.enumerated() {
                        proxy.cut(after: budget)
                        await client.disconnect()
                        // Once: with this budget a connection may never get anywhere.
                        let end = min(goal, await client.acknowledged + 5)
                        _ = try? await client.connect().push(
                            (end - 4...end).map { .numbered($0) }, in: 1, expecting: nil)
                        if round % 4 == 3 {
                            proxy.cut(after: nil)
                            await client.disconnect()
                            try await client.push(upTo: end, batch: 5)
                        }
                    }
                    proxy.cut(after: nil)
                    await client.disconnect()
                    try await client.push(upTo: goal, batch: 3)
                }
            }
            // The first error ends the others, too.
            for try await _ in group {}
        }
        try await expectAll(goal, of: clients, at: schema.upstream)
        proxy.close()
    }

    /// All that waits learns at once that the connection is gone.
    @Test func waitsEndWithTheConnection() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let proxy = try CuttingProxy(for: schema.server)
        let through = PostgresUpstream(
            schema.server.url(sockets: proxy.sockets), schema: schema.name)
        let connection = try await through.connect(to: "orders", as: .random())
        let wait = Task { try await connection.waitForHead(above: 0) }
        proxy.cutAll()
        await expectError(.unreachable) {
            try await wait.value
            // The wait was over before the cut.
            try await connection.waitForHead(above: 0)
        }
        await expectError(.unreachable) { _ = try await connection.state() }
        await expectError(.unreachable) {
            _ = try await through.connect(to: "orders", as: .random())
        }
        proxy.restore()
        try await through.connect(to: "orders", as: .random()).close()
        proxy.close()
    }

    /// A server without its newest commits answers on the same connection, through a pooler: it
    /// takes nothing behind a gap, and the same commit again has another stamp.
    @Test func noPushIsBehindAGap() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let client = UpstreamClient.random()
        let first = try await schema.upstream.connect(to: "orders", as: client)
        try await first.push(1...2)
        let before = try await first.allCommits()
        for change in [
            "DELETE FROM #.commit WHERE seq > 1", "UPDATE #.realm SET head = 1",
            "UPDATE #.client SET last_sequence = 1",
        ] {
            try await schema.server.query(change.replacing("#", with: schema.name))
        }
        await expectError(.unreachable) { try await first.push(3...3) }
        await expectError(.unreachable) { _ = try await first.state() }
        let second = try await schema.upstream.connect(to: "orders", as: client.again())
        #expect(try await second.state().lastClientSequence == 1)
        #expect(try await second.push(2...3) == .appended(last: 3))
        let after = try await second.allCommits()
        #expect(after.map(\.clientSequence) == [1, 2, 3])
        #expect(after[0] == before[0] && after[1].appendStamp != before[1].appendStamp)
        await second.close()
    }

    /// A push that is cancelled while it waits for another one's lock.
    @Test func cancelledPushes() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let client = UpstreamClient.random()
        let connection = try await schema.upstream.connect(to: "orders", as: client)
        let blocker = Blocker(schema)
        try await blocker.lock()
        let push = Task {
            try await connection.push([.numbered(1)], in: 1, expecting: nil)
        }
        try await blocker.waitUntilSomebodyWaits()
        push.cancel()
        await #expect(throws: CancellationError.self) { try await push.value }
        await expectError(.unreachable) { _ = try await connection.state() }
        // The server still has the push, first in the line. It must not come after the state.
        let again = try await schema.upstream.connect(to: "orders", as: client.again())
        #expect(try await again.state().lastClientSequence == 0)
        async let other = again.push([.numbered(1, "other")], in: 1, expecting: 0)
        try await blocker.unlock()
        #expect(try await other == .appended(last: 1))
        #expect(try await again.allCommits().map(\.payload) == [Data("1 other".utf8)])
        await again.close()
    }

    @Test func promotedStandbys() async throws {
        let primary = try await PostgresServer()
        let first = PostgresUpstream(primary.url())
        try await first.prepare()
        try await first.create("orders")
        let standby = try await primary.makeStandby()
        let second = PostgresUpstream(standby.url())
        // A standby is not written to.
        await expectError(.unreachable) {
            _ = try await second.connect(to: "orders", as: .random())
        }
        let connection = try await first.connect(to: "orders", as: .random())
        let pushing = Task {
            var number: Int64 = 1
            while true {
                guard
                    let answer = try? await connection.push(
                        [.numbered(number)], in: 1, expecting: nil),
                    case .appended(let last) = answer
                else { return number - 1 }
                #expect(last == number)
                number += 1
            }
        }
        let watcher = try await first.connect(to: "orders", as: .random())
        while try await watcher.state().head < 30 {}
        await primary.kill()
        let acknowledged = await pushing.value
        try await standby.promote()
        let after = try await second.connect(to: "orders", as: .random())
        let head = try await after.state().head
        // The one whose answer was lost may be there.
        #expect(head >= acknowledged && head <= acknowledged + 1)
        #expect(try await after.allCommits().map(\.clientSequence) == Array(1...head))
        await after.close()
        await standby.delete()
        await primary.delete()
    }

    /// A commit that the standby lacks is not acknowledged, even if the wait for it is cancelled.
    ///
    /// - Parameter messages: What the server's sessions begin with; they would not get the warning.
    @Test(arguments: ["notice", "error"])
    func commitsThatWereNotReplicated(_ messages: String) async throws {
        let primary = try await PostgresServer(settings: ["client_min_messages": messages])
        let upstream = PostgresUpstream(primary.url())
        try await upstream.prepare()
        try await upstream.create("orders")
        let standby = try await primary.makeStandby()
        let client = UpstreamClient.random()
        let connection = try await upstream.connect(to: "orders", as: client)
        _ = try await connection.push([.numbered(1)], in: 1, expecting: nil)
        await standby.kill()
        let push = Task { try await connection.push([.numbered(2)], in: 1, expecting: nil) }
        let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while try await primary.query("SELECT count(*) \(waiting)") == "0" {}
        try await primary.query("SELECT pg_cancel_backend(pid) \(waiting)")
        await expectError(.unreachable) { _ = try await push.value }
        await standby.delete()
        await primary.delete()
    }

    private func expectAll(
        _ goal: Int64, of clients: [PersistentClient], at upstream: any Upstream
    ) async throws {
        let reader = try await upstream.connect(to: "orders", as: .random())
        let all = try await reader.allCommits()
        #expect(all.map(\.sequence) == Array(1...goal * Int64(clients.count)))
        for client in clients {
            let id = await client.id
            let own = all.filter { $0.client == id }
            #expect(own.map(\.clientSequence) == Array(1...goal))
            await client.disconnect()
        }
        await reader.close()
    }
}
