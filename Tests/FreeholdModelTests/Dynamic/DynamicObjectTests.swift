import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct DynamicObjectTests {
    @Test func readsEveryKindOfProperty() throws {
        try withSailors { realm, first in
            let dynamic = try #require(
                realm.dynamicObject(ofType: "Dynamic_Sailor", forPrimaryKey: 1))
            #expect(
                dynamic.id as? Int == 1 && dynamic["name"] as? String == "Ada"
                    && dynamic.nick == nil)
            #expect(
                dynamic.age as? Int == 10 && dynamic.height as? Double == 1.5
                    && dynamic.isAshore as? Bool == false)
            #expect(
                dynamic.born as? Date == first.born && dynamic.photo as? Data == Data([1, 2])
                    && dynamic.rank as? String == "captain")
            #expect(dynamic.mark as? UUID == first.mark && dynamic.wealth as? Decimal128 == 7)
            #expect(Array(try #require(dynamic.numbers as? List<Int>)) == [3, 1])
            #expect((dynamic.tags as? MutableSet<String>)?.contains("a") == true)
            #expect((dynamic.scores as? Map<String, Int>)?["go"] == 5)
            // A link leads to an object of its class, as in Realm.
            let ship = try #require(dynamic.ship as? Dynamic.Ship)
            #expect(
                ship.name == "Argo" && ship.harbour?.depth == 9 && !(dynamic.ship is DynamicObject))
            #expect(dynamic.value(forKeyPath: "ship.harbour.code") as? String == "XA")
            #expect(dynamic.value(forKeyPath: "friends.@sum.age") as? Int == 50)
            #expect(dynamic.objectSchema.className == "Dynamic_Sailor")
            #expect(
                ship.description == first.ship?.description
                    && dynamic.description.contains("\tname = Ada;\n"))
        }
    }

    /// As in Realm: they can be counted and emptied.
    @Test func collectionsOfValuesAsOnesOfObjects() throws {
        try withSailors { realm, first in
            let numbers = first.dynamicList("numbers"), tags = first.dynamicMutableSet("tags")
            let scores: Map<String, DynamicObject?> = first.dynamicMap("scores")
            #expect(numbers.count == 2 && !tags.isEmpty && scores.count == 1)
            #expect(numbers.freeze().count == 2 && numbers.realm == realm && !numbers.isInvalidated)
            let other = realm.dynamicObjects("Dynamic_Sailor")[0]
            #expect(!tags.contains(other) && numbers.index(of: other) == nil)
            let configuration = realm.configuration, reference = ThreadSafeReference(to: numbers)
            #expect(
                try onNewThread {
                    try Realm(configuration: configuration).resolve(reference)?.count
                } == 2)
            try realm.write {
                numbers.remove(at: 0)
                #expect(Array(first.numbers) == [1])
                numbers.removeAll()
                tags.removeAll()
                scores.removeAll()
            }
            #expect(first.numbers.isEmpty && first.tags.isEmpty && first.scores.count == 0)
        }
    }

    @Test func collectionsOfObjects() throws {
        try withSailors { realm, first in
            let dynamic = try #require(
                realm.dynamicObject(ofType: "Dynamic_Sailor", forPrimaryKey: 1))
            let friends = try #require(dynamic.friends as? List<DynamicObject>)
            #expect(friends.map { $0.id as? Int } == [2, 3])
            #expect(friends[1].name as? String == "sailor 3" && friends.first?.age as? Int == 20)
            #expect(
                friends == dynamic.dynamicList("friends") && first.dynamicList("friends") == friends
            )
            #expect(friends.index(of: friends[1]) == 1)
            #expect(dynamic.dynamicMutableSet("rivals").map { $0.id as? Int } == [3])
            #expect((dynamic.rivals as? MutableSet<DynamicObject>)?.contains(friends[1]) == true)
            let crew: Map<String, DynamicObject?> = dynamic.dynamicMap("crew")
            #expect(crew["cook"]??.id as? Int == 2 && crew.count == 1)
            let fans = try #require(friends[0].fans as? LinkingObjects<DynamicObject>)
            #expect(fans.count == 1 && fans.first?.name as? String == "Ada")
            let sailors = try #require(
                realm.dynamicObjects("Dynamic_Ship")[0].sailors as? LinkingObjects<DynamicObject>)
            #expect(
                sailors.map { $0.id as? Int } == [1] && sailors.sum(ofProperty: "age") as Int == 10)
        }
    }

    @Test func writes() throws {
        try withSailors { realm, first in
            let dynamic = try #require(realm.dynamicObjects("Dynamic_Sailor").first)
            let harbour = try realm.write {
                dynamic.name = "Bo"
                dynamic["nick"] = "B"
                dynamic.age = 41
                dynamic.height = 2
                dynamic.rank = "hand"
                dynamic.isAshore = true
                dynamic.numbers = [7, 8]
                dynamic.scores = ["chess": 1]
                dynamic.friends = [dynamic, first.friends[1]] as [Any]
                let harbour = realm.dynamicCreate(
                    "Dynamic_Harbour", value: ["code": "XB", "depth": 3])
                (dynamic.ship as? Dynamic.Ship)?["harbour"] = harbour
                dynamic.dynamicMutableSet("rivals").insert(dynamic)
                dynamic.dynamicMap("crew")["cook"] = dynamic
                return harbour
            }
            #expect(
                first.name == "Bo" && first.nick == "B" && first.age == 41 && first.height == 2
                    && first.rank == .hand && first.isAshore)
            #expect(
                Array(first.numbers) == [7, 8] && first.scores["chess"] == 1
                    && first.scores.count == 1)
            #expect(
                first.friends.map(\.id) == [1, 3] && first.rivals.count == 2
                    && first.crew["cook"]??.id == 1)
            #expect(
                first.ship?.harbour?.code == "XB"
                    && first.ship?.harbour?.isSameObject(as: harbour) == true)
            try realm.write {
                dynamic.nick = nil
                dynamic.ship = ["name": "Pinta"]
                dynamic.dynamicList("friends").append(dynamic)
                dynamic.dynamicList("friends").remove(at: 0)
            }
            #expect(
                first.nick == nil && first.ship?.name == "Pinta"
                    && first.friends.map(\.id) == [3, 1])
            try realm.write { dynamic.ship = nil }
            #expect(first.ship == nil)
        }
    }

    @Test func creatingAndDeleting() throws {
        try withSailors { realm, first in
            try realm.write {
                let made = realm.dynamicCreate(
                    "Dynamic_Sailor",
                    value: [
                        "id": 9, "name": "new", "ship": realm.dynamicObjects("Dynamic_Ship")[0],
                    ] as [String: Any])
                #expect(
                    made.height as? Double == 1.5 && (made.ship as? Dynamic.Ship)?.name == "Argo")
                let updated = realm.dynamicCreate(
                    "Dynamic_Sailor", value: ["id": 9, "age": 5], update: .modified)
                #expect(updated == made && made.age as? Int == 5 && made.name as? String == "new")
                // A copy of another class's object by names, and an object with everything from
                // a dynamic one.
                let copy = realm.create(Dynamic.Sailor.self, value: made, update: .modified)
                #expect(copy.id == 9)
            }
            #expect(first.ship?.sailors.count == 2)
            let dynamic = try #require(
                realm.dynamicObject(ofType: "Dynamic_Sailor", forPrimaryKey: 9))
            try realm.write { realm.delete(dynamic) }
            #expect(
                dynamic.isInvalidated
                    && realm.dynamicObject(ofType: "Dynamic_Sailor", forPrimaryKey: 9) == nil)
            try realm.write { realm.delete(realm.dynamicObjects("Dynamic_Harbour")) }
            #expect(realm.dynamicObjects("Dynamic_Harbour").isEmpty && first.ship?.harbour == nil)
            #expect(realm.dynamicObject(ofType: "Dynamic_Harbour", forPrimaryKey: "XA") == nil)
        }
    }

    @Test func queriesAndSorts() throws {
        try withSailors { realm, first in
            let all = realm.dynamicObjects("Dynamic_Sailor")
            #expect(all.count == 3 && all.map { $0.id as? Int } == [1, 2, 3])
            #expect(
                all.where { $0["age", as: Int.self] > 10 }.map { $0.name as? String } == [
                    "sailor 2", "sailor 3",
                ])
            #expect(
                all.where {
                    $0["ship", as: DynamicObject?.self]["harbour", as: DynamicObject?.self][
                        "depth", as: Int.self] == 9
                }.count == 1)
            #expect(
                all.where {
                    $0["nick", as: String?.self] == nil && $0["rank", as: String.self] == "captain"
                }.first?.id as? Int == 1)
            #expect(
                all.where {
                    $0["ship", as: DynamicObject?.self] == realm.dynamicObjects("Dynamic_Ship")[0]
                }.count == 1)
            #expect(
                all.sorted(byKeyPath: "age", ascending: false).map { $0.id as? Int } == [3, 2, 1])
            #expect(
                all.sorted(byKeyPath: "ship.name").map { $0.id as? Int } == [1, 2, 3],
                "Nil links come last.")
            #expect(
                all.sorted(byKeyPath: "ship.name", ascending: false).map { $0.id as? Int } == [
                    2, 3, 1,
                ])
            #expect(
                all.max(ofProperty: "age") == 30 && all.value(forKeyPath: "@sum.age") as? Int == 60)
            #expect(
                all.index(matching: { $0["name", as: String.self].starts(with: "sailor") }) == 1)
        }
    }

    /// An integer of any width casts to every type that holds it, as Realm's `NSNumber`s do.
    @Test func untypedIntegers() throws {
        try withSailors { realm, first in
            let dynamic = realm.dynamicObjects("Dynamic_Sailor")[0]
            for object in [first, dynamic, first.freeze()] as [Object] {
                #expect(
                    object["age"] as? Int == 10 && object["age"] as? Int64 == 10
                        && object["age"] as? Int8 == 10)
                #expect(
                    object.value(forKey: "age") as? Double == 10
                        && object.value(forKeyPath: "age") as? NSNumber == 10)
            }
            let widths = IntegerWidths(value: [1, 2, 3, 4, 5, [6], [7], ["a": 8], 9])
            for name in ["a", "b", "c", "d", "e"] {
                #expect(
                    widths[name] is Int && widths[name] is Int8 && widths[name] is Int64, "\(name)")
            }
            #expect(widths["f"] as? List<Int8> != nil && widths["i"] as? Int == 9)
            widths["i"] = nil
            #expect(widths["i"] == nil)
        }
        try withTemporaryRealm([IntegerWidths.self]) { realm in
            try realm.write {
                realm.add(IntegerWidths(value: [1, 2, 3, 4, 5, [6], [7], ["a": 8], 9]))
            }
            let dynamic = realm.dynamicObjects("IntegerWidths")[0]
            #expect(
                (dynamic["f"] as? List<Int>).map { Array($0) } == [6],
                "Collections hold what is stored.")
            #expect(
                (dynamic["g"] as? MutableSet<Int?>)?.contains(7) == true
                    && (dynamic["h"] as? Map<String, Int>)?["a"] == 8)
            try realm.write {
                (dynamic["f"] as? List<Int>)?.append(1)
                dynamic["f"] = [1, 2]
            }
            #expect(Array(realm.objects(IntegerWidths.self)[0].f) == [1, 2])
        }
    }

    @Test func identity() throws {
        try withSailors { realm, first in
            let dynamic = try #require(
                realm.dynamicObject(ofType: "Dynamic_Sailor", forPrimaryKey: 1))
            #expect(
                dynamic.isSameObject(as: first) && first.isSameObject(as: dynamic)
                    && dynamic == first)
            #expect(Set<Object>([dynamic, first]).count == 1)
            #expect(dynamic.realm == realm && !dynamic.isInvalidated)
            let ship = try #require(dynamic.ship as? Dynamic.Ship)
            #expect(ship.isSameObject(as: first.ship) && ship != first.ship)
        }
    }

    /// Objects of several classes have the same row keys.
    @Test func otherClassesAreNotFound() throws {
        try withSailors { realm, first in
            let ships = try realm.write { (0..<5).map { _ in realm.dynamicCreate("Dynamic_Ship") } }
            let friends = first.dynamicList("friends"), rivals = first.dynamicMutableSet("rivals"),
                sailors = realm.dynamicObjects("Dynamic_Sailor")
            for ship in ships + realm.dynamicObjects("Dynamic_Ship") {
                #expect(
                    friends.index(of: ship) == nil && !rivals.contains(ship)
                        && sailors.index(of: ship) == nil)
                #expect(sailors.allSatisfy { !$0.isSameObject(as: ship) && $0 != ship })
            }
        }
    }

    @Test func freezingAndCrossing() throws {
        try withSailors { realm, first in
            let dynamic = try #require(
                realm.dynamicObject(ofType: "Dynamic_Sailor", forPrimaryKey: 1))
            let frozen = dynamic.freeze(),
                results = realm.dynamicObjects("Dynamic_Sailor").freeze(),
                friends = dynamic.dynamicList("friends").freeze()
            let fans = (dynamic.dynamicList("friends")[0].fans as? LinkingObjects<DynamicObject>)?
                .freeze()
            try realm.write {
                first.name = "changed"
                first.friends.removeAll()
            }
            #expect(
                frozen.isFrozen && frozen.name as? String == "Ada"
                    && (frozen.ship as? Dynamic.Ship)?.isFrozen == true)
            #expect(results[0].name as? String == "Ada" && friends.map { $0.id as? Int } == [2, 3])
            #expect(fans?.first?.name as? String == "Ada")
            #expect(
                frozen.thaw()?.name as? String == "changed"
                    && results.thaw()?.first?.name as? String == "changed")
            #expect(friends.thaw()?.isEmpty == true && fans?.thaw()?.isEmpty == true)
            let smuggled = Smuggled(value: frozen)
            #expect(try onNewThread { (smuggled.value.ship as? Dynamic.Ship)?.name } == "Argo")

            let object = ThreadSafeReference(to: dynamic),
                list = ThreadSafeReference(to: dynamic.dynamicMutableSet("rivals"))
            let query = ThreadSafeReference(
                to: realm.dynamicObjects("Dynamic_Sailor").where { $0["age", as: Int.self] > 10 })
            let configuration = realm.configuration
            try onNewThread {
                let other = try Realm(configuration: configuration)
                #expect(other.resolve(object)?.name as? String == "changed")
                #expect(other.resolve(list)?.map { $0.id as? Int } == [3])
                #expect(other.resolve(query)?.count == 2)
            }
        }
    }

    @Test func followsTransactions() throws {
        try withSailors { realm, first in
            let dynamic = try #require(
                realm.dynamicObject(ofType: "Dynamic_Sailor", forPrimaryKey: 2))
            realm.beginWrite()
            dynamic.age = 77
            #expect(
                realm.dynamicObjects("Dynamic_Sailor").where { $0["age", as: Int.self] == 77 }.count
                    == 1)
            realm.cancelWrite()
            #expect(dynamic.age as? Int == 20)
            for sailor in realm.dynamicObjects("Dynamic_Sailor") where sailor.id as? Int == 3 {
                try realm.write { sailor.age = 78 }
            }
            #expect(first.friends[1].age == 78)
        }
    }

    @Test func isInNoDefaultSchema() throws {
        #expect(!DynamicObject.shouldIncludeInDefaultSchema())
        let error = #expect(throws: Realm.Error.self) {
            try withTemporaryRealm([DynamicObject.self]) { _ in }
        }
        #expect(error?.code == .invalidInput)
    }
}

final class IntegerWidths: Object {
    @Persisted var a: Int
    @Persisted var b: Int8
    @Persisted var c: Int16
    @Persisted var d: Int32
    @Persisted var e: Int64
    @Persisted var f: List<Int8>
    @Persisted var g: MutableSet<Int32?>
    @Persisted var h: Map<String, Int64>
    @Persisted var i: Int16?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
