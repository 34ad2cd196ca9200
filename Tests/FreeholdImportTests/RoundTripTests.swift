import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random objects are written in each shape, imported, and are what they were.
@Suite struct RoundTripTests {
    @Test func objectsWithoutCircles() throws {
        var random = Seed.random()
        for _ in 0..<12 {
            try compare(&random, objects: 8, hasCircles: false) {
                [$0.nested(), $0.referenced(), $0.flatted()]
            }
        }
    }

    @Test func objectsInCircles() throws {
        var random = Seed.random()
        for _ in 0..<12 {
            // What is written in full grows with the number of ways through the objects.
            try compare(&random, objects: 4, hasCircles: true) { [$0.referenced(), $0.flatted()] }
            try compare(&random, objects: 40, hasCircles: true) { [$0.flatted()] }
        }
    }

    private func compare(
        _ random: inout SeededGenerator, objects: Int, hasCircles: Bool,
        _ write: (StudioWriter) -> [String]
    ) throws {
        let (exports, expected) = try withTemporaryRealm(Model.all) { realm in
            try realm.write { fill(realm, &random, objects, hasCircles) }
            return (write(StudioWriter(realm)), descriptions(of: realm))
        }
        for (number, export) in exports.enumerated() {
            try withTemporaryRealm(Model.all) { realm in
                let summary = try RealmStudioImport(json: Data(export.utf8)).importAll(into: realm)
                let found = descriptions(of: realm)
                let difference = zip(found, expected).first { !$0.utf8.elementsEqual($1.utf8) }
                #expect(difference == nil, "export \(number), FREEHOLD_SEED=\(random.seed)")
                #expect(
                    found.count == expected.count, "export \(number), FREEHOLD_SEED=\(random.seed)")
                #expect(
                    summary.objectCount == expected.count && summary.unlisted.isEmpty,
                    "export \(number), FREEHOLD_SEED=\(random.seed)")
            }
        }
    }

    // MARK: Random objects

    private func fill(
        _ realm: Realm, _ random: inout SeededGenerator, _ count: Int, _ hasCircles: Bool
    ) {
        let cities = (0..<max(2, count / 3)).map {
            realm.create(
                Model.City.self, value: ["_id": ObjectId.generate(), "name": "city \($0)"])
        }
        let dogs = (0..<count).map {
            realm.create(
                Model.Dog.self,
                value: ["name": "dog \($0) \(text(&random))", "age": random.int(-3...3)])
        }
        let people = (0..<count).map {
            realm.create(
                Model.Person.self,
                value: [
                    "id": $0 * 7 - 3, "name": text(&random),
                    "nickname": random.once(in: 2) ? nil : text(&random),
                ])
        }
        func some<T>(_ all: [T], before index: Int) -> T? {
            let choice = hasCircles ? all : Array(all.prefix(index))
            return choice.isEmpty || random.once(in: 3) ? nil : random.pick(choice)
        }
        for (index, dog) in dogs.enumerated() {
            dog.friend = some(dogs, before: index)
            if hasCircles { dog.owner = some(people, before: 0) }
        }
        for (index, person) in people.enumerated() {
            person.dog = some(dogs, before: count)
            if let friend = some(people, before: index) { person.friends.append(friend) }
            for _ in 0..<random.int(0...2) { person.pets.insert(random.pick(dogs)) }
            if random.once(in: 3) { person.byName["key"] = .some(some(people, before: index)) }
            if random.once(in: 2) { person.address = address(&random, cities, dogs, depth: 0) }
            for _ in 0..<random.int(0...2) {
                person.others.append(address(&random, cities, dogs, depth: 1))
            }
            if random.once(in: 3) {
                person.rooms["room"] = address(&random, cities, dogs, depth: 1)
            }
            person.any = any(&random, some(people, before: index), dogs, depth: 0)
            for _ in 0..<random.int(0...3) { person.anys.append(any(&random, nil, dogs, depth: 0)) }
        }
        for number in 0..<count { everything(realm, number, &random, cities) }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        let pieces = [
            "a", "Ł", "é", "e\u{301}", "😀", "👩‍👩‍👧", "\"", "\\", "\n", "\u{1}", "7", "{", " ",
            "\u{2028}", "$", ".",
        ]
        return (0..<random.int(0...5)).map { _ in random.pick(pieces) }.joined()
    }

    private func address(
        _ random: inout SeededGenerator, _ cities: [Model.City], _ dogs: [Model.Dog], depth: Int
    ) -> Model.Address {
        let address = Model.Address()
        address.street = text(&random)
        if random.once(in: 2) { address.city = random.pick(cities) }
        if random.once(in: 2) { address.dog = random.pick(dogs) }
        if depth < 3, random.once(in: 2) {
            address.annex = self.address(&random, cities, dogs, depth: depth + 1)
        }
        return address
    }

    /// Without what JSON cannot tell apart.
    private func any(
        _ random: inout SeededGenerator, _ person: Model.Person?, _ dogs: [Model.Dog], depth: Int
    ) -> AnyRealmValue {
        switch random.int(0...(depth < 3 ? 8 : 6)) {
        case 0: return .none
        case 1: return .int(random.int(-1000...1000))
        case 2: return .double(Double(random.int(-1000...1000)) + 0.25)
        case 3: return .bool(random.once(in: 2))
        case 4: return .string(text(&random))
        case 5: return .object(random.pick(dogs))
        case 6: return person.map { .object($0) } ?? .none
        case 7:
            return .fromArray(
                (0..<random.int(0...3)).map { _ in any(&random, person, dogs, depth: depth + 1) })
        default:
            return .fromDictionary(
                Dictionary(
                    uniqueKeysWithValues: (0..<random.int(0...3)).map {
                        ("key \($0)", any(&random, person, dogs, depth: depth + 1))
                    }))
        }
    }

    private func everything(
        _ realm: Realm, _ number: Int, _ random: inout SeededGenerator, _ cities: [Model.City]
    ) {
        let all = Model.Everything()
        all.key = "\(number)"
        all.int = random.int(-9_007_199_254_740_991...9_007_199_254_740_991)
        all.int8 = Int8(random.int(-128...127))
        all.bool = random.once(in: 2)
        all.string = text(&random)
        all.data = Data((0..<random.int(0...5)).map { _ in UInt8(random.int(0...255)) })
        all.date = date(&random)
        all.float = random.once(in: 5) ? .nan : Float(random.int(-1000...1000)) / 7
        all.double = Double(random.int(-1000...1000)) * .pi
        all.objectId = .generate()
        all.decimal = Decimal128(random.int(-1000...1000)) / 8
        all.uuid = UUID()
        all.colour = random.pick(Model.Colour.allCases)
        all.grade = random.once(in: 2) ? nil : .bad
        all.code = random.once(in: 2) ? nil : Model.Code(persistedValue: "çode")
        all.optionalInt = random.once(in: 2) ? nil : random.int(-5...5)
        all.optionalString = random.once(in: 2) ? nil : text(&random)
        all.optionalData = random.once(in: 2) ? nil : Data([1])
        all.optionalDate = random.once(in: 2) ? nil : date(&random)
        all.optionalUUID = random.once(in: 2) ? nil : UUID()
        all.optionalDecimal = random.once(in: 2) ? nil : 3
        for _ in 0..<random.int(0...3) {
            all.ints.append(random.int(-9...9))
            all.optionalStrings.append(random.once(in: 2) ? nil : text(&random))
            all.dates.append(date(&random))
            all.texts.insert(text(&random))
            all.small.insert(Int8(random.int(0...9)))
            all.cities.append(random.pick(cities))
            all.scores["k\(random.int(0...9))"] = Double(random.int(0...9)) / 3
            all.blobs["k\(random.int(0...9))"] = random.once(in: 2) ? Data?.none : Data([2])
        }
        all.city = random.once(in: 2) ? nil : random.pick(cities)
        realm.add(all)
    }

    private func date(_ random: inout SeededGenerator) -> Date {
        // From 1589 on: of earlier days, Foundation writes those of the Julian calendar,
        // JavaScript those of the Gregorian one.
        Date(
            timeIntervalSinceReferenceDate: Double(
                random.int(-13_000_000_000_000...200_000_000_000_000)) / 1000)
    }

    // MARK: Comparing

    /// All objects, each with its values, and with names and keys for links.
    private func descriptions(of realm: Realm) -> [String] {
        realm.schema.objectSchema.filter { !$0.isEmbedded }.flatMap { schema in
            realm.dynamicObjects(schema.className).map { object in
                "\(schema.className) "
                    + schema.properties.map { "\($0.name): \(description(object[$0.name]))" }
                    .joined(separator: ", ")
            }
        }
    }

    private func description(_ value: Any?) -> String {
        switch value {
        case nil: return "nil"
        case let optional as any OptionalProtocol:
            return description(optional._rlmOptionalValue.map { $0 as Any })
        case let object as ObjectBase where object.objectSchema.isEmbedded:
            return "("
                + object.objectSchema.properties.map { description(object[$0.name]) }.joined(
                    separator: ", ") + ")"
        case let object as ObjectBase:
            let schema = object.objectSchema
            return
                "\(schema.className)/\(object[schema.primaryKeyProperty?.name ?? "name"] ?? "nil")"
        case let map as Map<String, AnyRealmValue>:
            return description(AnyRealmValue.dictionary(map))
        case let list as List<AnyRealmValue>: return description(AnyRealmValue.list(list))
        case .some(AnyRealmValue.object(let object) as AnyRealmValue): return description(object)
        case .some(AnyRealmValue.list(let list) as AnyRealmValue):
            return "[" + list.map { description($0) }.joined(separator: ", ") + "]"
        case .some(AnyRealmValue.dictionary(let map) as AnyRealmValue):
            return "["
                + map.keys.sorted().map { "\($0): \(description(map[$0] ?? .none))" }.joined(
                    separator: ", ") + "]"
        case let map as Map<String, DynamicObject?>:
            return "["
                + map.keys.sorted().map { "\($0): \(description(map[$0] ?? nil))" }.joined(
                    separator: ", ") + "]"
        case let map as Map<String, Double>:
            return "["
                + map.keys.sorted().map { "\($0): \(description(map[$0]))" }.joined(separator: ", ")
                + "]"
        case let map as Map<String, Data?>:
            return "["
                + map.keys.sorted().map { "\($0): \(description(map[$0] ?? nil))" }.joined(
                    separator: ", ") + "]"
        case let data as Data: return data.base64EncodedString()
        case let date as Date: return "\(date.timeIntervalSinceReferenceDate)"
        case let list as any Sequence where !(value is String):
            return "[" + list.map { description($0) }.joined(separator: ", ") + "]"
        default: return "\(value ?? "nil")"
        }
    }
}
