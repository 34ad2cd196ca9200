import Foundation
import Freehold

/// Links the other way.
///
/// - `backlink-count`: the collection is asked for anew each time, of five live objects in turns.
/// - `backlink-delete`: one of the five, in a `write` of its own.
extension FreeholdEngine {
    static let labels = 5
    private static let counts = 1_000_000

    private static func open(_ file: URL) throws -> Realm {
        try Realm(
            configuration: Realm.Configuration(
                fileURL: file, objectTypes: [Label.self, Labelled.self]))
    }

    private func madeLabels() throws -> Realm {
        if let labelled { return labelled }
        let realm = try Self.open(directory.appendingPathComponent("labels.realm"))
        try realm.write {
            let labels = (0..<Self.labels).map { realm.create(Label.self, value: [$0]) }
            for id in dataset.rows.indices {
                realm.create(Labelled.self, value: [id, labels[id % Self.labels]] as [Any])
            }
        }
        labelled = realm
        return realm
    }

    func backlinkCount() throws -> Sample {
        let labels = Array(try madeLabels().objects(Label.self))
        var sum = 0
        let value = nanoseconds(per: Self.counts) {
            for index in 0..<Self.counts { sum += labels[index % Self.labels].labelled.count }
        }
        return Sample(value: value, answer: sum / Self.counts)
    }

    func backlinkDelete() throws -> Sample {
        try StoreFiles.withScratchFolder(in: directory) { folder in
            _ = try madeLabels()
            let file = folder.appendingPathComponent("labels.realm")
            try FileManager.default.copyItem(
                at: directory.appendingPathComponent("labels.realm"), to: file)
            try StoreFiles.sync(file)
            let realm = try Self.open(file)
            // The first commit walks the pages of a copy, which is another work.
            try realm.write { _ = realm.create(Label.self, value: [Self.labels]) }
            let label = realm.object(ofType: Label.self, forPrimaryKey: 1)!
            let value = try nanoseconds(per: 1) { try realm.write { realm.delete(label) } }
            return Sample(
                value: value, answer: realm.objects(Labelled.self).where { $0.label == nil }.count)
        }
    }
}
