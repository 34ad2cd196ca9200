import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What queries print, and names that are no letters.
@Suite struct QuerySpellingTests {
    final class Zoo: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var 🐕 = 0
        @Persisted var 🐕‍🦺age = 0
        @Persisted var number1️⃣ = 0
        @Persisted var 🏴󠁧󠁢󠁥󠁮󠁧󠁿: Zoo?
        @Persisted var größe = 0

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class AnyHolder: Object {
        @Persisted var any: AnyRealmValue
        @Persisted var anys: List<AnyRealmValue>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func conditionsNestAsTheyWereWritten() {
        func text(_ isIncluded: (Query<Zoo>) -> Query<Bool>) -> String {
            isIncluded(Query<Zoo>._constructForTesting())._constructPredicate().0
        }
        #expect(
            text { ($0.id == 1 && $0.id == 2) && ($0.id == 3 && $0.id == 4) }
                == "(((id == %@) && (id == %@)) && ((id == %@) && (id == %@)))")
        #expect(
            text { $0.id == 1 && $0.id == 2 && $0.id == 3 }
                == "(((id == %@) && (id == %@)) && (id == %@))")
        #expect(
            text { $0.id == 1 && ($0.id == 2 && $0.id == 3) }
                == "((id == %@) && ((id == %@) && (id == %@)))")
        #expect(
            text { ($0.id == 1 || $0.id == 2) || ($0.id == 3 || $0.id == 4 || $0.id == 5) }
                == "(((id == %@) || (id == %@)) || (((id == %@) || (id == %@)) || (id == %@)))")
        #expect(
            text { !($0.id == 1 && ($0.id == 2 && $0.id == 3)) }
                == "NOT ((id == %@) && ((id == %@) && (id == %@)))")
        #expect(
            text { ($0.id == 1 && $0.id == 2) || ($0.id == 3 && $0.id == 4) }
                == "(((id == %@) && (id == %@)) || ((id == %@) && (id == %@)))")
    }

    /// Any number of conditions is no recursion.
    @Test func longChains() {
        var query = Query<Zoo>._constructForTesting().id == 0
        for number in 1..<20_000 { query = query && Query<Zoo>._constructForTesting().id == number }
        let (text, arguments) = query._constructPredicate()
        #expect(text.hasSuffix(" && (id == %@))") && arguments.count == 20_000)
    }

    @Test func emoji() throws {
        try withTemporaryRealm([Zoo.self]) { realm throws in
            try realm.write {
                for id in 0..<3 {
                    let zoo = Zoo(value: ["id": id])
                    zoo.🐕 = id
                    zoo.🐕‍🦺age = id * 10
                    zoo.number1️⃣ = id + 1
                    zoo.größe = -id
                    realm.add(zoo)
                }
                realm.objects(Zoo.self)[1].🏴󠁧󠁢󠁥󠁮󠁧󠁿 = realm.objects(Zoo.self)[2]
            }
            let zoos = realm.objects(Zoo.self)
            for name in ["🐕", "🐕‍🦺age", "number1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿.🐕", "größe"] {
                let value = try #require(zoos[1].value(forKeyPath: name) as? Int)
                let expected = name.contains(".") ? [1] : [1]
                #expect(zoos.filter("%K == %@", name, value).map(\.id) == expected)
                #expect(zoos.filter("$K0 == $1", name, value).map(\.id) == expected)
                #expect(zoos.filter("\(name) == \(value)").map(\.id) == expected)
                #expect(zoos.sorted(byKeyPath: name).count == 3)
                let predicate = try RealmPredicate("%K == %@", name, value)
                #expect(try RealmPredicate(parsing: predicate.description) == predicate)
            }
            let error = #expect(throws: RealmPredicateError.self) {
                try RealmPredicate("%K == 1", "🐈").check(Zoo.self, in: realm)
            }
            #expect(
                error?.message
                    == """
                    Invalid keypath '🐈': Property '🐈' not found in object of type \
                    'QuerySpellingTests_Zoo'
                    """
            )
            #expect(throws: RealmPredicateError.self) { try RealmPredicate("%K == 1", "a b") }
            #expect(throws: RealmPredicateError.self) { try RealmPredicate("%K == 1", "“a”") }
        }
    }

    /// As in Realm, where a realm's lists add any values as decimals.
    @Test func sumsOfNoAnyValues() throws {
        func isDecimalZero(_ value: AnyRealmValue) -> Bool { value.decimal128Value == 0 }
        func isZero(_ value: AnyRealmValue) -> Bool {
            if case .int(0) = value { true } else { false }
        }
        try withTemporaryRealm([AnyHolder.self]) { realm throws in
            let sum: AnyRealmValue = realm.objects(AnyHolder.self).sum(ofProperty: "any")
            #expect(isZero(sum))
            let holder = try realm.write { realm.create(AnyHolder.self) }
            #expect(
                isZero(realm.objects(AnyHolder.self).sum(of: \.any))
                    && isDecimalZero(holder.anys.sum()))
            #expect(isZero(AnyHolder().anys.sum()))
            try realm.write {
                holder.any = .string("a")
                holder.anys.append(objectsIn: [.string("1"), .none])
            }
            #expect(
                isZero(realm.objects(AnyHolder.self).sum(of: \.any))
                    && isDecimalZero(holder.anys.sum()))
            try realm.write { holder.anys.append(.int(3)) }
            let total: AnyRealmValue = holder.anys.sum()
            #expect(total == .int(3))
        }
    }
}
