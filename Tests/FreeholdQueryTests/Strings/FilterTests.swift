import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What `filter` and `index(matching:)` do with predicates.
@Suite struct FilterTests {
    /// Each condition as a string and in plain Swift.
    private static var cases: [(format: String, arguments: [Any?], holds: (ResultsItem) -> Bool)] {
        [
            ("age > 5", [], { $0.age > 5 }),
            ("5 < age", [], { $0.age > 5 }),
            ("age > %@ AND active == %@", [5, true], { $0.age > 5 && $0.active }),
            ("age > 5.5", [], { Double($0.age) > 5.5 }),
            ("age BETWEEN {3, 7}", [], { (3...7).contains($0.age) }),
            ("age BETWEEN %@", [[3, 7]], { (3...7).contains($0.age) }),
            ("name IN {'a', 'ab'}", [], { ["a", "ab"].contains($0.name) }),
            ("NOT name IN %@", [["a", "ab"]], { !["a", "ab"].contains($0.name) }),
            (
                "name BEGINSWITH 'a' OR name ENDSWITH 'e'", [],
                {
                    $0.name.utf8.starts(with: "a".utf8)
                        || $0.name.utf8.reversed().starts(with: "e".utf8)
                }
            ),
            ("note == nil", [], { $0.note == nil }),
            (
                "note != nil AND (age == 1 OR age == 2)", [],
                { $0.note != nil && ($0.age == 1 || $0.age == 2) }
            ),
            ("kind == %@", [ResultsKind.fancy], { $0.kind == .fancy }),
            ("level == %@", [ResultsLevel.high], { $0.level == .high }),
            ("owner.name == 'a'", [], { $0.owner?.name == "a" }),
            ("owner == nil", [], { $0.owner == nil }),
            ("score < limit", [], { $0.score < $0.limit }),
            ("%K == %@", ["owner.vaccinated", true], { $0.owner?.vaccinated == true }),
            ("TRUEPREDICATE", [], { _ in true }),
            ("FALSEPREDICATE", [], { _ in false }),
        ]
    }

    @Test func givesWhatPlainSwiftGives() throws {
        try withItems(400) { fixture in
            for item in Self.cases {
                let expected = fixture.plain.filter(item.holds).map(\.id)
                let predicate = try RealmPredicate(parsing: item.format, arguments: item.arguments)
                try predicate.check(ResultsItem.self, in: fixture.realm)
                let comment: Comment = "\(item.format), FREEHOLD_SEED=\(fixture.generator.seed)"
                #expect(Array(fixture.items.filter(predicate).map(\.id)) == expected, comment)
                #expect(
                    fixture.items.filter(NSPredicate(predicate)).count == expected.count, comment)
                #expect(
                    fixture.items.index(matching: predicate)
                        == fixture.plain.firstIndex(where: item.holds), comment)
                #expect(Frozen(fixture.items).filter(predicate).count == expected.count, comment)
                #expect(
                    AnyRealmCollection(fixture.items).filter(predicate).count == expected.count,
                    comment)
            }
        }
    }

    @Test func stringsWithArguments() throws {
        try withItems(200) { fixture in
            let expected = fixture.plain.filter { $0.age > 5 && $0.name == "ab" }.map(\.id)
            #expect(
                Array(fixture.items.filter("age > %@ AND name == %@", 5, "ab").map(\.id))
                    == expected)
            #expect(
                Array(
                    fixture.items.filter(NSPredicate(format: "age > %@ AND name == %@", 5, "ab"))
                        .map(\.id)) == expected)
            #expect(
                Array(fixture.items.filter("age > 5").filter("name == $0", "ab").map(\.id))
                    == expected)
            #expect(
                Array(Frozen(fixture.items).filter("age > %@ AND name == %@", 5, "ab").map(\.id))
                    == expected)
            #expect(fixture.items.index(matching: "id == %@", fixture.plain[7].id) == 7)
            #expect(
                fixture.items.index(matching: NSPredicate(format: "id == %@", fixture.plain[7].id))
                    == 7)
            let owner = try #require(fixture.realm.objects(ResultsOwner.self).first)
            let owned = fixture.items.filter { $0.owner?.isSameObject(as: owner) ?? false }.count
            #expect(fixture.items.filter("owner == %@", owner).count == owned)
            #expect(fixture.items.filter("owner IN %@", [owner]).count == owned)
        }
    }

    @Test func sorts() throws {
        try withItems(200) { fixture in
            let found = fixture.items.filter("age > 5 SORT(age DESC, name ASC)")
            #expect(
                Array(found.map(\.id))
                    == Array(
                        fixture.items.where { $0.age > 5 }.sorted(by: [
                            SortDescriptor(keyPath: "age", ascending: false), "name",
                        ]).map(\.id)))
        }
    }

    @Test func clausesApplyInTheirOrder() throws {
        try withItems(200) { fixture in
            let sorted = fixture.items.where { $0.age > 2 }.sorted(by: [
                SortDescriptor(keyPath: "age"), SortDescriptor(keyPath: "id"),
            ])
            let first = Array(
                fixture.items.filter("age > 2 SORT(age ASC, id ASC) DISTINCT(age) LIMIT(3)").map(
                    \.id))
            #expect(first == Array(sorted.distinct(by: ["age"]).limit(3).map(\.id)))
            #expect(
                Array(
                    fixture.items.filter("age > 2 SORT(age ASC, id ASC) LIMIT(3) DISTINCT(age)")
                        .map(\.id)) == Array(sorted.limit(3).distinct(by: ["age"]).map(\.id)))
            #expect(fixture.items.filter("TRUEPREDICATE LIMIT(0)").isEmpty)
        }
    }

    @Test func allCollections() throws {
        try withTemporaryRealm { realm in
            let holder = try realm.write {
                let holder = Fixture.Holder()
                for age in 0..<6 {
                    holder.dogs.append(Fixture.Dog(value: ["name": "d\(age)", "age": age]))
                }
                realm.add(holder)
                let friend = Fixture.Person(id: 1, name: "Ada")
                for id in 2..<5 {
                    let person = Fixture.Person(id: id, age: id)
                    person.friend = friend
                    realm.add(person, update: .all)
                }
                return holder
            }
            #expect(holder.dogs.filter("age > 3").map(\.name) == ["d4", "d5"])
            #expect(holder.dogs.index(matching: "name == %@", "d2") == 2)
            #expect(
                AnyRealmCollection(holder.dogs).index(matching: NSPredicate(format: "age == 4"))
                    == 4)
            let friend = try #require(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1))
            #expect(friend.admirers.filter("age >= 3").map(\.id).sorted() == [3, 4])
            #expect(friend.admirers.index(matching: "age == 3") != nil)
            #expect(realm.dynamicObjects("Fixture_Person").filter("age == 4").count == 1)
        }
    }

    /// Threads and realms of the same file: an object in a predicate is which one it is.
    @Test func predicatesCrossThreads() throws {
        try withItems(50) { fixture in
            let owner = try #require(fixture.realm.objects(ResultsOwner.self).first)
            let predicate = try RealmPredicate("owner == %@", owner)
            let count = fixture.items.filter(predicate).count
            let configuration = fixture.realm.configuration
            let elsewhere = try onNewThread {
                try Realm(configuration: configuration).objects(ResultsItem.self).filter(predicate)
                    .count
            }
            #expect(elsewhere == count)
        }
    }

    // MARK: What does not fit

    @Test func checkingShowsWhere() throws {
        try withItems(0) { fixture in
            func error(_ format: String, _ arguments: Any?...) -> RealmPredicateError? {
                RealmPredicateError.thrown { () throws(RealmPredicateError) in
                    try RealmPredicate(parsing: format, arguments: arguments).check(
                        ResultsItem.self, in: fixture.realm)
                }
            }
            let unknown = try #require(
                error("active == true AND (name == 'x' OR owner.nmae == 'y')"))
            #expect(unknown.code == .mismatch && unknown.column == 42)
            #expect(
                unknown.description.contains("'nmae'")
                    && unknown.description.contains(
                        "\n                                           ^\n  Column 42")
            )
            #expect(unknown.description.contains("name"), "\(unknown)")
            #expect(error("age == 'x'")?.column == 1)
            #expect(error("id == 1 AND age == %@", ResultsOwner())?.column == 13)
            #expect(error("id == 1 AND ag == %@", 1)?.column == 13)
            #expect(error("id == 1 AND %K == 1", "ag")?.column == 13)
            #expect(error("owner == %@", ResultsOwner()) == nil)
            #expect(error("age > 1") == nil)
            // The clauses are part of what filter would trap for.
            let order = try #require(error("age > 1 SORT(age ASC, nmae DESC)"))
            #expect(
                order.code == .mismatch
                    && order.message
                        == """
                        Cannot sort on key path 'nmae': property 'ResultsItem.nmae' does \
                        not exist.
                        """
                    && order.column == 23)
            #expect(
                error("age > 1 DISTINCT(owner)")?.message.hasPrefix(
                    "Cannot sort on key path 'owner': property 'ResultsItem.owner' of type 'object'"
                ) == true)
            #expect(error("age > 1 SORT(owner.name DESC) DISTINCT(age) LIMIT(3)") == nil)
        }
    }

    /// A predicate that was combined is shown in its canonical form.
    @Test func combinedPredicatesShowWhere() throws {
        try withItems(0) { fixture in
            let predicate = try RealmPredicate("age>5") && RealmPredicate("ag = 1")
            let error = try #require(
                RealmPredicateError.thrown { () throws(RealmPredicateError) in
                    try predicate.check(ResultsItem.self, in: fixture.realm)
                })
            #expect(error.format == "age > 5 AND ag == 1" && error.column == 13)
        }
    }

    @Test func wrongStringsEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) { _ = $0.items.filter("age >> %@", 5) }
        }
        expectMessage(
            result,
            """
            Unable to parse the format string "age >> %@"\n  age >> %@\n       ^\n  Column \
            6: expected a value
            """,
            "Remedy: ")
    }

    @Test func wrongPropertiesEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) { _ = $0.items.filter("age > 5 AND nmae == 'x'") }
        }
        expectMessage(result, "'nmae'", "\n  age > 5 AND nmae == 'x'\n              ^\n  Column 13")
    }

    @Test func wrongPropertiesOfIndexesEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) { _ = $0.items.index(matching: "nmae == 'x'") }
        }
        expectMessage(result, "'nmae'", "\n  ^\n  Column 1")
    }

    @Test func clausesOfIndexesEndTheProcess() async {
        let managed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) { _ = $0.items.index(matching: "age > 1 SORT(age DESC)") }
        }
        expectMessage(
            managed, "Predicates with SORT, DISTINCT or LIMIT have no effect on index(matching:)",
            "'age > 1 SORT(age DESC)'")
        let unmanaged = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = List<ResultsOwner>().index(matching: "age > 1 LIMIT(1)")
        }
        expectMessage(
            unmanaged, "Predicates with SORT, DISTINCT or LIMIT have no effect on index(matching:)",
            "'age > 1 LIMIT(1)'")
    }

    @Test func predicatesOfClosuresEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) { _ = $0.items.filter(NSPredicate { _, _ in true }) }
        }
        expectMessage(result, "Only support compound, comparison, and constant predicates")
    }

    @Test func wrongStringsOfFoundationsPredicatesEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = NSPredicate(format: "age >") }
        expectMessage(result, "Unable to parse the format string \"age >\"", "Column 6")
    }

    @Test func evaluatingOnAnObjectEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = NSPredicate(format: "age > 5").evaluate(with: nil)
        }
        expectMessage(
            result, "A predicate of a string cannot be evaluated on a single object", "'age > 5'")
    }

    @Test func filteringUnmanagedListsEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = List<Fixture.Dog>().filter(try RealmPredicate("age > 5"))
        }
        expectMessage(
            result,
            "This method may only be called on RLMArray instances retrieved from an RLMRealm")
    }
}
