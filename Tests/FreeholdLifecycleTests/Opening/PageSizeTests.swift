import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Files that were made where the system's pages are smaller or larger: LMDB takes a new file's
/// from the system, and an old one's from the file.
@Suite(.disabled(if: EncryptedSuite.isOn, "What it is about does not depend on the key."))
struct PageSizeTests {
    @Test(arguments: [1024, 2048, 8192, 16384, 32768])
    func aFileOfAnotherMachine(size: Int) async {
        await #expect(processExitsWith: .success) { [size = size as Int] in
            let directory = try TemporaryDirectory()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let text = String(repeating: "long ", count: 5_000)
            try withPagesOfNewFiles(of: size) {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    for id in 0..<3_000 {
                        realm.add(Fixture.Person(id: id, name: "name \(id)", age: id % 90))
                    }
                    realm.add(Fixture.Person(id: 3_000, name: text, age: 1))
                }
            }
            let bytes = try Data(contentsOf: directory.file())
            try #require(
                bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 40, as: UInt32.self) }
                    == UInt32(size))
            func verify(_ url: URL, count: Int) throws {
                let realm = try Realm(
                    configuration: Realm.Configuration(fileURL: url, objectTypes: Fixture.all))
                let people = realm.objects(Fixture.Person.self)
                try #require(try realm.check().isEmpty)
                try #require(people.count == count)
                try #require(people.where { $0.name == "name 77" }.count == 1)
                try #require(people.where { $0.age == 5 }.count > 30)
                try #require(
                    realm.object(ofType: Fixture.Person.self, forPrimaryKey: 3_000)?.name == text)
            }
            try verify(directory.file(), count: 3_001)
            try PageSizeTests.change(configuration, upTo: 4_000)
            try verify(directory.file(), count: 4_001)
            // A copy has this system's pages.
            let copy = directory.file("copy.realm")
            do { try Realm(configuration: configuration).writeCopy(toFile: copy) }
            try verify(copy, count: 4_001)
            // A file as it is made at once: no page of it is of an older version.
            let fresh = directory.file("fresh.realm")
            try withPagesOfNewFiles(of: size) {
                try Realm(configuration: configuration).writeCopy(toFile: fresh)
            }
            // Either meta page lost: the size of pages is found by the other, or else by the
            // numbers of the pages. Without both, values of older versions are found where
            // there are some.
            let damages: [(file: URL, lost: [Int], least: Int)] = [
                (directory.file(), [0], 4_001), (directory.file(), [1], 4_001),
                (fresh, [0, 1], 4_001),
                (directory.file(), [0, 1], 1),
            ]
            for (number, damage) in damages.enumerated() {
                let damaged = directory.file("damaged \(number)")
                var bytes = try Data(contentsOf: damage.file)
                let stored = bytes.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: 40, as: UInt32.self)
                }
                try #require(stored == UInt32(size))
                for page in damage.lost {
                    bytes.replaceSubrange(page * size..<page * size + 152, with: Data(count: 152))
                }
                try bytes.write(to: damaged)
                let saved = directory.file("saved \(number)")
                let report = try Salvage.run(from: damaged.path, to: saved.path)
                let count = report.tables.reduce(0) { $0 + $1.rowCount }
                try #require(count >= damage.least, "\(number): \(count) rows, \(report.problems)")
                let realm = try Realm(
                    configuration: Realm.Configuration(fileURL: saved, objectTypes: Fixture.all))
                try #require(try realm.check().isEmpty)
                if damage.least == 1 { continue }
                try #require(
                    realm.objects(Fixture.Person.self).where { $0.name == "name 77" }.count == 1)
            }
            directory.delete()
        }
    }

    private static func change(_ configuration: Realm.Configuration, upTo last: Int) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for id in 3_001...last {
                realm.add(Fixture.Person(id: id, name: "later \(id)", age: id % 90))
            }
            realm.delete(realm.objects(Fixture.Tagged.self))
        }
        try realm.write {
            realm.objects(Fixture.Person.self).filter("age == 7").setValue(8, forKey: "age")
        }
    }
}
