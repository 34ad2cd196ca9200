import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Queries give what plain Swift gives on the same values.
@Suite struct QueryEvaluationTests {
    @Test func everyOperator() throws {
        try withItems(1200) { fixture in
            for item in QueryCase.all { try expect(item, fixture) }
        }
    }

    @Test func randomConditions() throws {
        try withItems(1200) { fixture in
            for _ in 0..<150 {
                try expect(.random(depth: 4, using: &fixture.generator), fixture)
            }
        }
    }

    @Test func insideWriteTransactionsToo() throws {
        try withItems(1200) { fixture in
            fixture.realm.beginWrite()
            let changed = Set(
                fixture.plain.indices.filter { _ in
                    Int.random(in: 0..<10, using: &fixture.generator) == 0
                })
            for index in changed {
                let item = try #require(
                    fixture.realm.object(
                        ofType: ResultsItem.self, forPrimaryKey: fixture.plain[index].id))
                item.name = "ab"
                fixture.plain[index].name = "ab"
                item.age = 7
                fixture.plain[index].age = 7
            }
            for item in QueryCase.all { try expect(item, fixture) }
            fixture.realm.cancelWrite()
        }
    }

    @Test func equalObjects() throws {
        try withItems(300) { fixture in
            for owner in fixture.realm.objects(ResultsOwner.self) {
                let expected = Array(
                    fixture.items.filter { $0.owner.map(owner.isSameObject) ?? false }.map(\.id))
                #expect(Array(fixture.items.where { $0.owner == owner }.map(\.id)) == expected)
                #expect(fixture.items.where { $0.owner != owner }.count == 300 - expected.count)
            }
            let some = Array(fixture.realm.objects(ResultsOwner.self).prefix(3))
            let expected = fixture.items.filter { item in
                some.contains { $0.isSameObject(as: item.owner) }
            }
            #expect(fixture.items.where { $0.owner.in(some) }.count == expected.count)
        }
    }

    @Test func conditionsOfManyTerms() throws {
        try withItems(300) { fixture in
            let wanted = fixture.plain.map(\.id).filter { $0 % 2 == 0 }
            let found = fixture.items.where { item in
                wanted.dropFirst().reduce(item.id == wanted[0]) { $0 || item.id == $1 }
            }
            #expect(found.map(\.id) == wanted)
            let none = fixture.items.where { item in
                wanted.dropFirst().reduce(item.id == wanted[0]) { $0 && item.id == $1 }
            }
            #expect(none.isEmpty)
        }
    }

    @Test func chainedConditions() throws {
        try withItems(300) { fixture in
            let chained = fixture.items.where { $0.age > 3 }.where { $0.active }.where {
                $0.age < 15 || $0.small == nil
            }
            let expected = fixture.plain.filter {
                $0.age > 3 && $0.active && ($0.age < 15 || $0.small == nil)
            }.map(\.id)
            #expect(chained.map(\.id) == expected)
        }
    }

    private func expect(_ item: QueryCase, _ fixture: ResultsFixture) throws {
        let results = fixture.items.where(item.query)
        let expected = fixture.plain.filter(item.holds).map(\.id)
        let comment: Comment = "\(item.name), FREEHOLD_SEED=\(fixture.generator.seed)"
        // The count first, as it does not use the keys.
        #expect(results.count == expected.count, comment)
        #expect(results.first?.id == expected.first, comment)
        #expect(Array(results.map(\.id)) == expected, comment)
        #expect(results.last?.id == expected.last, comment)
        #expect(results.isEmpty == expected.isEmpty, comment)
        for id in fixture.plain.prefix(20).map(\.id) {
            let object = try #require(
                fixture.realm.object(ofType: ResultsItem.self, forPrimaryKey: id))
            #expect(results.index(of: object) == expected.firstIndex(of: id), comment)
        }
    }
}
