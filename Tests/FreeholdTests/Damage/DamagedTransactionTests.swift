import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Functions that cannot throw, on files that are known to be damaged, or whose newest version is.
@Suite struct DamagedTransactionTests {
    /// The transaction can be used, and cannot be committed.
    @Test func beginWriteOnAFileThatIsKnownToBeDamaged() throws {
        try Damaged.withFile { file in
            #expect(file.box.item == nil)
            let before = file.other.items.count
            file.realm.beginWrite()
            file.other.items.removeAll()
            file.box.items[1].text = "written"
            let error = #expect(throws: Realm.Error.self) { try file.realm.commitWrite() }
            #expect(error?.code == .corrupted)
            #expect(!file.realm.isInWriteTransaction && file.other.items.count == before)
            file.realm.beginWrite()
            file.realm.deleteAll()
            file.realm.cancelWrite()
            #expect(file.other.items.count == before)
            file.expectDamageKnown()
        }
    }

    /// A version whose catalog is damaged came while the realm read nothing: the classes are those that it knows.
    @Test(arguments: ["read", "begin", "refresh"]) func newestVersionsWithADamagedCatalog(way: String) throws {
        try Damaged.withFile { file in
            let count = file.realm.objects(Damaged.Item.self).count
            file.realm.invalidate()
            try file.store.environment.writer.begin().commit { transaction in
                try Array("catalog".utf8).withUnsafeBytes { key in
                    try [UInt8](repeating: 7, count: 40).withUnsafeBytes { try transaction.put(.meta, key: key, value: $0) }
                }
            }
            switch way {
            case "read": #expect(file.realm.objects(Damaged.Item.self).count == count)
            case "begin":
                file.realm.beginWrite()
                #expect(file.realm.objects(Damaged.Item.self).count == count)
                file.realm.cancelWrite()
            default:
                file.realm.refresh()
                #expect(file.realm.objects(Damaged.Item.self).first?.text == "item 0")
            }
            #expect(file.store.isDamaged)
            let error = #expect(throws: Realm.Error.self) { try file.realm.write {} }
            #expect(error?.code == .corrupted)
        }
    }

    /// What was counted before damage was known can be asked for afterwards.
    @Test func positionsOfValuesThatAreGone() throws {
        try Damaged.withFile { file in
            let item = file.box.items[1]
            #expect(item.isInvalidated && file.store.isDamaged)
            #expect(item.words.sorted()[0] == "" && item.ids.sorted()[2] == 0)
            #expect(file.box.items.sorted(by: \.number)[7].isInvalidated)
            #expect(item.friends.sorted(by: \.number).objects(at: [0, 1]).map(\.text) == ["", ""])
            file.expectDamageKnown()
        }
    }
}
