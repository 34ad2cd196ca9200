import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
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

    /// The same without waiting for the grant: nothing there can throw either.
    @Test(arguments: [false, true]) func beginAsyncWriteOnAFileThatIsKnownToBeDamaged(
        commitsAsynchronously: Bool
    ) throws {
        _ = try runThreads(1) { _ in
            try Self.beginAsyncWrite(commitsAsynchronously: commitsAsynchronously)
        }
    }

    private static func beginAsyncWrite(commitsAsynchronously: Bool) throws {
        try Damaged.withFile { file in
            #expect(file.box.item == nil)
            let before = file.other.items.count
            var failures: [Realm.Error.Code?] = []
            file.realm.beginAsyncWrite {
                file.other.items.removeAll()
                file.box.items[1].text = "written"
                if commitsAsynchronously {
                    file.realm.commitAsyncWrite { failures.append(($0 as? Realm.Error)?.code) }
                } else {
                    do { try file.realm.commitWrite() } catch {
                        failures.append((error as? Realm.Error)?.code)
                    }
                }
            }
            while failures.isEmpty { file.realm.refresh() }
            #expect(failures == [.corrupted])
            #expect(!file.realm.isInWriteTransaction && file.other.items.count == before)
            file.expectDamageKnown()
        }
    }

    /// Damage that a change finds takes all elements, of which the program has counted some.
    @Test(arguments: [
        "remove", "removeFirst", "removeLast", "removeSubrange", "set", "insert", "append", "move",
        "swap", "offsets", "moveOffsets", "get", "slice", "objects", "removeAll",
    ])
    func listsThatLoseTheirElements(way: String) throws {
        try Damaged.withFile { file in
            // A byte of each small list's leaf, whose checksum then is wrong.
            let words = file.other.items[0].words
            try file.realm.write { words.append(objectsIn: ["one", "two", "three"]) }
            try Damaged.changeEntries(of: [.clusters], file.store) {
                Damaged.replace(Array("two".utf8), by: Array("twx".utf8), in: &$0)
            }
            file.realm.refresh()
            let count = words.count
            #expect(count == 3 && !file.store.isDamaged)
            file.realm.beginWrite()
            for _ in 0..<2 {
                switch way {
                case "remove": words.remove(at: count - 1)
                case "removeFirst": words.removeFirst()
                case "removeLast": words.removeLast(2)
                case "removeSubrange": words.removeSubrange(1..<count)
                case "set": words[count - 1] = "new"
                case "insert": words.insert("new", at: count)
                case "append": words.append("new")
                case "move": words.move(from: count - 1, to: 0)
                case "swap": words.swapAt(0, count - 1)
                case "offsets": words.remove(atOffsets: [0, count - 1])
                case "moveOffsets": words.move(fromOffsets: [count - 1], toOffset: 0)
                case "removeAll": words.removeAll()
                default:
                    words.append("new")
                    switch way {
                    case "get": #expect(["", "new"].contains(words[count - 1]))
                    case "slice": #expect(words[1..<count].count == count - 1)
                    default: #expect(words.objects(at: [1, count - 1]).count <= 2)
                    }
                }
            }
            #expect(file.store.isDamaged)
            let error = #expect(throws: Realm.Error.self) { try file.realm.commitWrite() }
            #expect(error?.code == .corrupted)
        }
    }

    /// The file is known to be damaged, and the list is a sound one: it has fewer elements than
    /// the program has counted.
    @Test(arguments: ["set", "insert", "remove", "removeSubrange", "move", "swap", "offsets"])
    func changesBeyondTheEndWhereDamageIsKnown(way: String) throws {
        try Damaged.withFile { file in
            let (words, lost) = (file.other.items[0].words, file.other.items[1].words)
            try file.realm.write {
                words.append("sound")
                lost.append(objectsIn: ["one", "two", "three"])
            }
            try Damaged.changeEntries(of: [.clusters], file.store) {
                Damaged.replace(Array("two".utf8), by: Array("twx".utf8), in: &$0)
            }
            file.realm.refresh()
            file.realm.beginWrite()
            lost[1] = "new"
            #expect(file.store.isDamaged)
            switch way {
            case "set": words[700] = "new"
            case "insert": words.insert("new", at: 700)
            case "remove": words.remove(at: 700)
            case "removeSubrange": words.removeSubrange(0..<700)
            case "move": words.move(from: 700, to: 0)
            case "swap": words.swapAt(0, 700)
            default: words.remove(atOffsets: [0, 700])
            }
            let error = #expect(throws: Realm.Error.self) { try file.realm.commitWrite() }
            #expect(error?.code == .corrupted)
        }
    }

    /// A version whose catalog is damaged came while the realm read nothing: the classes are
    /// those that it knows.
    @Test(arguments: ["read", "begin", "refresh"]) func newestVersionsWithADamagedCatalog(
        way: String
    ) throws {
        try Damaged.withFile { file in
            let count = file.realm.objects(Damaged.Item.self).count
            file.realm.invalidate()
            try file.store.environment.writer.begin().commit { transaction in
                try Array("catalog".utf8).withUnsafeBytes { key in
                    try [UInt8](repeating: 7, count: 40).withUnsafeBytes {
                        try transaction.put(.meta, key: key, value: $0)
                    }
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

    /// An index whose entries say that they have more rows than they have: the count, once
    /// given, stays what it is, so slices and loops over them go on.
    @Test(arguments: ["backlinks", "query"]) func countsThatTheirRowsContradict(way: String) throws
    {
        try Damaged.withFile { file in
            let item = file.other.items[0]
            let number = item.number
            try Damaged.changeEntries(of: [.indexes], file.store) { $0[0] += 2 }
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
