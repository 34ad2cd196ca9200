import Foundation
import Freehold
import FreeholdRealmTestSupport

/// A public function or property of a live type that belongs to its realm's place.
struct ConfinedEntry: Sendable {
    /// What the report says under "What".
    let access: String
    let use: @Sendable (ConfinedSubject) throws -> Void

    init(_ access: String, _ use: @escaping @Sendable (ConfinedSubject) throws -> Void) {
        self.access = access
        self.use = use
    }

    private static func ofResults(
        _ function: String, _ use: @escaping @Sendable (ConfinedSubject) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("\(function) of Results<Fixture_Person>", use)
    }

    private static func ofLinkingObjects(
        _ function: String, _ use: @escaping @Sendable (ConfinedSubject) throws -> Void
    ) -> ConfinedEntry {
        ConfinedEntry("\(function) of LinkingObjects<Fixture_Person>", use)
    }

    /// By their source, so that a failure names one.
    static let trapping: [String: ConfinedEntry] = realm.merging(object) { a, _ in a }.merging(
        results
    ) { a, _ in a }
    .merging(linkingObjects) { a, _ in a }.merging(embedded) { a, _ in a }.merging(observation) {
        a, _ in a
    }

    private static let realm: [String: ConfinedEntry] = [
        "realm.isEmpty": .init("Realm.isEmpty") { _ = $0.realm.isEmpty },
        "realm.autorefresh": .init("Realm.autorefresh") { _ = $0.realm.autorefresh },
        "realm.autorefresh =": .init("Realm.autorefresh") { $0.realm.autorefresh = false },
        "realm.beginWrite": .init("Realm.beginWrite()") { $0.realm.beginWrite() },
        "realm.cancelWrite": .init("Realm.cancelWrite()") { $0.realm.cancelWrite() },
        "realm.isInWriteTransaction": .init("Realm.isInWriteTransaction") {
            _ = $0.realm.isInWriteTransaction
        },
        "realm.refresh": .init("Realm.refresh()") { $0.realm.refresh() },
        "realm.invalidate": .init("Realm.invalidate()") { $0.realm.invalidate() },
        "realm.freeze": .init("Realm.freeze()") { _ = $0.realm.freeze() },
        "realm.thaw": .init("Realm.thaw()") { _ = $0.realm.thaw() },
        "realm.freeze(object)": .init("Object.freeze() of 'Fixture_Person'") {
            _ = $0.realm.freeze($0.person)
        },
        "realm.thaw(object)": .init("Object.thaw() of 'Fixture_Person'") {
            _ = $0.realm.thaw($0.person)
        },
        "realm.add": .init("Realm.add") { $0.realm.add(Fixture.Dog()) },
        "realm.add(sequence)": .init("Realm.add") { $0.realm.add([Fixture.Dog()]) },
        "realm.add(managed)": .init("Realm.add") { $0.realm.add($0.person) },
        "realm.create": .init("Realm.create") { $0.realm.create(Fixture.Dog.self) },
        "realm.delete": .init("Realm.delete") { $0.realm.delete($0.person) },
        "realm.delete(sequence)": .init("Realm.delete") { $0.realm.delete([$0.person]) },
        "realm.delete(results)": .init("Realm.delete(Results<Person>)") {
            $0.realm.delete($0.people)
        },
        "realm.deleteAll": .init("Realm.deleteAll()") { $0.realm.deleteAll() },
        "realm.objects": .init("Realm.objects(Person.self)") {
            _ = $0.realm.objects(Fixture.Person.self)
        },
        "realm.dynamicObjects": .init("Realm.dynamicObjects(\"Fixture_Person\")") {
            _ = $0.realm.dynamicObjects("Fixture_Person")
        },
        "realm.dynamicObject(ofType:)": .init("Realm.dynamicObject(ofType:forPrimaryKey:)") {
            _ = $0.realm.dynamicObject(ofType: "Fixture_Person", forPrimaryKey: 7)
        },
        "realm.dynamicCreate": .init("Realm.dynamicCreate(\"Fixture_Dog\")") {
            $0.realm.dynamicCreate("Fixture_Dog")
        },
        "realm.object(ofType:)": .init("Realm.object(ofType:forPrimaryKey:)") {
            _ = $0.realm.object(ofType: Fixture.Person.self, forPrimaryKey: 7)
        },
        "realm.writeAsync": .init("Realm.writeAsync") { $0.realm.writeAsync {} },
        "@ThreadSafe": .init("setting a @ThreadSafe Person") {
            _ = ThreadSafe(wrappedValue: $0.person)
        },
        "Frozen(object)": .init("Object.freeze() of 'Fixture_Person'") { _ = Frozen($0.person) },
        "realm.resolve": .init("ThreadSafeReference(to:) of Person") {
            _ = $0.realm.resolve(ThreadSafeReference(to: $0.person))
        },
        "realm.beginAsyncWrite": .init("Realm.beginAsyncWrite") { $0.realm.beginAsyncWrite {} },
        "realm.commitAsyncWrite": .init("Realm.commitAsyncWrite") { $0.realm.commitAsyncWrite() },
        "realm.isPerformingAsynchronousWriteOperations": .init(
            "Realm.isPerformingAsynchronousWriteOperations"
        ) {
            _ = $0.realm.isPerformingAsynchronousWriteOperations
        },
    ]

    private static let object: [String: ConfinedEntry] = [
        "object.integer": .init("Reading 'Fixture_Person.age'") { _ = $0.person.age },
        "object.string": .init("Reading 'Fixture_Person.name'") { _ = $0.person.name },
        "object.primaryKey": .init("Reading 'Fixture_Person.id'") { _ = $0.person.id },
        "object.link": .init("Reading 'Fixture_Person.dog'") { _ = $0.person.dog },
        "object.integer =": .init("Writing 'Fixture_Person.age'") { $0.person.age = 1 },
        "object.string =": .init("Writing 'Fixture_Person.name'") { $0.person.name = "Bo" },
        "object.link =": .init("Writing 'Fixture_Person.dog'") { $0.person.dog = nil },
        "object.link = unmanaged": .init("Writing 'Fixture_Person.dog'") {
            $0.person.dog = Fixture.Dog()
        },
        "object[name]": .init("Reading 'Fixture_Person.age'") { _ = $0.person["age"] },
        "object[name] =": .init("Writing 'Fixture_Person.age'") { $0.person["age"] = 1 },
        "object.value(forKey:)": .init("Reading 'Fixture_Person.age'") {
            _ = $0.person.value(forKey: "age")
        },
        "object.value(forKeyPath:)": .init("Reading 'Fixture_Person.dog'") {
            _ = $0.person.value(forKeyPath: "dog.name")
        },
        "object.setValue(forKeyPath:)": .init("Writing 'Fixture_Person.age'") {
            $0.person.setValue(1, forKeyPath: "age")
        },
        "dynamic object[name]": .init("Reading 'Fixture_Person.age'") { _ = $0.dynamic.age },
        "dynamic object.link": .init("Reading 'Fixture_Person.dog'") { _ = $0.dynamic.dog },
        "dynamic object.linkingObjects": .init("Reading 'Fixture_Person.admirers'") {
            _ = $0.dynamic.admirers
        },
        "dynamic object[name] =": .init("Writing 'Fixture_Person.age'") { $0.dynamic.age = 1 },
        "object.dynamicList": .init("Reading 'Fixture_Holder.dogs'") {
            _ = $0.holder.dynamicList("dogs")
        },
        "object.setValue": .init("Writing 'Fixture_Person.age'") {
            $0.person.setValue(1, forKey: "age")
        },
        "object.isInvalidated": .init("Object.isInvalidated of 'Fixture_Person'") {
            _ = $0.person.isInvalidated
        },
        "object.freeze": .init("Object.freeze() of 'Fixture_Person'") { _ = $0.person.freeze() },
        "object.thaw": .init("Object.thaw() of 'Fixture_Person'") { _ = $0.person.thaw() },
        "object.description": .init("Object.description of 'Fixture_Person'") {
            _ = $0.person.description
        },
    ]

    private static let embedded: [String: ConfinedEntry] = [
        "house.room": .init("Reading 'Fixture_House.room'") { _ = $0.house.room },
        "house.room =": .init("Writing 'Fixture_House.room'") { $0.house.room = nil },
        "house.room = unmanaged": .init("Writing 'Fixture_House.room'") {
            $0.house.room = Fixture.Room()
        },
        "house[room] =": .init("Writing 'Fixture_House.room'") {
            $0.house["room"] = ["name": "cellar"]
        },
        "room.name": .init("Reading 'Fixture_Room.name'") { _ = $0.room.name },
        "room.name =": .init("Writing 'Fixture_Room.name'") { $0.room.name = "cellar" },
        "room.isInvalidated": .init("Object.isInvalidated of 'Fixture_Room'") {
            _ = $0.room.isInvalidated
        },
        "room.freeze": .init("Object.freeze() of 'Fixture_Room'") { _ = $0.room.freeze() },
        "room.thaw": .init("Object.thaw() of 'Fixture_Room'") { _ = $0.room.thaw() },
        "room.description": .init("Object.description of 'Fixture_Room'") {
            _ = $0.room.description
        },
        "Room(value: room)": .init("Reading 'Fixture_Room.name'") {
            _ = Fixture.Room(value: $0.room)
        },
        "realm.delete(room)": .init("Realm.delete") { $0.realm.delete($0.room) },
        "Frozen(room)": .init("Object.freeze() of 'Fixture_Room'") { _ = Frozen($0.room) },
        "ThreadSafeReference(to: room)": .init("ThreadSafeReference(to:) of Room") {
            _ = ThreadSafeReference(to: $0.room)
        },
    ]

    private static let results: [String: ConfinedEntry] = [
        "results.count": ofResults("count") { _ = $0.people.count },
        "results.isEmpty": ofResults("isEmpty") { _ = $0.people.isEmpty },
        "results.endIndex": ofResults("count") { _ = $0.people.endIndex },
        "results[0]": ofResults("subscript") { _ = $0.people[0] },
        "results.first": ofResults("first") { _ = $0.people.first },
        "results.last": ofResults("last") { _ = $0.people.last },
        "results.objects(at:)": ofResults("objects(at:)") { _ = $0.people.objects(at: [0]) },
        "results.makeIterator": ofResults("iteration") { _ = $0.people.makeIterator() },
        "iterator.next": .init("iteration over Results<Fixture_Person>") {
            var iterator = $0.iterator
            _ = iterator.next()
        },
        "results.index(of:)": ofResults("index(of:)") { _ = $0.people.index(of: $0.person) },
        "results.index(matching:)": ofResults("index(matching:)") {
            _ = $0.people.index(matching: { $0.age == 0 })
        },
        "results.where": ofResults("where") { _ = $0.people.where { $0.age == 0 } },
        "results.filter": ofResults("filter") { _ = $0.people.filter("age == 0") },
        "results.index(matching: string)": ofResults("index(matching:)") {
            _ = $0.people.index(matching: "age == 0")
        },
        "results.sorted(by:)": ofResults("sorted(by:)") {
            _ = $0.people.sorted(by: [SortDescriptor(keyPath: "age")])
        },
        "results.sorted(byKeyPath:)": ofResults("sorted(by:)") {
            _ = $0.people.sorted(byKeyPath: "age")
        },
        "results.sorted(by: \\.age)": ofResults("sorted(by:)") { _ = $0.people.sorted(by: \.age) },
        "results.min(ofProperty:)": ofResults("min(ofProperty:)") {
            _ = $0.people.min(ofProperty: "age") as Int?
        },
        "results.max(ofProperty:)": ofResults("max(ofProperty:)") {
            _ = $0.people.max(ofProperty: "age") as Int?
        },
        "results.sum(ofProperty:)": ofResults("sum(ofProperty:)") {
            _ = $0.people.sum(ofProperty: "age") as Int
        },
        "results.average(ofProperty:)": ofResults("average(ofProperty:)") {
            _ = $0.people.average(ofProperty: "age") as Double?
        },
        "results.min(of:)": ofResults("min(ofProperty:)") { _ = $0.people.min(of: \.age) },
        "results.max(of:)": ofResults("max(ofProperty:)") { _ = $0.people.max(of: \.age) },
        "results.sum(of:)": ofResults("sum(ofProperty:)") { _ = $0.people.sum(of: \.age) },
        "results.average(of:)": ofResults("average(ofProperty:)") {
            _ = $0.people.average(of: \.age)
        },
        "results.value(forKey:)": ofResults("value(forKey:)") {
            _ = $0.people.value(forKey: "age")
        },
        "results.value(forKeyPath:)": ofResults("value(forKeyPath:)") {
            _ = $0.people.value(forKeyPath: "@sum.age")
        },
        "results.setValue": ofResults("setValue(_:forKey:)") {
            $0.people.setValue(1, forKey: "age")
        },
        "results.description": ofResults("description") { _ = $0.people.description },
        "results.isInvalidated": .init("isInvalidated of Results<Person>") {
            _ = $0.people.isInvalidated
        },
        "results.freeze": ofResults("freeze()") { _ = $0.people.freeze() },
        "results.thaw": ofResults("thaw()") { _ = $0.people.thaw() },
    ]

    private static let linkingObjects: [String: ConfinedEntry] = [
        "object.linkingObjects": .init("Reading 'Fixture_Person.admirers'") {
            _ = $0.person.admirers
        },
        "object[linkingObjects]": .init("Reading 'Fixture_Person.admirers'") {
            _ = $0.person["admirers"]
        },
        "linkingObjects.count": ofLinkingObjects("count") { _ = $0.admirers.count },
        "linkingObjects.isEmpty": ofLinkingObjects("count") { _ = $0.admirers.isEmpty },
        "linkingObjects[0]": ofLinkingObjects("subscript") { _ = $0.admirers[0] },
        "linkingObjects.first": ofLinkingObjects("first") { _ = $0.admirers.first },
        "linkingObjects.last": ofLinkingObjects("last") { _ = $0.admirers.last },
        "linkingObjects.objects(at:)": ofLinkingObjects("objects(at:)") {
            _ = $0.admirers.objects(at: [0])
        },
        "linkingObjects.makeIterator": ofLinkingObjects("iteration") {
            _ = $0.admirers.makeIterator()
        },
        "linkingObjects.index(of:)": ofLinkingObjects("index(of:)") {
            _ = $0.admirers.index(of: $0.person)
        },
        "linkingObjects.index(matching:)": ofLinkingObjects("index(matching:)") {
            _ = $0.admirers.index(matching: { $0.age == 0 })
        },
        "linkingObjects.where": ofLinkingObjects("where") { _ = $0.admirers.where { $0.age == 0 } },
        "linkingObjects.filter": ofLinkingObjects("filter") { _ = $0.admirers.filter("age == 0") },
        "linkingObjects.sorted(by:)": ofLinkingObjects("sorted(by:)") {
            _ = $0.admirers.sorted(by: \.age)
        },
        "linkingObjects.min": ofLinkingObjects("min(ofProperty:)") {
            _ = $0.admirers.min(of: \.age)
        },
        "linkingObjects.max": ofLinkingObjects("max(ofProperty:)") {
            _ = $0.admirers.max(of: \.age)
        },
        "linkingObjects.sum": ofLinkingObjects("sum(ofProperty:)") {
            _ = $0.admirers.sum(of: \.age)
        },
        "linkingObjects.average": ofLinkingObjects("average(ofProperty:)") {
            _ = $0.admirers.average(of: \.age)
        },
        "linkingObjects.value(forKey:)": ofLinkingObjects("value(forKey:)") {
            _ = $0.admirers.value(forKey: "age")
        },
        "linkingObjects.value(forKeyPath:)": ofLinkingObjects("value(forKeyPath:)") {
            _ = $0.admirers.value(forKeyPath: "@sum.age")
        },
        "linkingObjects.setValue": ofLinkingObjects("setValue(_:forKey:)") {
            $0.admirers.setValue(1, forKey: "age")
        },
        "linkingObjects.description": ofLinkingObjects("description") {
            _ = $0.admirers.description
        },
        "linkingObjects.isInvalidated": ofLinkingObjects("isInvalidated") {
            _ = $0.admirers.isInvalidated
        },
        "linkingObjects.freeze": ofLinkingObjects("freeze()") { _ = $0.admirers.freeze() },
        "linkingObjects.thaw": ofLinkingObjects("thaw()") { _ = $0.admirers.thaw() },
        "realm.delete(linkingObjects)": .init("Realm.delete") { $0.realm.delete($0.admirers) },
    ]

    /// Those that can throw, and do.
    static let throwing: [String: ConfinedEntry] = [
        "realm.write": .init("Realm.write") { try $0.realm.write {} },
        "realm.commitWrite": .init("Realm.commitWrite()") { try $0.realm.commitWrite() },
        "realm.check": .init("Realm.check()") { _ = try $0.realm.check() },
        "realm.deleteChecked": .init("Realm.deleteChecked") {
            try $0.realm.deleteChecked($0.person)
        },
        "realm.deleteChecked(sequence)": .init("Realm.deleteChecked") {
            try $0.realm.deleteChecked([$0.person])
        },
        "realm.deleteChecked(results)": .init("Realm.deleteChecked") {
            try $0.realm.deleteChecked($0.people)
        },
        "realm.cancelAsyncWrite": .init("Realm.cancelAsyncWrite") {
            try $0.realm.cancelAsyncWrite(1)
        },
    ]

    /// Those that may be used anywhere: each says whether the answer is right.
    static let exempt: [String: @Sendable (ConfinedSubject) -> Bool] = [
        "realm ==": { $0.realm == $0.realm },
        "realm.isFrozen": { !$0.realm.isFrozen },
        "realm.configuration": { $0.realm.configuration.fileURL != nil },
        "realm.schema": { $0.realm.schema.objectSchema.count == Fixture.all.count },
        "object ==": { $0.person == $0.person },
        "object.hash": { $0.person.hashValue == $0.person.hashValue },
        "object.isSameObject": { $0.person.isSameObject(as: $0.person) },
        "room ==": { $0.room == $0.room },
        "room.isSameObject": { $0.room.isSameObject(as: $0.room) },
        "room.isFrozen": { !$0.room.isFrozen },
        "room.realm": { $0.room.realm == $0.realm },
        "room.objectSchema": { $0.room.objectSchema.isEmbedded },
        "object.isFrozen": { !$0.person.isFrozen },
        "object.realm": { $0.person.realm == $0.realm },
        "object.objectSchema": { $0.person.objectSchema.properties.count == 5 },
        "results ==": { $0.people == $0.people },
        "results.isFrozen": { !$0.people.isFrozen },
        "results.realm": { $0.people.realm == $0.realm },
        "results.startIndex": { $0.people.startIndex == 0 },
        "linkingObjects ==": { $0.admirers == $0.admirers },
        "linkingObjects.isFrozen": { !$0.admirers.isFrozen },
        "linkingObjects.realm": { $0.admirers.realm == $0.realm },
        "linkingObjects.startIndex": { $0.admirers.startIndex == 0 },
        "list.isFrozen": { !$0.numbers.isFrozen },
        "list.realm": { $0.numbers.realm == $0.realm },
        "list.startIndex": { $0.numbers.startIndex == 0 },
        "list ==": { $0.numbers == $0.numbers },
        "set.isFrozen": { !$0.tags.isFrozen },
        "set.realm": { $0.tags.realm == $0.realm },
        "map.isFrozen": { !$0.scores.isFrozen },
        "nested list.isFrozen": { !$0.nestedList.isFrozen },
        "nested list.realm": { $0.nestedList.realm == $0.realm },
        "nested list ==": { $0.nestedList == $0.nestedList },
        "nested map.isFrozen": { !$0.nestedMap.isFrozen },
        "nested map.realm": { $0.nestedMap.realm == $0.realm },
        "map.realm": { $0.scores.realm == $0.realm },
    ]
}
