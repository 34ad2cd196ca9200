import Foundation
import Freehold

/// The objects of `--scale`: made from their number alone, so that any count of them takes no
/// memory.
final class ScaleObject: Object {
    /// Ascends from 0.
    @Persisted(primaryKey: true) var id: Int
    /// Ten objects in a row share one, as the measurements of one sensor in an hour do.
    @Persisted(indexed: true) var series: String
    @Persisted var value: Double
    @Persisted var note: String

    convenience init(number: Int) {
        self.init()
        var random = SplitMix64(seed: UInt64(number))
        id = number
        series = Self.series(of: number)
        value = Double(random.next() >> 11) / Double(1 << 53)
        note = "measured by \(number % 97)"
    }

    static func series(of number: Int) -> String { "series \(number / 10)" }

    static func open(_ file: URL) throws -> Realm {
        try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [Self.self]))
    }

    /// Inserts objects until there are `count`, half a million in a transaction.
    static func insert(_ count: Int, _ realm: Realm) throws {
        let batch = 500_000
        for start in stride(from: 0, to: count, by: batch) {
            try realm.write {
                for number in start..<min(start + batch, count) {
                    realm.add(ScaleObject(number: number))
                }
            }
        }
    }
}
