import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// The record of a column that is gone while everything else of its cluster is sound. Its rows
/// read as if the column had come later: as null, zero or empty. The cluster's directory entry
/// counts its records, so reads notice it, and `check()` says so.
@Suite struct LostColumnTests {
    final class Reading: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var number = 0
        @Persisted var note: String?
        @Persisted var values: List<Int>
    }

    /// A newer declaration of the same class.
    final class Later: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var number = 0
        @Persisted var note: String?
        @Persisted var values: List<Int>
        @Persisted var later: Int?
        override class func className() -> String { "LostColumnTests_Reading" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// The same without a property.
    final class Fewer: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var number = 0
        @Persisted var values: List<Int>
        override class func className() -> String { "LostColumnTests_Reading" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    enum Way: String, CaseIterable {
        case check, property, scan, aggregate, write, writeOther, frozen
    }

    @Test(arguments: [false, true], Way.allCases) func readsAndTheCheckNotice(
        isEncrypted: Bool, way: Way
    ) throws {
        try withReadings(isEncrypted: isEncrypted) { realm, store in
            try removeColumn(3, of: "LostColumnTests_Reading", store)
            realm.refresh()
            #expect(!store.isDamaged)
            let readings = realm.objects(Reading.self)
            switch way {
            case .check: break
            case .property: #expect(readings[0].note == nil && store.isDamaged)
            case .scan: #expect(readings.where { $0.note == "note 7" }.isEmpty && store.isDamaged)
            case .aggregate:
                #expect(
                    readings.sum(of: \.number) == 1275 && readings.filter("note != nil").isEmpty
                        && store.isDamaged)
            case .frozen: #expect(readings.freeze()[0].note == nil && store.isDamaged)
            case .write, .writeOther:
                let error = #expect(throws: Realm.Error.self) {
                    try realm.write {
                        if way == .write {
                            readings[0].note = "new"
                        } else {
                            readings[0].number = 7
                        }
                    }
                }
                #expect(error?.code == .corrupted)
            }
            let problems = try realm.check()
            #expect(problems.contains { $0.contains("columns") }, "\(problems)")
            let error = #expect(throws: Realm.Error.self) { try realm.write {} }
            #expect(error?.code == .corrupted)
        }
    }

    /// Each step may change which columns of a cluster are stored. The entry follows, and
    /// nothing is taken for damage.
    @Test(arguments: [false, true]) func countsFollowWhatIsStored(isEncrypted: Bool) throws {
        try withReadings(isEncrypted: isEncrypted) { realm, _ in
            let readings = realm.objects(Reading.self)
            func step(_ body: () -> Void) throws {
                try realm.write(body)
                #expect(try realm.check() == [])
            }
            try step { for reading in readings { reading.note = nil } }
            try step { readings[3].note = "again" }
            try step { for reading in readings { reading.number = 0 } }
            try step {
                readings[0].number = 5; readings[3].note = nil
            }
            try step { for id in 100..<1400 { realm.create(Reading.self, value: ["id": id]) } }
            try step {
                for reading in readings where reading.id % 3 == 0 {
                    reading.number = reading.id; reading.values.append(1)
                }
            }
            try step { realm.delete(readings.where { $0.id >= 50 && $0.id < 1100 }) }
            try step {
                for id in 60..<90 { realm.create(Reading.self, value: ["id": id, "note": "n"]) }
            }
            try step { realm.delete(readings) }
            try step { realm.create(Reading.self, value: ["id": 4, "number": 4]) }
        }
    }

    /// Columns that come and go with the declaration.
    @Test(arguments: [nil, Data(0..<64)]) func countsFollowTheSchema(key: Data?) throws {
        try withTemporaryDirectory { directory in
            func open(_ type: ObjectBase.Type, _ version: UInt64) throws -> Realm {
                try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), encryptionKey: key, schemaVersion: version,
                        objectTypes: [type]))
            }
            func first() throws {
                let realm = try open(Reading.self, 0)
                try realm.write {
                    for id in 0..<700 {
                        realm.create(
                            Reading.self,
                            value: ["id": id, "number": id, "note": "note \(id)", "values": [id]])
                    }
                }
            }
            func later() throws {
                let realm = try open(Later.self, 1)
                #expect(try realm.check() == [])
                try realm.write { realm.objects(Later.self)[5].later = 8 }
                #expect(try realm.check() == [])
                try realm.write { realm.objects(Later.self)[5].later = nil }
                #expect(try realm.check() == [])
            }
            func fewer() throws {
                let realm = try open(Fewer.self, 2)
                #expect(try realm.check() == [])
                try realm.write { realm.objects(Fewer.self)[5].number = 9 }
                #expect(try realm.check() == [])
                try realm.write { realm.delete(realm.objects(Fewer.self)[600]) }
                #expect(try realm.check() == [])
                let copy = directory.file("copy.realm")
                try realm.writeCopy(toFile: copy)
                let copied = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: copy, schemaVersion: 2, objectTypes: [Fewer.self]))
                #expect(try copied.check() == [] && copied.objects(Fewer.self).count == 699)
            }
            try first()
            try later()
            try fewer()
        }
    }

    private func withReadings(isEncrypted: Bool, _ body: (Realm, Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let key = isEncrypted ? Data(0..<64) : nil
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), encryptionKey: key, objectTypes: [Reading.self]))
            try realm.write {
                for id in 0..<51 {
                    realm.create(
                        Reading.self, value: ["id": id, "number": id, "note": "note \(id)"])
                }
            }
            try body(realm, realm.core.store)
        }
    }

    /// Removes the record of a column from each of a class's clusters, in a version of its own.
    private func removeColumn(_ column: UInt8, of name: String, _ store: Store) throws {
        let count = try Damaged.removeEntries(of: .clusters, store) { key, _ in
            key.count == 14 && key[12] == 0 && key[13] == column
        }
        #expect(count == 1)
    }
}
