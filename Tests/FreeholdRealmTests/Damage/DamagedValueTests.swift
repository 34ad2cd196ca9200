import Foundation
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import Testing

/// Stored values that mean nothing in their type because their bytes are damaged. Reading does
/// not compare checksums, so such a value is the first sign of the damage: it reads as a
/// default, and nothing is committed. A value that a program really stored so is a trap
/// (`CustomPersistableTests`).
@Suite struct DamagedValueTests {
    enum Grade: String, PersistableEnum { case first, second, third }

    /// Stored as an embedded object, and nothing without a positive number.
    struct Size: FailableCustomPersistable, Equatable {
        var number: Int
        init(_ number: Int) { self.number = number }
        init?(persistedValue: StoredSize) {
            guard persistedValue.number > 0 else { return nil }
            number = persistedValue.number
        }
        var persistableValue: StoredSize {
            let stored = StoredSize()
            stored.number = number
            return stored
        }
    }

    final class StoredSize: EmbeddedObject {
        @Persisted var number = 1
    }

    final class Holder: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var grade = Grade.second
        @Persisted var grades: List<Grade>
        @Persisted var gradeSet: MutableSet<Grade>
        @Persisted var gradeMap: Map<String, Grade>
        @Persisted var size = Size(7)
        @Persisted var sizes: List<Size>
        @Persisted var short: Int16 = DamagedValueTests.short
        @Persisted var any: AnyRealmValue
    }

    /// Not among the classes that the file is read with.
    final class Other: Object {
        @Persisted(primaryKey: true) var id = 0
    }

    private static let number = 0x1122_3344_5566_7788
    private static let short: Int16 = 0x1234

    /// What the damage is met by.
    enum Way: String, CaseIterable {
        case property, list, positions, set, map, frozen, description, sorted
        case embedded, embeddedElements
        case maximum, sum, dynamicMaximum, dynamic
    }

    @Test(arguments: Way.allCases, [3, 2000]) func eachFindsIt(way: Way, count: Int) throws {
        try withDamagedHolder(count: count) { realm, holder in
            let texts: [Grade] =
                switch way {
                case .property: [holder.grade]
                case .list: Array(holder.grades)
                case .positions: (0..<count).map { holder.grades[$0] }
                case .set: Array(holder.gradeSet)
                case .map: holder.gradeMap.map(\.value)
                case .frozen: Array(holder.freeze().grades)
                case .description: holder.description.isEmpty ? [] : Array(holder.grades)
                case .sorted: Array(holder.grades.sorted(ascending: false))
                default: []
                }
            if [.property, .list, .positions, .set, .map, .frozen, .description, .sorted].contains(
                way)
            {
                #expect(!texts.isEmpty && !texts.contains(.third))
            }
            switch way {
            case .embedded: #expect(holder.size == Size(7))
            case .embeddedElements: #expect(Array(holder.sizes).map(\.number) == [1, 1, 1])
            case .maximum: #expect(realm.objects(Holder.self).max(of: \.short) == nil)
            case .dynamic:
                let dynamic = realm.dynamicObject(
                    ofType: Holder.className(), forPrimaryKey: holder.id)
                for name in [
                    "grade", "grades", "gradeSet", "gradeMap", "size", "sizes", "short", "any",
                ] {
                    let value = dynamic?[name]
                    if name == "grade" { #expect(value.map { "\($0)" } == "second") }
                }
            case .dynamicMaximum:
                #expect(realm.objects(Holder.self).max(ofProperty: "short") as Int16? == nil)
            case .sum: #expect(realm.objects(Holder.self).sum(of: \.short) == 0)
            default: break
            }
        }
    }

    /// Where the entry of a column is gone, its values read as if the column had come later: as
    /// zeros, which no case need have.
    @Test(arguments: [false, true]) func columnsThatAreGone(isFrozen: Bool) throws {
        try withTemporaryDirectory { directory in
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(),
                    objectTypes: [Holder.self, StoredSize.self, Other.self]))
            try realm.write { Self.fill(realm.create(Holder.self), 3, realm) }
            let store = try Store.open(Store.Options(path: directory.file().path))
            try Damaged.removeEntries(of: .clusters, store) { value in
                Damaged.contains(Array("third".utf8), in: value) && value.count < 40
            }
            realm.refresh()
            #expect(!store.isDamaged)
            var holder = try #require(realm.objects(Holder.self).first)
            if isFrozen { holder = holder.freeze() }
            #expect(holder.grade == .second)
            #expect(store.isDamaged)
            #expect(try !realm.check().isEmpty)
        }
    }

    /// A file whose values are damaged is opened without the class `Other`. Afterwards the
    /// damage is known.
    private func withDamagedHolder(count: Int, _ body: (Realm, Holder) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            var configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Holder.self, StoredSize.self, Other.self])
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { Self.fill(realm.create(Holder.self), count, realm) }
            }
            let options = Store.Options(path: directory.file().path)
            do {
                let store = try Store.open(options)
                let changed = try Damaged.changeEntries(of: [.clusters, .elements], store) {
                    bytes in
                    Damaged.replace(Array("third".utf8), by: Array("thirx".utf8), in: &bytes)
                    Damaged.replace(Self.bytes(Self.number), by: Self.bytes(-5), in: &bytes)
                    Damaged.replace(
                        Self.bytes(Int(Self.short)), by: Self.bytes(0x7FFF_0000), in: &bytes)
                }
                #expect(changed >= 6)
            }
            configuration.objectTypes = [Holder.self, StoredSize.self]
            let realm = try Realm(configuration: configuration)
            let store = try Store.open(options)
            let holder = try #require(realm.objects(Holder.self).first)
            #expect(!store.isDamaged)
            try body(realm, holder)
            #expect(store.isDamaged)
            let error = #expect(throws: Realm.Error.self) { try realm.write { holder.short = 1 } }
            #expect(error?.code == .corrupted)
            #expect(try !realm.check().isEmpty)
        }
    }

    private static func fill(_ holder: Holder, _ count: Int, _ realm: Realm) {
        holder.grade = .third
        holder.grades.append(objectsIn: (0..<count).map { $0 == count / 2 ? .third : .first })
        holder.gradeSet.insert(objectsIn: [.first, .third])
        for key in 0..<count { holder.gradeMap["\(key)"] = key == 1 ? .third : .first }
        holder.size = Size(number)
        holder.sizes.append(objectsIn: [Size(number), Size(number), Size(number)])
        holder.any = .object(realm.create(Other.self))
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
