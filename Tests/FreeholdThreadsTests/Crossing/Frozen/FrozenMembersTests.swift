import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// All that an object can have, read through `Frozen` on another thread.
@Suite struct FrozenMembersTests {
    typealias Person = EncodingModels.Person
    typealias Dog = EncodingModels.Dog

    private func withPerson(_ body: (Realm, Person) throws -> Void) throws {
        try withTemporaryRealm(EncodingModels.all) { realm in
            let person = try realm.write {
                let person = realm.create(
                    Person.self,
                    value: [
                        "id": 7, "name": "Ada", "address": ["street": "A"],
                        "addresses": [["street": "B"], ["street": "C"]],
                        "dogs": [["name": "Rex"], ["name": "Tom"]], "tags": ["x", "y", "x"],
                        "numbers": [1, nil, 3], "levels": [3, 1],
                        "scores": ["b": 2, "a": 1], "pets": ["p": ["name": "Pet"], "q": nil],
                    ] as [String: Any])
                person.friends.insert(person)
                person.dogs[0].owner = person
                person.any = .fromDictionary([
                    "list": .fromArray([.int(1), .object(person.dogs[1])]), "none": .none,
                ])
                person.things.append(objectsIn: [.string("s"), .fromDictionary(["a": .int(1)])])
                person.named["n"] = .double(1)
                return person
            }
            try body(realm, person)
        }
    }

    private func onFrozen(_ body: @escaping @Sendable (Frozen<Person>) throws -> Void) throws {
        try withPerson { realm, person in
            let frozen = Frozen(person)
            try realm.write {
                person.tags.removeAll()
                realm.delete(realm.objects(Dog.self))
                person.any = .none
                person.scores.removeAll()
            }
            try onNewThread { try body(frozen) }
        }
    }

    @Test func listsAndSetsOfValues() throws {
        try onFrozen { frozen in
            let tags: FrozenValues<String> = frozen.tags
            #expect(
                tags.count == 3 && !tags.isEmpty && tags[1] == "y" && tags.first == "x"
                    && tags.last == "x")
            #expect(
                Array(tags) == ["x", "y", "x"] && tags.index(of: "y") == 1
                    && tags.index(of: "z") == nil)
            #expect(
                tags.contains("x") && !tags.contains("z") && tags == frozen.tags
                    && Set([tags]).count == 1)
            #expect(
                Array(tags.reversed()) == ["x", "y", "x"]
                    && tags.dropFirst().map { $0 + "!" } == ["y!", "x!"])
            #expect(
                tags.description.hasPrefix("List<string>")
                    && frozen.tags.firstIndex { $0 > "x" } == 1)
            var loops: [String] = []
            for tag in frozen.tags { loops.append(tag) }
            #expect(loops == ["x", "y", "x"])
            #expect(
                Array(frozen.numbers) == [1, nil, 3] && frozen.levels.contains(3)
                    && Array(frozen.levels) == [1, 3])
            #expect(
                frozen.levels.sum() == 4 && frozen.levels.average() == 2.0
                    && frozen.levels.max() == 3)
            #expect(Array(frozen.sortedLevels) == [1, 3])
        }
    }

    @Test func collectionsOfObjects() throws {
        try onFrozen { frozen in
            let dogs: Frozen<List<Dog>> = frozen.dogs
            #expect(dogs.count == 2 && dogs[0].name == "Rex" && dogs.map(\.name) == ["Rex", "Tom"])
            #expect(
                dogs[0].owner == frozen && dogs.index(of: dogs[1]) == 1
                    && dogs.where { $0.name == "Tom" }.count == 1)
            #expect(dogs.sorted(byKeyPath: "name", ascending: false).first?.name == "Tom")
            #expect(frozen.friends.first == frozen && frozen.friends.count == 1)
            #expect(frozen.owned.count == 1 && frozen.owned[0].name == "Rex")
            #expect(frozen.address?.street == "A" && frozen.addresses.map(\.street) == ["B", "C"])
        }
    }

    @Test func maps() throws {
        try onFrozen { frozen in
            let scores: FrozenMap<String, Int> = frozen.scores
            #expect(
                scores.count == 2 && !scores.isEmpty && scores["b"] == 2 && scores["z"] == nil
                    && scores.keys == ["a", "b"])
            #expect(
                scores.values == [1, 2] && scores.map { "\($0.key)\($0.value)" } == ["a1", "b2"]
                    && scores == frozen.scores)
            let pets: FrozenMap<String, Frozen<Dog>?> = frozen.pets
            #expect(
                pets["p"]??.name == "Pet" && pets["q"] == .some(nil) && pets["z"] == nil
                    && pets.count == 2)
            #expect(pets.description.hasPrefix("Map<string, EncodingModels_Dog>"))
        }
    }

    @Test func anyValues() throws {
        try onFrozen { frozen in
            let entries = try #require(frozen.any.dictionaryValue)
            #expect(entries.keys == ["list", "none"] && entries["none"] == AnyFrozenValue.none)
            let list = try #require(entries["list"]?.listValue)
            #expect(
                list.count == 2 && list[0].intValue == 1 && list[1].object(Dog.self)?.name == "Tom"
                    && list[1].object(Person.self) == nil)
            #expect(
                list.index(of: .int(1)) == 0 && list.contains(.double(1))
                    && !list.contains(.string("1")))
            #expect(
                frozen.things.map(\.stringValue) == ["s", nil]
                    && frozen.things[1].dictionaryValue?["a"]?.intValue == 1)
            #expect(
                frozen.named["n"]?.doubleValue == 1 && frozen.any == frozen.any
                    && frozen.any != .none)
            #expect(
                try frozen.any.json() == #"{"list":[1,{"name":"Tom","owner":null}],"none":null}"#)
            #expect(
                try frozen.things.json() == #"["s",{"a":1}]"#
                    && frozen.scores.json() == #"{"a":1,"b":2}"#
                    && frozen.tags.json() == #"["x","y","x"]"#)
        }
    }

    final class Shown: Projection<Person> {
        @Projected(\Person.name) var title
        @Projected(\Person.address) var address
        @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
        @Projected(\Person.tags) var tags
        @Projected(\Person.dogs) var dogs
        @Projected(\Person.any) var any
        var visits = 0
        var counted: Int {
            visits += 1
            return visits
        }
    }

    @Test func projections() throws {
        try withPerson { realm, person in
            let frozen = Frozen(Shown(projecting: person)), all = Frozen(realm.objects(Shown.self))
            try realm.write { person.name = "Eve" }
            try onNewThread {
                #expect(
                    frozen.title == "Ada" && frozen.address?.street == "A"
                        && Array(frozen.dogNames) == ["Rex", "Tom"])
                #expect(
                    Array(frozen.tags) == ["x", "y", "x"] && frozen.dogs[1].name == "Tom"
                        && frozen.any.dictionaryValue?.count == 2)
                #expect(frozen.rootObject.id == 7 && frozen.counted == 1 && frozen.counted == 1)
                #expect(
                    all.count == 1 && all.map(\.title) == ["Ada"] && all[0].title == "Ada"
                        && all.first?.title == "Ada")
            }
            #expect(frozen.thaw()?.title == "Eve")
        }
    }

    @Test func elementsOfFrozenCollections() throws {
        try withPerson { _, person in
            let tags = Frozen(person.tags), things = Frozen(person.things),
                scores = Frozen(person.scores), pets = Frozen(person.pets)
            let named = Frozen(person.named)
            try onNewThread {
                #expect(
                    Array(tags.elements) == ["x", "y", "x"] && things.elements[0].stringValue == "s"
                )
                #expect(
                    scores.entries()["a"] == 1 && pets.entries()["p"]??.name == "Pet"
                        && named.entries()["n"]?.doubleValue == 1)
            }
        }
    }

    @Test func manyThreads() throws {
        try withPerson { _, person in
            let frozen = Frozen(person)
            try runThreads(6) { _ in
                for _ in 0..<100 {
                    #expect(
                        Array(frozen.tags) == ["x", "y", "x"]
                            && frozen.dogs.map(\.name) == ["Rex", "Tom"] && frozen.scores["a"] == 1)
                    #expect(
                        frozen.any.dictionaryValue?["list"]?.listValue?[1].object(Dog.self)?.name
                            == "Tom" && frozen.levels.contains(1))
                }
            }
        }
    }
}
