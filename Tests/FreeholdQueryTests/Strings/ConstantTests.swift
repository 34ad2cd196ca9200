import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What constants of one type mean beside properties of another, and [c] beside what has no case.
@Suite struct ConstantTests {
    private func withThings(_ body: (Realm, Results<Constants.Thing>) throws -> Void) throws {
        try withTemporaryRealm([Constants.Thing.self]) { realm in
            try realm.write {
                for (index, any) in Constants.anys.enumerated() {
                    let thing = Constants.Thing()
                    thing.id = index
                    (thing.any, thing.other) = (any, any)
                    thing.anys.append(any)
                    thing.map["k"] = any
                    thing.name = index == 0 ? nil : "Rex"
                    realm.add(thing)
                    if index == 1 {
                        thing.price = 1.7
                        thing.offer = 0.1
                        thing.prices.append(objectsIn: [1.7, 1.7])
                        thing.named["a"] = 1.7
                        thing.amount = 1.5
                    }
                }
                realm.object(ofType: Constants.Thing.self, forPrimaryKey: 0)?.link =
                    realm.object(ofType: Constants.Thing.self, forPrimaryKey: 1)
            }
            try body(realm, realm.objects(Constants.Thing.self))
        }
    }

    @Test(arguments: [
        "price == 1.7", "price = 1.7", "price > 1.69999 AND price <= 1.7",
        "price BETWEEN {1.7, 1.7}",
        "price IN {1.7, 5}", "NOT price != 1.7", "1.7 == price", "price == decimal(1.7)",
        "offer == 0.1",
        "ANY prices == 1.7", "ANY prices IN {1.7}", "ALL prices == 1.7 AND prices.@count > 0",
        "prices.@max == 1.7", "prices.@min == 1.7", "prices.@avg == 1.7", "prices.@sum == 3.4",
        "named['a'] == 1.7", "ANY named == 1.7",
        "SUBQUERY(links, $x, $x.link.price == 1.7).@count == 1",
        "ANY links.link.price == 1.7", "SUBQUERY(prices, $x, $x == 1.7).@count == 2",
    ])
    func numbersBesideFloatsAreTheClosestFloat(_ format: String) throws {
        try withThings { _, things in
            #expect(Array(things.filter(format).map(\.id)) == [1])
            // A known string, too.
            #expect(things.filter(format).count == 1)
            let predicate = try RealmPredicate(parsing: format)
            #expect(things.index(matching: predicate) == 1)
        }
    }

    @Test func argumentsBesideFloats() throws {
        try withThings { _, things in
            for argument in [1.7, Float(1.7), NSNumber(value: 1.7), Decimal128("1.7")] as [Any] {
                for _ in 0..<2 { #expect(things.filter("price == %@", argument).count == 1) }
            }
            // Beyond all floats there is no closest one.
            #expect(things.filter("price < 1e300").count == things.count)
            #expect(things.filter("price >= 1e300").isEmpty)
            #expect(things.filter("price > -1e300").count == things.count)
            #expect(things.filter("price < %@", Double.infinity).count == things.count)
            try things.realm?.write { things[2].price = 16_777_216 }
            #expect(things.filter("price == 16777217").count == 1)
        }
    }

    @Test func textsBesideDecimals() throws {
        try withThings { realm, things in
            #expect(things.filter("amount == '1.5'").count == 1)
            #expect(things.filter("amount > %@ AND amount < '2'", "1.4").count == 1)
            #expect(things.filter("amount IN {'1.5', '7'}").count == 1)
            let error = RealmPredicateError.thrown { () throws(RealmPredicateError) in
                try RealmPredicate(parsing: "amount == 'x'").check(Constants.Thing.self, in: realm)
            }
            #expect(
                error?.message
                    == """
                    Cannot compare value 'x' of type 'string' to property 'amount' of type \
                    'decimal128'
                    """
            )
        }
    }

    @Test func keyPathArgumentsFollowOneAnother() throws {
        try withThings { _, things in
            #expect(things.filter("%K.%K == 1.7", "link", "price").map(\.id) == [0])
            #expect(things.filter("link.%K.@count == 2", "prices").map(\.id) == [0])
            #expect(things.filter("%K.@max == 1.7", "link.prices").map(\.id) == [0])
            #expect(things.filter("$K1.$K0 == 1.7", "price", "link").map(\.id) == [0])
            #expect(things.filter("ANY %K.%K.%K == 1.7", "links", "link", "price").map(\.id) == [1])
        }
    }

    @Test func likeNil() throws {
        try withThings { _, things in
            #expect(things.filter("name LIKE NULL").map(\.id) == [0])
            #expect(things.filter("name LIKE[c] %@", nil).map(\.id) == [0])
            #expect(things.filter("#any LIKE NULL").map(\.id) == [0])
            #expect(things.filter("name CONTAINS NULL").isEmpty)
            #expect(things.where { $0.name.like(nil) }.map(\.id) == [0])
            #expect(Array(things).contains { $0.name == nil })
        }
    }

    // MARK: Any values

    /// The positions of the values that equal the constant of a comparison, each in five places.
    private func expect(_ format: String, _ argument: Any?, _ expected: [Int]) throws {
        try withThings { _, things in
            for path in ["#any", "ANY anys", "map['k']", "ANY map", "link.any"] {
                let found = things.filter("\(path) \(format)", argument).map(\.id)
                let isLink = path == "link.any"
                let wanted = isLink ? (expected.contains(1) ? [0] : []) : expected
                #expect(Array(found) == wanted, "\(path) \(format)")
            }
        }
    }

    @Test func aTextEqualsDataOfItsBytesAndDataEqualsDataOnly() throws {
        try expect("== %@", "0", [1, 2])
        try expect("==[c] %@", "0", [1, 2])
        try expect("IN %@", ["0"], [1, 2])
        try expect(">= %@", "0", [1, 2, 5, 6])
        try expect("CONTAINS %@", "0", [1, 2])
        try expect("== %@", Data("0".utf8), [2])
        try expect("==[c] %@", Data("0".utf8), [2])
        try expect("IN %@", [Data("0".utf8)], [2])
        try expect(">= %@", Data("0".utf8), [2])
        try expect("CONTAINS %@", Data("0".utf8), [1, 2])
    }

    @Test func typedQueriesAndUnmanagedListsSayTheSame() throws {
        try withThings { _, things in
            let list = List<Constants.Thing>()
            for (index, any) in Constants.anys.enumerated() {
                let thing = Constants.Thing()
                (thing.id, thing.any) = (index, any)
                list.append(thing)
            }
            func expect(
                _ expected: [Int], _ query: @escaping (Query<Constants.Thing>) -> Query<Bool>
            ) {
                #expect(Array(things.where(query).map(\.id)) == expected)
                for position in 0..<Constants.anys.count {
                    let holds = list.index { query($0) && $0.id == position } != nil
                    #expect(holds == expected.contains(position), "\(position) of \(expected)")
                }
            }
            expect([1, 2]) { $0.any == .string("0") }
            expect([2]) { $0.any == .data(Data("0".utf8)) }
            expect([1, 2]) { $0.any.in([.string("0")]) }
            expect([2]) { $0.any.in([.data(Data("0".utf8))]) }
            expect([1, 2, 5, 6]) { $0.any >= .string("0") }
            expect([2]) { $0.any >= .data(Data("0".utf8)) }
            expect([5]) { $0.any == .string("a") }
            expect([0]) { $0.name.like(nil) && $0.any == .none }
        }
    }

    @Test func caseMakesNoDifferenceToWhatHasNone() throws {
        try withThings { _, things in
            let all = Array(things.map(\.id))
            #expect(Array(things.filter("#any ==[c] other").map(\.id)) == all)
            #expect(things.filter("#any !=[c] other").isEmpty)
            #expect(Array(things.filter("id >[c] 2").map(\.id)) == all.filter { $0 > 2 })
            #expect(Array(things.filter("id BETWEEN[c] {2, 3}").map(\.id)) == [2, 3])
            #expect(Array(things.filter("#any >[c] 2").map(\.id)) == [3])
            #expect(Array(things.filter("id ==[cd] id").map(\.id)) == all)
            #expect(things.filter("id >[c] id").isEmpty)
            #expect(things.filter("price ==[c] 1.7").count == 1)
        }
    }

    @Test(arguments: [
        "name >[c] 'a'", "#any >[c] 'a'", "#any >[c] other", "name BETWEEN[c] {'a', 'b'}",
    ])
    func ordersOfTextsAreCaseSensitive(_ format: String) throws {
        try withThings { realm, _ in
            let error = RealmPredicateError.thrown { () throws(RealmPredicateError) in
                try RealmPredicate(parsing: format).check(Constants.Thing.self, in: realm)
            }
            #expect(error?.message == "Lexicographical comparisons must be case-sensitive")
        }
    }
}

private enum Constants {
    static var anys: [AnyRealmValue] {
        [
            .none, .string("0"), .data(Data("0".utf8)), .int(7), .bool(false), .string("a"),
            .string("A"),
        ]
    }

    final class Thing: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var price: Float
        @Persisted var offer: Float?
        @Persisted var amount: Decimal128
        @Persisted var name: String?
        @Persisted var any: AnyRealmValue
        @Persisted var other: AnyRealmValue
        @Persisted var anys: List<AnyRealmValue>
        @Persisted var map: Map<String, AnyRealmValue>
        @Persisted var prices: List<Float>
        @Persisted var named: Map<String, Float>
        @Persisted var link: Thing?
        @Persisted(originProperty: "link") var links: LinkingObjects<Thing>
    }
}
