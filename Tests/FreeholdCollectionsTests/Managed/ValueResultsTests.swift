import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Live results over the values of lists, sets and maps.
@Suite struct ValueResultsTests {
    typealias Owner = ManagedModels.Owner

    private func withOwner(_ body: (Realm, Owner) throws -> Void) throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try realm.write {
                realm.create(
                    Owner.self,
                    value: [
                        "numbers": [3, 1, 2, 3, 1], "tags": ["b", "a"],
                        "scores": ["x": 2.5, "y": 1, "z": 2.5],
                    ] as [String: Any])
            }
            try body(realm, owner)
        }
    }

    @Test func elements() throws {
        try withOwner { realm, owner in
            let sorted = owner.numbers.sorted()
            #expect(sorted.count == 5 && !sorted.isEmpty && sorted.first == 1 && sorted.last == 3)
            #expect(
                Array(sorted) == [1, 1, 2, 3, 3]
                    && sorted.indices.map { sorted[$0] } == [1, 1, 2, 3, 3])
            #expect(Array(sorted[1...3]) == [1, 2, 3] && sorted.objects(at: [0, 4]) == [1, 3])
            #expect(sorted.index(of: 3) == 3 && sorted.index(of: 7) == nil)
            let distinct = owner.numbers.distinct()
            #expect(
                Array(distinct) == [3, 1, 2] && distinct.count == 3 && distinct.index(of: 2) == 2)
            #expect(
                Array(distinct.sorted(ascending: false)) == [3, 2, 1]
                    && Array(sorted.distinct()) == [1, 2, 3])
            #expect(Array(sorted.sorted(ascending: false).distinct()) == [3, 2, 1])
            #expect(
                Array(owner.numbers.sorted(byKeyPath: "self", ascending: false)) == [3, 3, 2, 1, 1])
            #expect(
                Array(
                    owner.numbers.sorted(by: [
                        "self", SortDescriptor(keyPath: "self", ascending: false),
                    ])) == [1, 1, 2, 3, 3])
            #expect(
                Array(owner.tags.sorted()) == ["a", "b"]
                    && Array(owner.tags.sorted(ascending: false)) == ["b", "a"]
                    && owner.tags.distinct().count == 2)
            #expect(
                Array(owner.scores.sorted()) == [1, 2.5, 2.5]
                    && Array(owner.scores.distinct()) == [2.5, 1])
            #expect(
                sorted.realm == realm && !sorted.isFrozen && !sorted.isInvalidated
                    && sorted == sorted && sorted != owner.numbers.sorted())
            let any = AnyRealmCollection(owner.numbers)
            #expect(
                Array(any.sorted()) == [1, 1, 2, 3, 3] && Array(any.distinct()) == [3, 1, 2]
                    && Array(AnyRealmCollection(sorted).distinct()) == [1, 2, 3])
            try realm.write { owner.numbers.removeAll() }
            #expect(
                sorted.isEmpty && sorted.count == 0 && sorted.first == nil && sorted.last == nil
                    && distinct.isEmpty && Array(distinct).isEmpty)
        }
    }

    @Test func aggregates() throws {
        try withOwner { realm, owner in
            let sorted = owner.numbers.sorted(), distinct = owner.numbers.distinct()
            #expect(
                sorted.min() == 1 && sorted.max() == 3 && sorted.sum() == 10
                    && sorted.average() as Double? == 2)
            #expect(distinct.sum() == 6 && distinct.average() as Double? == 2)
            #expect(owner.scores.sorted().sum() == 6 && owner.scores.distinct().max() == 2.5)
            #expect(
                sorted.sum(ofProperty: "self") as Double == 10
                    && sorted.value(forKeyPath: "@sum.self") as? Int == 10)
            #expect(
                sorted.value(forKeyPath: "@count") as? Int == 5
                    && sorted.value(forKey: "self") as? [Int] == [1, 1, 2, 3, 3])
            try realm.write { owner.primes.insert(objectsIn: [nil, 5, 2]) }
            let primes = owner.primes.sorted(ascending: false)
            #expect(
                Array(primes) == [5, 2, nil] && primes.sum() as Int? == 7
                    && primes.min() as Int? == 2)
            try realm.write { owner.numbers.removeAll() }
            #expect(sorted.min() == nil && sorted.sum() == 0 && sorted.average() as Double? == nil)
        }
    }

    @Test func textAndJSON() throws {
        try withOwner { realm, owner in
            let sorted = owner.numbers.sorted()
            #expect(
                sorted.description.hasPrefix("Results<int> <0x")
                    && sorted.description.hasSuffix(
                        "> (\n\t[0] 1,\n\t[1] 1,\n\t[2] 2,\n\t[3] 3,\n\t[4] 3\n)")
            )
            #expect(
                String(decoding: try JSONEncoder().encode(sorted.distinct()), as: UTF8.self)
                    == "[1,2,3]")
            try realm.write { owner.numbers.append(objectsIn: Array(10..<200)) }
            #expect(sorted.description.contains("[99] 104\n\t... 95 objects skipped."))
        }
    }

    /// Results show what the realm reads: the changes of the open transaction, and what another
    /// realm committed once the realm moves.
    @Test func live() throws {
        try withOwner { realm, owner in
            let sorted = owner.numbers.sorted(ascending: false), tags = owner.tags.sorted()
            realm.beginWrite()
            owner.numbers.append(9)
            #expect(Array(sorted) == [9, 3, 3, 2, 1, 1] && sorted.count == 6)
            owner.numbers[0] = -1
            #expect(Array(sorted) == [9, 3, 2, 1, 1, -1])
            owner.tags.remove("a")
            #expect(Array(tags) == ["b"])
            realm.cancelWrite()
            #expect(Array(sorted) == [3, 3, 2, 1, 1] && Array(tags) == ["a", "b"])
            let configuration = realm.configuration
            try onNewThread {
                let other = try Realm(configuration: configuration)
                try other.write { other.objects(Owner.self).first?.numbers.append(4) }
            }
            #expect(sorted.first == 3)
            realm.refresh()
            #expect(sorted.first == 4)
        }
    }

    @Test func changesInLoops() throws {
        try withOwner { realm, owner in
            let sorted = owner.numbers.sorted()
            var seen: [Int] = []
            try realm.write {
                for number in sorted {
                    seen.append(number)
                    owner.numbers.append(number * 10)
                    if number == 2 { owner.numbers.remove(at: 0) }
                }
            }
            #expect(seen == [1, 1, 2, 3, 3] && sorted.count == 9)
            seen = []
            var iterator = sorted.makeIterator()
            try realm.write { owner.numbers.removeAll() }
            while let number = iterator.next() { seen.append(number) }
            #expect(
                seen == [1, 2, 3, 3, 10, 10, 20, 30, 30]
                    || seen == [1, 1, 2, 3, 10, 10, 20, 30, 30])
        }
    }

    @Test func freezing() throws {
        try withOwner { realm, owner in
            let sorted = owner.numbers.sorted(), frozen = sorted.freeze(),
                shared = Frozen(owner.scores.distinct())
            #expect(frozen.isFrozen && frozen.freeze() == frozen && sorted.thaw() == sorted)
            try realm.write {
                owner.numbers.append(0)
                #expect(Array(sorted.freeze()) == [1, 1, 2, 3, 3])
                owner.scores["a"] = 7
            }
            #expect(
                Array(frozen) == [1, 1, 2, 3, 3]
                    && Array(frozen.distinct().sorted(ascending: false)) == [3, 2, 1]
                    && frozen.sum() == 10)
            #expect(frozen.thaw().map { Array($0) } == [0, 1, 1, 2, 3, 3])
            let numbers = Frozen(owner.numbers)
            try runThreads(4) { _ in
                #expect(
                    Array(shared.elements) == [2.5, 1]
                        && Array(numbers.elements) == [3, 1, 2, 3, 1, 0])
                #expect(
                    Array(shared.unsafeValue) == [2.5, 1] && shared.unsafeValue[1] == 1
                        && shared.unsafeValue.max() == 2.5 && shared.unsafeValue.index(of: 1) == 1)
            }
            let configuration = realm.configuration
            try onNewThread {
                let thawed = try #require(shared.thaw(in: Realm(configuration: configuration)))
                #expect(Array(thawed) == [7, 2.5, 1])
            }
            try realm.write { realm.delete(owner) }
            #expect(
                frozen.thaw() == nil && Array(frozen) == [1, 1, 2, 3, 3]
                    && shared.unsafeValue.count == 2)
        }
    }

    @Test func references() throws {
        try withOwner { realm, owner in
            let configuration = realm.configuration
            let sorted = owner.numbers.sorted(ascending: false)
            let reference = ThreadSafeReference(to: sorted),
                other = ThreadSafeReference(to: sorted),
                any = ThreadSafeReference(to: AnyRealmCollection(sorted.distinct()))
            struct Holder: Sendable { @ThreadSafe var values: Results<Int>? }
            let holder = Holder(values: owner.numbers.distinct())
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                #expect(try Array(#require(realm.resolve(reference))) == [3, 3, 2, 1, 1])
                #expect(try Array(#require(realm.resolve(any))) == [3, 2, 1])
                #expect(holder.values.map { Array($0) } == [3, 1, 2])
            }
            try realm.write { realm.delete(owner) }
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                realm.refresh()
                #expect(realm.resolve(other) == nil && holder.values == nil)
            }
            #expect(sorted.isInvalidated)
        }
    }

    @Test func invalidation() throws {
        try withOwner { realm, owner in
            let sorted = owner.numbers.sorted()
            realm.beginWrite()
            realm.delete(owner)
            #expect(sorted.isInvalidated)
            realm.cancelWrite()
            #expect(!sorted.isInvalidated && sorted.count == 5)
            realm.invalidate()
            #expect(sorted.isInvalidated)
        }
    }

    /// Equal any values are those that are equal in sets; collections inside are live.
    @Test func anyValues() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            let thing = AnyValueModels.Thing("thing")
            try realm.write {
                for value in AnyValueModels.scalars + AnyValueModels.scalars.reversed() {
                    holder.list.append(value)
                }
                holder.list.append(objectsIn: [
                    .int(-7), .double(-7), .object(thing), .fromArray([.int(1)]), .object(thing),
                    .fromArray([.int(1)]),
                ])
                holder.map["a"] = .string("x")
                holder.map["b"] = .int(1)
            }
            let plain = Array(holder.list)
            let sorted = holder.list.sorted(), distinct = holder.list.distinct()
            func expected(by isBelow: (AnyRealmValue, AnyRealmValue) -> Bool) -> [String] {
                plain.enumerated().sorted { a, b in
                    isBelow(a.element, b.element)
                        || (!isBelow(b.element, a.element) && a.offset < b.offset)
                }
                .map { AnyValueModels.exactly($0.element) }
            }
            #expect(sorted.map(AnyValueModels.exactly) == expected(by: <))
            #expect(
                holder.list.sorted(ascending: false).map(AnyValueModels.exactly) == expected(by: >))
            var expected: [AnyRealmValue] = []
            for value in plain {
                let isKnown = expected.contains { other in
                    // Of one row, but two accessors.
                    if case (.object(let a), .object(let b)) = (value, other) {
                        return a.isSameObject(as: b)
                    }
                    return !(other < value) && !(value < other)
                }
                if !isKnown { expected.append(value) }
            }
            #expect(distinct.map(AnyValueModels.exactly) == expected.map(AnyValueModels.exactly))
            #expect(Array(holder.map.sorted()) == [.int(1), .string("x")])
            #expect(distinct.index(of: .double(-7)) == expected.firstIndex(of: .int(-7)))
            let inner = try #require(distinct.last?.listValue)
            try realm.write { inner.append(.int(2)) }
            #expect(distinct.last?.listValue?.count == 1 && distinct.count == expected.count + 1)
            try realm.write { realm.delete(realm.objects(AnyValueModels.Thing.self)) }
            #expect(!sorted.contains { $0.object(AnyValueModels.Thing.self) != nil })
        }
    }

    /// Every type of elements, small and spread over many leaves, against plain Swift.
    @Test(arguments: [7, 3000])
    func everyType(count: Int) throws {
        var random = Seed.random()
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try realm.write { realm.create(Owner.self) }
            try realm.write {
                for _ in 0..<count {
                    owner.numbers.append(
                        random.int(-50...50) * (random.int(0...9) == 0 ? Int.max / 50 : 1))
                    owner.small.append([nil, 1, -7, Int8.max].randomElement(using: &random)!)
                    owner.texts.append(
                        [nil, "", "a", "ab", "abcdefgh", "abcdefghi", "abcdefgh\0", "bé"]
                            .randomElement(using: &random)!)
                    owner.blobs.append(Data(repeating: 7, count: random.int(0...30)))
                    owner.dates.append(
                        Date(timeIntervalSinceReferenceDate: Double(random.int(-9...9))))
                    owner.doubles.append(
                        [
                            .nan, 0, -0.0, 1.5, -1.5, .infinity, -.infinity,
                            Double(random.int(0...9)),
                        ].randomElement(using: &random)!)
                    owner.flags.append([nil, true, false].randomElement(using: &random)!)
                    owner.ids.append(
                        UUID(
                            uuid: unsafeBitCast(
                                (UInt64(random.int(0...3)), UInt64(random.int(0...3))),
                                to: uuid_t.self)))
                    owner.decimals.append(
                        [
                            Decimal128(integerLiteral: Int64(random.int(-9...9))), "1.0", "1.00",
                            "-0", "NaN", "1E6000",
                        ].randomElement(using: &random)!)
                    owner.moods.append(Mood.allCases.randomElement(using: &random)!)
                    owner.moodsOrNone.append(
                        random.int(0...2) == 0 ? nil : Mood.allCases.randomElement(using: &random))
                    owner.notes.updateValue(
                        [nil, "n", "", "m"].randomElement(using: &random)!,
                        forKey: "k\(random.int(0...count))")
                }
            }
            func check<Element, Values: RealmCollection>(
                _ values: Values, isBelow: @escaping (Element, Element) -> Bool, _ name: String
            )
            where Values.Element == Element, Element.PersistedType: SortableType {
                let plain = Array(values).enumerated().map { ($0.offset, $0.element) }
                func sorted(_ values: [(Int, Element)], by isBelow: (Element, Element) -> Bool)
                    -> [(Int, Element)]
                {
                    values.sorted { isBelow($0.1, $1.1) || (!isBelow($1.1, $0.1) && $0.0 < $1.0) }
                }
                let up = sorted(plain, by: isBelow)
                let down = sorted(plain) { isBelow($1, $0) }
                var firsts: [(Int, Element)] = []
                for (index, element) in up.enumerated()
                where index == 0 || isBelow(up[index - 1].1, element.1) { firsts.append(element) }
                firsts.sort { $0.0 < $1.0 }
                func text(_ values: [(Int, Element)]) -> [String] { values.map { "\($0.1)" } }
                random.expect(values.sorted().map { "\($0)" } == text(up), name)
                random.expect(values.sorted(ascending: false).map { "\($0)" } == text(down), name)
                random.expect(values.distinct().map { "\($0)" } == text(firsts), name)
                random.expect(values.distinct().count == firsts.count, name)
                random.expect(
                    values.sorted(ascending: false).distinct().sorted().map { "\($0)" }
                        == text(sorted(firsts, by: isBelow)), name)
            }
            func optional<Value>(_ isBelow: @escaping (Value, Value) -> Bool) -> (Value?, Value?) ->
                Bool
            {
                { a, b in
                    guard let b else { return false }
                    return a.map { isBelow($0, b) } ?? true
                }
            }
            let bytes: (String, String) -> Bool = { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            check(owner.numbers, isBelow: <, "numbers")
            check(owner.small, isBelow: optional(<), "small")
            check(owner.texts, isBelow: optional(bytes), "texts")
            check(owner.blobs, isBelow: { $0.lexicographicallyPrecedes($1) }, "blobs")
            check(owner.dates, isBelow: <, "dates")
            check(owner.doubles, isBelow: { $0 < $1 || ($0.isNaN && !$1.isNaN) }, "doubles")
            check(owner.flags, isBelow: optional { !$0 && $1 }, "flags")
            check(owner.decimals, isBelow: <, "decimals")
            check(owner.moods, isBelow: { $0.rawValue < $1.rawValue }, "moods")
            check(
                owner.moodsOrNone,
                isBelow: optional { (a: Mood, b: Mood) in a.rawValue < b.rawValue }, "moods or none"
            )
            let notes = owner.notes.values
            #expect(Array(owner.notes.sorted()) == notes.sorted(by: optional(bytes)))
            // Not of a sortable type: by name only.
            let ids = Array(owner.ids).map(\.uuidString)
            #expect(owner.ids.sorted(byKeyPath: "self").map(\.uuidString) == ids.sorted())
        }
    }
}
