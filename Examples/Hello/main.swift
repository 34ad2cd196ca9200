import Freehold

final class Person: Object { @Persisted(primaryKey: true) var name = "" }
final class Dog: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(indexed: true) var age = 0
    @Persisted var owner: Person?
}
actor Kennel {
    private let realm: Realm
    init() async throws { realm = try await Realm.open() }
    func celebrate() async throws {
        try await realm.asyncWrite { for dog in realm.objects(Dog.self) { dog.age += 1 } }
    }
}

let realm = try Realm()  // the file default.realm; belongs to the main actor
if realm.isEmpty {
    try realm.write {
        let ada = realm.create(Person.self, value: ["name": "Ada"])
        realm.create(Dog.self, value: ["name": "Fido", "age": 4, "owner": ada])
        realm.create(Dog.self, value: ["name": "Rex", "age": 3, "owner": ada])
    }
}
let adults = realm.objects(Dog.self).where { $0.age >= 5 && $0.owner.name == "Ada" }
let token = adults.observe { _ in print("adults:", Array(adults.map(\.name))) }
realm.refresh()  // delivers the first call
try await Kennel().celebrate()
realm.refresh()  // delivers the change, unless that came during the await
token.invalidate()
