import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// How a file becomes a shared one.
@Suite struct SharedStartTests {
    /// Programs may open a file as soon as they see it. What they write must be in its outbox.
    @Test func theFileOfASnapshotIsSharedFromTheBeginning() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        try await one.makeSnapshot()
        for number in 0..<10 {
            let machine = "two \(number)"
            let path = shop.folder.appendingPathComponent(machine).path
            let program = Task.detached {
                try await onThreadOfItsOwn {
                    while access(path, F_OK) != 0 { sched_yield() }
                    let realm = try Realm(configuration: shop.configuration(machine))
                    let isShared =
                        try realm.sharedStore.newestSnapshot().catalog[
                            TableDefinition.sharingName] != nil
                    try realm.write {
                        _ = realm.create(ShopSupplier.self, value: ["name": machine])
                    }
                    return isShared
                }
            }
            let two = try await shop.open(machine)
            #expect(try await program.value)
            try await two.synchronize()
            await two.close()
        }
        try await one.synchronize()
        #expect(try one.read { $0.objects(ShopSupplier.self).count } == 11)
        await one.close()
    }

    private func onThreadOfItsOwn<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Else the program could not open it with the mended class without a migration.
    @Test func unfitClassesMakeNoFile() async throws {
        let shop = try await Shop()
        for type in [KeylessItem.self, CountedItem.self] as [ObjectBase.Type] {
            let error = await #expect(throws: SharingError.self) {
                try await shop.open(shop.configuration("one", [type])).close()
            }
            #expect(error?.code == .unfitClass)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.folder.path) == [])
    }

    @Test func aSharedFileTakesNoUnfitClass() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        let more: [ObjectBase.Type] = [
            ShopItem.self, ShopSupplier.self, ShopSize.self, KeylessItem.self,
        ]
        let refused = #expect(throws: Realm.Error.self) {
            try Realm(configuration: shop.configuration("one", more))
        }
        #expect(refused?.code == .invalidInput)
        #expect("\(refused as Any)".contains("KeylessItem"))
        // Machines would assign the same keys.
        let automatic = #expect(throws: Realm.Error.self) {
            try Realm(configuration: shop.configuration("one", [CountedItem.self]))
        }
        #expect(automatic?.code == .invalidInput)
        #expect("\(automatic as Any)".contains("CountedItem"))
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        await one.close()
        let error = await #expect(throws: SharingError.self) {
            try await shop.open(shop.configuration("one", more)).close()
        }
        #expect(error?.code == .unfitClass)
        // The former program goes on.
        let again = try await shop.open("one")
        try await again.synchronize()
        try await again.makeSnapshot()
        await again.close()
        let two = try await shop.open("two")
        #expect(try two.read { $0.objects(ShopSupplier.self).map(\.name) } == ["Ada"])
        await two.close()
    }
}
