import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `limit`, `offset` and `distinct` against the same calls on arrays.
@Suite struct SliceTests {
    /// A collection and the array that it has to equal; each call refines both.
    private struct Pair {
        var results: Results<ResultsItem>
        var plain: [ResultsItem]
        var calls = ""

        mutating func refine(using generator: inout SeededGenerator) {
            let number = Int.random(in: 0...45, using: &generator)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0:
                results = results.limit(number)
                plain = Array(plain.prefix(number))
                calls += ".limit(\(number))"
            case 1:
                results = results.offset(number / 4)
                plain = Array(plain.dropFirst(number / 4))
                calls += ".offset(\(number / 4))"
            case 2: distinct(["age"]) { [$0.age] }
            case 3: distinct(["small", "active"]) { [$0.small.map(Int.init), $0.active] }
            case 4:
                // What has no owner is left out.
                plain = plain.filter { $0.owner != nil }
                distinct(["owner.name", "level"]) {
                    [$0.owner.map { Array($0.name.utf8) }, $0.level]
                }  // Text is told apart by its bytes.
            case 5:
                results = results.where { $0.age > number / 3 }
                plain = plain.filter { $0.age > number / 3 }
                calls += ".where(age > \(number / 3))"
            case 6: sorted("name") { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            case 7: sorted("age") { $0.age < $1.age }
            default: sorted("id") { $0.id < $1.id }
            }
        }

        private mutating func distinct(_ names: [String], _ values: (ResultsItem) -> [AnyHashable?])
        {
            results = results.distinct(by: names)
            var seen: Set<[AnyHashable?]> = []
            plain = plain.filter { seen.insert(values($0)).inserted }
            calls += ".distinct(\(names))"
        }

        private mutating func sorted(_ name: String, _ isBefore: (ResultsItem, ResultsItem) -> Bool)
        {
            // Every other time from the end; equal ones keep their order both times.
            let ascending = calls.count % 2 == 0
            results = results.sorted(byKeyPath: name, ascending: ascending)
            plain = plain.enumerated().sorted { a, b in
                let (first, second) = ascending ? (a.element, b.element) : (b.element, a.element)
                return isBefore(first, second) || (!isBefore(second, first) && a.offset < b.offset)
            }.map(\.element)
            calls += ".sorted(\(name), \(ascending))"
        }

        func compare(_ seed: String, sourceLocation: SourceLocation = #_sourceLocation) {
            let comment: Comment = "\(seed): items\(calls)"
            let ids = plain.map(\.id)
            #expect(results.count == ids.count, comment, sourceLocation: sourceLocation)
            #expect(results.isEmpty == ids.isEmpty, comment, sourceLocation: sourceLocation)
            #expect(results.map(\.id) == ids, comment, sourceLocation: sourceLocation)
            #expect(
                results.first?.id == ids.first && results.last?.id == ids.last, comment,
                sourceLocation: sourceLocation)
            #expect(
                results.sum(of: \.age) == plain.reduce(0) { $0 + $1.age }, comment,
                sourceLocation: sourceLocation)
            #expect(
                results.max(of: \.age) == plain.map(\.age).max(), comment,
                sourceLocation: sourceLocation)
            for (position, id) in ids.enumerated() {
                #expect(
                    results[position].id == id && results.index(of: results[position]) == position,
                    comment, sourceLocation: sourceLocation)
            }
            #expect(
                results.index(matching: { $0.age > 10 }) == plain.firstIndex { $0.age > 10 },
                comment, sourceLocation: sourceLocation)
        }
    }

    @Test func randomChains() throws {
        try withItems(120) { fixture in
            var generator = fixture.generator
            let seed = "FREEHOLD_SEED=\(generator.seed)"
            for _ in 0..<300 {
                var pair = Pair(results: fixture.items, plain: fixture.plain)
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    pair.refine(using: &generator)
                }
                pair.compare(seed)
                var frozen = pair
                frozen.results = pair.results.freeze()
                frozen.compare(seed)
            }
        }
    }

    @Test func liveInTransactionsAndReferredTo() throws {
        try withItems(40) { fixture in
            let oldest = fixture.items.sorted(by: \.age, ascending: false).limit(3)
            let ages = fixture.items.distinct(by: [\.age]).sorted(by: \.age)
            func expected() -> ([Int], [Int]) {
                let all = Array(fixture.items)
                let sorted = all.enumerated().sorted {
                    ($1.element.age, $0.offset) < ($0.element.age, $1.offset)
                }
                return (sorted.prefix(3).map(\.element.id), Set(all.map(\.age)).sorted())
            }
            func compare() {
                let (ids, values) = expected()
                #expect(oldest.map(\.id) == ids && ages.map(\.age) == values)
            }
            compare()
            try fixture.realm.write {
                fixture.items[5].age = 99
                compare()
                fixture.realm.delete(fixture.items[0])
                compare()
            }
            compare()
            let reference = ThreadSafeReference(to: oldest)
            let configuration = fixture.realm.configuration
            let ids = expected().0
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                #expect(realm.resolve(reference)?.map(\.id) == ids)
            }
            try fixture.realm.write { oldest.setValue(-1, forKey: "age") }
            compare()
        }
    }

    @Test func ofListsSetsLinksAndValues() throws {
        try withTemporaryRealm { realm in
            let holder = try realm.write {
                realm.create(
                    Fixture.Holder.self,
                    value: [
                        "numbers": [5, 2, 8, 2, 3],
                        "dogs": [
                            ["name": "b", "age": 1], ["name": "a", "age": 2],
                            ["name": "c", "age": 1],
                        ], "tags": ["b", "a", "c"],
                    ] as [String: Any])
            }
            #expect(Array(holder.numbers.limit(2)) == [5, 2])
            #expect(Array(holder.numbers.sorted().offset(1).limit(3)) == [2, 3, 5])
            #expect(Array(holder.numbers.limit(4).sorted()) == [2, 2, 5, 8])
            #expect(Array(holder.numbers.limit(4).distinct()) == [5, 2, 8])
            #expect(Array(holder.numbers.distinct(by: ["self"]).offset(3)) == [3])
            #expect(
                holder.numbers.limit(0).isEmpty && holder.numbers.limit(0).first == nil
                    && holder.numbers.offset(9).isEmpty)
            #expect(holder.numbers.sorted().limit(2).sum() == 4)
            #expect(Array(holder.numbers.limit(2).freeze()) == [5, 2])
            #expect(Array(holder.tags.limit(2)) == Array(holder.tags.prefix(2)))
            #expect(holder.dogs.distinct(by: [\.age]).map(\.name) == ["b", "a"])
            #expect(holder.dogs.offset(1).where { $0.age == 1 }.map(\.name) == ["c"])
            #expect(AnyRealmCollection(holder.dogs).limit(1).map(\.name) == ["b"])
            let frozen = Frozen(holder.dogs).distinct(by: ["age"]).offset(1).limit(5)
            #expect(frozen.map(\.name) == ["a"])
        }
    }
}
