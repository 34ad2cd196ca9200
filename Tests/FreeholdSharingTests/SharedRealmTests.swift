import Foundation
import Freehold
import FreeholdSharing
import FreeholdStorage
import Testing
import UpstreamConformance

/// Programs over the simulated upstream.
@Suite struct SharedRealmTests {
    @Test func whatOneWritesTheOtherReads() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        let id = ObjectId.generate()
        try one.write { realm in
            let supplier = realm.create(ShopSupplier.self, value: ["name": "Ada", "city": "Ulm"])
            let item = ShopItem()
            item.id = id
            (item.name, item.stock, item.price) = ("bolt", 5, 1.5)
            item.tags.append(objectsIn: ["a", "b"])
            item.kinds.insert(objectsIn: ["x", "y"])
            item.notes["k"] = "v"
            item.extra = .double(2.5)
            item.supplier = supplier
            item.size = ShopSize(value: ["width": 3, "unit": "mm"])
            item.parts.append(objectsIn: [ShopSize(value: ["width": 1]), ShopSize()])
            realm.add(item)
        }
        try await one.synchronize()
        try await two.synchronize()
        try expectEqual(one, two)
        #expect(try two.read { $0.objects(ShopItem.self).first?.supplier?.items.count } == 1)
        try two.write { realm in
            let item = try #require(realm.object(ofType: ShopItem.self, forPrimaryKey: id))
            item.tags.insert("c", at: 1)
            item.size?.width = 9
            item.parts.remove(at: 0)
            item.extra = .string("text")
        }
        try await two.synchronize()
        try await one.synchronize()
        try expectEqual(one, two)
        #expect(one.status.isCaughtUp)
        await one.close()
        await two.close()
        #expect(one.status.connection == .closed)
    }

    @Test func offlineWritesArePushedAndMerged() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        let id = ObjectId.generate()
        try one.write { $0.create(ShopItem.self, value: ["id": id, "stock": 10] as [String: Any]) }
        try await one.synchronize()
        try await two.synchronize()
        shop.upstream.setReachable(false)
        func item(_ realm: Realm) throws -> ShopItem {
            try #require(realm.object(ofType: ShopItem.self, forPrimaryKey: id))
        }
        try one.write { try item($0).increment(\.stock, by: 3) }
        try two.write { realm in
            try item(realm).increment(\.stock, by: 4)
            try item(realm).name = "renamed"
        }
        try one.write { try item($0).tags.append("one") }
        try two.write { try item($0).tags.append("two") }
        await #expect(throws: SharingError.self) { try await one.synchronize() }
        shop.upstream.setReachable(true)
        try await one.synchronize()
        try await two.synchronize()
        try await one.synchronize()
        try expectEqual(one, two)
        try one.read { realm in
            let item = try item(realm)
            #expect(item.stock == 17)
            #expect(item.name == "renamed")
            #expect(Set(item.tags) == ["one", "two"])
        }
    }

    @Test func sharedWritesAreDoneOnce() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        let id = ObjectId.generate()
        try one.write { $0.create(ShopItem.self, value: ["id": id, "stock": 40] as [String: Any]) }
        try await one.synchronize()
        try await two.synchronize()
        let sold = try await withThrowingTaskGroup(of: Int.self) { group in
            for shared in [one, two] {
                group.addTask {
                    var sold = 0
                    while true {
                        let isSold = try await shared.writeShared { realm in
                            guard
                                let item = realm.object(ofType: ShopItem.self, forPrimaryKey: id),
                                item.stock > 0
                            else { return false }
                            item.stock -= 1
                            return true
                        }
                        if !isSold { return sold }
                        sold += 1
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sold == 40)
        try await one.synchronize()
        try await two.synchronize()
        try expectEqual(one, two)
        #expect(try one.read { $0.objects(ShopItem.self).first?.stock } == 0)
    }

    @Test func aLostAnswerIsNoSecondWrite() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try one.write { $0.create(ShopSupplier.self, value: ["name": "counter", "city": ""]) }
        try await one.synchronize()
        for number in 1...10 {
            if number % 2 == 0 {
                shop.upstream.loseAnswers(1)
            } else {
                shop.upstream.loseRequests(1)
            }
            let length = try await one.writeShared(timeout: .seconds(600)) { realm in
                let supplier = realm.object(ofType: ShopSupplier.self, forPrimaryKey: "counter")
                supplier?.city = (supplier?.city ?? "") + "x"
                return supplier?.city?.count ?? 0
            }
            #expect(length == number)
        }
    }

    @Test func offlineSharedWritesThrow() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        shop.upstream.setReachable(false)
        await #expect(throws: SharingError.self) { try await one.synchronize() }
        await #expect {
            try await one.writeShared { $0.create(ShopSupplier.self, value: ["name": "x"]).name }
        } throws: { ($0 as? SharingError)?.code == .unreachable }
        #expect(try one.read { $0.objects(ShopSupplier.self).count } == 0)
        struct Refused: Error {}
        shop.upstream.setReachable(true)
        await #expect(throws: Refused.self) {
            try await one.writeShared(timeout: .seconds(600)) { _ in throw Refused() }
        }
    }

    @Test func whatADeletionTakesIsTold() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        try one.write { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        try await two.synchronize()
        shop.upstream.setReachable(false)
        try two.write { realm in
            realm.object(ofType: ShopSupplier.self, forPrimaryKey: "Ada")?.city = "Ulm"
        }
        await #expect(throws: SharingError.self) { try await two.synchronize() }
        await two.close()
        shop.upstream.setReachable(true)
        try one.write { realm in realm.delete(realm.objects(ShopSupplier.self)) }
        try await one.synchronize()
        let again = try await shop.open("two")
        try await again.synchronize()
        #expect(try again.read { $0.objects(ShopSupplier.self).count } == 0)
        var rejections = again.rejections.makeAsyncIterator()
        let rejection = try #require(try await rejections.next())
        #expect(rejection.reason == .objectDeleted)
        #expect(rejection.changes.first?.className == "ShopSupplier")
        #expect("\(rejection.changes.first?.values["city"] ?? .none)" == "\"Ulm\"")
    }

    /// The deletion takes the links away everywhere, so those to the new object are changes, even
    /// though its key is the same.
    @Test func linksToAnObjectThatTakesTheKeyOfAnother() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        let id = ObjectId.generate()
        try one.write { realm in
            let supplier = realm.create(ShopSupplier.self, value: ["name": "Ada", "city": "Ulm"])
            let item = realm.create(ShopItem.self, value: ["id": id])
            (item.supplier, item.extra) = (supplier, .object(supplier))
        }
        try await one.synchronize()
        try await two.synchronize()
        for isOnline in [true, false] {
            shop.upstream.setReachable(isOnline)
            try one.write { realm in
                let item = realm.object(ofType: ShopItem.self, forPrimaryKey: id)
                realm.delete(realm.objects(ShopSupplier.self))
                let supplier = realm.create(ShopSupplier.self, value: ["name": "Ada"])
                item?.supplier = supplier
                item?.extra = .object(supplier)
            }
            if !isOnline {
                // Others change the objects meanwhile, before or after it in the log.
                shop.upstream.setReachable(true)
                try two.write { realm in
                    realm.object(ofType: ShopItem.self, forPrimaryKey: id)?.stock = 3
                    realm.object(ofType: ShopSupplier.self, forPrimaryKey: "Ada")?.city = "Bonn"
                }
                try await two.synchronize()
            }
            try await one.synchronize()
            try await two.synchronize()
            for shared in [one, two] {
                try shared.read { realm in
                    let item = realm.object(ofType: ShopItem.self, forPrimaryKey: id)
                    #expect(item?.supplier?.name == "Ada")
                    #expect(item?.extra.object(ShopSupplier.self)?.name == "Ada")
                }
            }
            try expectEqual(one, two)
        }
        await one.close()
        await two.close()
    }

    /// A rejection stays until the program has dealt with it.
    @Test(.timeLimit(.minutes(10))) func aProgramThatEndsIsToldAgain() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        let names = ["Ada", "Bob"]
        for name in names {
            try one.write { $0.create(ShopSupplier.self, value: ["name": name]) }
        }
        try await one.synchronize()
        try await two.synchronize()
        shop.upstream.setReachable(false)
        for name in names {
            try two.write {
                $0.object(ofType: ShopSupplier.self, forPrimaryKey: name)?.city = "Ulm"
            }
        }
        await two.close()
        shop.upstream.setReachable(true)
        try one.write { realm in realm.delete(realm.objects(ShopSupplier.self)) }
        try await one.synchronize()
        var told: [Int64] = []
        // The program ends while it deals with the second one.
        let again = try await shop.open("two")
        try await again.synchronize()
        var rejections = again.rejections.makeAsyncIterator()
        for _ in names { told.append(try #require(try await rejections.next()).commit) }
        await again.close()
        #expect(try await rejections.next() == nil)
        // Two loops share what is left.
        let last = try await shop.open("two")
        for try await rejection in last.rejections {
            told.append(rejection.commit)
            break
        }
        #expect(told.count == 3 && told[0] < told[1] && told[2] == told[1])
        await last.close()
        let file = try await shop.open("two")
        #expect(try file.read { try SharedFileStatus(of: $0)?.rejected } == 0)
        await file.close()
        await one.close()
    }

    /// Its first file has the epoch's number: it is not read once more.
    @Test func aNewFileReadsTheSnapshotOnce() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try one.write { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.beginEpoch()
        let pieces = Locked(0)
        let upstream = HookedUpstream(shop.upstream, onPiece: { pieces.withLock { $0 += 1 } })
        let two = try await SharedRealm(
            shop.configuration("two"), upstream: upstream, name: Shop.name)
        try await two.synchronize()
        #expect(pieces.withLock { $0 } == 1)
        #expect(two.status.epoch == 2)
        try expectEqual(one, two)
        await one.close()
        await two.close()
    }

    @Test func filesBeginWithSnapshots() async throws {
        let key = Data((0..<64).map { UInt8($0) })
        for key in [nil, key] {
            let shop = try await Shop()
            let one = try await shop.open("one", key: key)
            try one.write { realm in
                for number in 0..<50 {
                    realm.create(ShopSupplier.self, value: ["name": "n\(number)"])
                }
            }
            try await one.synchronize()
            try await one.makeSnapshot()
            try one.write { $0.create(ShopSupplier.self, value: ["name": "later"]) }
            try await one.synchronize()
            let two = try await shop.open("two", key: key)
            // Before anything else is read.
            #expect(try two.read { $0.objects(ShopSupplier.self).count } >= 50)
            try await two.synchronize()
            try expectEqual(one, two)
        }
    }

    /// A task that waits ends when it is cancelled, also while the upstream does not answer.
    @Test func waitsEndWithTheirTasks() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        // Calls are not answered any more.
        shop.upstream.setDelay(.seconds(3600))
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        let waits: [@Sendable () async throws -> Void] = [
            { try await one.synchronize() }, { try await one.makeSnapshot() },
            { try await one.beginEpoch() },
        ]
        for wait in waits {
            let task = Task { try await wait() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        await one.close(patience: .zero)
        #expect(one.status.connection == .closed && one.status.pending == 1)
    }

    /// The file's name stays free, so that the next attempt begins again.
    @Test func aSnapshotOfAnotherKeyLeavesNoFile() async throws {
        let shop = try await Shop()
        func key(_ first: UInt8) -> Data { Data((0..<64).map { first &+ UInt8($0) }) }
        let one = try await shop.open("one", key: key(0))
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        try await one.makeSnapshot()
        do {
            _ = try await shop.open("two", key: key(1))
            Issue.record("Another key was taken.")
        } catch {
            #expect((error as? SharingError)?.code == .damagedPayload, "\(error)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(left.filter { $0.hasPrefix("two") && $0 != "two.sharing" } == [])
        let two = try await shop.open("two", key: key(0))
        try await two.synchronize()
        try expectEqual(one, two)
    }

    @Test func contentsOfAFileAreShared() async throws {
        let shop = try await Shop()
        let configuration = shop.configuration("one")
        try shop.write(configuration) { realm in
            let supplier = realm.create(ShopSupplier.self, value: ["name": "Ada"])
            for number in 0..<1200 {
                let item = ShopItem()
                item.stock = number
                item.supplier = supplier
                realm.add(item)
            }
        }
        let (one, two) = (try await shop.open(configuration), try await shop.open("two"))
        try await one.synchronize()
        try await two.synchronize()
        try expectEqual(one, two)
        #expect(try two.read { $0.objects(ShopSupplier.self).first?.items.count } == 1200)
    }

    /// Nothing is written, not even the file's lock.
    @Test func unfitNamesAreTyped() async throws {
        let shop = try await Shop()
        for name in CheckRoom.unfitNames {
            await expectError(.unfitName) {
                _ = try await SharedRealm(
                    shop.configuration("one"), upstream: shop.upstream, name: name)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.folder.path) == [])
    }

    /// Nothing is written: there is no file that would keep what is pending, or none to write to.
    @Test func realmsWithoutAFileOfTheirOwn() async throws {
        let shop = try await Shop()
        var readOnly = shop.configuration("one")
        readOnly.readOnly = true
        var inMemory = shop.configuration("one")
        inMemory.inMemoryIdentifier = "shared \(UUID().uuidString)"
        for configuration in [readOnly, inMemory] {
            let error = await #expect(throws: Realm.Error.self) {
                _ = try await SharedRealm(
                    configuration, upstream: shop.upstream, name: Shop.name)
            }
            #expect(error?.code == .invalidInput && error?.message.contains("shared") == true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.folder.path) == [])
    }

    @Test func aClosedRealmTakesNoIdentity() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        await one.close()
        await expectError(.closed) { try await one.takeNewIdentity() }
    }

    /// Names whose bytes differ are other names, whatever they look like.
    @Test func namesAreBytes() async throws {
        let shop = try await Shop()
        func open(_ name: String) async throws -> SharedRealm {
            try await SharedRealm(
                shop.configuration("one"), upstream: shop.upstream, name: name)
        }
        try await shop.upstream.create("Zo\u{EB}")
        try await open("Zo\u{EB}").close()
        await expectError(.alreadyShared) { try await open("Zoe\u{308}").close() }
    }

    /// Who begins to listen when the shared realm is closed does not wait for ever.
    @Test(.timeLimit(.minutes(10))) func streamsEndWithTheSharedRealm() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        await one.close()
        var last: SharedStatus?
        for await status in one.statusChanges { last = status }
        #expect(last?.connection == .closed)
        for try await rejection in one.rejections { Issue.record("\(rejection)") }
    }

    /// Also where the program has it open: in the same task, and on the same thread.
    @Test func filesThatAreOpen() async throws {
        let shop = try await Shop()
        let configuration = shop.configuration("one")
        for number in 0..<10 {
            let ofTask = try await Realm.open(configuration: configuration)
            let ofThread = try Self.openHere(configuration)
            try Self.add("\(number)", ofThread)
            let shared = try await shop.open(configuration)
            try await shared.synchronize()
            await shared.close()
            withExtendedLifetime((ofTask, ofThread)) {}
        }
        let two = try await shop.open("two")
        try await two.synchronize()
        #expect(try two.read { $0.objects(ShopSupplier.self).count } == 10)
    }

    private static func openHere(_ configuration: Realm.Configuration) throws -> Realm {
        try Realm(configuration: configuration)
    }

    private static func add(_ name: String, _ realm: Realm) throws {
        try realm.write { _ = realm.create(ShopSupplier.self, value: ["name": name]) }
    }

    @Test func wrongStartsAreTyped() async throws {
        let shop = try await Shop()
        func code(_ body: () async throws -> SharedRealm) async -> SharingError.Code? {
            do {
                let shared = try await body()
                await shared.close()
                return nil
            } catch {
                return (error as? SharingError)?.code
            }
        }
        let keyless = await code {
            try await shop.open(shop.configuration("a", [KeylessItem.self]))
        }
        #expect(keyless == .unfitClass)
        let counted = await code {
            try await shop.open(shop.configuration("b", [CountedItem.self]))
        }
        #expect(counted == .unfitClass)
        let unknown = await code {
            try await SharedRealm(
                shop.configuration("c"), upstream: shop.upstream, name: "other")
        }
        #expect(unknown == .unknownRealm)
        await #expect(throws: Realm.Error.self) {
            try await shop.open(shop.configuration("nowhere/a")).close()
        }
        let one = try await shop.open("one")
        let twice = await code { try await shop.open("one") }
        #expect(twice == .alreadyShared)
        await one.close()
        shop.upstream.setReachable(false)
        let offlineStart = await code { try await shop.open("d") }
        #expect(offlineStart == .unreachable)
        // Shared before.
        let offline = try await shop.open("one")
        try offline.write { $0.create(ShopSupplier.self, value: ["name": "x"]) }
        await offline.close()
        shop.upstream.setReachable(true)
        try await shop.upstream.create("other")
        let renamed = await code {
            try await SharedRealm(
                shop.configuration("one"), upstream: shop.upstream, name: "other")
        }
        #expect(renamed == .alreadyShared)
    }
}
