import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct MutableSetTests {
    typealias Dog = CollectionModels.Dog
    typealias Person = CollectionModels.Person

    @Test func elementsAreDistinct() {
        let set = makeSet([1, 2, 1])
        #expect(set.count == 2 && set.contains(1) && !set.contains(3))
        set.insert(3)
        set.insert(3)
        set.remove(1)
        set.remove(9)
        #expect(Set(set) == [2, 3] && set.realm == nil)
        set.removeAll()
        #expect(set.isEmpty && set.first == nil)
    }

    @Test func oneNaNAndOneNil() {
        let set = makeSet([Double.nan, nil, .nan, nil, 0, -0.0, 1])
        #expect(set.count == 4 && set.contains(.nan) && set.contains(nil))
        set.remove(.nan)
        set.remove(0)
        #expect(set.count == 2 && !set.contains(.nan) && set.contains(nil) && set.contains(1))
        set.insert(.nan)
        #expect(set.contains(.nan) && set.count == 3)
    }

    @Test func randomChangesAgreeWithASet() {
        var generator = Seed.random()
        let seed = generator.seed
        let set = MutableSet<Int>()
        var model: Set<Int> = []
        for _ in 0..<2000 {
            let value = Int.random(in: 0..<30, using: &generator)
            switch Int.random(in: 0..<40, using: &generator) {
            case 0:
                set.removeAll()
                model.removeAll()
            case 1..<20:
                set.remove(value)
                model.remove(value)
            default:
                set.insert(value)
                model.insert(value)
            }
            #expect(set.contains(value) == model.contains(value), "FREEHOLD_SEED=\(seed)")
            #expect(set.count == model.count, "FREEHOLD_SEED=\(seed)")
        }
        #expect(Set(set) == model, "FREEHOLD_SEED=\(seed)")
    }

    @Test func operations() {
        let set = makeSet([1, 2, 3])
        #expect(
            makeSet([1, 3]).isSubset(of: set) && set.isSubset(of: set)
                && !set.isSubset(of: makeSet([1, 2, 4, 5])))
        #expect(
            set.intersects(makeSet([9, 3])) && !set.intersects(makeSet([9]))
                && !set.intersects(MutableSet()))
        set.formUnion(makeSet([3, 4]))
        #expect(Set(set) == [1, 2, 3, 4])
        set.formIntersection(makeSet([4, 2, 7]))
        #expect(Set(set) == [2, 4])
        set.subtract(makeSet([2]))
        #expect(Set(set) == [4])
        set.formIntersection(set)
        set.formUnion(set)
        #expect(Set(set) == [4])
        set.subtract(set)
        #expect(set.isEmpty)
    }

    @Test func equalityIgnoresTheOrder() {
        #expect(
            makeSet([1, 2]) == makeSet([2, 1])
                && makeSet([1, 2]).hashValue == makeSet([2, 1]).hashValue)
        #expect(makeSet([1]) != makeSet([1, 2]) && makeSet([1, 3]) != makeSet([1, 2]))
    }

    @Test func objectsAreDistinctAsTheirEqualitySays() {
        let (a, b) = (Dog("a"), Dog("a"))
        let set = makeSet([a, b, a])
        #expect(set.count == 2 && set.contains(a) && set.contains(b) && !set.contains(Dog("a")))
        #expect((set.value(forKey: "name") as? Set<AnyHashable>) == ["a"], "each value once")
    }

    @Test func loopsVisitWhatWasThereAtTheStart() {
        let set = makeSet([1, 2, 3])
        var seen: Set<Int> = []
        for element in set {
            seen.insert(element)
            set.remove(element)
            set.insert(element + 10)
        }
        #expect(seen == [1, 2, 3] && Set(set) == [11, 12, 13])
    }

    @Test func assigningCopies() {
        let (person, other) = (Person(), Person())
        let own = person.tags
        other.tags.insert(objectsIn: ["a", "b"])
        person.tags = other.tags
        person.tags = person.tags
        other.tags.remove("a")
        #expect(person.tags === own && Set(own) == ["a", "b"])
    }

    @Test func aggregatesAndValues() {
        let set = makeSet([3, 1, 1, 2])
        #expect(set.min() == 1 && set.max() == 3 && set.sum() == 6 && set.average() == 2.0)
        set.setValue(4, forKey: "self")
        #expect(Array(set) == [4])
        #expect(set.objects(at: [0]) == [4] && set[0] == 4)
        #expect(
            set.description.hasPrefix("MutableSet<int> <0x")
                && set.description.hasSuffix("(\n\t[0] 4\n)"))
    }

    /// Elements that became equal after they were inserted, as two accessors of an object that
    /// was added to a realm meanwhile.
    @Test func elementsWhoseHashChanges() throws {
        try withTemporaryRealm { realm in
            let set = MutableSet<Fixture.Tagged>()
            let tagged = Fixture.Tagged()
            tagged.tag = "a"
            set.insert(tagged)
            try realm.write { realm.add(tagged) }
            set.insert(realm.object(ofType: Fixture.Tagged.self, forPrimaryKey: "a")!)
            // The set grows several times.
            for number in 0..<200 {
                let other = Fixture.Tagged()
                other.tag = "\(number)"
                set.insert(other)
            }
            #expect(set.count == 202 && set.contains(tagged))
            for element in Array(set) { set.remove(element) }
            #expect(set.count == 1)
        }
    }
}
