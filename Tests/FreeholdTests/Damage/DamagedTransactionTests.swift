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

    /// An index whose entries say that they have more rows than they have: the count, once given, stays what it is, so slices and loops over them go on.
    @Test(arguments: ["backlinks", "query"]) func countsThatTheirRowsContradict(way: String) throws {
        try Damaged.withFile { file in
            let item = file.other.items[0]
            let number = item.number
            try Damaged.changeIndexes(file.store) { $0[0] += 2 }
            file.realm.refresh()
            #expect(!file.store.isDamaged)
            if way == "backlinks" {
                #expect(item.lists.count == 3)
                var names: [String] = []
                for box in item.lists.prefix(2) { names.append(box.name) }
                #expect(names == ["", ""])
            } else {
                let found = file.realm.objects(Damaged.Item.self).where { $0.number == number }
                #expect(found.count == 3)
                var texts: [String] = []
                for item in found[0..<2] { texts.append(item.text) }
                for item in found.reversed() { texts.append(item.text) }
                // One of the three rows is there.
                #expect(texts == ["item 0", "", "", "", "item 0"])
                #expect(found.count == 3)
                #expect(found.objects(at: [1, 2]).allSatisfy { $0.isInvalidated })
            }
            #expect(file.store.isDamaged)
            let error = #expect(throws: Realm.Error.self) { try file.realm.write {} }
            #expect(error?.code == .corrupted)
        }
    }
}
