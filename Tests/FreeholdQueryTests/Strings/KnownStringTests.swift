import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Strings that are used again: what is kept of them must not depend on the arguments that they
/// were used with first.
@Suite struct KnownStringTests {
    private func ids(_ results: Results<ResultsItem>) -> [Int] { results.map(\.id) }

    @Test func argumentsOfEachType() throws {
        try withItems(60) { fixture in
            let (items, plain) = (fixture.items, fixture.plain)
            for _ in 0..<3 {
                for item in plain {
                    #expect(
                        ids(items.filter("name == %@", item.name))
                            == plain.filter { $0.name.utf8.elementsEqual(item.name.utf8) }.map(\.id)
                    )
                    #expect(
                        ids(items.filter("age >= %@", item.age))
                            == plain.filter { $0.age >= item.age }.map(\.id))
                    #expect(
                        ids(items.filter("age >= %@", Double(item.age) + 0.5))
                            == plain.filter { $0.age > item.age }.map(\.id))
                    #expect(
                        ids(items.filter("small == %@", item.small))
                            == plain.filter { $0.small == item.small }.map(\.id))
                    #expect(
                        ids(items.filter("score < %@", item.score))
                            == plain.filter { $0.score < item.score }.map(\.id))
                    #expect(
                        ids(items.filter("joined == %@", item.joined))
                            == plain.filter { $0.joined == item.joined }.map(\.id))
                    #expect(
                        ids(items.filter("token == %@", item.token))
                            == plain.filter { $0.token == item.token }.map(\.id))
                    #expect(
                        ids(items.filter("objectId == %@", item.objectId))
                            == plain.filter { $0.objectId == item.objectId }.map(\.id))
                    #expect(
                        ids(items.filter("active == %@", item.active))
                            == plain.filter { $0.active == item.active }.map(\.id))
                    #expect(
                        ids(items.filter("active == %@", 1)) == plain.filter(\.active).map(\.id))
                    #expect(
                        ids(items.filter("kind == %@", item.kind))
                            == plain.filter { $0.kind == item.kind }.map(\.id))
                    #expect(
                        ids(items.filter("amount == %@", item.amount))
                            == plain.filter { $0.amount == item.amount }.map(\.id))
                    #expect(
                        ids(
                            items.filter(
                                "NOT (age < %@ OR name BEGINSWITH %@) AND id IN %@", item.age, "a",
                                [item.id, 3]))
                            == plain.filter {
                                !($0.age < item.age || $0.name.hasPrefix("a"))
                                    && ($0.id == item.id || $0.id == 3)
                            }.map(\.id))
                }
                #expect(items.filter("small == %@", nil).count == plain.count { $0.small == nil })
                #expect(
                    ids(items.filter("age > $0 AND id > $0", 4))
                        == plain.filter { $0.age > 4 && $0.id > 4 }.map(\.id))
                #expect(
                    ids(items.filter("%K == %@", "age", plain[0].age))
                        == plain.filter { $0.age == plain[0].age }.map(\.id))
                #expect(ids(items.filter("%K == %@", "id", plain[0].id)) == [plain[0].id])
                #expect(
                    items.filter("age >= %@ SORT(age DESC) LIMIT(%@)", 0, 2).count
                        == min(2, plain.count { $0.age >= 0 }))
                #expect(
                    items.filter("age >= %@ SORT(age DESC) LIMIT(%@)", 0, 5).count
                        == min(5, plain.count { $0.age >= 0 }))
            }
        }
    }

    @Test func everyRealmHasItsOwn() throws {
        try withItems(30) { first in
            try withItems(50) { second in
                for _ in 0..<3 {
                    #expect(
                        ids(first.items.filter("id < %@ AND owner.age > %@", 20, 3))
                            == first.plain.filter { $0.id < 20 && $0.owner?.age ?? 0 > 3 }.map(\.id)
                    )
                    #expect(
                        ids(second.items.filter("id < %@ AND owner.age > %@", 40, 3))
                            == second.plain.filter { $0.id < 40 && $0.owner?.age ?? 0 > 3 }.map(
                                \.id))
                    let owner = first.items[0].owner
                    #expect(
                        ids(first.items.filter("owner == %@", owner))
                            == ids(first.items.where { $0.owner == owner }))
                }
            }
        }
    }

    @Test func manyStrings() throws {
        try withItems(20) { fixture in
            for round in 0..<2 {
                for number in 0..<400 {
                    #expect(
                        fixture.items.filter("id >= %@ AND id != \(number + 10_000)", round * 5)
                            .count == fixture.plain.count { $0.id >= round * 5 })
                }
            }
        }
    }

    @Test func predicatesAreEqualHoweverOftenTheirStringWasParsed() throws {
        let first = try RealmPredicate(
            "age > %@ AND SUBQUERY(dogs, $x, $x.name == %@).@count > %@", 5, "Rex", 2)
        for _ in 0..<3 {
            let again = try RealmPredicate(
                "age > %@ AND SUBQUERY(dogs, $x, $x.name == %@).@count > %@", 5, "Rex", 2)
            #expect(
                again == first
                    && again.description
                        == "age > 5 AND SUBQUERY(dogs, $x, $x.name == \"Rex\").@count > 2"
            )
            let other = try RealmPredicate(
                "age > %@ AND SUBQUERY(dogs, $x, $x.name == %@).@count > %@", 6, "Bello", 0)
            #expect(
                other.description
                    == "age > 6 AND SUBQUERY(dogs, $x, $x.name == \"Bello\").@count > 0")
        }
    }

    @Test func errorsAreThoseOfTheFirstTime() throws {
        try withItems(3) { fixture in
            var texts: Set<String> = []
            for _ in 0..<3 {
                do {
                    try RealmPredicate("id == %@ AND age == %@", 4, "text").check(
                        ResultsItem.self, in: fixture.realm)
                } catch {
                    texts.insert("\(error)")
                }
                _ = try? RealmPredicate("id == %@ AND age == %@", 4, 5)
                #expect(throws: RealmPredicateError.self) {
                    try RealmPredicate("id == %@ AND age == %@", 4)
                }
            }
            #expect(texts.count == 1)
            #expect(texts.first?.contains("\n  id == %@ AND age == %@\n               ^") == true)
        }
    }

    @Test func argumentsThatDoNotFitEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(1) { fixture in
                _ = fixture.items.filter("id == %@ AND age == %@", 4, 5)
                _ = fixture.items.filter("id == %@ AND age == %@", 4, "text")
            }
        }
        expectMessage(
            result, "Cannot compare value 'text' of type 'string' to property 'age' of type 'int'",
            "\n  id == %@ AND age == %@\n               ^")
    }

    @Test func valuesHaveNoConditions() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let holder = try realm.write {
                    realm.create(Fixture.Holder.self, value: ["numbers": [1, 2]] as [String: Any])
                }
                _ = holder.numbers.sorted().filter("self > %@", 1)
            }
        }
        expectMessage(result, "Querying is currently only implemented for arrays of Realm Objects")
    }
}
