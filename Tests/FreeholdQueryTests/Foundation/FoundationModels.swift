import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

enum FoundationLevel: Int, PersistableEnum, Codable {
    case low = -1, middle = 0, high = 1000

    // Not the order of the raw values.
    static func < (a: FoundationLevel, b: FoundationLevel) -> Bool { a.place < b.place }

    private var place: Int { [.middle: 0, .high: 1, .low: 2][self]! }
}

enum FoundationKind: String, PersistableEnum, Codable {
    case plain, fancy, émigré
}

/// What Foundation's predicates are asked about.
final class FoundationItem: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var number = 0
    @Persisted(indexed: true) var place = 0
    @Persisted var small: Int8?
    @Persisted var ratio = 0.0
    @Persisted var share: Double?
    @Persisted var weight: Float?
    @Persisted(indexed: true) var name = ""
    @Persisted var title = ""
    @Persisted var note: String?
    @Persisted var active = false
    @Persisted var checked: Bool?
    @Persisted var data: Data
    @Persisted var joined: Date
    @Persisted var token: UUID
    @Persisted var amount: Decimal128
    @Persisted var level: FoundationLevel
    @Persisted var kind: FoundationKind?
    @Persisted var owner: FoundationOwner?
    @Persisted var keeper: FoundationOwner?
    @Persisted var spot: FoundationSpot?
    @Persisted var numbers: List<Int>
    @Persisted var gaps: List<Int?>
    @Persisted var words: MutableSet<String>
    @Persisted var owners: List<FoundationOwner>
    @Persisted var spots: List<FoundationSpot>
    @Persisted var scores: Map<String, Int>
    @Persisted var keepers: Map<String, FoundationOwner?>

    var double: Int { number * 2 }
    var label: String { title }
}

final class FoundationOwner: Object {
    @Persisted(primaryKey: true) var tag: Int
    @Persisted var name = ""
    @Persisted var age: Int?
    @Persisted var vaccinated = false
    @Persisted var boss: FoundationOwner?
    @Persisted var numbers: List<Int>
    @Persisted(originProperty: "owner") var items: LinkingObjects<FoundationItem>
}

final class FoundationSpot: EmbeddedObject {
    @Persisted var title = ""
    @Persisted var x: Double?
}

// MARK: - Random objects

/// The random objects of a realm, and how they are to Swift: the same objects in no realm,
/// their texts as ``ScalarTexts``.
struct FoundationWorld {
    static let texts = [
        "", "a", "A", "ab", "Ab", "b", "abc", "Émile", "émile", "emile", "e\u{301}mile", "e\u{301}",
        "e", "\u{301}", "🐕", "🐕‍🦺 dog", "🦺", "x\r\ny", "\n",
        "longer text that fills more than sixteen bytes",
        "longer text that fills more than sixteen byteß",
    ]
    static let scalars = ScalarTexts(texts)
    static let doubles = [0, -0.0, 1.5, -2.25, 3, .nan, .infinity, -.infinity]
    static let classes: [ObjectBase.Type] = [
        FoundationItem.self, FoundationOwner.self, FoundationSpot.self,
    ]

    let realm: Realm

    init(_ realm: Realm, using generator: inout SeededGenerator) throws {
        self.realm = realm
        try realm.write {
            var owners: [FoundationOwner] = []
            for tag in 0..<8 {
                let owner = realm.create(FoundationOwner.self, value: ["tag": tag])
                owner.name = generator.pick(Self.texts)
                owner.age = generator.once(in: 3) ? nil : generator.int(-3...6)
                owner.vaccinated = generator.once(in: 2)
                owner.boss = generator.once(in: 2) ? nil : owners.randomElement(using: &generator)
                for _ in 0..<generator.int(0...3) { owner.numbers.append(generator.int(-2...4)) }
                owners.append(owner)
            }
            for id in 0..<36 {
                fill(
                    realm.create(FoundationItem.self, value: ["id": id]), owners, using: &generator)
            }
        }
    }

    var items: Results<FoundationItem> { realm.objects(FoundationItem.self) }

    private func fill(
        _ item: FoundationItem, _ owners: [FoundationOwner], using generator: inout SeededGenerator
    ) {
        func spot() -> FoundationSpot {
            FoundationSpot(
                value: [
                    "title": generator.pick(Self.texts),
                    "x": generator.once(in: 3) ? nil : generator.pick(Self.doubles),
                ] as [String: Any?])
        }
        item.number = generator.int(-4...8)
        item.place = item.number
        item.small = generator.once(in: 3) ? nil : Int8(generator.int(-4...4))
        item.ratio = generator.pick(Self.doubles)
        item.share = generator.once(in: 3) ? nil : generator.pick(Self.doubles)
        item.weight = generator.once(in: 3) ? nil : Float(generator.pick(Self.doubles))
        item.name = generator.pick(Self.texts)
        item.title = item.name
        item.note = generator.once(in: 3) ? nil : generator.pick(Self.texts)
        item.active = generator.once(in: 2)
        item.checked = generator.pick([nil, true, false])
        item.data = Data((0..<generator.int(0...3)).map { _ in UInt8(generator.int(0...1)) })
        item.joined = Date(
            timeIntervalSinceReferenceDate: Double(generator.int(-3...3)) * 86_400.25)
        item.token = generator.pick(ResultsItem.tokens)
        item.amount = Decimal128(stringLiteral: "\(generator.int(-3...3)).\(generator.int(0...9))0")
        item.level = generator.pick(FoundationLevel.allCases)
        item.kind = generator.once(in: 3) ? nil : generator.pick(FoundationKind.allCases)
        item.owner = generator.once(in: 3) ? nil : generator.pick(owners)
        item.keeper = generator.once(in: 3) ? nil : generator.pick(owners)
        item.spot = generator.once(in: 3) ? nil : spot()
        item.numbers.removeAll()
        item.gaps.removeAll()
        item.words.removeAll()
        item.owners.removeAll()
        item.spots.removeAll()
        item.scores.removeAll()
        for _ in 0..<generator.int(0...4) {
            item.numbers.append(generator.int(-2...4))
            item.gaps.append(generator.once(in: 3) ? nil : generator.int(-2...2))
            item.words.insert(generator.pick(Self.texts))
            item.owners.append(generator.pick(owners))
            item.scores[generator.pick(["a", "b", "c"])] = generator.int(-2...4)
        }
        for _ in 0..<generator.int(0...2) { item.spots.append(spot()) }
    }

    /// Changes some objects, deletes some, and adds one; in the open transaction.
    func change(using generator: inout SeededGenerator) {
        var owners = Array(realm.objects(FoundationOwner.self))
        if owners.count > 4 { realm.delete(owners.remove(at: generator.int(0...owners.count - 1))) }
        for _ in 0..<6 { fill(generator.pick(Array(items)), owners, using: &generator) }
        if items.count > 20 { realm.delete(generator.pick(Array(items))) }
        fill(
            realm.create(FoundationItem.self, value: ["id": (items.max(of: \.id) ?? 0) + 1]),
            owners, using: &generator)
    }

    // MARK: Twins

    /// The objects as Swift sees them, in the order of their ids.
    func twins() -> [FoundationItem] {
        var owners: [FoundationOwner: FoundationOwner] = [:]
        func twin(_ owner: FoundationOwner?) -> FoundationOwner? {
            guard let owner else { return nil }
            if let known = owners[owner] { return known }
            let twin_ = FoundationOwner()
            owners[owner] = twin_
            twin_.tag = owner.tag
            twin_.name = Self.scalars.encode(owner.name)
            twin_.age = owner.age
            twin_.vaccinated = owner.vaccinated
            twin_.boss = twin(owner.boss)
            twin_.numbers.append(objectsIn: owner.numbers)
            return twin_
        }
        func twin(_ spot: FoundationSpot?) -> FoundationSpot? {
            spot.map {
                FoundationSpot(
                    value: ["title": Self.scalars.encode($0.title), "x": $0.x] as [String: Any?])
            }
        }
        return items.map { item in
            let twin_ = FoundationItem()
            twin_.id = item.id
            twin_.number = item.number
            twin_.place = item.place
            twin_.small = item.small
            twin_.ratio = item.ratio
            twin_.share = item.share
            twin_.weight = item.weight
            twin_.name = Self.scalars.encode(item.name)
            twin_.title = Self.scalars.encode(item.title)
            twin_.note = item.note.map(Self.scalars.encode)
            twin_.active = item.active
            twin_.checked = item.checked
            twin_.data = item.data
            twin_.joined = item.joined
            twin_.token = item.token
            twin_.amount = item.amount
            twin_.level = item.level
            twin_.kind = item.kind
            twin_.owner = twin(item.owner)
            twin_.keeper = twin(item.keeper)
            twin_.spot = twin(item.spot)
            twin_.numbers.append(objectsIn: item.numbers)
            twin_.gaps.append(objectsIn: item.gaps)
            for word in item.words { twin_.words.insert(Self.scalars.encode(word)) }
            for owner in item.owners { twin_.owners.append(twin(owner)!) }
            for spot in item.spots { twin_.spots.append(twin(spot)!) }
            for (key, score) in item.scores.asKeyValueSequence() { twin_.scores[key] = score }
            return twin_
        }
    }
}

/// Runs `body` with random objects, a few times.
func withFoundationWorld(
    rounds: Int = 1, function: String = #function, fileID: String = #fileID,
    _ body: (FoundationWorld, inout SeededGenerator) throws -> Void
) throws {
    var generator = Seed.random(function: function, fileID: fileID)
    for _ in 0..<rounds {
        try withTemporaryRealm(FoundationWorld.classes) { realm in
            let world = try FoundationWorld(realm, using: &generator)
            try body(world, &generator)
        }
    }
}
