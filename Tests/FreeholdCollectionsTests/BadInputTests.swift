import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Input that is refused in the middle of a transaction: the process ends with Realm's text and
/// a remedy, and the file is what it was before.
@Suite struct BadInputTests {
    /// What there is in the realm of each test.
    struct World {
        let realm: Realm
        let holder: Fixture.Holder
        let building: Relationships.Building
        let person: Fixture.Person
        /// An object of another realm, which is kept by it.
        let foreign: Fixture.Dog
        let stranger: Relationships.Building

        static let types = Fixture.all + Relationships.collections

        static func configuration(_ path: String) -> Realm.Configuration {
            Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: types)
        }

        static func make(_ path: String) throws {
            let realm = try Realm(configuration: configuration(path))
            try realm.write {
                let value: [String: Any] = [
                    "numbers": [1, 2], "dogs": [["name": "Rex"], ["name": "Max"]], "tags": ["a"],
                    "scores": ["a": 1], "any": [1, ["k": [2]]],
                ]
                realm.create(Fixture.Holder.self, value: value)
                realm.add(
                    Relationships.Building(
                        id: 1, rooms: Relationships.Room(number: 1), Relationships.Room(number: 2)))
                realm.create(
                    Fixture.Person.self,
                    value: ["id": 1, "name": "Ada", "dog": ["name": "Kim"]] as [String: Any])
            }
        }

        init(_ path: String) throws {
            realm = try Realm(configuration: World.configuration(path))
            holder = try #require(realm.objects(Fixture.Holder.self).first)
            building = try #require(realm.objects(Relationships.Building.self).first)
            person = try #require(realm.objects(Fixture.Person.self).first)
            let other = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "\(path) other", objectTypes: World.types))
            (foreign, stranger) = try other.write {
                let building = Relationships.Building(id: 2, rooms: Relationships.Room(number: 7))
                other.add(building)
                return (other.create(Fixture.Dog.self, value: ["name": "Foreign"]), building)
            }
        }

        /// An object that was deleted in the open transaction.
        var deleted: Fixture.Dog {
            let dog = realm.create(Fixture.Dog.self)
            realm.delete(dog)
            return dog
        }

        /// Everything in the realm.
        var text: String {
            var lines = [
                """
                \(Array(holder.numbers)) \(Array(holder.dogs.map(\.name))) \(Array(holder.tags)) \
                \(Array(holder.scores.map { "\($0.key) \($0.value)" }))
                """,
                AnyValueModels.exactly(holder.any),
                "\(Array(building.rooms.map(\.number))) \(building.named.keys)",
                "\(person.id) \(person.name) \(person.dog?.name ?? "")",
                "\(Array(realm.objects(Fixture.Dog.self).map(\.name)))",
            ]
            lines.append(
                """
                \(realm.objects(Fixture.Holder.self).count) \
                \(realm.objects(Relationships.Building.self).count) \
                \(realm.objects(Fixture.Person.self).count)
                """
            )
            return lines.joined(separator: "\n")
        }
    }

    typealias Use = @Sendable (World) -> Void

    /// Lists and dictionaries, so many inside of each other.
    static func deep(_ levels: Int) -> AnyRealmValue {
        (1..<levels).reduce(.fromArray([])) { value, _ in .fromDictionary(["k": value]) }
    }

    private static func outOfBounds(_ index: Int, _ count: Int) -> String {
        "Index \(index) is out of bounds (must be less than \(count))."
    }
    private static let negative = "Cannot pass a negative value for 'index'."

    static let positions: [String: (message: String, use: Use)] = [
        "list[2]": (outOfBounds(2, 2), { _ = $0.holder.numbers[2] }),
        "list[-1]": (negative, { _ = $0.holder.numbers[-1] }),
        "list[2] =": (outOfBounds(2, 2), { $0.holder.numbers[2] = 0 }),
        "list.insert": (outOfBounds(3, 3), { $0.holder.numbers.insert(0, at: 3) }),
        "list.insert negative": (negative, { $0.holder.numbers.insert(0, at: -1) }),
        "list.insert(contentsOf:)": (
            outOfBounds(3, 3), { $0.holder.dogs.insert(contentsOf: [Fixture.Dog()], at: 3) }
        ),
        "list.remove": (outOfBounds(2, 2), { $0.holder.dogs.remove(at: 2) }),
        "list.removeFirst": (
            """
            It is not possible to remove more objects (3) from a list than it already \
            contains (2).
            """,
            { $0.holder.dogs.removeFirst(3) }
        ),
        "list.removeLast": (
            """
            It is not possible to remove more objects (3) from a list than it already \
            contains (2).
            """,
            { $0.holder.dogs.removeLast(3) }
        ),
        "list.removeSubrange": (outOfBounds(3, 3), { $0.holder.numbers.removeSubrange(1..<3) }),
        "list.replaceSubrange": (
            outOfBounds(4, 3), { $0.holder.dogs.replaceSubrange(1..<4, with: [Fixture.Dog()]) }
        ),
        "list.remove(atOffsets:)": (
            outOfBounds(2, 2), { $0.holder.numbers.remove(atOffsets: [0, 2]) }
        ),
        "list.move": (outOfBounds(2, 2), { $0.holder.numbers.move(from: 0, to: 2) }),
        "list.move(fromOffsets:)": (
            outOfBounds(2, 2), { $0.holder.numbers.move(fromOffsets: [0, 2], toOffset: 0) }
        ),
        "list.swapAt": (outOfBounds(2, 2), { $0.holder.numbers.swapAt(0, 2) }),
        "list.objects(at:)": (
            "Indexes for collection are out of bounds.", { _ = $0.holder.dogs.objects(at: [0, 2]) }
        ),
        "list of embedded objects": (
            outOfBounds(2, 2), { $0.building.rooms[2] = Relationships.Room(number: 9) }
        ),
        "slice": (outOfBounds(3, 3), { _ = $0.holder.numbers[1..<3] }),
        "set[1]": (outOfBounds(1, 1), { _ = $0.holder.tags[1] }),
        "set.objects(at:)": (
            "Indexes for collection are out of bounds.", { _ = $0.holder.tags.objects(at: [1]) }
        ),
        "map index": (outOfBounds(2, 2), { _ = $0.holder.scores[MapIndex(offset: 2)] }),
        "nested list[9] =": (outOfBounds(9, 2), { $0.holder.any.listValue?[9] = .none }),
        "results": (outOfBounds(4, 4), { _ = $0.realm.objects(Fixture.Dog.self)[4] }),
        "linking objects": (outOfBounds(0, 0), { _ = $0.person.admirers[0] }),
    ]

    private static let managedElsewhere =
        "Object is already managed by another Realm. Use create instead to copy it into this Realm."
    private static let invalidated =
        "Adding a deleted or invalidated object to a Realm is not permitted"

    static let objects: [String: (message: String, use: Use)] = [
        "foreign, appended": (managedElsewhere, { $0.holder.dogs.append($0.foreign) }),
        "foreign, among others": (
            managedElsewhere,
            { $0.holder.dogs.append(objectsIn: [Fixture.Dog(name: "new"), $0.foreign]) }
        ),
        "foreign, set": (managedElsewhere, { $0.holder.dogs[0] = $0.foreign }),
        "foreign, linked": (managedElsewhere, { $0.person.dog = $0.foreign }),
        "foreign, linked by name": (managedElsewhere, { $0.person["dog"] = $0.foreign }),
        "foreign, any": (
            managedElsewhere,
            {
                $0.holder.any = .fromArray([.object(Fixture.Dog(name: "new")), .object($0.foreign)])
            }
        ),
        "foreign, in an added object": (
            managedElsewhere,
            { world in
                let person = Fixture.Person(id: 2)
                person.dog = world.foreign
                world.realm.add(person)
            }
        ),
        "foreign embedded object": (
            managedElsewhere, { $0.building.rooms.append($0.stranger.rooms[0]) }
        ),
        "foreign, deleted": (
            "Can only delete an object from the Realm it belongs to.",
            { $0.realm.delete($0.foreign) }
        ),
        "invalidated, appended": (invalidated, { $0.holder.dogs.append($0.deleted) }),
        "invalidated, set": (invalidated, { $0.holder.dogs[0] = $0.deleted }),
        "invalidated, inserted": (
            invalidated,
            { $0.holder.dogs.replaceSubrange(0..<1, with: [Fixture.Dog(name: "new"), $0.deleted]) }
        ),
        "invalidated, linked": (invalidated, { $0.person.dog = $0.deleted }),
        "invalidated, any": (invalidated, { $0.holder.any = .object($0.deleted) }),
        "invalidated, added": (invalidated, { $0.realm.add($0.deleted) }),
        "invalidated embedded object": (
            invalidated,
            { world in
                let room = world.building.rooms[0]
                world.building.rooms.remove(at: 0)
                world.building.named["a"] = room
            }
        ),
        "invalidated list": (
            "List is no longer valid.",
            { world in
                let list = world.holder.numbers
                world.realm.delete(world.holder)
                list.append(1)
            }
        ),
        "embedded twice, appended": (
            "Cannot add an existing managed embedded object to a List.",
            { $0.building.rooms.append($0.building.rooms[0]) }
        ),
        "embedded twice, set": (
            "Cannot add an existing managed embedded object to a List.",
            { $0.building.rooms[1] = $0.building.rooms[0] }
        ),
        "embedded twice, in a map": (
            "Cannot add an existing managed embedded object to a Dictionary.",
            { $0.building.named["a"] = $0.building.rooms[0] }
        ),
        "embedded twice, in a link": (
            "Can't set link to existing managed embedded object",
            { $0.building.rooms[0].inner = $0.building.rooms[1] }
        ),
        "embedded twice, added": (
            "Can't set link to existing managed embedded object",
            { world in
                let room = Relationships.Room(number: 3)
                world.realm.add(Relationships.Building(id: 3, rooms: room, room))
            }
        ),
        "embedded, created": (
            "Embedded objects cannot be created directly",
            { $0.realm.dynamicCreate("Relationships_Room", value: [1]) }
        ),
    ]

    static let literals: [String: (message: String, use: Use)] = [
        "list": ("Invalid value", { $0.holder["numbers"] = [1, "two"] }),
        "list of objects": (
            "Invalid value '7' of type 'Int' for 'string' property 'Fixture_Dog.name'.",
            { $0.holder["dogs"] = [["name": "new"], ["name": 7]] }
        ),
        "set": ("Invalid value", { $0.holder["tags"] = ["b", 2] }),
        "map": ("Invalid value", { $0.holder["scores"] = ["b": 1, "c": "two"] as [String: Any] }),
        "map that is a list": ("Invalid value", { $0.holder["scores"] = [1, 2] }),
        "map key": (
            "Dictionary::insert: key must not contain '.'", { $0.holder["scores"] = ["a.b": 1] }
        ),
        "list that is a number": (
            "Invalid value '1' of type 'Int' for", { $0.holder["numbers"] = 1 }
        ),
        "link": ("Invalid value '7' of type 'Int' for", { $0.person["dog"] = 7 }),
        "link to another class": (
            "Invalid value",
            { $0.realm.create(Fixture.Person.self, value: ["id": 2, "dog": 7] as [String: Any]) }
        ),
        "created": (
            "Invalid value 'two' of type 'String' for",
            {
                $0.realm.create(
                    Fixture.Holder.self,
                    value: ["dogs": [["name": "new"]], "numbers": [1, "two"]] as [String: Any])
            }
        ),
        "updated": (
            "Invalid value 'old' of type 'String' for 'int' property 'Fixture_Person.age'.",
            {
                $0.realm.create(
                    Fixture.Person.self,
                    value: ["id": 1, "name": "Bo", "dog": ["name": "new"], "age": "old"]
                        as [String: Any], update: .modified)
            }
        ),
        "embedded": (
            "Invalid value 'x' of type 'String' for 'int' property 'Relationships_Room.number'.",
            { $0.building["rooms"] = [[3], ["number": "x"]] as [Any] }
        ),
        "embedded in any": ("Invalid value", { $0.holder["any"] = [$0.building.rooms[0]] }),
        "too many values": (
            "Invalid array input: more values (3) than properties (2).",
            { $0.realm.create(Fixture.Dog.self, value: ["a", 1, 2] as [Any]) }
        ),
        "any, too deep": ("Max nesting level reached", { $0.holder.any = deep(101) }),
        "any, too deep in place": (
            "Max nesting level reached",
            { $0.holder.any.listValue?[1].dictionaryValue?["l"] = deep(99) }
        ),
        "any, too deep with objects": (
            "Max nesting level reached",
            { $0.holder.any = .fromArray([.object(Fixture.Dog(name: "new")), deep(100)]) }
        ),
    ]

    static let cases = positions.merging(objects) { first, _ in first }.merging(literals) {
        first, _ in first
    }

    @Test func namesDiffer() {
        #expect(Self.cases.count == Self.positions.count + Self.objects.count + Self.literals.count)
    }

    @Test(arguments: cases.keys.sorted())
    func isRefused(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file().path
        let before = try onNewThread {
            try World.make(path)
            return try World(path).text
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String, path = path as String] in
            let world = try World(path)
            world.realm.beginWrite()
            // Something to be lost with the transaction.
            world.holder.scores["lost"] = 1
            world.realm.create(Fixture.Dog.self, value: ["name": "lost"])
            BadInputTests.cases[name]?.use(world)
        }
        expectMessage(result, try #require(Self.cases[name]).message, "\n  Remedy: ")
        let after = try onNewThread {
            let configuration = World.configuration(path)
            try expectSound(configuration)
            let text = try World(path).text
            // The lock went with the process.
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.deleteAll() }
            return text
        }
        #expect(after == before)
        directory.delete()
    }
}
