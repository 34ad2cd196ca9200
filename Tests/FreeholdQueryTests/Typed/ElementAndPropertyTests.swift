import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

enum Herds {
    static let all: [ObjectBase.Type] = [Herd.self, Animal.self]

    final class Animal: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var age = 0
        @Persisted var weight: Double?
        @Persisted var price: Decimal128
        @Persisted var toys: List<Int>
        @Persisted var friends: List<Animal>
        @Persisted(originProperty: "animals") var herds: LinkingObjects<Herd>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Herd: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var limit = 0
        @Persisted var weight: Double?
        @Persisted var price: Decimal128
        @Persisted var numbers: List<Int?>
        @Persisted var animals: List<Animal>
        @Persisted var leader: Animal?
        @Persisted var named: Map<String, Animal?>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// Elements of collections compared with properties of the object that has them; decimals with
/// other numbers; subqueries in subqueries.
@Suite struct ElementAndPropertyTests {
    private func withHerds(
        function: String = #function, _ body: (Realm, [Herds.Herd]) throws -> Void
    ) throws {
        try withTemporaryRealm(Herds.all) { realm in
            var random = Seed.random(function: function)
            try realm.write {
                let animals = (0..<20).map { id in
                    realm.create(
                        Herds.Animal.self,
                        value: [
                            "id": id, "age": random.int(0...6),
                            "weight": random.once(in: 4) ? nil : Double(random.int(0...8)) / 2,
                            "price": Decimal128(random.int(0...6)),
                            "toys": (0..<random.int(0...3)).map { _ in random.int(0...4) },
                        ] as [String: Any?])
                }
                for animal in animals {
                    animal.friends.append(
                        objectsIn: (0..<random.int(0...3)).map { _ in random.pick(animals) })
                }
                for id in 0..<60 {
                    let herd = realm.create(
                        Herds.Herd.self,
                        value: [
                            "id": id, "limit": random.int(0...6),
                            "price": Decimal128(random.int(0...6)),
                        ])
                    herd.weight = random.once(in: 4) ? nil : Double(random.int(0...8)) / 2
                    herd.numbers.append(
                        objectsIn: (0..<random.int(0...3)).map { _ in
                            random.once(in: 4) ? nil : random.int(0...6)
                        })
                    herd.animals.append(
                        objectsIn: (0..<random.int(0...4)).map { _ in random.pick(animals) })
                    herd.leader = random.once(in: 3) ? nil : random.pick(animals)
                    if random.once(in: 2) {
                        herd.named["a"] = random.once(in: 3) ? .some(nil) : random.pick(animals)
                    }
                }
            }
            try body(realm, Array(realm.objects(Herds.Herd.self)))
        }
    }

    private func order<Value: Comparable>(
        _ a: Value?, _ b: Value?, _ compare: (Value, Value) -> Bool
    ) -> Bool {
        guard let a, let b else { return false }
        return compare(a, b)
    }

    @Test func elementsWithProperties() throws {
        try withHerds { realm, plain in
            let herds = realm.objects(Herds.Herd.self)
            func expect(
                _ strings: [String], _ query: ((Query<Herds.Herd>) -> Query<Bool>)?,
                location: SourceLocation = #_sourceLocation, _ holds: (Herds.Herd) -> Bool
            ) {
                let ids = plain.filter(holds).map(\.id)
                for string in strings {
                    #expect(
                        herds.filter(string).map(\.id) == ids, "\(string)", sourceLocation: location
                    )
                }
                if let query {
                    #expect(herds.where(query).map(\.id) == ids, sourceLocation: location)
                }
            }
            expect(
                ["ANY animals.age > limit", "SOME animals.age > limit"],
                { $0.animals.age > $0.limit }
            ) { herd in herd.animals.contains { $0.age > herd.limit } }
            expect(["NONE animals.age > limit"], { !($0.animals.age > $0.limit) }) { herd in
                !herd.animals.contains { $0.age > herd.limit }
            }
            expect(["ALL animals.age > limit"], nil) { herd in
                herd.animals.allSatisfy { $0.age > herd.limit }
            }
            expect(["ANY animals.weight == weight"], { $0.animals.weight == $0.weight }) { herd in
                herd.animals.contains { $0.weight == herd.weight }
            }
            expect(["ALL animals.weight != weight"], nil) { herd in
                herd.animals.allSatisfy { $0.weight != herd.weight }
            }
            expect(["ANY animals.weight < weight"], { $0.animals.weight < $0.weight }) { herd in
                herd.animals.contains { order($0.weight, herd.weight, <) }
            }
            expect(["ANY limit <= animals.age"], { $0.limit <= $0.animals.age }) { herd in
                herd.animals.contains { herd.limit <= $0.age }
            }
            expect(["ANY numbers == limit", "limit IN numbers"], nil) { herd in
                herd.numbers.contains { $0 == herd.limit }
            }
            expect(["ANY numbers >= leader.age"], nil) { herd in
                herd.numbers.contains {
                    ($0 == nil && herd.leader == nil) || order($0, herd.leader?.age, >=)
                }
            }
            expect(["ANY animals == leader", "leader IN animals"], nil) { herd in
                herd.animals.contains { $0 == herd.leader }
            }
            expect(["ANY animals.friends.age > limit"], { $0.animals.friends.age > $0.limit }) {
                herd in
                herd.animals.contains { $0.friends.contains { $0.age > herd.limit } }
            }
            expect(["ANY animals.toys < animals.@count"], nil) { herd in
                herd.animals.contains { $0.toys.contains { $0 < herd.animals.count } }
            }
            expect(
                ["ANY named.@allValues.age > limit", "ANY named.age > limit"],
                { $0.named.values.age > $0.limit }
            ) { herd in
                herd.named.values.contains { order($0?.age, herd.limit, >) }
            }
            expect(["ANY animals.price > price"], { $0.animals.price > $0.price }) { herd in
                herd.animals.contains { $0.price > herd.price }
            }
            expect(["ANY animals.price > limit"], nil) { herd in
                herd.animals.contains { $0.price > Decimal128(herd.limit) }
            }
            let animals = realm.objects(Herds.Animal.self)
            let ids = Array(animals.filter("ANY herds.limit < age").map(\.id))
            #expect(
                ids
                    == Array(animals).filter { animal in
                        animal.herds.contains { $0.limit < animal.age }
                    }.map(\.id))
            // Among the elements of a list, and in a subquery.
            #expect(
                plain[0].animals.filter("ANY herds.limit < age").map(\.id)
                    == Array(plain[0].animals).map(\.id).filter { ids.contains($0) })
            expect(
                ["SUBQUERY(animals, $x, ANY $x.friends.age > $x.age).@count > 0"],
                { ($0.animals.friends.age > $0.animals.age).count > 0 }
            ) { herd in
                herd.animals.contains { animal in animal.friends.contains { $0.age > animal.age } }
            }
        }
    }

    @Test func insideTransactions() throws {
        try withHerds { realm, _ in
            let found = realm.objects(Herds.Herd.self).where { $0.animals.age > $0.limit }
            realm.beginWrite()
            let herd = realm.objects(Herds.Herd.self)[3]
            herd.limit = 100
            #expect(!found.contains(herd))
            herd.animals.append(realm.create(Herds.Animal.self, value: ["id": 100, "age": 101]))
            #expect(found.contains(herd))
            realm.cancelWrite()
        }
    }

    @Test func decimalsWithOtherNumbers() throws {
        try withHerds { realm, plain in
            let herds = realm.objects(Herds.Herd.self)
            for (text, compare) in [
                ("==", { $0 == $1 }), ("!=", { $0 != $1 }), ("<", { $0 < $1 }),
                (">=", { $0 >= $1 }),
            ] as [(String, (Double, Double) -> Bool)] {
                #expect(
                    herds.filter("price \(text) limit").map(\.id)
                        == plain.filter { compare($0.price.doubleValue, Double($0.limit)) }.map(
                            \.id), "\(text)")
                #expect(
                    herds.filter("limit \(text) price").map(\.id)
                        == plain.filter { compare(Double($0.limit), $0.price.doubleValue) }.map(
                            \.id), "\(text)")
                let ids = plain.filter { herd in
                    herd.weight.map { compare(herd.price.doubleValue, $0) } ?? (text == "!=")
                }.map(\.id)
                #expect(herds.filter("price \(text) weight").map(\.id) == ids, "\(text)")
                #expect(
                    herds.filter("animals.@sum.price \(text) limit").map(\.id)
                        == plain.filter { herd in
                            compare(
                                herd.animals.reduce(0) { $0 + $1.price.doubleValue },
                                Double(herd.limit))
                        }.map(\.id), "\(text)")
            }
        }
    }

    @Test func subqueriesInSubqueries() throws {
        try withHerds { realm, plain in
            let typed = realm.objects(Herds.Herd.self).where {
                ($0.animals.age > 1
                    && ($0.animals.friends.age > 2 && $0.animals.friends.weight != nil).count > 1)
                    .count > 1
            }
            let ids = plain.filter { herd in
                herd.animals.count {
                    $0.age > 1 && $0.friends.count { $0.age > 2 && $0.weight != nil } > 1
                } > 1
            }.map(\.id)
            #expect(typed.map(\.id) == ids)
            let string =
                """
                SUBQUERY(animals, $x, $x.age > 1 AND SUBQUERY($x.friends, $y, $y.age > 2 \
                AND $y.weight != nil).@count > 1).@count > 1
                """
            #expect(realm.objects(Herds.Herd.self).filter(string).map(\.id) == ids)
        }
    }
}
