package import Foundation
package import Freehold
package import FreeholdTestSupport
import Testing

package enum ResultsKind: String, PersistableEnum, Codable {
    case plain, fancy, émigré
}

package enum ResultsLevel: Int, PersistableEnum, Codable {
    case low = -1, middle = 0, high = 1000
}

/// Has every type that can be queried; its rows' keys are its ids.
package final class ResultsItem: Object {
    @Persisted(primaryKey: true) package var id: Int
    @Persisted(indexed: true) package var name = ""
    @Persisted package var age = 0
    @Persisted package var small: Int8?
    @Persisted package var score = 0.0
    @Persisted package var limit = 0.0
    @Persisted package var weight: Float?
    @Persisted package var active = false
    @Persisted package var note: String?
    @Persisted package var data: Data
    @Persisted package var joined: Date
    @Persisted package var left: Date?
    @Persisted package var token: UUID
    @Persisted package var objectId: ObjectId?
    @Persisted package var amount: Decimal128
    @Persisted package var kind: ResultsKind
    @Persisted package var level: ResultsLevel?
    @Persisted package var owner: ResultsOwner?
}

/// Has no primary key.
package final class ResultsOwner: Object {
    @Persisted package var name = ""
    @Persisted package var age: Int?
    @Persisted package var vaccinated = false
    @Persisted package var boss: ResultsOwner?
}

/// Stores more than persisted properties, so that loops cannot reuse its accessors.
package final class ResultsStateful: Object {
    @Persisted package var number = 0
    package var visits = 0
}

extension ResultsItem {
    package static let texts = [
        "", "a", "A", "ab", "Ab", "abc", "Émile", "émile", "emile", "e\u{301}mile", "Straße",
        "strasse", "🐕", "🐕‍🦺 dog", "x*y", "x?y",
        "longer text that fills more than sixteen bytes",
        "longer text that fills more than sixteen byteß",
    ]

    /// An unmanaged object, the same for the same state of the generator. Its owner is one of
    /// `owners`.
    package static func random(
        id: Int, owners: [ResultsOwner], using generator: inout SeededGenerator
    )
        -> ResultsItem
    {
        let item = ResultsItem()
        item.id = id
        item.name = texts.randomElement(using: &generator)!
        item.age = Int.random(in: 0..<20, using: &generator)
        item.small =
            Bool.random(using: &generator) ? nil : Int8.random(in: -5...5, using: &generator)
        item.score = Double(Int.random(in: -20...20, using: &generator)) / 4
        item.limit = Double(Int.random(in: -20...20, using: &generator)) / 4
        item.weight =
            Bool.random(using: &generator)
            ? nil : Float(Int.random(in: 0...8, using: &generator)) / 8
        item.active = Bool.random(using: &generator)
        item.note = Bool.random(using: &generator) ? nil : texts.randomElement(using: &generator)!
        item.data = Data(
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                UInt8.random(in: 0...2, using: &generator)
            })
        item.joined = Date(
            timeIntervalSinceReferenceDate: Double(Int.random(in: -4...4, using: &generator))
                * 86_400.25)
        item.left =
            Bool.random(using: &generator)
            ? nil
            : Date(
                timeIntervalSinceReferenceDate: Double(Int.random(in: -4...4, using: &generator))
                    * 86_400.25)
        item.token = tokens.randomElement(using: &generator)!
        item.objectId =
            Bool.random(using: &generator) ? nil : objectIds.randomElement(using: &generator)!
        let whole = Int.random(in: -9...9, using: &generator)
        let tenths = Int.random(in: 0...9, using: &generator)
        item.amount = Decimal128(stringLiteral: "\(whole).\(tenths)0")
        item.kind = ResultsKind.allCases.randomElement(using: &generator)!
        item.level =
            Bool.random(using: &generator)
            ? nil : ResultsLevel.allCases.randomElement(using: &generator)!
        item.owner = Bool.random(using: &generator) ? nil : owners.randomElement(using: &generator)
        return item
    }

    package static let tokens = [
        UUID(uuidString: "00000000-0000-0000-0000-000000000000")!,
        UUID(uuidString: "00000000-0000-0000-0000-0000000000FF")!,
        UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!,
    ]
    package static let objectIds: [ObjectId] = [
        ObjectId("000000000000000000000000"), ObjectId("0000000000000000000000ff"),
        ObjectId("61f6d1c6a1b2c3d4e5f60718"),
    ]
}

extension ResultsOwner {
    /// Some owners in chains of bosses, the same each time.
    package static func chain() -> [ResultsOwner] {
        let owners = (0..<8).map { number in
            let owner = ResultsOwner()
            owner.name = ResultsItem.texts[number + 2]
            owner.age = number % 3 == 0 ? nil : number
            owner.vaccinated = number % 2 == 0
            return owner
        }
        for (number, owner) in owners.enumerated() where number % 4 != 3 {
            owner.boss = owners[number + 1]
        }
        return owners
    }
}

/// A realm with random items, and the same items as plain unmanaged objects to compare with.
package struct ResultsFixture {
    package let realm: Realm
    /// In ascending order of ids, which are the rows' keys.
    package let plain: [ResultsItem]
    package var generator: SeededGenerator

    package var items: Results<ResultsItem> { realm.objects(ResultsItem.self) }

    /// Ids with gaps, some negative.
    package static func ids(_ count: Int) -> [Int] { (0..<count).map { $0 * 3 - 30 } }

    package init(_ realm: Realm, count: Int, generator: SeededGenerator) throws {
        self.realm = realm
        self.generator = generator
        var copy = generator
        let owners = ResultsOwner.chain()
        let added = Self.ids(count).map { ResultsItem.random(id: $0, owners: owners, using: &copy) }
        try realm.write { realm.add(added) }
        let others = ResultsOwner.chain()
        var same = generator
        plain = Self.ids(count).map { ResultsItem.random(id: $0, owners: others, using: &same) }
        self.generator = same
    }
}

/// Runs `body` with a realm of the classes above, filled with random items.
package func withItems(
    _ count: Int, function: String = #function, fileID: String = #fileID,
    _ body: (inout ResultsFixture) throws -> Void
) throws {
    try withTemporaryRealm([ResultsItem.self, ResultsOwner.self, ResultsStateful.self]) { realm in
        let generator = Seed.random(function: function, fileID: fileID)
        var fixture = try ResultsFixture(realm, count: count, generator: generator)
        try body(&fixture)
    }
}
