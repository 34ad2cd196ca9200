import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

final class PlanDog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var age = 0
    @Persisted(indexed: .fullText) var story = ""
    @Persisted var weight = 0.0
    @Persisted var born: Date
    @Persisted var owner: PlanOwner?

    convenience init(_ id: Int, owner: PlanOwner) {
        self.init()
        self.id = id
        name = "dog \(id)"
        age = id % 500
        story = id % 1000 == 7 ? "a lazy dog" : "a dog"
        weight = Double(id % 10)
        born = Date(timeIntervalSinceReferenceDate: Double(id))
        self.owner = owner
    }
}

final class PlanOwner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var numbers: List<Int>
    @Persisted var friends: List<PlanOwner>
    @Persisted(originProperty: "friends") var admirers: LinkingObjects<PlanOwner>

    convenience init(_ id: Int) {
        self.init()
        self.id = id
        name = "owner \(id)"
    }
}

/// Plans as they are printed, word for word. Clusters have 500 rows, so there are ten of dogs.
@Suite struct QueryPlanTests {
    private func withDogs(_ body: (Realm) throws -> Void) throws {
        try withTemporaryRealm([PlanDog.self, PlanOwner.self]) { realm in
            try realm.write {
                let owners = (0..<20).map { PlanOwner($0) }
                realm.add(owners)
                for owner in owners.dropFirst() { owners[0].friends.append(owner) }
                owners[0].numbers.append(objectsIn: [3, 1, 3])
                for id in 0..<5_000 { realm.add(PlanDog(id, owner: owners[id % 20])) }
            }
            try body(realm)
        }
    }

    private func expect(
        _ plan: QueryPlan, _ lines: String..., location: SourceLocation = #_sourceLocation
    ) {
        #expect(plan.description == lines.joined(separator: "\n"), sourceLocation: location)
    }

    @Test func accesses() throws {
        try withDogs { realm in
            let dogs = realm.objects(PlanDog.self)
            expect(dogs.explain(), "scan 10 of 10 clusters of PlanDog (about 5000, found 5000)")
            expect(
                dogs.where { $0.weight > 8.5 }.explain(), "filter weight > 8.5 (found 500)",
                "└─ scan 10 of 10 clusters of PlanDog (about 5000)")
            expect(dogs.where { $0.id == 7 }.explain(), "row 7 (about 1, found 1)")
            expect(
                dogs.where { $0.id < 600 && $0.weight == 1 }.explain(),
                "filter (id <= 599 and weight == 1.0) (found 60)",
                "└─ scan 2 of 10 clusters of PlanDog (about 1000)")
            expect(
                dogs.where { $0.name == "dog 7" }.explain(),
                "index name == \"dog 7\" (about 1, found 1)")
            expect(
                dogs.where { $0.age.in([1, 2, 3]) }.explain(),
                "index age in {1, 2, 3} (about 30, found 30)")
            expect(
                dogs.where { $0.age.contains(3...5) }.explain(),
                "index age in 3 ... 5 (about 30, found 30)")
            expect(
                dogs.where { $0.age >= 497 }.explain(), "index age in 497... (about 30, found 30)")
            expect(
                dogs.where {
                    $0.age >= 499 && $0.weight == 9
                        && $0.name.contains("dog 4", options: .caseInsensitive)
                }.explain(),
                "filter (weight == 9.0 and name contains[c] \"dog 4\") (found 3)",
                "└─ index age in 499... (about 10, found 10)")
            expect(
                dogs.where { $0.name.starts(with: "dog 499") || $0.age == 3 }.explain(),
                "union (about 21, found 21)",
                "├─ index age == 3 (about 10, found 10)",
                "└─ index name in \"dog 499\" ..< \"dog 49:\" (about 11, found 11)")
            expect(
                dogs.where { $0.story.fullText("lazy") }.explain(),
                "full-text index story has lazy (about 5, found 5)")
            expect(
                dogs.where {
                    $0.owner.name == "owner 7"
                        && $0.born > Date(timeIntervalSinceReferenceDate: 4_900)
                }.explain(),
                "filter (born > date(4900.0) and owner.name == \"owner 7\") (found 5)",
                "└─ scan 10 of 10 clusters of PlanDog (about 5000)")
        }
    }

    @Test func estimatesOnly() throws {
        try withDogs { realm in
            let plan = realm.objects(PlanDog.self).where { $0.age == 3 && $0.weight == 3 }.sorted(
                by: \.name
            ).explain(running: false)
            expect(
                plan, "sort by name ascending", "└─ filter weight == 3.0",
                "   └─ index age == 3 (about 10)")
            #expect(
                plan.operation == .sort && plan.count == nil
                    && plan.inputs[0].inputs[0].estimatedCount == 10)
        }
    }

    @Test func ordersAndSlices() throws {
        try withDogs { realm in
            let dogs = realm.objects(PlanDog.self)
            expect(
                dogs.where { $0.age < 2 }.sorted(by: [
                    SortDescriptor(keyPath: "owner.name"),
                    SortDescriptor(keyPath: "weight", ascending: false),
                ]).explain(),
                "sort by owner.name ascending (nil links last), weight descending (found 20)",
                "└─ index age in ...1 (about 20, found 20)")
            expect(
                dogs.sorted(by: \.age, ascending: false).limit(10).explain(), "limit 10 (found 10)",
                "└─ index age in descending order, until there are enough rows")
            expect(
                dogs.where { $0.weight < 5 }.sorted(by: \.age).offset(2).limit(10).explain(),
                "limit 10 (found 10)", "└─ offset 2 (found 2498)",
                "   └─ sort by age ascending (found 2500)",
                "      └─ filter weight < 5.0 (found 2500)",
                "         └─ scan 10 of 10 clusters of PlanDog (about 5000)")
            expect(
                dogs.where { $0.weight < 5 }.sorted(by: \.age).limit(10).explain(),
                "limit 10 (found 10)", "└─ filter weight < 5.0",
                "   └─ index age in ascending order, until there are enough rows")
            // Too few match to look for them in the order of the index, which is known once it
            // was tried.
            expect(
                dogs.where { $0.weight == 4 && $0.id > 4_990 }.sorted(by: \.age).limit(1).explain(),
                "limit 1 (found 1)",
                "└─ sort by age ascending (found 1)",
                "   └─ filter (id >= 4991 and weight == 4.0) (found 1)",
                "      └─ scan 1 of 10 clusters of PlanDog (about 500)")
            expect(
                dogs.sorted(by: \.id, ascending: false).limit(3).explain(), "limit 3 (found 3)",
                "└─ from the last row to the first",
                "   └─ scan 10 of 10 clusters of PlanDog (about 5000, found 5000)")
            expect(
                dogs.distinct(by: [\.weight]).where { $0.id > 4 }.explain(),
                "filter id >= 5 (found 5)", "└─ distinct by weight (found 10)",
                "   └─ scan 10 of 10 clusters of PlanDog (about 5000, found 5000)")
        }
    }

    @Test func everyFrontEnd() throws {
        try withDogs { realm in
            let dogs = realm.objects(PlanDog.self)
            let typed = dogs.where { $0.age < 30 && $0.weight == 4 }.sorted(by: \.name).limit(5)
            let lines =
                """
                limit 5 (found 5)\n└─ filter (age <= 29 and weight == 4.0)\n   └─ index \
                name in ascending order, until there are enough rows
                """
            #expect(typed.explain(running: true).description == lines)
            #expect(
                dogs.filter("age < %@ AND weight == 4 SORT(name ASC) LIMIT(5)", 30).explain()
                    == typed.explain())
            #expect(
                dogs.filter(NSPredicate(format: "age < 30 AND weight == 4")).sorted(by: \.name)
                    .limit(5).explain() == typed.explain())
            #expect(
                try dogs.filter(RealmPredicate("weight == 4 AND age < 30")).sorted(by: \.name)
                    .limit(5).explain() == typed.explain())
            #expect(typed.freeze().explain() == typed.explain())
            #expect(Frozen(typed).explain() == typed.explain())
            #expect(AnyRealmCollection(typed).explain() == typed.explain())
            let data = try JSONEncoder().encode(typed.explain())
            #expect(try JSONDecoder().decode(QueryPlan.self, from: data) == typed.explain())
        }
    }

    @Test func collectionsOfObjectsAndValues() throws {
        try withDogs { realm in
            let owner = try #require(realm.object(ofType: PlanOwner.self, forPrimaryKey: 0))
            expect(owner.friends.explain(), "PlanOwner.friends of one object (found 19)")
            expect(
                owner.friends.where { $0.name.ends(with: "7") }.explain(),
                "filter name ends with \"7\" (found 2)",
                "└─ PlanOwner.friends of one object (found 19)")
            expect(
                owner.friends[0].admirers.explain(),
                "backlinks PlanOwner.friends of one object (found 1)")
            expect(
                owner.numbers.sorted().limit(1).explain(), "limit 1 (found 1)",
                "└─ sort by self ascending (found 3)",
                "   └─ PlanOwner.numbers of one object (found 3)")
            expect(
                owner.numbers.distinct().explain(running: false), "distinct by self",
                "└─ PlanOwner.numbers of one object")
        }
    }

    @Test func openTransactions() throws {
        try withDogs { realm in
            let three = realm.objects(PlanDog.self).where { $0.age == 3 }
            try realm.write {
                realm.objects(PlanDog.self)[0].age = 3
                expect(
                    three.explain(),
                    "index age == 3, and what the transaction changed (about 10, found 11)")
                expect(
                    three.where { $0.weight == 3 }.explain(), "filter weight == 3.0 (found 10)",
                    "└─ index age == 3, and what the transaction changed (about 10, found 10)")
            }
            expect(three.explain(), "index age == 3 (about 11, found 11)")
        }
    }
}
