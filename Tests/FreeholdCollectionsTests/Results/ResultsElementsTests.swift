import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Access to elements by position, and positions of elements.
@Suite struct ResultsElementsTests {
    @Test func wholeTable() throws {
        try withItems(1200) { fixture in
            let items = fixture.items
            let ids = fixture.plain.map(\.id)
            #expect(items.count == 1200)
            #expect(items.startIndex == 0 && items.endIndex == 1200)
            #expect((0..<1200).map { items[$0].id } == ids)
            #expect(items.first?.id == ids.first)
            #expect(items.last?.id == ids.last)
            for index in stride(from: 0, to: 1200, by: 7) {
                #expect(items.index(of: items[index]) == index)
            }
            #expect(!items.isEmpty)
        }
    }

    @Test func emptyTable() throws {
        try withItems(0) { fixture in
            let items = fixture.items
            #expect(items.isEmpty && items.count == 0 && items.first == nil && items.last == nil)
            #expect(
                Array(items).isEmpty && items.where { $0.age > 1 }.isEmpty
                    && items.sorted(by: \.age).first == nil)
        }
    }

    @Test func slicesAndIndexSets() throws {
        try withItems(100) { fixture in
            let ids = fixture.plain.map(\.id)
            #expect(fixture.items[10..<20].map(\.id) == Array(ids[10..<20]))
            #expect(fixture.items.dropFirst(95).map(\.id) == Array(ids[95...]))
            #expect(
                fixture.items.objects(at: IndexSet([0, 50, 99])).map(\.id) == [
                    ids[0], ids[50], ids[99],
                ])
            #expect(fixture.items.objects(at: IndexSet()).isEmpty)
            #expect(fixture.items.reversed().map(\.id) == ids.reversed())
        }
    }

    @Test func elementsKeepTheirIdentity() throws {
        try withItems(100) { fixture in
            // Accessors that are kept must not be reused by the loop that made them.
            let all = Array(fixture.items)
            #expect(all.map(\.id) == fixture.plain.map(\.id))
            #expect(Set(all.map(ObjectIdentifier.init)).count == 100)
        }
    }

    @Test func positionsOfMatches() throws {
        try withItems(300) { fixture in
            let byScore = fixture.items.sorted(by: \.score)
            for age in 0..<22 {
                #expect(
                    fixture.items.index(matching: { $0.age == age })
                        == fixture.plain.firstIndex { $0.age == age })
                #expect(
                    byScore.index(matching: { $0.age == age })
                        == Array(byScore).firstIndex { $0.age == age })
            }
        }
    }

    @Test func positionsOfStrangers() throws {
        try withItems(10) { fixture in
            #expect(fixture.items.index(of: ResultsItem()) == nil)
            let item = try #require(fixture.items.first)
            #expect(fixture.items.where { $0.id > 1_000_000 }.index(of: item) == nil)
        }
    }

    @Test func equality() throws {
        try withItems(3) { fixture in
            let items = fixture.items
            let copy = items
            #expect(items == copy)
            // As in Realm, each call gives another collection.
            #expect(items != fixture.items && fixture.items != fixture.items)
            let some = items.where { $0.id > 0 }
            #expect(some == some.self)
            #expect(some != items.where { $0.id > 0 })
        }
    }

    @Test func descriptions() throws {
        try withTemporaryRealm([ResultsStateful.self]) { realm in
            let objects = realm.objects(ResultsStateful.self)
            let empty = objects.description
            #expect(empty.hasPrefix("Results<ResultsStateful> <0x") && empty.hasSuffix("> (\n\n)"))
            try realm.write { for _ in 0..<102 { realm.add(ResultsStateful()) } }
            let lines = objects.description.split(separator: "\n")
            #expect(lines[1] == "\t[0] ResultsStateful {")
            #expect(lines[2] == "\t\tnumber = 0;")
            #expect(lines[3] == "\t},")
            #expect(lines[lines.count - 2] == "\t... 2 objects skipped.")
            #expect(lines.last == ")")
        }
    }

    @Test func keyValueCoding() throws {
        try withItems(50) { fixture in
            let ages = try #require(fixture.items.value(forKey: "age") as? [Any?])
            #expect(ages.map { $0 as? Int } == fixture.plain.map(\.age))
            let notes = try #require(fixture.items.value(forKey: "note") as? [Any?])
            #expect(notes.map { $0 as? String } == fixture.plain.map(\.note))
            let young = fixture.items.where { $0.age < 10 }
            let count = young.count
            try fixture.realm.write { young.setValue(50, forKey: "age") }
            #expect(young.isEmpty && fixture.items.where { $0.age == 50 }.count == count)
        }
    }

    /// Compiles, and works, for any collection.
    private func names<Items: RealmCollection>(_ items: Items) -> [Int]
    where Items.Element == ResultsItem {
        items.where { $0.active }.sorted(byKeyPath: "age").map(\.id)
    }

    @Test func genericCode() throws {
        try withItems(50) { fixture in
            #expect(names(fixture.items) == names(fixture.items.sorted(by: \.id)))
        }
    }
}
