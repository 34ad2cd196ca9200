import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Foundation's predicates: what the database finds is what `evaluate` says of each object,
/// over random objects.
@Suite struct FoundationPredicateTests {
    /// What random predicates are made of.
    private struct Values {
        var number: Int
        var text: String
        var date: Date
        var double: Double
        var level: FoundationLevel

        init(using generator: inout SeededGenerator) {
            number = generator.int(-4...8)
            text = generator.pick(FoundationWorld.texts)
            date = Date(timeIntervalSinceReferenceDate: Double(generator.int(-3...3)) * 86_400.25)
            double = generator.pick(FoundationWorld.doubles)
            level = generator.pick(FoundationLevel.allCases)
        }

        var encoded: Values {
            var copy = self
            copy.text = FoundationWorld.scalars.encode(text)
            return copy
        }
    }

    private typealias ItemPredicate = Foundation.Predicate<FoundationItem>

    private static func comparisons(_ values: Values) -> [ItemPredicate] {
        let (number, text, date, double, level) = (
            values.number, values.text, values.date, values.double, values.level
        )
        let small = Int8(number), nothing: String? = nil, kind = FoundationKind.émigré,
            token = ResultsItem.tokens[1]
        let data = Data([1]), amount = Decimal128(stringLiteral: "\(number / 2).5")
        return [
            #Predicate { $0.number == number },
            #Predicate { $0.place != number },
            #Predicate { $0.place > number && $0.active },
            #Predicate { number >= $0.number || !$0.active },
            #Predicate { $0.active == false },
            #Predicate { $0.checked == true },
            #Predicate { $0.checked != false },
            #Predicate { $0.checked ?? $0.active },
            #Predicate { $0.number == number * 2 - 1 },
            #Predicate { $0.number > number - 2 },
            #Predicate { $0.small == small },
            #Predicate { $0.small != small },
            #Predicate { ($0.small ?? 1) > small },
            #Predicate { small <= ($0.small ?? 0) },
            #Predicate { ($0.small ?? small) != 2 },
            #Predicate { $0.small != nil && $0.small! < 2 },
            #Predicate { $0.ratio < double },
            #Predicate { $0.ratio == double },
            #Predicate { $0.share != double },
            #Predicate { ($0.share ?? $0.ratio) >= double },
            #Predicate { $0.ratio <= ($0.share ?? double) },
            #Predicate { ($0.share ?? 0) == $0.ratio },
            #Predicate { $0.weight == 1.5 },
            #Predicate { $0.joined > date },
            #Predicate { $0.joined == date },
            #Predicate { $0.amount < amount },
            #Predicate { $0.token == token },
            #Predicate { $0.level == level },
            #Predicate { $0.level < level },
            #Predicate { level <= $0.level },
            #Predicate { $0.level.rawValue > 0 },
            #Predicate { $0.kind == kind },
            #Predicate { $0.kind?.rawValue == "plain" },
            #Predicate { ($0.kind ?? kind) == kind },
            #Predicate { $0.number == $0.place },
            #Predicate { $0.name == $0.title },
            #Predicate { $0.name == text },
            #Predicate { $0.title > text },
            #Predicate { $0.name <= text },
            #Predicate { $0.note == nil },
            #Predicate { $0.note != nothing },
            #Predicate { $0.note == text },
            #Predicate { $0.note == $0.owner?.name },
            #Predicate { ($0.note ?? $0.name) == text },
            #Predicate { ($0.note ?? text) > $0.name },
            #Predicate { $0.data == data },
            #Predicate { $0.data.isEmpty },
            #Predicate { _ in true },
            #Predicate { _ in number > 2 },
        ]
    }

    private static func optionals(_ values: Values) -> [ItemPredicate] {
        let (number, text, double) = (values.number, values.text, values.double)
        return [
            #Predicate { $0.owner == nil },
            #Predicate { $0.owner == $0.keeper },
            #Predicate { $0.owner != $0.keeper },
            #Predicate { $0.owner?.name == text },
            #Predicate { $0.owner?.name != text },
            #Predicate { $0.owner?.name == nil },
            #Predicate { $0.owner?.boss?.vaccinated == true },
            #Predicate { $0.owner?.boss?.vaccinated != false },
            #Predicate { $0.owner?.boss?.age == number },
            #Predicate { $0.owner?.age == $0.keeper?.age },
            #Predicate { ($0.owner?.age ?? 3) > number },
            #Predicate { ($0.owner?.age ?? ($0.keeper?.age ?? $0.number)) < number },
            #Predicate { $0.owner?.name.contains(text) ?? false },
            #Predicate { $0.owner?.name.contains(text) ?? true },
            #Predicate { $0.owner?.name.contains(text) == $0.checked },
            #Predicate { $0.owner?.name == $0.note },
            #Predicate { $0.owner?.name.isEmpty != true },
            #Predicate { $0.owner?.numbers.count == 2 },
            #Predicate { $0.owner?.numbers.contains(number) == true },
            #Predicate { $0.owner?.numbers.max() == number },
            #Predicate { $0.owner.flatMap { $0.age } == number },
            #Predicate { $0.owner.flatMap { $0.vaccinated && $0.name < text } ?? $0.active },
            #Predicate { ($0.owner?.vaccinated ?? $0.active) == ($0.keeper?.vaccinated ?? false) },
            #Predicate { $0.spot?.x == double },
            #Predicate { ($0.spot?.x ?? 0) > double },
            #Predicate { $0.spot?.title.starts(with: text) ?? $0.active },
            #Predicate { $0.active ? $0.number > number : $0.number < number },
            #Predicate { ($0.active ? $0.number : $0.place) == number },
            #Predicate { ($0.active ? $0.name : $0.title) == text },
            #Predicate { ($0.active ? $0.owner?.name : $0.note) == text },
            #Predicate { ($0.active ? $0.owner : $0.keeper) == nil },
            #Predicate { ($0.active ? $0.owner : $0.keeper).flatMap { $0.name } == text },
            #Predicate { ($0.number > number) == ($0.ratio > 0) },
            #Predicate { ($0.number > number) != $0.active },
            #Predicate { item in if let owner = item.owner { owner.vaccinated } else { item.active }
            },
            #Predicate { item in
                if let owner = item.owner, let age = owner.age {
                    age > number
                } else {
                    item.note == text
                }
            },
            #Predicate { item in
                if item.active {
                    item.number > number
                } else if item.owner == nil {
                    true
                } else {
                    item.note == nil
                }
            },
        ]
    }

    private static func texts(_ values: Values) -> [ItemPredicate] {
        let (text, number) = (values.text, values.number), texts = [values.text, ""],
            data = Data([0])
        return [
            #Predicate { $0.name.contains(text) },
            #Predicate { $0.title.contains(text) },
            #Predicate { $0.name.starts(with: text) },
            #Predicate { !$0.title.starts(with: text) },
            #Predicate { $0.name.contains("") },
            #Predicate { $0.name.starts(with: "") && $0.number > number },
            #Predicate { $0.name.isEmpty },
            #Predicate { $0.name.contains($0.note ?? "") },
            #Predicate { ($0.note ?? "").contains($0.name) },
            #Predicate { ($0.note ?? text).starts(with: $0.title) },
            #Predicate { text.contains($0.name) },
            #Predicate { text.starts(with: $0.name) },
            #Predicate { texts.contains($0.name) },
            #Predicate { texts.contains($0.note ?? text) },
            #Predicate { item in texts.contains { $0 == item.title } },
            #Predicate { item in texts.allSatisfy { item.title.contains($0) } },
            #Predicate { $0.data.starts(with: data) },
            #Predicate { $0.data.contains(data) },
        ]
    }

    private static func collections(_ values: Values) -> [ItemPredicate] {
        let (number, text) = (values.number, values.text), numbers = [number, number + 3],
            none: [Int] = [], gaps: [Int?] = [number, nil]
        let above = number..., below = ..<number
        return [
            #Predicate { numbers.contains($0.place) },
            #Predicate { none.contains($0.place) },
            #Predicate { numbers.contains($0.owner.flatMap { $0.age } ?? 1) },
            #Predicate { gaps.contains($0.owner.flatMap { $0.age }) },
            #Predicate { (0..<number + 5).contains($0.number) },
            #Predicate { (-3...number + 4).contains($0.place) },
            #Predicate { above.contains($0.place) },
            #Predicate { below.contains($0.number) },
            #Predicate { ($0.place...1_000).contains(number) },
            #Predicate { (-3.0...2.0).contains($0.ratio) },
            #Predicate { $0.numbers.contains(number) },
            #Predicate { $0.gaps.contains(nil) },
            #Predicate { $0.words.contains(text) },
            #Predicate { $0.numbers.count > 1 },
            #Predicate { $0.owners.isEmpty },
            #Predicate { $0.owners.contains { $0.age == number } },
            #Predicate { $0.owners.contains { $0.vaccinated && $0.name.contains(text) } },
            #Predicate { $0.owners.contains { ($0.boss?.age ?? 0) > number } },
            #Predicate { $0.owners.allSatisfy { $0.vaccinated } },
            #Predicate { $0.owners.filter { $0.vaccinated }.count == 2 },
            #Predicate { $0.owners.filter { $0.age != nil }.isEmpty },
            #Predicate { $0.owners.filter { $0.vaccinated }.contains { $0.age == number } },
            #Predicate { $0.owners.filter { $0.vaccinated }.allSatisfy { ($0.age ?? 1) > 0 } },
            #Predicate { $0.owners.contains { $0.numbers.contains(number) } },
            #Predicate { $0.owners.contains { $0.numbers.contains { $0 > number } } },
            #Predicate { $0.spots.contains { $0.title == text && $0.x != nil } },
            #Predicate { $0.numbers.contains { $0 > number } },
            #Predicate { $0.gaps.contains { $0 == nil } },
            #Predicate { $0.gaps.allSatisfy { ($0 ?? number) >= 0 } },
            #Predicate { $0.numbers.filter { $0 > number }.contains(number + 1) },
            #Predicate { $0.words.contains { $0.contains(text) } },
            #Predicate { $0.numbers.max() == number },
            #Predicate { !$0.numbers.contains(number) && $0.numbers.min() == 0 },
            #Predicate { ($0.numbers.max() ?? 2) > number },
            #Predicate { $0.scores["a"] == number },
            #Predicate { ($0.scores["b"] ?? number) > 0 },
            #Predicate { $0.scores["a"] == $0.scores["b"] },
            #Predicate { $0.scores.count == 2 },
            #Predicate { $0.scores.keys.contains("c") },
            #Predicate { $0.scores.keys.count > 1 && !$0.scores.values.isEmpty },
            #Predicate { $0.scores.values.contains { $0 > number } },
            #Predicate { $0.scores.values.contains(number) },
            #Predicate { $0.scores.values.max() == number },
        ]
    }

    @Test(arguments: ["comparisons", "optionals", "texts", "collections"])
    func sameAsEvaluate(_ name: String) throws {
        try withFoundationWorld(rounds: 2) { world, generator in
            let twins = world.twins()
            let frozen = world.items.freeze()
            for _ in 0..<6 {
                let values = Values(using: &generator)
                let make = [
                    "comparisons": Self.comparisons, "optionals": Self.optionals,
                    "texts": Self.texts, "collections": Self.collections,
                ][name]!
                for (position, (predicate, encoded)) in zip(make(values), make(values.encoded))
                    .enumerated()
                {
                    let comment: Comment =
                        "predicate \(position) with \(values), FREEHOLD_SEED=\(generator.seed)"
                    let expected = try twins.filter { try encoded.evaluate($0) }.map(\.id)
                    #expect(try world.items.filter(predicate).map(\.id) == expected, comment)
                    #expect(try frozen.filter(predicate).count == expected.count, comment)
                    let first = try world.items.index(matching: predicate)
                    #expect(first.map { world.items[$0].id } == expected.first, comment)
                }
            }
        }
    }

    @Test func linkingObjects() throws {
        try withFoundationWorld { world, generator in
            for _ in 0..<10 {
                let number = generator.int(-4...8)
                // Those of objects that no realm manages are empty, so the objects themselves
                // are asked.
                let predicates: [Foundation.Predicate<FoundationOwner>] = [
                    #Predicate { $0.items.count > 2 },
                    #Predicate { $0.items.isEmpty },
                    #Predicate { $0.items.contains { $0.number == number } },
                    #Predicate { $0.items.filter { $0.active }.count == 1 },
                ]
                let owners = world.realm.objects(FoundationOwner.self)
                for predicate in predicates {
                    let expected = try owners.map { try predicate.evaluate($0) }
                    let found = try owners.filter(predicate)
                    #expect(
                        owners.map { found.contains($0) } == expected,
                        "FREEHOLD_SEED=\(generator.seed)")
                }
            }
        }
    }

    /// Of each collection, `filter` keeps its order and its repetitions.
    @Test func everyCollection() throws {
        try withTemporaryRealm { realm in
            let (holder, person) = try realm.write {
                let holder = realm.create(Fixture.Holder.self)
                for name in ["Rex", "Ada", "Rex"] { holder.dogs.append(Fixture.Dog(name: name)) }
                holder.dogs.append(holder.dogs[0])
                let person = realm.create(Fixture.Person.self, value: ["id": 1])
                realm.create(
                    Fixture.Person.self,
                    value: ["id": 2, "name": "Ann", "friend": person] as [String: Any])
                return (holder, person)
            }
            let rex = #Predicate<Fixture.Dog> { $0.name == "Rex" }
            let ann = #Predicate<Fixture.Person> { $0.name == "Ann" }
            #expect(try holder.dogs.filter(rex).count == 3)
            #expect(try holder.dogs.index(matching: #Predicate { $0.name == "Ada" }) == 1)
            #expect(try holder.dogs.sorted(by: \.name).filter(rex).count == 3)
            #expect(try person.admirers.filter(ann).map(\.id) == [2])
            #expect(try AnyRealmCollection(holder.dogs).filter(rex).count == 3)
            #expect(try realm.objects(Fixture.Dog.self).filter(rex).filter(.true).count == 2)
            let live = try realm.objects(Fixture.Dog.self).filter(rex)
            try realm.write { holder.dogs[1].name = "Rex" }
            #expect(live.count == 3)
        }
    }
}
