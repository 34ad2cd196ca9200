import Foundation
import Freehold
@testable import FreeholdSharing
@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

final class Doll: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id = 0
    @Persisted var inner: InnerDoll?
}

final class InnerDoll: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var number = 0
    @Persisted var inner: InnerDoll?
}

/// Values that some machine could not have are refused where they are written.
@Suite struct UnfitValueTests {
    private static let half = Data(repeating: 7, count: 9_000_000)

    /// A property has at most 16 MiB. The block's commit reaches files only by way of the log.
    @Test(arguments: [false, true]) func longValuesOfSharedWrites(isNested: Bool) async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.writeShared { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        let error = await #expect(throws: Realm.Error.self) {
            try await one.writeShared { realm in
                if isNested {
                    let item = realm.create(ShopItem.self)
                    item.extra = .fromArray([.data(Self.half), .data(Self.half)])
                } else {
                    let city = String(repeating: "x", count: 17_000_000)
                    realm.create(ShopSupplier.self, value: ["name": "Bob", "city": city])
                }
            }
        }
        #expect(error?.code == .valueTooLarge)
        try await one.synchronize()
        #expect(one.status.applied == 1)
        #expect(try one.read { $0.objects(ShopItem.self).isEmpty })
        try await one.writeShared { $0.create(ShopSupplier.self, value: ["name": "Cem"]) }
        #expect(one.status.applied == 2)
        await one.close()
    }

    /// Another program, or none of ours, has pushed one: it is left out, and stops nobody.
    @Test func aLongValueOfTheLog() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try one.write { $0.create(ShopItem.self, value: ["name": "bolt"]) }
        try await one.synchronize()
        let id = try one.read { try #require($0.objects(ShopItem.self).first).id }
        let snapshot = try one.read { try $0.sharedStore.newestSnapshot() }
        let half = SharedValue.bytes(ContiguousArray(Self.half))
        var commit = SharedCommit()
        SharedRows(snapshot).forEachObject { object, _, _ in
            let changes: [String: SharedCommit.Change] = [
                "extra": .assign(.list([half, half])), "stock": .assign(.integer(7)),
            ]
            commit.updated.append(.init(object, changes))
        }
        #expect(commit.updated.count == 1)
        commit.define(by: snapshot.catalog)
        let client = UpstreamClient(
            id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "other")
        let connection = try await shop.upstream.connect(to: Shop.name, as: client)
        _ = try await connection.push(
            [PushedCommit(clientSequence: 1, format: 1, payload: Data(commit.encoded()))],
            in: try await connection.state().epoch, expecting: nil)
        await connection.close()
        let two = try await shop.open("two")
        for shared in [one, two] {
            try await shared.synchronize()
            try shared.read { realm in
                let item = try #require(realm.object(ofType: ShopItem.self, forPrimaryKey: id))
                #expect(item.stock == 7 && item.extra == .none)
            }
        }
        try expectEqual(one, two)
        await one.close()
        await two.close()
    }

    private func chain(of count: Int) -> InnerDoll {
        var doll = InnerDoll(value: ["number": 1])
        for number in stride(from: 2, through: count, by: 1) {
            let outer = InnerDoll()
            (outer.number, outer.inner) = (number, doll)
            doll = outer
        }
        return doll
    }

    private func depth(_ doll: Doll?) -> Int {
        var (depth, next) = (0, doll?.inner)
        while let inner = next { (depth, next) = (depth + 1, inner.inner) }
        return depth
    }

    /// What is deeper than others can read is refused by each way of writing.
    @Test func deepEmbeddedObjects() async throws {
        let shop = try await Shop()
        let types: [ObjectBase.Type] = [Doll.self, InnerDoll.self]
        let one = try await shop.open(shop.configuration("one", types))
        let two = try await shop.open(shop.configuration("two", types))
        let limit = SharedValue.greatestEmbeddedDepth
        for count in [limit + 1, 300, 20_000] {
            let error = #expect(throws: Realm.Error.self) {
                try one.write { $0.create(Doll.self).inner = chain(of: count) }
            }
            #expect(error?.code == .valueTooLarge)
            #expect(error?.message.contains("Doll.inner") == true)
        }
        let error = await #expect(throws: Realm.Error.self) {
            try await one.writeShared { [limit] in
                $0.create(Doll.self).inner = self.chain(of: limit + 1)
            }
        }
        #expect(error?.code == .valueTooLarge)
        try one.write { $0.create(Doll.self).inner = chain(of: limit) }
        // One more below an object that is there.
        let deeper = #expect(throws: Realm.Error.self) {
            try one.write { realm in
                var last = realm.object(ofType: Doll.self, forPrimaryKey: 0)?.inner
                while let inner = last?.inner { last = inner }
                last?.inner = InnerDoll()
            }
        }
        #expect(deeper?.code == .valueTooLarge)
        try await one.synchronize()
        try await two.synchronize()
        for shared in [one, two] {
            let found = try shared.read { depth($0.object(ofType: Doll.self, forPrimaryKey: 0)) }
            #expect(found == limit)
            #expect(shared.status.lastError == nil)
        }
        await one.close()
        await two.close()
    }

    /// A file that has them already cannot be shared, and stays as it is.
    @Test func sharingAFileWithDeepObjects() async throws {
        let shop = try await Shop()
        let configuration = shop.configuration("one", [Doll.self, InnerDoll.self])
        try shop.write(configuration) { $0.create(Doll.self).inner = chain(of: 300) }
        let error = await #expect(throws: Realm.Error.self) {
            try await shop.open(configuration).close()
        }
        #expect(error?.code == .valueTooLarge)
        let realm = try await Realm.open(configuration: configuration)
        #expect(depth(realm.objects(Doll.self).first) == 300)
        try realm.write { realm.create(Doll.self, value: ["id": 1]) }
    }

    /// More than an upstream takes: the transaction is refused, not the outbox blocked.
    @Test func longTransactions() throws {
        let folder = try StoreFolder()
        let hooks = TestHooks { $0.layout.longestSharedCommit = 10_000 }
        let store = try folder.open("a", hooks: hooks)
        try store.write { SharedWorld.addClasses(to: $0) }
        let file = try SharedFile(store, name: "r", key: nil)
        func insert(_ count: Int) throws {
            try store.write { writeSet in
                var commit = SharedCommit()
                commit.inserted = (0..<count).map { number in
                    let name = "object \(number) of \(count)"
                    return .init(
                        SharedReference("Named", .text(ContiguousArray(name.utf8))),
                        ["int": .integer(7)])
                }
                commit.define(by: writeSet.catalog)
                _ = try SharedApplier(writeSet).apply(commit)
            }
        }
        let error = #expect(throws: StorageError.self) { try insert(1000) }
        #expect(error?.code == .valueTooLarge)
        // An object that is there before the file is shared is a commit, too.
        let other = try folder.open("b", hooks: hooks)
        try other.write { SharedWorld.addClasses(to: $0) }
        try other.write { writeSet in
            var commit = SharedCommit()
            let text = ContiguousArray(repeating: UInt8(ascii: "x"), count: 11_000)
            commit.inserted = [
                .init(
                    SharedReference("Named", .text(ContiguousArray("a".utf8))),
                    ["text": .text(text)])
            ]
            commit.define(by: writeSet.catalog)
            _ = try SharedApplier(writeSet).apply(commit)
        }
        let refused = #expect(throws: StorageError.self) {
            try SharedFile(other, name: "r", key: nil)
        }
        #expect(refused?.code == .valueTooLarge)
        #expect(try !other.newestSnapshot().catalog.isShared)
        try file.loadOutbox()
        #expect(file.outbox.commits.isEmpty)
        try insert(100)
        try file.loadOutbox()
        #expect(file.outbox.commits.count == 1)
        #expect(try store.check(try store.newestSnapshot()).isEmpty)
    }
}
