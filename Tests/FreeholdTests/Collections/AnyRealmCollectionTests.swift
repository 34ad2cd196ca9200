import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct AnyRealmCollectionTests {
    typealias Person = Fixture.Person

    @Test func forwardsToResults() throws {
        try withTemporaryRealm { realm in
            try realm.write { for id in 1...5 { realm.add(Person(id: id, name: "p\(id)", age: id * 10)) } }
            let results = realm.objects(Person.self)
            let people = AnyRealmCollection(results)
            #expect(people.count == 5 && !people.isEmpty && people.first?.id == 1 && people.last?.id == 5 && people[2].id == 3)
            #expect(people.map(\.id) == [1, 2, 3, 4, 5] && people.realm == realm && !people.isInvalidated && !people.isFrozen)
            #expect(people.index(of: results[3]) == 3 && people.index(matching: { $0.age > 25 }) == 2)
            #expect(people.objects(at: [0, 4]).map(\.id) == [1, 5])
            #expect(people.where { $0.age > 25 }.count == 3 && people.sorted(by: \.age, ascending: false).first?.id == 5)
            #expect(people.min(of: \.age) == 10 && people.max(of: \.age) == 50 && people.sum(of: \.age) == 150 && people.average(of: \.age) == 30)
            #expect((people.value(forKey: "age") as? [Any?])?.count == 5 && people.description.dropFirst("AnyRealmCollection".count) == results.description.dropFirst("Results".count))
            #expect(people == AnyRealmCollection(results) && people != AnyRealmCollection(results.where { $0.age > 0 }))
            let frozen = people.freeze()
            try realm.write { people.setValue(1, forKey: "age") }
            #expect(frozen.isFrozen && frozen.sum(of: \.age) == 150 && people.sum(of: \.age) == 5)
            #expect(frozen.thaw()?.sum(of: \.age) == 5)
        }
    }

    @Test func forwardsToLists() {
        let list = makeList([3, 1, 2])
        let numbers = AnyRealmCollection(list)
        #expect(Array(numbers) == [3, 1, 2] && numbers.min() == 1 && numbers.sum() == 6 && numbers.index(of: 2) == 2 && numbers.realm == nil)
        #expect(numbers == AnyRealmCollection(makeList([3, 1, 2])) && numbers != AnyRealmCollection(makeSet([3, 1, 2])))
        list.append(9)
        #expect(numbers.last == 9)
    }
}
