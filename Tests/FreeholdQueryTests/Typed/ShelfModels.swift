import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// Models with everything that a query can go through.
enum Shelves {
    static let all: [ObjectBase.Type] = [Shelf.self, Item.self, Place.self]

    final class Place: EmbeddedObject {
        @Persisted var name = ""
        @Persisted var number: Int?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Item: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var name = ""
        @Persisted(indexed: true) var rank = 0
        @Persisted var weight: Double?
        @Persisted var isNew = false
        @Persisted var mood: Mood
        @Persisted var any: AnyRealmValue
        @Persisted var twin: Item?
        @Persisted var sizes: List<Int>
        @Persisted(originProperty: "items") var shelves: LinkingObjects<Shelf>
        @Persisted(originProperty: "best") var champions: LinkingObjects<Shelf>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Shelf: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var title = ""
        @Persisted var subtitle: String?
        @Persisted var mark: Data
        @Persisted var total = 0
        @Persisted var limit: Int?
        @Persisted var heat: Temperature
        @Persisted var best: Item?
        @Persisted var next: Shelf?
        @Persisted var place: Place?
        @Persisted var places: List<Place>
        @Persisted var items: List<Item>
        @Persisted var rare: MutableSet<Item>
        @Persisted var named: Map<String, Item?>
        @Persisted var numbers: List<Int>
        @Persisted var doubles: List<Double?>
        @Persisted var words: List<String>
        @Persisted var tags: MutableSet<String?>
        @Persisted var dates: List<Date>
        @Persisted var amounts: MutableSet<Decimal128>
        @Persisted var scores: Map<String, Int>
        @Persisted var labels: Map<String, String?>
        @Persisted var moods: List<Mood>
        @Persisted var moodsOrNone: List<Mood?>
        @Persisted var heats: List<Temperature>
        @Persisted var any: AnyRealmValue
        @Persisted var anys: List<AnyRealmValue>
        @Persisted var keyed: Map<String, AnyRealmValue>
        @Persisted(originProperty: "next") var previous: LinkingObjects<Shelf>

        override class func propertiesMapping() -> [String: String] {
            ["total": "sum_total", "items": "content", "best": "title_of_best"]
        }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let texts = [
        "", "a", "A", "ab", "Ab", "Émile", "emile", "e\u{301}mile", "🐕", "🐕‍🦺 dog", "x*y",
        "longer text that fills more than sixteen bytes",
    ]
    static let keys = ["a", "b", "é"]
    static let dates = (0..<4).map { Date(timeIntervalSinceReferenceDate: Double($0) * 1000.5) }
}

extension Shelves {
    /// A few shelves that share items, the same for the same state of the generator. Unmanaged.
    static func random(_ shelfCount: Int, using random: inout SeededGenerator) -> [Shelf] {
        let items = (0..<(shelfCount * 2)).map { id in item(id, using: &random) }
        for item in items where random.once(in: 2) { item.twin = random.pick(items) }
        let shelves = (0..<shelfCount).map { Shelf(value: ["id": $0]) }
        for shelf in shelves { fill(shelf, items, shelves, using: &random) }
        return shelves
    }

    private static func item(_ id: Int, using random: inout SeededGenerator) -> Item {
        let item = Item()
        item.id = id
        item.name = random.pick(texts)
        item.rank = random.int(-3...3)
        item.weight = random.pick([nil, .nan, -0.5, 0, 0.25, 2])
        item.isNew = Bool.random(using: &random)
        item.mood = random.pick(Array(Mood.allCases))
        item.any = value(depth: 1, [], using: &random)
        for _ in 0..<random.int(0...3) { item.sizes.append(random.int(-2...2)) }
        return item
    }

    static func fill(
        _ shelf: Shelf, _ items: [Item], _ shelves: [Shelf], using random: inout SeededGenerator
    ) {
        shelf.title = random.pick(texts)
        shelf.subtitle = random.pick([nil, nil] + texts.map { $0 })
        shelf.mark = Data((0..<random.int(0...3)).map { _ in UInt8(random.int(0x41...0x43)) })
        shelf.total = random.int(-3...3)
        shelf.limit = random.once(in: 3) ? nil : random.int(-3...3)
        shelf.heat = Temperature(Double(random.int(0...4)))
        shelf.best = random.once(in: 3) ? nil : random.pick(items)
        shelf.next = random.once(in: 3) ? nil : random.pick(shelves)
        shelf.place = random.once(in: 3) ? nil : place(using: &random)
        func some<Element>(_ make: () -> Element) -> [Element] {
            (0..<random.int(0...4)).map { _ in make() }
        }
        shelf.places.append(objectsIn: some { place(using: &random) })
        shelf.items.append(objectsIn: some { random.pick(items) })
        shelf.rare.insert(objectsIn: some { random.pick(items) })
        for _ in 0..<random.int(0...3) {
            shelf.named[random.pick(keys)] = .some(random.once(in: 4) ? nil : random.pick(items))
        }
        shelf.numbers.append(objectsIn: some { random.int(-3...3) })
        shelf.doubles.append(objectsIn: some { random.pick([nil, .nan, -1.5, 0, 1, 2.25]) })
        shelf.words.append(objectsIn: some { random.pick(texts) })
        shelf.tags.insert(objectsIn: some { random.pick([nil] + texts.map { $0 }) })
        shelf.dates.append(objectsIn: some { random.pick(dates) })
        shelf.amounts.insert(
            objectsIn: some { Decimal128(integerLiteral: Int64(random.int(-3...3))) / 2 })
        for _ in 0..<random.int(0...3) { shelf.scores[random.pick(keys)] = random.int(-3...3) }
        for _ in 0..<random.int(0...3) {
            shelf.labels[random.pick(keys)] = .some(random.pick([nil, "a", "Ab", ""]))
        }
        shelf.moods.append(objectsIn: some { random.pick(Array(Mood.allCases)) })
        shelf.moodsOrNone.append(
            objectsIn: some { random.once(in: 3) ? nil : random.pick(Array(Mood.allCases)) })
        shelf.heats.append(objectsIn: some { Temperature(Double(random.int(0...4))) })
        shelf.any = value(depth: 2, items, using: &random)
        shelf.anys.append(objectsIn: some { value(depth: 1, items, using: &random) })
        for _ in 0..<random.int(0...3) {
            shelf.keyed[random.pick(keys)] = value(depth: 1, items, using: &random)
        }
    }

    private static func place(using random: inout SeededGenerator) -> Place {
        let place = Place()
        place.name = random.pick(texts)
        place.number = random.once(in: 3) ? nil : random.int(-2...2)
        return place
    }

    private static func value(depth: Int, _ items: [Item], using random: inout SeededGenerator)
        -> AnyRealmValue
    {
        switch random.int(0...(depth > 0 ? 13 : 9)) {
        case 0: .none
        case 1, 2: .int(random.int(-2...2))
        case 3: .double(random.pick([-0.5, 0, 1, 1.5, .nan]))
        case 4: .string(random.pick(texts))
        case 5: .bool(Bool.random(using: &random))
        case 6: .data(Data(random.pick(["a", "Ab", "zz"]).utf8))
        case 7: .date(random.pick(dates))
        case 8: .float(1.5)
        case 9: items.isEmpty ? .decimal128(1) : .object(random.pick(items))
        case 10, 11:
            .fromArray(
                (0..<random.int(0...3)).map { _ in value(depth: depth - 1, items, using: &random) })
        default:
            .fromDictionary(
                Dictionary(
                    (0..<random.int(0...3)).map { _ in
                        (random.pick(keys), value(depth: depth - 1, items, using: &random))
                    }
                ) { $1 })
        }
    }
}
