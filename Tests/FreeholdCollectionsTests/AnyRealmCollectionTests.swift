import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

private final class RelationsOfNothing: Object {
    @Persisted var owner: RelationsOfNothing?
    @Persisted(originProperty: "owner") var owners: LinkingObjects<RelationsOfNothing>
}

@Suite struct AnyRealmCollectionTests {
    typealias Person = Fixture.Person

    @Test func forwardsToResults() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                for id in 1...5 { realm.add(Person(id: id, name: "p\(id)", age: id * 10)) }
            }
            let results = realm.objects(Person.self)
            let people = AnyRealmCollection(results)
            #expect(
                people.count == 5 && !people.isEmpty && people.first?.id == 1
                    && people.last?.id == 5 && people[2].id == 3)
            #expect(
                people.map(\.id) == [1, 2, 3, 4, 5] && people.realm == realm
                    && !people.isInvalidated && !people.isFrozen)
            #expect(
                people.index(of: results[3]) == 3 && people.index(matching: { $0.age > 25 }) == 2)
            #expect(people.objects(at: [0, 4]).map(\.id) == [1, 5])
            #expect(
                people.where { $0.age > 25 }.count == 3
                    && people.sorted(by: \.age, ascending: false).first?.id == 5)
            #expect(
                people.min(of: \.age) == 10 && people.max(of: \.age) == 50
                    && people.sum(of: \.age) == 150 && people.average(of: \.age) == 30)
            #expect(
                (people.value(forKey: "age") as? [Any?])?.count == 5
                    && people.description.dropFirst("AnyRealmCollection".count)
                        == results.description.dropFirst("Results".count)
            )
            #expect(
                people == AnyRealmCollection(results)
                    && people != AnyRealmCollection(results.where { $0.age > 0 }))
            let frozen = people.freeze()
            try realm.write { people.setValue(1, forKey: "age") }
            #expect(frozen.isFrozen && frozen.sum(of: \.age) == 150 && people.sum(of: \.age) == 5)
            #expect(frozen.thaw()?.sum(of: \.age) == 5)
        }
    }

    @Test func forwardsToLists() {
        let list = makeList([3, 1, 2])
        let numbers = AnyRealmCollection(list)
        #expect(
            Array(numbers) == [3, 1, 2] && numbers.min() == 1 && numbers.sum() == 6
                && numbers.index(of: 2) == 2 && numbers.realm == nil)
        #expect(
            numbers == AnyRealmCollection(makeList([3, 1, 2]))
                && numbers != AnyRealmCollection(makeSet([3, 1, 2])))
        list.append(9)
        #expect(numbers.last == 9)
    }

    @Test func managedCollectionsAreThemselvesOnly() throws {
        try withTemporaryRealm([CollectionModels.Person.self, CollectionModels.Dog.self]) { realm in
            try realm.write {
                for _ in 0..<2 {
                    realm.create(
                        CollectionModels.Person.self,
                        value: ["numbers": [1], "tags": ["a"], "scores": ["a": 1]])
                }
            }
            let people = realm.objects(CollectionModels.Person.self)
            let (one, other) = (people[0], people[1])
            #expect(
                one.numbers == people[0].numbers && one.numbers != other.numbers
                    && one.numbers != makeList([1]))
            #expect(
                one.tags == people[0].tags && one.tags != other.tags && one.tags != makeSet(["a"]))
            #expect(
                one.scores == people[0].scores && one.scores != other.scores
                    && one.scores != makeMap(["a": 1.0]))
            #expect(AnyRealmCollection(one.numbers) == AnyRealmCollection(people[0].numbers))
            #expect(AnyRealmCollection(one.numbers) != AnyRealmCollection(other.numbers))
            #expect(
                Set([one.numbers, people[0].numbers]).count == 1
                    && Set([one.tags, people[0].tags]).count == 1)
            #expect(Set([one.scores, people[0].scores]).count == 1)
            #expect(
                one.numbers.isEqual(people[0].numbers) && !one.numbers.isEqual(other.numbers)
                    && !one.numbers.isEqual(nil))
            #expect(one.tags.isEqual(people[0].tags) && !one.tags.isEqual(one.numbers))
            #expect(one.scores.isEqual(people[0].scores) && !one.scores.isEqual(other.scores))
            #expect(
                makeList([1]).isEqual(makeList([1])) && one.isEqual(one) && !one.isEqual(other)
                    && !one.isEqual(1))
            #expect(people == people && people != realm.objects(CollectionModels.Person.self))
            #expect(people.freeze() != realm.freeze().objects(CollectionModels.Person.self))
            #expect(
                AnyRealmCollection(people)
                    != AnyRealmCollection(realm.objects(CollectionModels.Person.self)))
            // A collection that was read is there when its object is gone, and says so.
            let dogs = one.dogs
            try realm.write { realm.delete(one) }
            #expect(
                dogs.isInvalidated && one.numbers.isInvalidated && one.tags.isInvalidated
                    && one.scores.isInvalidated)
        }
    }

    @Test func formsOfValues() throws {
        try withTemporaryRealm([CollectionModels.Person.self, CollectionModels.Dog.self]) { realm in
            let person = try realm.write {
                realm.create(
                    CollectionModels.Person.self,
                    value: ["scores": ["a": 1.5], "notes": ["n": nil]] as [String: Any])
            }
            let score: AnyObject? = person.scores.value(forKey: "a"),
                none: AnyObject? = person.scores.value(forKey: "b")
            let note: AnyObject? = person.notes.value(forKey: "n")
            let greatest: AnyObject? = person.scores.value(forKeyPath: "@max.self")
            #expect(
                score as? Double == 1.5 && none == nil && note is NSNull
                    && greatest as? Double == 1.5)
            // The sum of no any values: a decimal in a realm.
            #expect(
                person.anys.sum().decimal128Value == 0
                    && CollectionModels.Person().anys.sum().intValue == 0)
            #expect(person.description.contains("[a]: 1.5") && !person.description.contains("1.50"))
            let dynamic = try #require(
                realm.dynamicObjects(CollectionModels.Person.className()).first)
            #expect(
                dynamic.description.contains("dogs = List<CollectionModels_Dog> <0x")
                    && dynamic.description.contains("pets = Map<string, CollectionModels_Dog> <0x"))
            let reading = CustomModels.Reading("abcd", inside: 3)
            #expect(reading.description.contains("inside = 3;"))
            #expect(
                RelationsOfNothing().owners.description.contains(
                    "LinkingObjects<RelationsOfNothing> <0x"))
        }
    }
}
