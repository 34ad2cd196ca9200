import Foundation
import Freehold
import FreeholdTestSupport

extension Shop {
    /// Fills a realm with random objects of all classes.
    static func fill(_ realm: Realm, _ random: inout SeededGenerator, count: Int) {
        var items: [Item] = []
        for number in 0..<count {
            let item = Item()
            item.name = number == 0 ? nil : "item \(number) \(random.text())"
            item.price = random.double()
            realm.add(item, update: .modified)
            items.append(item)
        }
        for number in 0..<count / 2 {
            let maker = realm.create(
                Maker.self, value: ["id": number * random.int(1...3) - 5], update: .all)
            maker.name = random.text()
            maker.best = random.pick(items)
        }
        let makers = Array(realm.objects(Maker.self))
        for item in items where !random.once(in: 3) { item.maker = random.pick(makers) }
        var tickets: [Ticket] = []
        for _ in 0..<count / 2 {
            let ticket = realm.create(Ticket.self, value: ["id": random.objectId()], update: .all)
            ticket.next = tickets.last
            tickets.append(ticket)
        }
        tickets.first?.next = tickets.last
        var all: [Everything] = []
        for _ in 0..<count {
            let one = realm.create(Everything.self, value: [String: Any]())
            all.append(one)
            if random.once(in: 10) { continue }
            fillScalars(one, &random)
            fillLinks(one, &random, items, all)
            fillCollections(one, &random, items, all)
        }
        // Keys with gaps.
        for one in all where random.once(in: 6) { realm.delete(one) }
    }

    private static func fillScalars(_ one: Everything, _ random: inout SeededGenerator) {
        one.int = random.integer()
        one.intOrNil = random.once(in: 2) ? nil : random.integer()
        one.text = random.text()
        one.notes = random.text()
        one.textOrNil = random.once(in: 2) ? nil : random.text()
        one.bool = random.once(in: 2)
        one.boolOrNil = random.once(in: 2) ? nil : random.once(in: 2)
        one.float = random.float()
        one.floatOrNil = random.once(in: 2) ? nil : random.float()
        one.double = random.double()
        one.doubleOrNil = random.once(in: 2) ? nil : random.double()
        one.date = random.date()
        one.dateOrNil = random.once(in: 2) ? nil : random.date()
        one.data = random.data()
        one.dataOrNil = random.once(in: 2) ? nil : random.data()
        one.decimal = random.decimal()
        one.decimalOrNil = random.once(in: 2) ? nil : random.decimal()
        one.objectId = random.objectId()
        one.objectIdOrNil = random.once(in: 2) ? nil : random.objectId()
        one.uuid = random.uuid()
        one.uuidOrNil = random.once(in: 2) ? nil : random.uuid()
    }

    private static func fillLinks(
        _ one: Everything, _ random: inout SeededGenerator, _ items: [Item], _ all: [Everything]
    ) {
        one.any = random.value(items, all, depth: 0)
        if !random.once(in: 3) { one.item = random.pick(items) }
        if !random.once(in: 3) { one.other = random.pick(all) }
        if !random.once(in: 3) { one.place = random.place(items, depth: 0) }
    }

    private static func fillCollections(
        _ one: Everything, _ random: inout SeededGenerator, _ items: [Item], _ all: [Everything]
    ) {
        let count = random.once(in: 8) ? 400 : random.int(0...4)
        for _ in 0..<count {
            one.ints.append(random.integer())
            one.texts.append(random.once(in: 3) ? nil : random.text())
            one.doubles.append(random.double())
            one.dates.append(random.once(in: 3) ? nil : random.date())
            one.items.append(random.pick(items))
            one.intSet.insert(random.once(in: 5) ? nil : random.int(0...50))
            one.textSet.insert(random.text())
            one.dataSet.insert(random.data())
            one.decimalSet.insert(random.decimal())
            one.itemSet.insert(random.pick(items))
            one.floatMap[random.key()] = random.once(in: 3) ? Float?.none : random.float()
            one.uuidMap[random.key()] = random.uuid()
            one.itemMap[random.key()] = random.once(in: 3) ? Item?.none : random.pick(items)
        }
        for _ in 0..<min(count, 6) {
            one.others.append(random.pick(all))
            one.places.append(random.place(items, depth: 0))
            one.placeMap[random.key()] =
                random.once(in: 3) ? Place?.none : random.place(items, depth: 0)
            one.anys.append(random.value(items, all, depth: 0))
            one.anySet.insert(random.value(items, all, depth: 99))
            one.anyMap[random.key()] = random.value(items, all, depth: 0)
        }
    }
}

extension SeededGenerator {
    mutating func text() -> String {
        let parts = [
            "a", "\"", "\\", "\n", "\u{1}", "\u{0}", "ü", "e\u{301}", "👩‍👩‍👧", ",", "null", "$key",
            "\u{2028}", " ", "{}", "\u{7F}", "\r", "\t", "日本",
        ]
        if once(in: 30) { return String(repeating: "long ", count: 3000) }
        return (0..<int(0...6)).reduce("") { text, _ in text + pick(parts) }
    }

    mutating func key() -> String {
        pick(["a", "b", "$a", "$$b", "", "c.d", "ü", "\"", text()])
            .replacing(".", with: "_").replacing("$", with: once(in: 2) ? "_" : "S")
    }

    mutating func integer() -> Int { pick([0, -1, .max, .min, 1 << 53 + 1, int(-9...9)]) }

    mutating func double() -> Double {
        pick([
            0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e300, 0.1, 5,
            Double(bitPattern: 0x7FF8_0000_0000_0001), Double(bitPattern: next()),
        ])
    }

    mutating func float() -> Float {
        pick([
            0, -0.0, .nan, .infinity, .leastNonzeroMagnitude, 1e30, 0.1, 16_777_216,
            Float(bitPattern: UInt32(truncatingIfNeeded: next())),
        ])
    }

    mutating func date() -> Date {
        Date(
            timeIntervalSinceReferenceDate: pick([
                0, 0.5, -1, 1e9 + 0.123, 1e9 / 7, -6e10, 1e12, double(),
                Double(int(-1_000_000_000...1_000_000_000)) / 1000,
            ]))
    }

    mutating func data() -> Data {
        Data((0..<pick([0, 1, 2, 3, 40, 9000])).map { _ in UInt8(truncatingIfNeeded: next()) })
    }

    mutating func decimal() -> Decimal128 {
        pick(["1.50", "-0", "NaN", "Infinity", "-Infinity", "9E6000", "1E-6000", "sNaN7", "0.00"])
    }

    mutating func objectId() -> ObjectId {
        ObjectId(
            words: (
                UInt32(truncatingIfNeeded: next()), UInt32(truncatingIfNeeded: next()),
                UInt32(truncatingIfNeeded: next())
            ))
    }

    mutating func uuid() -> UUID {
        let (a, b) = (next(), next())
        return withUnsafeBytes(of: (a, b)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    mutating func place(_ items: [Shop.Item], depth: Int) -> Shop.Place {
        let place = Shop.Place()
        place.city = text()
        for _ in 0..<int(0...2) { place.tags.append(text()) }
        if once(in: 2) { place.item = pick(items) }
        if depth < 4, once(in: 2) { place.inner = self.place(items, depth: depth + 1) }
        return place
    }

    /// - Parameter depth: How deep it lies; nothing is nested from 3 on.
    mutating func value(_ items: [Shop.Item], _ all: [Shop.Everything], depth: Int)
        -> AnyRealmValue
    {
        switch int(0...(depth < 3 ? 13 : 11)) {
        case 0: return .none
        case 1: return .bool(once(in: 2))
        case 2: return .int(integer())
        case 3: return .float(float())
        case 4: return .double(double())
        case 5: return .string(text())
        case 6: return .data(data())
        case 7: return .date(date())
        case 8: return .decimal128(decimal())
        case 9: return .objectId(objectId())
        case 10: return .uuid(uuid())
        case 11: return .object(once(in: 2) ? pick(items) as Object : pick(all))
        case 12:
            return .fromArray((0..<int(0...3)).map { _ in value(items, all, depth: depth + 1) })
        default:
            var entries: [String: AnyRealmValue] = [:]
            for _ in 0..<int(0...3) { entries[key()] = value(items, all, depth: depth + 1) }
            return .fromDictionary(entries)
        }
    }
}
