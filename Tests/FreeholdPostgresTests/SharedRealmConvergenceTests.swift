import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import PostgresServer
import Testing

/// Five machines' files over a real PostgreSQL that is killed and started again: all are equal at
/// the end, and each shared write that was acknowledged is done once.
///
/// `FREEHOLD_SHARING_TRANSACTIONS` gives the number of transactions, for `Tests/sharing`.
@Suite(.needsPostgres)
struct SharedRealmConvergenceTests {
    private static let transactions =
        ProcessInfo.processInfo.environment["FREEHOLD_SHARING_TRANSACTIONS"].flatMap(Int.init)
        ?? 300
    private static let clientCount = 5

    /// What clients have been promised.
    private struct Promises {
        var acknowledged: Set<UUID> = []
    }

    @Test func fiveClientsAndKilledServers() async throws {
        let server = try await PostgresServer()
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        try await upstream.create("shop")
        let directory = try TemporaryDirectory()
        let promises = Locked(Promises())
        var random = Seed.random()
        let configurations = (0..<Self.clientCount).map { index in
            Realm.Configuration(
                fileURL: directory.file("\(index).realm"), objectTypes: SharedShop.classes)
        }
        try await begin(configurations, upstream)
        let (steps, step) = AsyncStream<Void>.makeStream()

        let seeds = configurations.map { _ in random.next() }
        let pauses = (0..<Self.transactions / 100 + 1).map { _ in random.int(5...60) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (configuration, seed) in zip(configurations, seeds) {
                group.addTask {
                    try await Self.work(configuration, upstream, seed, promises) { step.yield() }
                }
            }
            group.addTask {
                // A kill after so many transactions.
                var iterator = steps.makeAsyncIterator()
                var remaining = Self.transactions / Self.clientCount * Self.clientCount
                for pause in pauses {
                    for _ in 0..<min(pause, remaining) { await iterator.next() }
                    remaining -= min(pause, remaining)
                    await server.kill()
                    try await server.start()
                }
            }
            for try await _ in group {}
        }

        try await settle(configurations, upstream)
        let first = try SharedShop.contents(configurations[0])
        for configuration in configurations.dropFirst() {
            let other = try SharedShop.contents(configuration)
            for key in Set(first.keys).union(other.keys) where first[key] != other[key] {
                Issue.record("\(key): \(first[key] ?? "none") / \(other[key] ?? "none")")
            }
        }
        try judge(first, promises.withLock { $0.acknowledged })
        await server.delete()
        directory.delete()
    }

    /// Shares all files once, so that they open without a server later, and makes the accounts.
    private func begin(_ configurations: [Realm.Configuration], _ upstream: PostgresUpstream)
        async throws
    {
        for configuration in configurations {
            let shared = try await SharedRealm(configuration, upstream: upstream, name: "shop")
            try await shared.writeShared(timeout: .seconds(20)) { realm in
                for number in 0..<SharedShop.accounts
                where realm.object(ofType: Account.self, forPrimaryKey: number) == nil {
                    realm.create(
                        Account.self, value: ["number": number, "balance": SharedShop.balance])
                }
            }
            await shared.close()
        }
    }

    /// One machine: writes, transfers, and is closed and opened again.
    private static func work(
        _ configuration: Realm.Configuration, _ upstream: PostgresUpstream, _ seed: UInt64,
        _ promises: Locked<Promises>, step: () -> Void
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var options = SharingOptions()
        options.longestRetry = 0.5
        func open() async throws -> SharedRealm {
            try await SharedRealm(
                configuration, upstream: upstream, name: "shop", options: options)
        }
        var shared = try await open()
        for _ in 0..<Self.transactions / Self.clientCount {
            switch random.int(0...19) {
            case 0:
                await shared.close()
                shared = try await open()
            case 1...4: try await transfer(shared, &random, promises)
            default: try SharedShop.change(configuration, &random)
            }
            step()
        }
        await shared.close()
    }

    private static func transfer(
        _ shared: SharedRealm, _ random: inout SeededGenerator, _ promises: Locked<Promises>
    ) async throws {
        let (from, to) = (
            random.int(0...SharedShop.accounts - 1), random.int(0...SharedShop.accounts - 1)
        )
        let (amount, id) = (random.int(1...40), UUID())
        do {
            let isDone = try await shared.writeShared(timeout: .seconds(5)) { realm in
                guard let payer = realm.object(ofType: Account.self, forPrimaryKey: from),
                    let payee = realm.object(ofType: Account.self, forPrimaryKey: to),
                    payer.balance >= amount
                else { return false }
                payer.balance -= amount
                payee.balance += amount
                realm.create(
                    Receipt.self, value: ["id": id, "from": from, "to": to, "amount": amount])
                return true
            }
            if isDone { promises.withLock { _ = $0.acknowledged.insert(id) } }
        } catch let error as SharingError
            where [.unreachable, .outcomeUnknown, .tooManyConflicts].contains(error.code)
        {
            // Not promised.
        }
    }

    /// Lets all files have all of the log.
    private func settle(_ configurations: [Realm.Configuration], _ upstream: PostgresUpstream)
        async throws
    {
        var open: [SharedRealm] = []
        for configuration in configurations {
            open.append(try await SharedRealm(configuration, upstream: upstream, name: "shop"))
        }
        for _ in 0..<2 {
            for shared in open { try await shared.synchronize() }
        }
        for shared in open { await shared.close() }
    }

    /// Each receipt stands for a transfer that was done once, and no promised one is missing.
    private func judge(_ contents: [String: String], _ acknowledged: Set<UUID>) throws {
        var balances = [Int](repeating: SharedShop.balance, count: SharedShop.accounts)
        for (key, value) in contents where key.hasPrefix("receipt ") {
            let numbers = value.split(separator: " ").compactMap { Int($0) }
            try #require(numbers.count == 3)
            balances[numbers[0]] -= numbers[2]
            balances[numbers[1]] += numbers[2]
        }
        for (number, balance) in balances.enumerated() {
            #expect(contents["account \(number)"] == "\(balance)")
            #expect(balance >= 0)
        }
        for id in acknowledged { #expect(contents["receipt \(id)"] != nil) }
        #expect(!acknowledged.isEmpty)
    }
}
