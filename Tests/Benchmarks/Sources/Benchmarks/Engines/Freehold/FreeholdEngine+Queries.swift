import Foundation
import Freehold

/// Queries by the public interface: each makes its results anew.
extension FreeholdEngine {
    private func madeLibrary() throws -> (realm: Realm, data: QueryDataset) {
        if let library { return library }
        let data = QueryDataset(rowCount: dataset.rows.count)
        let realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: directory.appendingPathComponent("library.realm"),
                objectTypes: [Volume.self, Series.self, Publisher.self, Box.self, Article.self]))
        try realm.write {
            let publishers = (0..<QueryDataset.publisherCount).map {
                realm.create(Publisher.self, value: [$0, "Publisher \($0)"] as [Any])
            }
            let series = (0..<QueryDataset.seriesCount).map {
                realm.create(Series.self, value: [$0, publishers[$0 % publishers.count]] as [Any])
            }
            for (id, volume) in data.volumes.enumerated() {
                realm.create(
                    Volume.self,
                    value: [id, volume.rank, volume.level, series[volume.series]] as [Any])
            }
            for numbers in data.boxes { realm.create(Box.self, value: [numbers] as [Any]) }
            for text in data.articles { realm.create(Article.self, value: [text]) }
        }
        library = (realm, data)
        return (realm, data)
    }

    private func measure(per count: Int, _ body: () throws -> Int) throws -> Sample {
        var answer = 0
        let value = try nanoseconds(per: count) { answer = try body() }
        return Sample(value: value, answer: answer)
    }

    func rangeCount() throws -> Sample {
        let realm = try madeLibrary().realm
        let repeats = 200
        let length = min(QueryDataset.rangeCount, dataset.rows.count / 2)
        return try measure(per: repeats) {
            (0..<repeats).reduce(0) { sum, start in
                sum
                    + realm.objects(Volume.self).where { $0.rank.contains(start..<start + length) }
                    .count
            }
        }
    }

    func anyList() throws -> Sample {
        let (realm, data) = try madeLibrary()
        return try measure(per: data.boxes.count) {
            realm.objects(Box.self).where { $0.numbers == 7 }.count
        }
    }

    func linkPath() throws -> Sample {
        let realm = try madeLibrary().realm
        return try measure(per: dataset.rows.count) {
            realm.objects(Volume.self).where { $0.series.publisher.name == "Publisher 7" }.count
        }
    }

    func foldedContains() throws -> Sample {
        try measure(per: dataset.rows.count) {
            base.objects(Person.self).where {
                $0.bio.contains("MEMBER 99", options: .caseInsensitive)
            }.count
        }
    }

    func distinctDouble() throws -> Sample {
        let realm = try madeLibrary().realm
        return try measure(per: dataset.rows.count) {
            realm.objects(Volume.self).distinct(by: [\.level]).count
        }
    }

    func sortLimit() throws -> Sample {
        let realm = try madeLibrary().realm
        let repeats = 200
        return try measure(per: repeats) {
            (0..<repeats).reduce(0) { sum, _ in
                sum
                    + realm.objects(Volume.self).sorted(by: \.rank).limit(10).reduce(0) {
                        $0 + $1.id
                    }
            }
        }
    }

    func fullText() throws -> Sample {
        let (realm, data) = try madeLibrary()
        let repeats = 20
        let search = "\(data.words.0) \(data.words.1)"
        return try measure(per: repeats) {
            (0..<repeats).reduce(0) { sum, _ in
                sum + realm.objects(Article.self).where { $0.text.fullText(search) }.count
            }
        }
    }

    // MARK: Other front ends

    func scanIntString() throws -> Sample {
        try measure(per: dataset.rows.count) { base.objects(Person.self).filter("age > 50").count }
    }

    func indexedEqualString() throws -> Sample {
        try measure(per: dataset.lookupNames.count) {
            dataset.lookupNames.reduce(0) {
                $0 + base.objects(Person.self).filter("name == %@", $1).count
            }
        }
    }

    func sortDoubleString() throws -> Sample {
        try measure(per: dataset.rows.count) {
            Int(
                bitPattern: UInt(
                    base.objects(Person.self).sorted(byKeyPath: "score").first!.score.bitPattern))
        }
    }

    func scanIntFoundation() throws -> Sample {
        try measure(per: dataset.rows.count) {
            try base.objects(Person.self).filter(#Predicate<Person> { $0.age > 50 }).count
        }
    }

    func indexedEqualFoundation() throws -> Sample {
        try measure(per: dataset.lookupNames.count) {
            try dataset.lookupNames.reduce(0) { count, name in
                count
                    + (try base.objects(Person.self).filter(#Predicate<Person> { $0.name == name })
                        .count)
            }
        }
    }

    func sortDoubleFoundation() throws -> Sample {
        try measure(per: dataset.rows.count) {
            Int(
                bitPattern: UInt(
                    try base.objects(Person.self).sorted(
                        using: Foundation.SortDescriptor(\Person.score)
                    ).first!.score.bitPattern))
        }
    }
}
