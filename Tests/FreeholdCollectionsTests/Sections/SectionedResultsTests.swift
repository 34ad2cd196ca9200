import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Sections against `Dictionary(grouping:)` of the same objects.
@Suite struct SectionedResultsTests {
    /// What sections have to be: elements in order, told apart by their keys in the order of
    /// their first ones.
    private static func grouped<Key: Hashable, Element>(
        _ elements: [Element], by key: (Element) -> Key
    ) -> [(key: Key, elements: [Element])] {
        let groups = Dictionary(grouping: elements, by: key)
        var order: [Key] = []
        for element in elements where !order.contains(key(element)) { order.append(key(element)) }
        return order.map { ($0, groups[$0]!) }
    }

    private func expect<Key: Hashable>(
        _ sections: SectionedResults<Key, ResultsItem>,
        are expected: [(key: Key, elements: [ResultsItem])], _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sections.allKeys == expected.map(\.key), comment, sourceLocation: sourceLocation)
        #expect(sections.count == expected.count, comment, sourceLocation: sourceLocation)
        #expect(
            sections.map { $0.map(\.id) } == expected.map { $0.elements.map(\.id) }, comment,
            sourceLocation: sourceLocation)
        for (number, group) in expected.enumerated() {
            let section = sections[number]
            #expect(
                section.key == group.key && section.id == group.key
                    && section.count == group.elements.count, comment,
                sourceLocation: sourceLocation)
            for (position, element) in group.elements.enumerated() {
                #expect(section[position].id == element.id, comment, sourceLocation: sourceLocation)
                #expect(
                    sections[IndexPath(item: position, section: number)].id == element.id, comment,
                    sourceLocation: sourceLocation)
            }
        }
    }

    @Test func byProperties() throws {
        try withItems(60) { fixture in
            let seed: Comment = "FREEHOLD_SEED=\(fixture.generator.seed)"
            let byAge = fixture.plain.sorted { $0.age < $1.age }
            expect(fixture.items.sectioned(by: \.age), are: Self.grouped(byAge) { $0.age }, seed)
            let descending = fixture.plain.sorted { $0.age > $1.age }
            expect(
                fixture.items.sectioned(by: \.age, ascending: false),
                are: Self.grouped(descending) { $0.age }, seed)
            // Nil first.
            let bySmall = fixture.plain.sorted {
                ($0.small.map(Int.init) ?? .min) < ($1.small.map(Int.init) ?? .min)
            }
            expect(
                fixture.items.sectioned(by: \.small), are: Self.grouped(bySmall) { $0.small }, seed)
            let byLevel = fixture.plain.sorted {
                ($0.level?.rawValue ?? .min, $0.age) < ($1.level?.rawValue ?? .min, $1.age)
            }
            expect(
                fixture.items.sectioned(by: \.level, sortDescriptors: ["level", "age"]),
                are: Self.grouped(byLevel) { $0.level }, seed)
            let filtered = byAge.filter { $0.age > 5 }
            expect(
                fixture.items.where { $0.age > 5 }.sectioned(by: \.age),
                are: Self.grouped(filtered) { $0.age }, seed)
        }
    }

    /// Keys that do not follow the order: a section has all elements of its key nevertheless.
    @Test func byFunctions() throws {
        try withItems(60) { fixture in
            let seed: Comment = "FREEHOLD_SEED=\(fixture.generator.seed)"
            let byAge = fixture.plain.sorted { $0.age < $1.age }
            expect(
                fixture.items.sectioned(by: { $0.active }, sortDescriptors: ["age"]),
                are: Self.grouped(byAge) { $0.active }, seed)
            let sections = fixture.items.sectioned(sortDescriptors: ["age"]) { $0.age % 3 }
            expect(sections, are: Self.grouped(byAge) { $0.age % 3 }, seed)
            expect(
                AnyRealmCollection(fixture.items).sectioned(
                    by: { $0.kind }, sortDescriptors: ["age"]),
                are: Self.grouped(byAge) { $0.kind }, seed)
        }
    }

    @Test func collectionsOfObjectsAndValues() throws {
        try withTemporaryRealm { realm in
            let holder = try realm.write {
                realm.create(
                    Fixture.Holder.self,
                    value: [
                        "numbers": [5, 2, 8, 3, 2],
                        "dogs": [
                            ["name": "b", "age": 1], ["name": "a", "age": 2],
                            ["name": "c", "age": 1],
                        ], "tags": ["ab", "cd", "ae"],
                    ] as [String: Any])
            }
            let parity = holder.numbers.sectioned(by: { $0 % 2 == 0 })
            #expect(parity.allKeys == [true, false])
            #expect(parity.map { Array($0) } == [[2, 2, 8], [3, 5]])
            #expect(
                holder.numbers.sectioned(by: { $0 % 2 }, ascending: false).map { Array($0) } == [
                    [8, 2, 2], [5, 3],
                ])
            #expect(
                holder.tags.sectioned(by: { String($0.prefix(1)) }).map { Array($0) } == [
                    ["ab", "ae"], ["cd"],
                ])
            let dogs = holder.dogs.sectioned(by: \.age, sortDescriptors: ["age", "name"])
            #expect(dogs.map { $0.map(\.name) } == [["b", "c"], ["a"]])
            try realm.write { holder.numbers.append(1) }
            #expect(parity.allKeys == [false, true])
            let frozen = parity.freeze()
            try realm.write { realm.delete(holder) }
            #expect(parity.isInvalidated && dogs.isEmpty)
            #expect(frozen.map { Array($0) } == [[1, 3, 5], [2, 2, 8]])
            #expect(frozen.thaw() == nil)
        }
    }

    @Test func linkingObjectsAndProjections() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                let ada = Fixture.Person(id: 1, name: "Ada", age: 3)
                realm.add(ada)
                for id in 2..<8 {
                    let person = Fixture.Person(id: id, name: "P\(id)", age: id % 2)
                    person.friend = ada
                    realm.add(person)
                }
            }
            let ada = try #require(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1))
            #expect(
                ada.admirers.sectioned(by: \.age).map { $0.map(\.id) } == [[2, 4, 6], [3, 5, 7]])
            let projected = realm.objects(SectionProjection.self).sectioned(
                by: \.years, ascending: false)
            #expect(projected.allKeys == [3, 1, 0])
            #expect(
                projected.map { $0.map(\.first) } == [
                    ["Ada"], ["P3", "P5", "P7"], ["P2", "P4", "P6"],
                ])
        }
    }

    /// Random changes: the sections are those of the data at any time, in transactions too, and
    /// the key is not asked for while the data stand.
    @Test func live() throws {
        try withItems(40) { fixture in
            var generator = SeededGenerator(seed: fixture.generator.next())
            let seed: Comment = "FREEHOLD_SEED=\(generator.seed)"
            let calls = Counter()
            let sections = fixture.items.sectioned(
                by: { item in
                    calls.add()
                    return item.age / 4
                }, sortDescriptors: ["age"])
            func compare() {
                let now = Array(fixture.items).sorted { $0.age < $1.age }
                expect(sections, are: Self.grouped(now) { $0.age / 4 }, seed)
                let before = calls.count
                _ = (sections.allKeys, sections.count, sections.first?.count, sections.map(\.count))
                #expect(calls.count == before, seed)
            }
            compare()
            for _ in 0..<30 {
                try fixture.realm.write {
                    for _ in 0..<3 {
                        if Bool.random(using: &generator),
                            let item = fixture.items.randomElement(using: &generator)
                        {
                            fixture.realm.delete(item)
                        }
                        fixture.items.randomElement(using: &generator)?.age = Int.random(
                            in: 0..<40, using: &generator)
                    }
                    compare()
                }
                compare()
            }
        }
    }

    /// A section stands for its key: it moves, empties and fills again.
    @Test func aSectionIsOfItsKey() throws {
        try withItems(3) { fixture in
            try fixture.realm.write {
                for (number, item) in fixture.items.enumerated() { item.age = number + 10 }
            }
            let sections = fixture.items.sectioned(by: \.age)
            let last = sections[2]
            #expect(last.key == 12 && last == sections[2] && last != sections[1])
            try fixture.realm.write { fixture.items[0].age = 12 }
            #expect(sections.count == 2 && last.count == 2 && last == sections[1])
            try fixture.realm.write { for item in fixture.items { item.age = 1 } }
            #expect(last.isInvalidated && last.isEmpty && last.freeze().thaw() == nil)
            try fixture.realm.write { fixture.items[0].age = 12 }
            #expect(!last.isInvalidated && last.count == 1)
        }
    }

    @Test func loopsVisitWhatWasThere() throws {
        try withItems(20) { fixture in
            let sections = fixture.items.sectioned(by: \.active)
            let expected = sections.map { $0.map(\.id) }
            var visited: [[Int]] = []
            try fixture.realm.write {
                for section in sections {
                    var ids: [Int] = []
                    for item in section {
                        ids.append(item.id)
                        item.age = 100
                    }
                    visited.append(ids)
                }
            }
            #expect(visited == expected)
            var invalidated = 0
            try fixture.realm.write {
                for item in sections[0] {
                    if !item.isInvalidated {
                        fixture.realm.delete(fixture.items)
                    } else {
                        invalidated += 1
                    }
                }
            }
            #expect(invalidated == expected[0].count - 1 && sections.isEmpty)
        }
    }

    @Test func frozenAndReferredTo() throws {
        try withItems(30) { fixture in
            let sections = fixture.items.sectioned(by: \.age)
            let expected = sections.map { $0.map(\.id) }
            let keys = sections.allKeys
            let frozen = Frozen(sections), one = Frozen(sections[1])
            let reference = ThreadSafeReference(to: sections),
                section = ThreadSafeReference(to: sections[1])
            let configuration = fixture.realm.configuration
            // Not the only one of the second section, which would go with it.
            try fixture.realm.write { sections[0][0].age = 1_000 }
            #expect(!sections.isFrozen && frozen.allKeys() == keys)
            let changed = sections.map { $0.map(\.id) }
            let secondKey = keys[1]
            try onNewThread {
                #expect(frozen.allKeys() == keys)
                #expect(frozen.sections().map { $0.objects().map(\.id) } == expected)
                #expect(one.key() == secondKey && one.objects().map(\.id) == expected[1])
                let realm = try Realm(configuration: configuration)
                let resolved = try #require(realm.resolve(reference))
                #expect(resolved.map { $0.map(\.id) } == expected && resolved.realm == realm)
                #expect(realm.resolve(section)?.key == secondKey)
                realm.refresh()
                #expect(resolved.map { $0.map(\.id) } == changed)
                #expect(frozen.thaw()?.map { $0.map(\.id) } == changed)
                #expect(one.thaw()?.key == secondKey)
            }
            #expect(sections.freeze().isFrozen && sections.freeze().allKeys == sections.allKeys)
            #expect(sections.thaw() == sections)
        }
    }
}

private final class SectionProjection: Projection<Fixture.Person> {
    @Projected(\Fixture.Person.name) var first
    @Projected(\Fixture.Person.age) var years
}

/// Counts calls, on any thread.
private final class Counter: @unchecked Sendable {
    // @unchecked: `lock` protects `number`.
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
}
