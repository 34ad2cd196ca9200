import Foundation
package import Freehold

/// Carries a value to where it must not be used, which the compiler would not allow.
package struct Smuggled<Value>: @unchecked Sendable {
    // Sendable: it is what these tests are about.
    package let value: Value

    package init(value: Value) { self.value = value }
}

/// One object of each live type, of one realm.
package struct ConfinedSubject {
    package let realm: Realm
    /// Nil in a draft, which has none.
    package let undo: RealmUndoManager?
    package let person: Fixture.Person
    package let dynamic: DynamicObject
    package let people: Results<Fixture.Person>
    package let admirers: LinkingObjects<Fixture.Person>
    package let iterator: RLMIterator<Fixture.Person>
    package let house: Fixture.House
    package let room: Fixture.Room
    package let holder: Fixture.Holder
    package let numbers: List<Int>
    package let dogs: List<Fixture.Dog>
    package let tags: MutableSet<String>
    package let scores: Map<String, Int>
    package let numberIterator: RLMIterator<Int>
    package let sortedNumbers: Results<Int>
    package let sections: SectionedResults<Int, Fixture.Person>
    package let section: ResultsSection<Int, Fixture.Person>
    package let nestedList: List<AnyRealmValue>
    package let nestedMap: Map<String, AnyRealmValue>

    package init(_ realm: Realm) throws {
        self.realm = realm
        undo = Draft(realm) == nil ? realm.undoManager : nil
        person = try realm.write {
            realm.create(Fixture.Person.self, value: ["id": 7, "name": "Ada"], update: .all)
        }
        dynamic = realm.dynamicObject(ofType: "Fixture_Person", forPrimaryKey: 7) ?? DynamicObject()
        people = realm.objects(Fixture.Person.self)
        admirers = person.admirers
        iterator = people.makeIterator()
        let owner = try realm.write {
            realm.create(
                Fixture.House.self, value: ["id": 7, "room": ["name": "attic"]] as [String: Any],
                update: .all)
        }
        (house, room) = (owner, owner.room ?? Fixture.Room())
        let dog = realm.objects(Fixture.Dog.self).first
        holder = try realm.write {
            realm.create(
                Fixture.Holder.self,
                value: [
                    "numbers": [1, 2], "dogs": [dog ?? Fixture.Dog(name: "Rex")], "tags": ["a"],
                    "scores": ["a": 1], "any": [1, ["k": 2]],
                ])
        }
        numbers = holder.numbers
        dogs = holder.dogs
        tags = holder.tags
        scores = holder.scores
        numberIterator = numbers.makeIterator()
        sortedNumbers = numbers.sorted()
        sections = people.sectioned(by: \.age)
        section = sections[0]
        nestedList = holder.any.listValue ?? List()
        nestedMap = nestedList[1].dictionaryValue ?? Map()
    }
}
