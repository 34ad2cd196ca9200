import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct KeyPathValueTests {
    enum Mood: Int, PersistableEnum { case low = 1, high = 5 }

    final class City: Object {
        @Persisted var name = ""
        @Persisted var people = 0
    }

    final class Resident: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name: String?
        @Persisted var age = 0
        @Persisted var height: Double?
        @Persisted var weight: Float = 0
        @Persisted var wealth: Decimal128
        @Persisted var born: Date
        @Persisted var city: City?
        @Persisted var friends: List<Resident>
        @Persisted var grades: List<Int>
        @Persisted var moods: List<Mood>
        @Persisted var tags: MutableSet<String>
        @Persisted var scores: Map<String, Int>
        @Persisted var homes: Map<String, City?>
        @Persisted(originProperty: "friends") var fans: LinkingObjects<Resident>
    }

    private static let types: [ObjectBase.Type] = [Resident.self, City.self]

    private static func residents() -> [Resident] {
        let city = City(value: ["name": "Ur", "people": 7])
        let residents = [
            Resident(
                value: [
                    "id": 1, "name": "Ada", "age": 30, "height": 1.5, "weight": 2.5, "wealth": 10,
                    "city": city,
                ] as [String: Any]),
            Resident(
                value: ["id": 2, "age": 20, "height": 2.5, "weight": 4.5, "wealth": 5]
                    as [String: Any]),
            Resident(
                value: [
                    "id": 3, "name": "Ada", "age": 10, "weight": 0.5, "wealth": 1, "city": city,
                ] as [String: Any]),
        ]
        for (index, resident) in residents.enumerated() {
            resident.born = Date(timeIntervalSinceReferenceDate: Double(index * 100))
        }
        residents[0].friends.append(objectsIn: residents[1...2])
        residents[1].friends.append(residents[2])
        residents[0].grades.append(objectsIn: [3, 1, 2])
        residents[1].grades.append(objectsIn: [3])
        residents[0].moods.append(objectsIn: [.low, .high])
        residents[0].tags.insert("a")
        residents[0].scores["chess"] = 4
        residents[0].scores["go"] = 6
        residents[0].homes["summer"] = city
        return residents
    }

    /// The first resident, unmanaged and managed.
    private static func withFirst(_ body: (Resident) throws -> Void) throws {
        try body(residents()[0])
        try withTemporaryRealm(types) { realm in
            let first = residents()[0]
            try realm.write { realm.add(first) }
            try body(first)
        }
    }

    @Test func pathsOverLinks() throws {
        try KeyPathValueTests.withFirst { first in
            #expect(first.value(forKeyPath: "name") as? String == "Ada")
            #expect(first.value(forKeyPath: "city.name") as? String == "Ur")
            #expect(first.value(forKeyPath: "self.city.people") as? Int == 7)
            #expect(first.friends[0].value(forKeyPath: "city.name") == nil)
            #expect(first.value(forKeyPath: "friends.city.name") as? [String?] == [nil, "Ur"])
            #expect(first.value(forKeyPath: "friends.age") as? [Int] == [20, 10])
        }
    }

    @Test func countsAndAggregates() throws {
        try KeyPathValueTests.withFirst { first in
            #expect(first.value(forKeyPath: "friends.@count") as? Int == 2)
            #expect(first.value(forKeyPath: "grades.@sum.self") as? Int == 6)
            #expect(first.value(forKeyPath: "grades.@avg.self") as? Double == 2)
            #expect(first.value(forKeyPath: "moods.@max.self") as? Int == 5)
            #expect(first.value(forKeyPath: "friends.@sum.age") as? Int == 30)
            #expect(first.friends.value(forKeyPath: "@avg.age") as? Double == 15)
            #expect(first.friends.value(forKeyPath: "@max.height") as? Double == 2.5)
            #expect(first.friends.value(forKeyPath: "@min.weight") as? Float == 0.5)
            #expect(first.friends.value(forKeyPath: "@sum.weight") as? Double == 5)
            #expect(first.friends.value(forKeyPath: "@sum.wealth") as? Decimal128 == 6)
            #expect(
                first.friends.value(forKeyPath: "@max.born") as? Date
                    == Date(timeIntervalSinceReferenceDate: 200))
            #expect(first.friends.value(forKeyPath: "@sum.city.people") as? Int == 7)
            #expect(first.friends.value(forKeyPath: "@max.friends.@count") as? Int == 1)
        }
    }

    @Test func emptyCollections() throws {
        try KeyPathValueTests.withFirst { first in
            let last = first.friends[1]
            #expect(last.value(forKeyPath: "friends.@count") as? Int == 0)
            #expect(last.value(forKeyPath: "friends.@sum.age") as? Int == 0)
            #expect(last.value(forKeyPath: "friends.@avg.age") == nil)
            #expect(last.value(forKeyPath: "grades.@min.self") == nil)
            #expect(
                (last.value(forKeyPath: "friends.@unionOfObjects.age") as? [Any?])?.isEmpty == true)
        }
    }

    @Test func unions() throws {
        try KeyPathValueTests.withFirst { first in
            #expect(
                first.value(forKeyPath: "friends.@unionOfObjects.name") as? [String?] == [
                    nil, "Ada",
                ])
            #expect(
                first.value(forKeyPath: "grades.@distinctUnionOfObjects.self") as? [Int] == [
                    3, 1, 2,
                ])
            #expect(first.value(forKeyPath: "friends.@unionOfArrays.grades") as? [Int] == [3])
            #expect(
                first.value(forKeyPath: "friends.@distinctUnionOfArrays.friends.id") as? [Int] == [
                    3
                ])
        }
    }

    @Test func maps() throws {
        try KeyPathValueTests.withFirst { first in
            #expect(first.value(forKeyPath: "scores.chess") as? Int == 4)
            #expect(first.scores.value(forKeyPath: "@sum.self") as? Int == 10)
            #expect(first.scores.value(forKeyPath: "@count") as? Int == 2)
            #expect(first.scores.value(forKeyPath: "nothing") == nil)
            #expect(first.value(forKeyPath: "scores.@allKeys") as? [String] == ["chess", "go"])
            #expect(first.homes.value(forKeyPath: "summer.name") as? String == "Ur")
            #expect(first.homes.value(forKeyPath: "@max.people") as? Int == 7)
            #expect((first.value(forKeyPath: "scores.@allValues") as? [Int])?.sorted() == [4, 6])
        }
    }

    @Test func resultsAndLinkingObjects() throws {
        try withTemporaryRealm(KeyPathValueTests.types) { realm in
            try realm.write { realm.add(KeyPathValueTests.residents()) }
            let all = realm.objects(Resident.self)
            #expect(all.value(forKeyPath: "@count") as? Int == 3)
            #expect(all.value(forKeyPath: "@sum.age") as? Int == 60)
            #expect(all.value(forKeyPath: "@avg.age") as? Double == 20)
            #expect(all.value(forKeyPath: "@min.age") as? Int == 10)
            #expect(all.value(forKeyPath: "@max.height") as? Double == 2.5)
            #expect(all.value(forKeyPath: "@max.weight") as? Float == 4.5)
            #expect(all.value(forKeyPath: "@sum.wealth") as? Decimal128 == 16)
            #expect(
                all.value(forKeyPath: "@max.born") as? Date
                    == Date(timeIntervalSinceReferenceDate: 200))
            #expect(all.where { $0.id > 9 }.value(forKeyPath: "@sum.age") as? Int == 0)
            #expect(all.where { $0.id > 9 }.value(forKeyPath: "@max.age") == nil)
            #expect(
                all.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String?] == ["Ada", nil])
            #expect(all.value(forKeyPath: "@unionOfArrays.grades") as? [Int] == [3, 1, 2, 3])
            #expect(all.value(forKeyPath: "@distinctUnionOfArrays.grades") as? [Int] == [3, 1, 2])
            #expect(all.value(forKeyPath: "city.name") as? [String?] == ["Ur", nil, "Ur"])
            #expect(all.value(forKeyPath: "@max.city.people") as? Int == 7)
            // "friends" gives one list for each object, and those are counted.
            #expect(all.value(forKeyPath: "friends.@count") as? Int == 3)
            #expect(AnyRealmCollection(all).value(forKeyPath: "@sum.age") as? Int == 60)
            #expect(all.freeze().value(forKeyPath: "@sum.age") as? Int == 60)
            let last = try #require(realm.object(ofType: Resident.self, forPrimaryKey: 3))
            #expect(last.value(forKeyPath: "fans.@count") as? Int == 2)
            #expect(last.fans.value(forKeyPath: "@sum.age") as? Int == 50)
            #expect(last.value(forKeyPath: "fans.name") as? [String?] == ["Ada", nil])
        }
    }

    @Test func setting() throws {
        try withTemporaryRealm(KeyPathValueTests.types) { realm in
            let first = KeyPathValueTests.residents()[0]
            first.setValue("Eridu", forKeyPath: "city.name")
            #expect(first.city?.name == "Eridu")
            try realm.write {
                realm.add(first)
                first.setValue("Ur", forKeyPath: "city.name")
                first.setValue("lost", forKeyPath: "friends.name")
                first.friends[0].setValue("nowhere", forKeyPath: "city.name")
                first.setValue(9, forKeyPath: "scores.chess")
                first.setValue(31, forKeyPath: "age")
                realm.objects(Resident.self).setValue(8, forKeyPath: "city.people")
                first.homes.setValue("Nippur", forKeyPath: "summer.name")
            }
            #expect(first.city?.name == "Nippur" && first.city?.people == 8)
            #expect(Array(first.friends.map(\.name)) == ["lost", "lost"])
            #expect(first.friends[0].city == nil)
            #expect(first.scores["chess"] == 9 && first.age == 31)
        }
    }
}

@Suite struct KeyPathValueTrapTests {
    @Test func unknownNamesAndOperators() async {
        let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = KeyPathValueTests.Resident(value: ["city": ["name": "Ur"]]).value(
                forKeyPath: "city.mayor")
        }
        expectMessage(name, "Invalid property name 'mayor' for class 'KeyPathValueTests_City'.")
        let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = KeyPathValueTests.Resident().value(forKeyPath: "age.digits")
        }
        expectMessage(
            beyond, "Invalid property name 'digits' for value of type 'NSNumber'.",
            "In the key path 'age.digits'")
        let operation = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = KeyPathValueTests.Resident().value(forKeyPath: "friends.@median.age")
        }
        expectMessage(
            operation,
            "Unsupported KVC collection operator found in key path 'friends.@median.age'",
            "'@median' is none.")
        let operand = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = KeyPathValueTests.Resident().friends.value(forKeyPath: "@sum")
        }
        expectMessage(
            operand, "Missing key path for KVC collection operator sum in key path '@sum'",
            "'@sum.self'")
    }

    @Test func whatOperatorsNeed() async {
        let scalar = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = KeyPathValueTests.Resident().value(forKeyPath: "age.@count")
        }
        expectMessage(
            scalar,
            """
            Invalid keypath 'age.@count': collection operation '@count' must be applied to \
            a collection
            """
        )
        let rest = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = KeyPathValueTests.Resident().value(forKeyPath: "friends.@count.age")
        }
        expectMessage(rest, "@count must appear at the end of a keypath.")
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let list = List<String>()
            list.append("a")
            _ = list.value(forKeyPath: "@sum.self")
        }
        expectMessage(
            text,
            """
            Invalid keypath '@sum.self': @sum can only be applied to a collection of \
            numeric values.
            """,
            "type 'String'")
        let keys = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = KeyPathValueTests.Resident().value(forKeyPath: "friends.@allKeys")
        }
        expectMessage(keys, "@allKeys must follow a dictionary property.")
        let write = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm { realm in
                let person = Fixture.Person(id: 1)
                person.dog = Fixture.Dog(name: "Rex")
                try realm.write { realm.add(person) }
                person.setValue("Max", forKeyPath: "dog.name")
            }
        }
        expectMessage(write, "Attempting to modify object outside of a write transaction")
    }
}
