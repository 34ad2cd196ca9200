import Foundation
import Freehold
import FreeholdTestSupport

enum ShelfState: String, PersistableEnum {
    case empty, full
}

/// Collections of the types that those of a `Thing` lack, and properties of narrow ones.
final class Shelf: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var number = 0
    @Persisted var state = ShelfState.empty
    @Persisted var narrow: Int8 = 0
    @Persisted var bools: List<Bool>
    @Persisted var dates: List<Date>
    @Persisted var doubles: List<Double?>
    @Persisted var states: List<ShelfState>
    @Persisted var anyList: List<AnyRealmValue>
    @Persisted var floats: MutableSet<Float>
    @Persisted var uuids: MutableSet<UUID>
    @Persisted var bytes: MutableSet<Data>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var ids: Map<String, ObjectId>
    @Persisted var decimals: Map<String, Decimal128?>
    @Persisted var dateMap: Map<String, Date>
    @Persisted var anyMap: Map<String, AnyRealmValue>
}

/// Random changes of one shelf.
struct ShelfChange {
    let shelf: Shelf
    let number: Int
    let place: Int

    init(_ shelf: Shelf, _ random: inout SeededGenerator) {
        self.shelf = shelf
        number = random.int(0...99)
        place = random.int(0...99)
    }

    static func make(in realm: Realm, _ random: inout SeededGenerator) {
        let number = random.int(0...2)
        let found = realm.object(ofType: Shelf.self, forPrimaryKey: number)
        let shelf = found ?? realm.create(Shelf.self, value: ["number": number])
        let change = ShelfChange(shelf, &random)
        for _ in 0...2 { change.make(random.int(0...13)) }
    }

    private func make(_ kind: Int) {
        let date = Date(timeIntervalSince1970: Double(number) * 3_600.5)
        switch kind {
        case 0: shelf.state = number % 2 == 0 ? .full : .empty
        case 1: shelf.narrow = Int8(number)
        case 2: edit(shelf.bools, number % 2 == 0)
        case 3: edit(shelf.dates, date)
        case 4: edit(shelf.doubles, number % 5 == 0 ? nil : Double(number) / 3)
        case 5: edit(shelf.states, number % 2 == 0 ? .full : .empty)
        case 6: edit(shelf.anyList, anyValue)
        case 7: edit(shelf.floats, Float(number % 7) / 3)
        case 8: edit(shelf.uuids, UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, digit)))
        case 9: edit(shelf.bytes, Data(repeating: digit, count: number % 3))
        case 10: edit(shelf.anySet, number % 3 == 0 ? .none : .int(number % 7))
        case 11: edit(shelf.ids, try? ObjectId(string: "0000000000000000000000\(number % 90 + 10)"))
        case 12:
            edit(shelf.decimals, number % 5 == 0 ? .some(nil) : .some(Decimal128(number) / 16))
            edit(shelf.dateMap, date)
        default: edit(shelf.anyMap, anyValue)
        }
    }

    private var digit: UInt8 { UInt8(number % 7) }

    private var anyValue: AnyRealmValue {
        switch number % 4 {
        case 0: .none
        case 1: .date(Date(timeIntervalSince1970: Double(number)))
        case 2: .fromArray([.int(number), .fromDictionary(["key": .bool(true)])])
        default: .double(Double(number) / 2)
        }
    }

    private func edit<Element>(_ list: List<Element>, _ value: Element) {
        if list.count > 5 || number % 3 == 0, !list.isEmpty {
            list.remove(at: place % list.count)
        } else if number % 7 == 0, !list.isEmpty {
            list[place % list.count] = value
        } else {
            list.insert(value, at: place % (list.count + 1))
        }
    }

    private func edit<Element>(_ set: MutableSet<Element>, _ value: Element) {
        if number % 3 == 0 { set.remove(value) } else { set.insert(value) }
    }

    private func edit<Value>(_ map: Map<String, Value>, _ value: Value?) {
        map["key \(place % 4)"] = number % 4 == 0 ? nil : value
    }
}

extension Shelf {
    /// All that it has, as a text.
    var text: String {
        // The description of a nested list has its address.
        func text(_ any: AnyRealmValue) -> String {
            if let list = any.listValue { return "[\(Array(list).map { text($0) })]" }
            guard let map = any.dictionaryValue else { return "\(any)" }
            return "[\(map.keys.sorted().map { "\($0): \(text(map[$0] ?? .none))" })]"
        }
        func text<Value>(_ map: Map<String, Value>) -> String {
            map.keys.sorted().map { "\($0): \(String(describing: map[$0]))" }.joined(
                separator: ", ")
        }
        func text<Value>(_ set: MutableSet<Value>) -> String {
            set.map { "\($0)" }.sorted().joined(separator: ", ")
        }
        return [
            "\(state) \(narrow)", "\(Array(bools))", "\(Array(dates))", "\(Array(doubles))",
            "\(Array(states))", "\(Array(anyList).map { text($0) })", text(floats), text(uuids),
            bytes.map { "\(Array($0))" }.sorted().joined(), text(anySet), text(ids), text(decimals),
            text(dateMap),
            "\(anyMap.keys.sorted().map { "\($0): \(text(anyMap[$0] ?? .none))" })",
        ].joined(separator: "; ")
    }
}
