import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Counts that damage made larger than what they count can be: a loop over the collection, or a
/// copy of its object, would visit elements that are not there, for minutes.
@Suite struct DamagedCountTests {
    final class Holder: Object {
        @Persisted var numbers: List<Int>
        @Persisted var others: List<Holder>
    }

    /// 477 equal numbers lie in their row, 70,000 in a tree.
    @Test(arguments: [477, 70_000]) func countsBeyondWhatThereIs(count: Int) throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Holder.self]))
            try realm.write {
                realm.create(Holder.self).numbers.append(
                    objectsIn: Array(repeating: 7, count: count))
            }
            let store = try Store.open(Store.Options(path: directory.file().path))
            let changed = try Damaged.changeEntries(of: [.clusters, .elements], store) { value in
                if count < 500 {
                    Damaged.replace(Self.bytes(UInt16(count)), by: [0xFF, 0xFF], in: &value)
                } else {
                    // The count of the root, and of its last child.
                    Damaged.replace(
                        Self.bytes(UInt64(count)), by: Self.bytes(UInt64(1) << 44), in: &value)
                }
            }
            #expect(changed > 0)
            realm.refresh()
            let holder = try #require(realm.objects(Holder.self).first)
            #expect(holder.numbers.count <= count)
            #expect(Holder(value: holder).numbers.count <= count)
            #expect(Array(holder.freeze().numbers).count <= count)
            #expect(store.isDamaged)
            #expect(try !realm.check().isEmpty)
        }
    }

    @Test func deletingWhatHasALinkBeyondCount() throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Holder.self]))
            try realm.write {
                let holder = realm.create(Holder.self)
                holder.others.append(objectsIn: Array(repeating: holder, count: 2_000))
            }
            let store = try Store.open(Store.Options(path: directory.file().path))
            let changed = try Damaged.changeEntries(of: [.clusters], store) { value in
                Damaged.replace(
                    Self.bytes(UInt64(2_000)), by: Self.bytes(UInt64(1) << 44), in: &value)
            }
            #expect(changed > 0)
            realm.refresh()
            let error = #expect(throws: Realm.Error.self) { try realm.write { realm.deleteAll() } }
            let other = #expect(throws: Realm.Error.self) {
                try realm.write { realm.delete(realm.objects(Holder.self)) }
            }
            #expect(error?.code == .corrupted && other?.code == .corrupted)
        }
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
