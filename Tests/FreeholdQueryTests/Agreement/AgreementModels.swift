import Foundation
import Freehold
import FreeholdRealmTestSupport

enum AgreementLevel: Int, PersistableEnum {
    case low = -1, middle, high
}

/// What both classes of ``AgreementTests`` have: one with indexes wherever they can be, one
/// with none.
protocol AgreementItem: Object {
    var id: Int { get set }
    var int: Int { get set }
    var optionalInt: Int? { get set }
    var double: Double { get set }
    var optionalDouble: Double? { get set }
    var float: Float { get set }
    var text: String { get set }
    var optionalText: String? { get set }
    var bool: Bool { get set }
    var optionalBool: Bool? { get set }
    var date: Date { get set }
    var optionalDate: Date? { get set }
    var data: Data { get set }
    var decimal: Decimal128? { get set }
    var uuid: UUID? { get set }
    var objectId: ObjectId? { get set }
    var level: AgreementLevel? { get set }
    var any: AnyRealmValue { get set }
    var story: String { get set }
    var friend: Self? { get set }
    var numbers: List<Int> { get set }
    var texts: List<String?> { get set }
    var tags: MutableSet<Int> { get set }
    var map: Map<String, Int> { get set }
    var friends: List<Self> { get set }
}

final class AgreementIndexed: Object, AgreementItem {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var int: Int
    @Persisted(indexed: true) var optionalInt: Int?
    @Persisted var double: Double
    @Persisted var optionalDouble: Double?
    @Persisted var float: Float
    @Persisted(indexed: true) var text: String
    @Persisted(indexed: true) var optionalText: String?
    @Persisted(indexed: true) var bool: Bool
    @Persisted(indexed: true) var optionalBool: Bool?
    @Persisted(indexed: true) var date: Date
    @Persisted(indexed: true) var optionalDate: Date?
    @Persisted var data: Data
    @Persisted var decimal: Decimal128?
    @Persisted(indexed: true) var uuid: UUID?
    @Persisted(indexed: true) var objectId: ObjectId?
    @Persisted(indexed: true) var level: AgreementLevel?
    @Persisted var any: AnyRealmValue
    @Persisted(indexed: .fullText) var story: String
    @Persisted var friend: AgreementIndexed?
    @Persisted var numbers: List<Int>
    @Persisted var texts: List<String?>
    @Persisted var tags: MutableSet<Int>
    @Persisted var map: Map<String, Int>
    @Persisted var friends: List<AgreementIndexed>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class AgreementPlain: Object, AgreementItem {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var int: Int
    @Persisted var optionalInt: Int?
    @Persisted var double: Double
    @Persisted var optionalDouble: Double?
    @Persisted var float: Float
    @Persisted var text: String
    @Persisted var optionalText: String?
    @Persisted var bool: Bool
    @Persisted var optionalBool: Bool?
    @Persisted var date: Date
    @Persisted var optionalDate: Date?
    @Persisted var data: Data
    @Persisted var decimal: Decimal128?
    @Persisted var uuid: UUID?
    @Persisted var objectId: ObjectId?
    @Persisted var level: AgreementLevel?
    @Persisted var any: AnyRealmValue
    @Persisted var story: String
    @Persisted var friend: AgreementPlain?
    @Persisted var numbers: List<Int>
    @Persisted var texts: List<String?>
    @Persisted var tags: MutableSet<Int>
    @Persisted var map: Map<String, Int>
    @Persisted var friends: List<AgreementPlain>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// What one object holds, in plain Swift.
final class AgreementRow {
    var id = 0
    var int = 0
    var optionalInt: Int?
    var double = 0.0
    var optionalDouble: Double?
    var float: Float = 0
    var text = ""
    var optionalText: String?
    var bool = false
    var optionalBool: Bool?
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var optionalDate: Date?
    var data = Data()
    var decimal: Decimal128?
    var uuid: UUID?
    var objectId: ObjectId?
    var level: AgreementLevel?
    var any = AnyRealmValue.none
    var story = ""
    /// By their ids.
    var friend: Int?
    var friends: [Int] = []
    var numbers: [Int] = []
    var texts: [String?] = []
    var tags: Set<Int> = []
    var map: [String: Int] = [:]
}

/// All rows, by their ids. Two copies of one are independent.
struct AgreementWorld {
    private(set) var rows: [Int: AgreementRow] = [:]

    var ids: [Int] { rows.keys.sorted() }

    func friend(of row: AgreementRow) -> AgreementRow? { row.friend.flatMap { rows[$0] } }
    func friends(of row: AgreementRow) -> [AgreementRow] { row.friends.compactMap { rows[$0] } }

    mutating func put(_ row: AgreementRow) { rows[row.id] = row }

    /// Links to it become nil, and lists of links lose it.
    mutating func delete(_ id: Int) {
        rows[id] = nil
        for (key, row) in rows where row.friend == id || row.friends.contains(id) {
            let copy = row.copy()
            if copy.friend == id { copy.friend = nil }
            copy.friends.removeAll { $0 == id }
            rows[key] = copy
        }
    }
}

extension AgreementRow {
    func copy() -> AgreementRow {
        let copy = AgreementRow()
        (copy.id, copy.int, copy.optionalInt, copy.double, copy.optionalDouble, copy.float) = (
            id, int, optionalInt, double, optionalDouble, float
        )
        (copy.text, copy.optionalText, copy.bool, copy.optionalBool, copy.date, copy.optionalDate) =
            (text, optionalText, bool, optionalBool, date, optionalDate)
        (copy.data, copy.decimal, copy.uuid, copy.objectId, copy.level, copy.any, copy.story) = (
            data, decimal, uuid, objectId, level, any, story
        )
        (copy.friend, copy.friends, copy.numbers, copy.texts, copy.tags, copy.map) = (
            friend, friends, numbers, texts, tags, map
        )
        return copy
    }

    /// Writes everything but the links.
    func store<Item: AgreementItem>(in item: Item) {
        (item.int, item.optionalInt, item.double, item.optionalDouble, item.float) = (
            int, optionalInt, double, optionalDouble, float
        )
        (item.text, item.optionalText, item.bool, item.optionalBool, item.date, item.optionalDate) =
            (text, optionalText, bool, optionalBool, date, optionalDate)
        (item.data, item.decimal, item.uuid, item.objectId, item.level, item.any, item.story) = (
            data, decimal, uuid, objectId, level, any, story
        )
        item.numbers.removeAll()
        item.numbers.append(objectsIn: numbers)
        item.texts.removeAll()
        item.texts.append(objectsIn: texts)
        item.tags.removeAll()
        item.tags.insert(objectsIn: tags)
        for key in item.map.keys { item.map[key] = nil }
        for (key, value) in map { item.map[key] = value }
    }

    func storeLinks<Item: AgreementItem>(in item: Item, _ realm: Realm) {
        item.friend = friend.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
        item.friends.removeAll()
        item.friends.append(
            objectsIn: friends.compactMap { realm.object(ofType: Item.self, forPrimaryKey: $0) })
    }
}
