import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct FrozenCollectionTests {
    @Test func readsAsTheResultsThatWereFrozen() throws {
        try withItems(600) { fixture in
            let live = fixture.items.where { $0.active }.sorted(by: \.score)
            let plain = live.freeze()
            let frozen = Frozen(live), all = Frozen(fixture.items)
            try fixture.realm.write { fixture.realm.delete(fixture.items.where { $0.age < 15 }) }
            #expect(
                frozen.count == plain.count && frozen.isEmpty == plain.isEmpty && all.count == 600)
            #expect(frozen.map(\.id) == plain.map(\.id))
            #expect(frozen.indices.map { frozen[$0].id } == plain.map(\.id))
            #expect(frozen.reversed().map(\.id) == plain.reversed().map(\.id))
            #expect(frozen.first?.id == plain.first?.id && frozen.last?.id == plain.last?.id)
            #expect(frozen[1...3].map(\.id) == plain[1...3].map(\.id))
            #expect(frozen.firstIndex { $0.age > 10 } == plain.firstIndex { $0.age > 10 })
            #expect(
                frozen.index(of: frozen[5]) == 5
                    && all.index(matching: { $0.age == 10 }) == plainIndex(all, 10))

            let young = frozen.where { $0.age < 30 }
            #expect(young.map(\.id) == plain.where { $0.age < 30 }.map(\.id))
            #expect(
                young.sorted(by: \.name).map(\.id)
                    == plain.where { $0.age < 30 }.sorted(by: \.name).map(\.id))
            #expect(
                young.sorted(byKeyPath: "age", ascending: false).map(\.age)
                    == young.map(\.age).sorted(by: >))
            #expect(
                young.sorted(by: ["age", SortDescriptor(keyPath: "id", ascending: false)]).first?.id
                    == plain.where { $0.age < 30 }.sorted(by: [
                        "age", SortDescriptor(keyPath: "id", ascending: false),
                    ]).first?.id)

            #expect(
                frozen.min(of: \.age) == plain.min(of: \.age)
                    && frozen.max(of: \.joined) == plain.max(of: \.joined))
            #expect(
                frozen.sum(of: \.age) == plain.sum(of: \.age)
                    && frozen.average(of: \.age) == plain.average(of: \.age))
            let (least, greatest): (Int?, Int?) = (
                frozen.min(ofProperty: "age"), frozen.max(ofProperty: "age")
            )
            let (sum, mean): (Int, Double?) = (
                frozen.sum(ofProperty: "age"), frozen.average(ofProperty: "age")
            )
            #expect(
                least == plain.min(of: \.age) && greatest == plain.max(of: \.age)
                    && sum == plain.sum(of: \.age))
            #expect(mean.map { Int($0) } == plain.average(of: \.age))
            #expect(frozen.unsafeValue.isFrozen && frozen.unsafeValue.count == frozen.count)
            #expect(
                frozen.where { $0.age > 1000 }.isEmpty
                    && frozen.where { $0.age > 1000 }.first == nil)
        }
    }

    private func plainIndex(_ all: Frozen<Results<ResultsItem>>, _ age: Int) -> Int? {
        all.firstIndex { $0.age == age }
    }

    /// Objects that are kept stay what they are while the loop goes on, although loops over
    /// live results move their accessors.
    @Test func objectsOfALoopCanBeKept() throws {
        try withItems(100) { fixture in
            let frozen = Frozen(fixture.items)
            var kept: [Frozen<ResultsItem>] = []
            for item in frozen { if item.id % 3 == 0 { kept.append(item) } }
            #expect(kept.map(\.id) == frozen.map(\.id).filter { $0 % 3 == 0 })
        }
    }

    /// The first queries of their kinds, with nothing between the threads that would keep them
    /// apart: ThreadSanitizer sees what they share.
    @Test func manyThreadsQueryOneCollection() throws {
        try withItems(200) { fixture in
            let all = Frozen(fixture.items)
            let expected = fixture.plain.count { $0.age > 3 }
            try runThreads(6) { _ in
                for _ in 0..<5 {
                    #expect(all.where { $0.age > 3 }.count == expected)
                    #expect(all.filter("age > %@", 3).count == expected)
                    #expect(all.sorted(by: \.age).count == 200)
                }
            }
        }
    }

    /// Each thread sends the objects of its loop to others, which read and drop them while the
    /// loop goes on.
    @Test func manyThreadsReadOneCollection() throws {
        try withItems(400) { fixture in
            let frozen = Frozen(fixture.items.where { $0.active }.sorted(by: \.age)),
                all = Frozen(fixture.items)
            let expected = fixture.plain.filter(\.active).count
            let ages = Dictionary(uniqueKeysWithValues: fixture.plain.map { ($0.id, $0.age) })
            let mailbox = Locker<Frozen<ResultsItem>?>(nil)
            try runThreads(6) { number in
                #expect(frozen.count == expected)
                var sum = 0
                for item in all {
                    mailbox.value = item
                    sum += item.age
                    if let other = mailbox.value { #expect(ages[other.id] == other.age) }
                }
                #expect(sum == ages.values.reduce(0, +))
                #expect(frozen.map(\.age) == frozen.map(\.age).sorted())
                #expect(all.where { $0.active }.max(of: \.age) == frozen.last?.age)
                #expect(frozen[expected / 2] == frozen[expected / 2])
            }
        }
    }
}
