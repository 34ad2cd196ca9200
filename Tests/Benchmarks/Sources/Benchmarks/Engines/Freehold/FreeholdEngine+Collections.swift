import CMeasurement
import Foundation
import Freehold

/// Lists and links, by the public interface.
///
/// - `list-append`: one `append` for each number, to the list of a new object.
/// - `list-insert`: 1,000 insertions near the middle, inside of one transaction, without its
///   commit.
/// - `list-insert-commit`: each in a `write` of its own.
/// - `link-follow`: the objects at the near end are live ones that are kept, in random order;
///   each link makes the object at its far end.
/// - `json-import`: `JSONDecoder` to unmanaged objects, which are added and committed.
extension FreeholdEngine {
    /// As many records as the work's bar speaks of, or all rows if they are fewer.
    private static let recordCount = 100_000
    private static let insertions = 1_000
    static let followedLinks = 100_000

    private static func open(_ file: URL) throws -> Realm {
        try Realm(
            configuration: Realm.Configuration(
                fileURL: file, objectTypes: [Shelf.self, Linked.self, Parcel.self]))
    }

    private func madeShelves() throws -> Realm {
        if let shelves { return shelves }
        let realm = try Self.open(directory.appendingPathComponent("shelves.realm"))
        try realm.write {
            let shelf = realm.create(Shelf.self)
            for row in dataset.rows { shelf.numbers.append(row.age) }
            for row in dataset.rows {
                realm.create(Linked.self, value: [row.id, row.age] as [Any])
            }
            for (id, target) in dataset.linkTargets.enumerated() {
                realm.object(ofType: Linked.self, forPrimaryKey: id)!.next = realm.object(
                    ofType: Linked.self, forPrimaryKey: target)
            }
        }
        shelves = realm
        return realm
    }

    func listAppend() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            let realm = try Self.open(folder.appendingPathComponent("shelves.realm"))
            let shelf = try realm.write { realm.create(Shelf.self) }
            let value = try nanoseconds(per: dataset.rows.count) {
                try realm.write {
                    let numbers = shelf.numbers
                    for row in dataset.rows { numbers.append(row.age) }
                }
            }
            return Sample(value: value, answer: shelf.numbers.count)
        }
    }

    func listInsert() throws -> Sample {
        let realm = try madeShelves()
        let numbers = realm.objects(Shelf.self).first!.numbers
        realm.beginWrite()
        defer { realm.cancelWrite() }
        let middle = numbers.count / 2
        let value = nanoseconds(per: Self.insertions) {
            for number in 0..<Self.insertions {
                numbers.insert(number, at: middle + number * 7919 % 1000)
            }
        }
        return Sample(value: value, answer: numbers.count)
    }

    func listInsertCommit() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            _ = try madeShelves()
            let file = folder.appendingPathComponent("shelves.realm")
            try FileManager.default.copyItem(
                at: directory.appendingPathComponent("shelves.realm"), to: file)
            try StoreFiles.sync(file)
            let realm = try Self.open(file)
            let numbers = realm.objects(Shelf.self).first!.numbers
            let value = try nanoseconds(per: dataset.commitIdentifiers.count) {
                for identifier in dataset.commitIdentifiers {
                    try realm.write { numbers.insert(identifier, at: numbers.count / 2) }
                }
            }
            return Sample(value: value, answer: numbers.count)
        }
    }

    func listIterate() throws -> Sample {
        let numbers = try madeShelves().objects(Shelf.self).first!.numbers
        var sum = 0
        let value = nanoseconds(per: dataset.rows.count) {
            for number in numbers { sum += number }
        }
        return Sample(value: value, answer: sum)
    }

    /// What the memory costs that any program needs to follow a link: where the other object is,
    /// and its property.
    func randomLoadPair() throws -> Sample {
        guard let file = try madeShelves().configuration.fileURL else {
            preconditionFailure("The realm has a file.")
        }
        let count = try StoreFiles.size(of: file) / 8
        var memory = (0..<count).map { UInt64($0) }
        var random = SplitMix64(seed: UInt64(count))
        memory.shuffle(using: &random)
        let starts = dataset.lookupIdentifiers.prefix(Self.followedLinks).map { _ in
            UInt64.random(in: 0..<UInt64(count), using: &random)
        }
        var sum: UInt64 = 0
        let value = nanoseconds(per: starts.count) {
            sum = measurement_load_pairs(memory, starts, starts.count)
        }
        return Sample(value: value, answer: Int(truncatingIfNeeded: sum))
    }

    func linkFollow() throws -> Sample {
        let realm = try madeShelves()
        let objects = dataset.lookupIdentifiers.prefix(Self.followedLinks).map {
            realm.object(ofType: Linked.self, forPrimaryKey: $0)!
        }
        var sum = 0
        let value = nanoseconds(per: objects.count) {
            for object in objects { sum += object.next!.number }
        }
        return Sample(value: value, answer: sum)
    }

    func plainDecode() throws -> Sample {
        let data = try PlainParcel.json(dataset.rows.prefix(Self.recordCount))
        var count = 0
        let value = try nanoseconds(per: min(dataset.rows.count, Self.recordCount)) {
            count = try JSONDecoder().decode([PlainParcel].self, from: data).count
        }
        return Sample(value: value, answer: count)
    }

    func jsonImport() throws -> Sample {
        let data = try PlainParcel.json(dataset.rows.prefix(Self.recordCount))
        return try StoreFiles.withScratchFolder(in: directory) { folder in
            let realm = try Self.open(folder.appendingPathComponent("shelves.realm"))
            let value = try nanoseconds(per: min(dataset.rows.count, Self.recordCount)) {
                let parcels = try JSONDecoder().decode([Parcel].self, from: data)
                try realm.write { realm.add(parcels) }
            }
            return Sample(value: value, answer: realm.objects(Parcel.self).count)
        }
    }
}
