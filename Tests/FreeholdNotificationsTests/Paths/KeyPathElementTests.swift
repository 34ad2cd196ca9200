import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Observed key paths that go through elements of collections: `\Item.children[0].rank` is
/// "children.rank".
@Suite struct KeyPathElementTests {
    final class Owner: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var list: List<Element>
        @Persisted var set: MutableSet<Element>
        @Persisted var map: Map<String, Element?>
        @Persisted var parts: List<Part>
        @Persisted var named: Map<String, Part?>
        @Persisted var numbers: List<Int>
        @Persisted var texts: MutableSet<String>
        @Persisted var scores: Map<String, Int>
        @Persisted var ids: List<ObjectId>
        @Persisted var places: List<Place>
        @Persisted var link: Owner?
        @Persisted(originProperty: "link") var owners: LinkingObjects<Owner>
    }

    final class Element: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var seen = 0
        @Persisted var other = 0
        @Persisted var next: List<Element>
        @Persisted(originProperty: "list") var holders: LinkingObjects<Owner>
    }

    final class Part: EmbeddedObject {
        @Persisted var seen = 0
        @Persisted var other = 0
        @Persisted var deeper: List<Part>
    }

    struct Place: CustomPersistable {
        var x = 0
        init(persistedValue: Part) { x = persistedValue.seen }
        init(x: Int) { self.x = x }
        var persistableValue: Part { Part(value: ["seen": x]) }
    }

    final class Shown: Projection<Owner> {
        @Projected(\Owner.list) var elements: List<Element>
        @Projected(\Owner.list.projectTo.seen) var seen: ProjectedCollection<Int>
    }

    /// A key path, and a change that it names and one that it does not.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        nonisolated(unsafe) let path: PartialKeyPath<Owner>
        let named: @Sendable (Owner) -> Void
        let other: @Sendable (Owner) -> Void

        init(
            _ text: String, _ path: PartialKeyPath<Owner>,
            named: @escaping @Sendable (Owner) -> Void,
            other: @escaping @Sendable (Owner) -> Void
        ) {
            (testDescription, self.path, self.named, self.other) = (text, path, named, other)
        }
    }

    static let ways: [Way] = [
        Way("list.seen", \Owner.list[0].seen) {
            $0.list[1].seen += 1
        } other: {
            $0.list[1].other += 1
        },
        Way("list.seen, far", \Owner.list[1_000_000].seen) {
            $0.list[1].seen += 1
        } other: {
            $0.list[1].other += 1
        },
        Way("list.seen, negative", \Owner.list[-1].seen) {
            $0.list[0].seen += 1
        } other: {
            $0.list[0].other += 1
        },
        Way("list.seen, first", \Owner.list.first?.seen) {
            $0.list[1].seen += 1
        } other: {
            $0.list[1].other += 1
        },
        Way("list.seen, last", \Owner.list.last!.seen) {
            $0.list[0].seen += 1
        } other: {
            $0.list[0].other += 1
        },
        Way("list.next.seen", \Owner.list[0].next[3].seen) {
            $0.list[0].next[0].seen += 1
        } other: {
            $0.list[0].seen += 1
        },
        Way("set.seen", \Owner.set[0].seen) {
            $0.set[0].seen += 1
        } other: {
            $0.set[0].other += 1
        },
        Way("set.seen, first", \Owner.set.first?.seen) {
            $0.set[0].seen += 1
        } other: {
            $0.set[0].other += 1
        },
        Way("map.seen", \Owner.map["a"]??.seen) {
            $0.map["b"]!!.seen += 1
        } other: {
            $0.map["b"]!!.other += 1
        },
        Way("map.seen, unwrapped", \Owner.map["a"]!!.seen) {
            $0.map["b"]!!.seen += 1
        } other: {
            $0.map["b"]!!.other += 1
        },
        Way("parts.seen", \Owner.parts[0].seen) {
            $0.parts[0].seen += 1
        } other: {
            $0.parts[0].other += 1
        },
        Way("parts.deeper.seen", \Owner.parts[0].deeper.last?.seen) {
            $0.parts[0].deeper[0].seen += 1
        } other: {
            $0.parts[0].seen += 1
        },
        Way("named.seen", \Owner.named["a"]??.seen) {
            $0.named["a"]!!.seen += 1
        } other: {
            $0.named["a"]!!.other += 1
        },
        Way("owners.id", \Owner.owners[0].numbers) {
            $0.owners[0].numbers.append(1)
        } other: {
            $0.owners[0].texts.insert("x")
        },
        Way("owners.numbers, first", \Owner.owners.first?.numbers) {
            $0.owners[0].numbers.append(1)
        } other: {
            $0.owners[0].texts.insert("x")
        },
        Way("list", \Owner.list[0]) {
            $0.list.append($0.list[0])
        } other: {
            $0.list[0].other += 1
        },
        Way("numbers", \Owner.numbers[0]) {
            $0.numbers.append(1)
        } other: {
            $0.texts.insert("y")
        },
        Way("texts", \Owner.texts[0]) {
            $0.texts.insert("y")
        } other: {
            $0.numbers.append(1)
        },
        Way("scores", \Owner.scores["a"]) {
            $0.scores["b"] = 1
        } other: {
            $0.numbers.append(1)
        },
        Way("ids", \Owner.ids[0]) {
            $0.ids.append(.generate())
        } other: {
            $0.numbers.append(1)
        },
        Way("link.list.seen", \Owner.link?.list[0].seen) {
            $0.link!.list[0].seen += 1
        } other: {
            $0.link!.list[0].other += 1
        },
    ]

    private func fill(_ realm: Realm) throws -> Owner {
        try realm.write {
            let elements = (0..<4).map { Element(value: ["id": $0]) }
            let owner = Owner(value: ["id": 1])
            realm.add(owner)
            owner.list.append(objectsIn: elements[..<2])
            owner.list[0].next.append(elements[2])
            owner.set.insert(elements[0])
            owner.map["b"] = elements[3]
            owner.parts.append(Part(value: ["deeper": [["seen": 1]]]))
            owner.named["a"] = Part()
            let second = Owner(value: ["id": 2])
            realm.add(second)
            second.link = owner
            owner.link = second
            second.list.append(elements[3])
            return owner
        }
    }

    @Test(arguments: ways) func toldOfWhatItNames(way: Way) throws {
        try withObservatory([Owner.self, Element.self, Part.self]) { place in
            let owner = try fill(place.realm)
            let (object, objects) = (ChangeLog(), ChangeLog())
            let tokens = [
                owner.observe(keyPaths: [way.path]) { object.add($0) },
                place.realm.objects(Owner.self).where { $0.id == 1 }.observe(keyPaths: [way.path]) {
                    objects.add($0)
                },
            ]
            place.deliver()
            #expect(objects.take() == ["initial 1"])
            try place.realm.write { way.other(owner) }
            place.deliver()
            #expect(object.take() == [] && objects.take() == [])
            try place.realm.write { way.named(owner) }
            place.deliver()
            #expect(object.take().count == 1)
            #expect(objects.take() == ["-[] +[] *[0]"])
            withExtendedLifetime(tokens) {}
        }
    }

    /// Elements that are custom values, kept as embedded objects.
    @Test func customValues() throws {
        try withObservatory([Owner.self, Element.self, Part.self]) { place in
            let owner = try fill(place.realm)
            let log = ChangeLog()
            let token = owner.observe(keyPaths: [\.places[0]]) {
                log.add("\($0)".isEmpty ? "" : "told")
            }
            try place.realm.write { owner.numbers.append(1) }
            place.deliver()
            #expect(log.take() == [])
            try place.realm.write { owner.places.append(Place(x: 4)) }
            place.deliver()
            #expect(log.take() == ["told"])
            withExtendedLifetime(token) {}
        }
    }

    @Test func projections() throws {
        try withObservatory([Owner.self, Element.self, Part.self]) { place in
            let shown = Shown(projecting: try fill(place.realm))
            let log = ChangeLog()
            let token = shown.observe(keyPaths: [\Shown.elements[0].seen]) { _ in log.add("told") }
            try place.realm.write { shown.rootObject.list[0].other = 5 }
            place.deliver()
            #expect(log.take() == [])
            try place.realm.write { shown.rootObject.list[0].seen = 5 }
            place.deliver()
            #expect(log.take() == ["told"])
            withExtendedLifetime(token) {}
        }
    }

    /// Sorting goes over one value: a key path through elements is refused with Realm's text,
    /// as its name is.
    @Test func noOrderByElements() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            let realm = try Realm(
                configuration: .init(
                    fileURL: directory.file(), objectTypes: [Owner.self, Element.self, Part.self]))
            _ = realm.objects(Owner.self).sorted(by: \.list[0].seen).count
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("list"), "\(text)")
        #expect(text.contains("Cannot sort"), "\(text)")
    }

    /// The same position of an unmanaged collection that is really there, and one that is not,
    /// are what they were.
    @Test func unmanagedCollections() {
        let owner = Owner()
        #expect(
            owner.list.first == nil && owner.list.last == nil && owner.set.first == nil
                && owner.map["a"] == nil)
        owner.numbers.append(objectsIn: [4, 5])
        #expect(owner.numbers.first == 4 && owner.numbers.last == 5)
        #expect(owner.owners.first == nil)
    }
}
