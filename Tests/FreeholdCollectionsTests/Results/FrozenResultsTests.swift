import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct FrozenResultsTests {
    @Test func frozenCollectionsDoNotChange() throws {
        try withItems(600) { fixture in
            let frozen = fixture.items.where { $0.active }.sorted(by: \.score).freeze()
            let all = fixture.items.freeze()
            #expect(frozen.isFrozen && !fixture.items.isFrozen && frozen.freeze() == frozen)
            let expected = fixture.plain.filter(\.active).count
            try fixture.realm.write { fixture.realm.delete(fixture.items.where { $0.age < 15 }) }
            #expect(frozen.count == expected && Array(frozen).count == expected)
            #expect(all.map(\.id) == fixture.plain.map(\.id))
            #expect(!all.contains { !$0.isFrozen })
            let thawed = try #require(frozen.thaw())
            #expect(
                !thawed.isFrozen
                    && thawed.count == fixture.plain.filter { $0.active && $0.age >= 15 }.count)
        }
    }

    @Test func frozenBeforeTheTransactionsChanges() throws {
        try withItems(100) { fixture in
            try fixture.realm.write {
                fixture.items[0].age = 999
                #expect(fixture.items.freeze().where { $0.age == 999 }.isEmpty)
            }
            #expect(fixture.items.freeze().where { $0.age == 999 }.count == 1)
        }
    }

    @Test func manyThreadsReadOne() throws {
        try withItems(1200) { fixture in
            // The box makes the crossing that frozen collections are made for.
            struct Box: @unchecked Sendable {
                // Sendable: frozen.
                let results: Results<ResultsItem>
            }
            let active = Box(results: fixture.items.where { $0.active }.sorted(by: \.age).freeze())
            let all = Box(results: fixture.items.freeze())
            let expected = fixture.plain.filter(\.active).count
            let sum = fixture.plain.map(\.age).reduce(0, +)
            try runThreads(8) { _ in
                #expect(active.results.count == expected)
                var ages = 0
                for item in all.results { ages += item.age }
                #expect(ages == sum)
                #expect(active.results.map(\.age) == active.results.map(\.age).sorted())
                #expect(active.results[expected / 2].age == active.results.map(\.age)[expected / 2])
                #expect(all.results.where { $0.active }.max(of: \.age) == active.results.last?.age)
            }
        }
    }
}
