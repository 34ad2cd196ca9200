import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Orders, distinct values and aggregates of properties that hold any values, against arrays.
@Suite struct AnyValueResultsTests {
    private typealias Holder = AnyValueModels.Holder
    private typealias Thing = AnyValueModels.Thing

    /// Values that are equal although they are stored as different types, and all others.
    private static func random(_ random: inout SeededGenerator, _ things: [Thing]) -> AnyRealmValue
    {
        switch random.int(0...9) {
        case 0: .int(random.int(-3...3))
        case 1: .double(Double(random.int(-6...6)) / 2)
        case 2: .decimal128(Decimal128(stringLiteral: "\(random.int(-30...30))E-1"))
        case 3: .float(Float(random.int(-3...3)))
        case 4: .object(random.pick(things))
        case 5: .fromArray([.int(random.int(0...2)), .string("x")])
        case 6: .fromDictionary(["k": .int(random.int(0...2))])
        case 7: .string(random.pick(["", "a", "ab", "é", "e\u{301}", "🐶"]))
        default: random.pick(AnyValueModels.scalars)
        }
    }

    /// The value for comparisons: of an object without a primary key, each accessor is only
    /// equal to itself.
    private func plain(_ value: AnyRealmValue) -> [AnyRealmValue] {
        if case .object(let object) = value {
            [
                .uuid(
                    UUID(
                        uuid: (
                            255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                            255, 255
                        ))), .string((object as? Thing)?.name ?? ""),
            ]
        } else {
            [value]
        }
    }

    private func isBefore(_ a: AnyRealmValue, _ b: AnyRealmValue) -> Bool {
        plain(a).lexicographicallyPrecedes(plain(b))
    }

    /// By value, then by the ids, which decide between equals.
    private func isBefore(_ a: (AnyRealmValue, Int), _ b: (AnyRealmValue, Int)) -> Bool {
        plain(a.0) == plain(b.0) ? a.1 < b.1 : isBefore(a.0, b.0)
    }

    private func withHolders(
        _ count: Int, function: String = #function,
        _ body: (Realm, [Holder], inout SeededGenerator) throws -> Void
    ) throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            var random = Seed.random(function: function)
            try realm.write {
                let things = (0..<5).map { realm.create(Thing.self, value: ["name": "\($0)"]) }
                for id in 0..<count {
                    let holder = Holder()
                    holder.id = id
                    holder.value = Self.random(&random, things)
                    holder.other = random.once(in: 2) ? .int(random.int(0...1)) : .none
                    realm.add(holder)
                }
            }
            try body(realm, Array(realm.objects(Holder.self)), &random)
        }
    }

    private func expect(
        _ random: SeededGenerator, _ found: [Int], _ expected: [Int], _ plain: [Holder],
        _ comment: String
    ) {
        if found == expected { return }
        let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
        let values = place.map {
            """
            \(AnyValueModels.exactly(plain[$0.element.0].value)) for \
            \(AnyValueModels.exactly(plain[$0.element.1].value)) at \($0.offset)
            """
        }
        random.expect(false, "\(comment): \(values ?? "\(found.count) for \(expected.count)")")
    }

    @Test func sorting() throws {
        try withHolders(700) { realm, plain, random in
            let all = realm.objects(Holder.self)
            let ascending = plain.sorted { isBefore(($0.value, $0.id), ($1.value, $1.id)) }.map(
                \.id)
            let descending = plain.sorted {
                self.plain($0.value) == self.plain($1.value)
                    ? $0.id < $1.id : isBefore($1.value, $0.value)
            }.map(\.id)
            expect(random, all.sorted(by: \.value).map(\.id), ascending, plain, "ascending")
            expect(
                random, all.sorted(by: \.value, ascending: false).map(\.id), descending, plain,
                "descending")
            expect(random, all.freeze().sorted(by: \.value).map(\.id), ascending, plain, "frozen")
            let both = plain.sorted { a, b in
                if a.other != b.other { return a.other < b.other }
                return self.plain(a.value) == self.plain(b.value)
                    ? a.id < b.id : isBefore(b.value, a.value)
            }.map(\.id)
            let criteria = [
                SortDescriptor(keyPath: "other"),
                SortDescriptor(keyPath: "value", ascending: false),
            ]
            expect(random, all.sorted(by: criteria).map(\.id), both, plain, "two criteria")
            expect(
                random, all.filter("TRUEPREDICATE SORT(value DESC) LIMIT(9)").map(\.id),
                Array(descending.prefix(9)), plain, "in a string")
            try realm.write {
                all[3].value = .string("changed")
                let now = plain.sorted { isBefore(($0.value, $0.id), ($1.value, $1.id)) }.map(\.id)
                expect(random, all.sorted(by: \.value).map(\.id), now, plain, "in a transaction")
            }
        }
    }

    @Test func distinct() throws {
        try withHolders(500) { realm, plain, random in
            func firsts(_ key: (Holder) -> [AnyRealmValue]) -> [Int] {
                var found: [[[AnyRealmValue]]] = []
                return plain.filter { holder in
                    let key = key(holder).map { self.plain($0) }
                    defer { found.append(key) }
                    return !found.contains(key)
                }.map(\.id)
            }
            let all = realm.objects(Holder.self)
            expect(
                random, all.distinct(by: ["value"]).map(\.id), firsts { [$0.value] }, plain, "one")
            expect(
                random, all.distinct(by: [\.other, \.value]).map(\.id),
                firsts { [$0.other, $0.value] }, plain, "two")
            random.expect(
                all.filter("id >= 0 DISTINCT(other)").count == Set(plain.map(\.other)).count,
                "in a string")
        }
    }

    @Test func aggregates() throws {
        try withHolders(400) { realm, plain, random in
            for (results, objects) in [
                (realm.objects(Holder.self), plain),
                (realm.objects(Holder.self).where { $0.id < 40 }, Array(plain.prefix(40))),
                (
                    realm.objects(Holder.self).sorted(by: \.value).limit(30),
                    plain.sorted { isBefore(($0.value, $0.id), ($1.value, $1.id)) }.prefix(30).map(
                        \.self)
                ),
                (realm.objects(Holder.self).where { $0.id < 0 }, []),
            ] {
                // Aggregates of lists that no realm manages are tested by themselves.
                let list = List<AnyRealmValue>()
                list.append(objectsIn: objects.map(\.value))
                random.expect(results.min(of: \.value) == list.min(), "min")
                random.expect(results.max(of: \.value) == list.max(), "max")
                random.expect(results.sum(of: \.value) == list.sum() as AnyRealmValue, "sum")
                random.expect(
                    results.average(of: \.value) == list.average() as AnyRealmValue?, "average")
                let sum: Decimal128 = results.sum(ofProperty: "value")
                random.expect(.decimal128(sum) == list.sum() as AnyRealmValue, "sum as a decimal")
            }
        }
    }

    @Test func aggregatesOfNumbersAsNumbers() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let values: [AnyRealmValue] = [
                .int(4), .double(1.5), .none, .decimal128("2.5"), .string("text"), .float(.nan),
            ]
            try realm.write {
                for (id, value) in values.enumerated() {
                    realm.create(Holder.self, value: ["id": id, "value": value])
                }
            }
            let numbers = realm.objects(Holder.self).where { $0.id < 4 }
            #expect(numbers.min(ofProperty: "value") == 1.5)
            #expect(numbers.max(ofProperty: "value") == 4)
            #expect(numbers.sum(ofProperty: "value") == 8)
            #expect(numbers.average(ofProperty: "value") == Decimal128("8") / Decimal128("3"))
            #expect(numbers.value(forKeyPath: "@max.value") as? Int == 4)
            #expect(realm.objects(Holder.self).max(of: \.value) == .string("text"))
            #expect(realm.objects(Holder.self).where { $0.id > 4 }.min(of: \.value) == nil)
            #expect(realm.objects(Holder.self).where { $0.id == 2 }.sum(of: \.value) == .int(0))
        }
    }
}
