import Foundation
import Freehold
import FreeholdSharing
import FreeholdTestSupport
import Testing

/// An account, whose balance never falls below 0, and whose sum with all others never changes.
final class Account: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var number = 0
    @Persisted var balance = 0
}

/// Made with a transfer, in one shared write.
final class Receipt: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var from = 0
    @Persisted var to = 0
    @Persisted var amount = 0
}

final class Part: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted var number = 0
    @Persisted var text: String?
}

/// Properties of all types, and collections of some; others are those of a `Shelf`.
final class Thing: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var key = ""
    @Persisted var count = 0
    @Persisted var bool = false
    @Persisted var int: Int?
    @Persisted var float: Float?
    @Persisted var double = 0.0
    @Persisted var text = ""
    @Persisted var data: Data?
    @Persisted var date: Date?
    @Persisted var uuid: UUID?
    @Persisted var objectId: ObjectId?
    @Persisted var decimal: Decimal128?
    @Persisted var any: AnyRealmValue
    @Persisted var link: Thing?
    @Persisted var part: Part?
    @Persisted var ints: List<Int>
    @Persisted var texts: List<String?>
    @Persisted var links: List<Thing>
    @Persisted var parts: List<Part>
    @Persisted var set: MutableSet<String>
    @Persisted var linkSet: MutableSet<Thing>
    @Persisted var map: Map<String, Int>
    @Persisted var linkMap: Map<String, Thing?>
    @Persisted var partMap: Map<String, Part?>
}

enum SharedShop {
    static let classes: [ObjectBase.Type] = [
        Account.self, Receipt.self, Part.self, Thing.self, Shelf.self,
    ]
    static let accounts = 4
    static let balance = 100

    /// Makes the accounts.
    static func begin(in realm: Realm) {
        for number in 0..<accounts {
            realm.create(Account.self, value: ["number": number, "balance": balance])
        }
    }

    /// A random change of some objects, in one transaction.
    static func change(
        _ configuration: Realm.Configuration, _ random: inout SeededGenerator
    ) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { change(in: realm, &random) }
    }

    /// As above, in a transaction.
    static func change(in realm: Realm, _ random: inout SeededGenerator) {
        for _ in 0...random.int(0...2) { changeOne(in: realm, &random) }
        if random.int(0...3) == 0 { ShelfChange.make(in: realm, &random) }
    }

    private static func changeOne(in realm: Realm, _ random: inout SeededGenerator) {
        func any(_ random: inout SeededGenerator) -> Thing? {
            realm.object(ofType: Thing.self, forPrimaryKey: "thing \(random.int(0...9))")
        }
        let key = "thing \(random.int(0...9))"
        guard let thing = realm.object(ofType: Thing.self, forPrimaryKey: key) else {
            realm.create(Thing.self, value: ["key": key, "count": random.int(0...9)])
            return
        }
        let number = random.int(0...99)
        switch random.int(0...24) {
        case 0: realm.delete(thing)
        case 1: thing.increment(\.count, by: number)
        case 2: thing.bool.toggle()
        case 3: thing.int = number % 5 == 0 ? nil : number
        case 4: (thing.float, thing.double) = (Float(number) / 3, Double(number) / 7)
        case 5: thing.text = "Zoë 🐟 \(number)"
        case 6: thing.data = number % 4 == 0 ? nil : Data([UInt8(number), 0])
        case 7: thing.date = Date(timeIntervalSince1970: Double(number) * 1_000.25)
        case 8:
            thing.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(number)))
        case 9: thing.objectId = ObjectId.generate()
        case 10: thing.decimal = Decimal128(number) / 8
        case 11:
            thing.any =
                number % 3 == 0
                ? .none
                : number % 3 == 1
                    ? .fromDictionary(["list": .fromArray([.int(number), .string("x")])])
                    : any(&random).map { .object($0) } ?? .int(number)
        case 12: thing.link = any(&random)
        case 13: thing.part = number % 4 == 0 ? nil : Part(value: ["number": number])
        case 14: thing.part?.text = "part \(number)"
        case 15: thing.ints.insert(number, at: random.int(0...thing.ints.count))
        case 16:
            if !thing.ints.isEmpty { thing.ints.remove(at: random.int(0...thing.ints.count - 1)) }
        case 17: thing.texts.append(number % 3 == 0 ? nil : "text \(number)")
        case 18: if let other = any(&random) { thing.links.append(other) }
        case 19: thing.parts.append(Part(value: ["number": number, "text": "listed"]))
        case 20:
            if let first = thing.parts.first { first.number += 1 }
            if thing.parts.count > 6 { thing.parts.removeFirst() }
        case 21:
            if number % 2 == 0 {
                thing.set.insert("element \(number % 7)")
            } else {
                thing.set.remove("element \(number % 7)")
            }
        case 22: if let other = any(&random) { thing.linkSet.insert(other) }
        case 23: thing.map["key \(number % 5)"] = number % 6 == 0 ? nil : number
        default:
            thing.linkMap["key \(number % 3)"] = .some(any(&random))
            thing.partMap["key \(number % 3)"] = .some(Part(value: ["number": number]))
        }
    }

    /// Everything in a file, by class and primary key. Embedded objects are part of it.
    static func contents(_ configuration: Realm.Configuration) throws -> [String: String] {
        let realm = try Realm(configuration: configuration)
        var contents: [String: String] = [:]
        for account in realm.objects(Account.self) {
            contents["account \(account.number)"] = "\(account.balance)"
        }
        for receipt in realm.objects(Receipt.self) {
            contents["receipt \(receipt.id)"] = "\(receipt.from) \(receipt.to) \(receipt.amount)"
        }
        for thing in realm.objects(Thing.self) { contents[thing.key] = text(thing) }
        for shelf in realm.objects(Shelf.self) { contents["shelf \(shelf.number)"] = shelf.text }
        return contents
    }

    /// Expects that each receipt stands for a transfer that was done once.
    static func judgeAccounts(_ contents: [String: String]) throws {
        var balances = [Int](repeating: balance, count: accounts)
        for (key, value) in contents where key.hasPrefix("receipt ") {
            let numbers = value.split(separator: " ").compactMap { Int($0) }
            try #require(numbers.count == 3)
            balances[numbers[0]] -= numbers[2]
            balances[numbers[1]] += numbers[2]
        }
        for (number, balance) in balances.enumerated() {
            #expect(contents["account \(number)"] == "\(balance)")
            #expect(balance >= 0)
        }
    }

    private static func text(_ thing: Thing) -> String {
        func text(_ part: Part?) -> String {
            part.map { "\($0.number) \($0.text ?? "-")" } ?? "nil"
        }
        func text(_ any: AnyRealmValue) -> String {
            if let other = any.object(Thing.self) { return other.key }
            if let map = any.dictionaryValue {
                return map.keys.sorted().map { "\($0): \(text(map[$0] ?? .none))" }.joined()
            }
            if let list = any.listValue { return list.map { text($0) }.joined(separator: ",") }
            return "\(any)"
        }
        var parts: [String] = [
            "\(thing.count) \(thing.bool) \(String(describing: thing.int)) \(thing.text)",
            "\(String(describing: thing.float)) \(thing.double)",
            "\(thing.data.map { Array($0) } ?? []) \(String(describing: thing.date))",
            "\(String(describing: thing.uuid)) \(String(describing: thing.objectId))",
            "\(String(describing: thing.decimal)) any \(text(thing.any))",
            "link \(thing.link?.key ?? "nil") part \(text(thing.part))",
            "ints \(Array(thing.ints)) texts \(Array(thing.texts))",
            "links \(Array(thing.links.map(\.key))) parts \(Array(thing.parts.map { text($0) }))",
            "set \(Array(thing.set).sorted()) \(thing.linkSet.map(\.key).sorted())",
        ]
        for key in thing.map.keys.sorted() { parts.append("map \(key) \(thing.map[key] ?? -1)") }
        for key in thing.linkMap.keys.sorted() {
            parts.append("linkMap \(key) \((thing.linkMap[key] ?? nil)?.key ?? "nil")")
        }
        for key in thing.partMap.keys.sorted() {
            parts.append("partMap \(key) \(text(thing.partMap[key] ?? nil))")
        }
        return parts.joined(separator: "; ")
    }
}
