import Dispatch
import Foundation
import Freehold
@testable import FreeholdSharing
import FreeholdStorage
import Testing

/// What a program is told while snapshots move, and of whom changes in its history are.
@Suite struct SharedProgressTests {
    @Test(.timeLimit(.minutes(10))) func snapshotsShowTheirProgress() async throws {
        let shop = try await Shop()
        let (shared, seen) = (Locked<SharedRealm?>(nil), Locked<[SharedStatus.Progress]>([]))
        let writing = HookedUpstream(
            shop.upstream,
            onPiece: {
                guard let shared = shared.withLock({ $0 }) else { return }
                // Behind the first piece, at the latest: it is shown before the next one is asked
                // for.
                if seen.withLock({ $0.isEmpty }) {
                    return seen.withLock { $0.append(.init(done: 0, total: 0)) }
                }
                while true {
                    guard let progress = shared.status.snapshotProgress else { continue }
                    return seen.withLock { $0.append(progress) }
                }
            })
        let one = try await SharedRealm(
            shop.configuration("one"), upstream: writing, name: Shop.name)
        try one.write { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        shared.withLock { $0 = one }
        try await one.makeSnapshot()
        shared.withLock { $0 = nil }
        let last = try #require(seen.withLock { $0.last })
        #expect(last.total > 0 && last.done == last.total)
        for await status in one.statusChanges where status.snapshotProgress == nil { break }
        await one.close()

        // A new file has no status yet.
        var options = SharingOptions()
        let parts = Locked<[SharedStatus.Progress]>([])
        options.onFirstSnapshot = { part in parts.withLock { $0.append(part) } }
        let two = try await SharedRealm(
            shop.configuration("two"), upstream: shop.upstream, name: Shop.name, options: options)
        let first = try #require(parts.withLock { $0.last })
        #expect(first.done == first.total && first.total == last.total)
        await two.close()
    }

    /// What others do not see yet: until it is settled, or undone.
    @Test(.timeLimit(.minutes(10))) func pendingChanges() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        try one.write { realm in
            realm.create(ShopSupplier.self, value: ["name": "Ada", "city": "Ulm"])
            realm.create(ShopSupplier.self, value: ["name": "Bo"])
        }
        try await one.synchronize()
        try await two.synchronize()
        #expect(try one.read { try $0.pendingChanges() }.isEmpty)
        shop.upstream.setReachable(false)
        func supplier(_ name: String, _ realm: Realm) throws -> ShopSupplier {
            try #require(realm.object(ofType: ShopSupplier.self, forPrimaryKey: name))
        }
        // Of one both will keep its value, of the other the later one in the log.
        try one.write { try supplier("Ada", $0).city = "Bonn" }
        try one.write { try supplier("Bo", $0).city = "Kiel" }
        try two.write { try supplier("Ada", $0).city = "Rom" }
        let waiting = try one.read { try $0.pendingChanges() }
        #expect(waiting.map(\.primaryKey) == [.string("Ada"), .string("Bo")])
        #expect(waiting.map { $0.values["city"] } == [.string("Bonn"), .string("Kiel")])
        #expect(waiting.allSatisfy { $0.kind == .updated && $0.className == "ShopSupplier" })
        // It would try to connect by itself, and might be first.
        await two.close()
        shop.upstream.setReachable(true)
        try await one.synchronize()
        let later = try await shop.open("two")
        try await later.synchronize()
        try await one.synchronize()
        for shared in [one, later] {
            #expect(try shared.read { try $0.pendingChanges() }.isEmpty)
            #expect(try shared.read { try supplier("Ada", $0).city } == "Rom")
            #expect(try shared.read { try supplier("Bo", $0).city } == "Kiel")
        }
        await one.close()
        await later.close()
        // A file that is not shared, and one that nobody connects.
        try shop.write(shop.configuration("plain")) { realm in
            realm.create(ShopSupplier.self, value: ["name": "Ada"])
        }
        func countOfPlain() throws -> Int {
            try Realm(configuration: shop.configuration("plain")).pendingChanges().count
        }
        #expect(try countOfPlain() == 0)
        try one.write { try supplier("Bo", $0).city = "Wien" }
        #expect(try one.read { try $0.pendingChanges() }.count == 1)
    }

    /// An outbox that reads the history tells what this machine wrote from what others did.
    @Test func historyNamesOthers() async throws {
        let shop = try await Shop()
        var configuration = shop.configuration("one")
        configuration.history = .kept(for: .forever, values: true)
        let one = try await shop.open(configuration)
        let two = try await shop.open("two")
        try one.write { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        try await two.synchronize()
        try two.write { realm in
            realm.object(ofType: ShopSupplier.self, forPrimaryKey: "Ada")?.city = "Ulm"
            realm.create(ShopSupplier.self, value: ["name": "Bob"])
        }
        try await two.synchronize()
        try await one.synchronize()
        try one.read { realm in
            let all = Array(try realm.history()).filter { !$0.classNames.isEmpty }
            #expect(all.map(\.author) == [nil, SharedRealm.remoteAuthor])
            #expect(all.map { Array($0.changes).count } == [1, 2])
            let own = try realm.history().excluding(author: SharedRealm.remoteAuthor)
            #expect(Array(own).allSatisfy { $0.author == nil })
        }
        await one.close()
        await two.close()
    }

    /// What this machine wrote with `writeShared` is in its history with its author, also where it
    /// comes back with others' commits and pending ones.
    @Test func historyNamesTheAuthorOfSharedWrites() async throws {
        let shop = try await Shop()
        var configuration = shop.configuration("one")
        configuration.history = .kept(for: .forever, values: true)
        let one = try await shop.open(configuration)
        let two = try await shop.open("two")
        try await one.writeShared(author: "till") {
            $0.create(ShopSupplier.self, value: ["name": "Ada"])
        }
        for name in ["Bob", "Cem"] {
            try await two.writeShared { $0.create(ShopSupplier.self, value: ["name": name]) }
            try one.write { $0.create(ShopSupplier.self, value: ["name": name + " of one"]) }
            let count = try await one.writeShared { realm in
                realm.create(ShopSupplier.self, value: ["name": name + " agreed"])
                return realm.objects(ShopSupplier.self).count
            }
            #expect(count == (name == "Bob" ? 4 : 7))
        }
        try one.read { realm in
            let all = Array(try realm.history()).filter { !$0.classNames.isEmpty }
            var names: [String?: Set<String>] = [:]
            for transaction in all {
                for change in transaction.changes {
                    names[transaction.author, default: []].insert(
                        "\(change.primaryKey, default: "")")
                }
            }
            func expect(_ author: String?, _ expected: [String]) {
                let found = names[author] ?? []
                #expect(found.count == expected.count, "\(found)")
                for name in expected {
                    #expect(found.contains { $0.contains(name) }, "\(name): \(found)")
                }
            }
            expect("till", ["Ada"])
            expect(SharedRealm.remoteAuthor, ["Bob", "Cem"])
            expect(nil, ["Bob of one", "Bob agreed", "Cem of one", "Cem agreed"])
        }
        await one.close()
        await two.close()
    }

    /// Actors and queues open the realm where they use it, and reports name the caller.
    @Test func anActorOpensTheRealm() async throws {
        actor Stock {
            let realm: Realm
            init(_ shared: SharedRealm) async throws { realm = try await shared.openRealm() }
            func add(_ name: String) async throws -> Int {
                try await realm.asyncWrite { _ = realm.create(ShopSupplier.self, value: [name]) }
                await Task.yield()
                return realm.objects(ShopSupplier.self).count
            }
        }
        let shop = try await Shop()
        let one = try await shop.open("one")
        let stock = try await Stock(one)
        #expect(try await stock.add("Ada") == 1)
        #expect(try await stock.add("Bob") == 2)
        let queue = DispatchQueue(label: "test")
        let count = try queue.sync {
            try one.realm(queue: queue).objects(ShopSupplier.self).count
        }
        #expect(count == 2)
        await one.close()
    }
}
