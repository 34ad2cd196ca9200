import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Aggregates over dynamic objects, and any values that hold them.
@Suite struct DynamicValueTests {
    typealias Holder = AnyValueModels.Holder
    typealias Thing = AnyValueModels.Thing

    @Test func aggregatesOfCollections() throws {
        try withSailors { realm, first in
            let friends = first.dynamicList("friends"), rivals = first.dynamicMutableSet("rivals")
            let crew: Map<String, DynamicObject?> = first.dynamicMap("crew")
            #expect(
                friends.sum(ofProperty: "age") == 50 && friends.max(ofProperty: "age") == 30
                    && friends.average(ofProperty: "height") == 1.5)
            #expect(
                rivals.min(ofProperty: "age") == 30
                    && rivals.sum(ofProperty: "wealth") as Decimal128 == 0)
            #expect(
                crew.sum(ofProperty: "age") == 20 && friends.freeze().sum(ofProperty: "age") == 50)
            #expect(
                AnyRealmCollection(friends).max(ofProperty: "age") == 30
                    && realm.dynamicObjects("Dynamic_Sailor").sum(ofProperty: "age") == 60)
            try realm.write {
                friends.removeAll()
                crew.updateValue(nil, forKey: "none")
            }
            #expect(
                friends.sum(ofProperty: "age") == 0 && friends.max(ofProperty: "age") as Int? == nil
                    && crew.sum(ofProperty: "age") == 20)
            let unmanaged = List<DynamicObject>()
            #expect(
                unmanaged.sum(ofProperty: "age") == 0
                    && unmanaged.min(ofProperty: "age") as Int? == nil)
            unmanaged.append(objectsIn: realm.dynamicObjects("Dynamic_Sailor"))
            #expect(unmanaged.sum(ofProperty: "age") == 60)
        }
    }

    @Test func dynamicObjectOfAValue() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let thing = Thing("thing")
            #expect(
                AnyRealmValue.object(thing).dynamicObject == nil
                    && AnyRealmValue.int(1).dynamicObject == nil)
            let holder = try realm.makeHolder(0, .object(thing))
            let dynamic = try #require(holder.value.dynamicObject)
            #expect(
                dynamic["name"] as? String == "thing" && dynamic.isSameObject(as: thing)
                    && AnyRealmValue.object(dynamic).dynamicObject === dynamic)
            #expect(holder.value.object(Thing.self)?.name == "thing")
        }
    }

    /// What a dynamic object's any values hold are dynamic objects, at any depth, live, frozen
    /// and on other threads.
    @Test func objectsInDynamicObjects() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let thing = Thing("thing")
            let holder = try realm.makeHolder(
                0, .fromArray([.object(thing), .fromDictionary(["k": .object(thing)])]))
            try realm.write {
                holder.other = .object(thing)
                holder.list.append(objectsIn: [.object(thing), .fromArray([.object(thing)])])
                holder.set.insert(.object(thing))
                holder.map["k"] = .object(thing)
            }
            func check(_ dynamic: DynamicObject) throws {
                let nested = try #require(dynamic["value"] as? List<AnyRealmValue>)
                let inner = try #require(nested[1].dictionaryValue)
                let (list, map) = try (
                    #require(dynamic["list"] as? List<AnyRealmValue>),
                    #require(dynamic["map"] as? Map<String, AnyRealmValue>)
                )
                let set = try #require(dynamic["set"] as? MutableSet<AnyRealmValue>)
                for value in try [
                    nested[0], #require(inner["k"]), list[0], #require(list[1].listValue)[0],
                    #require(map["k"]), set[0], list.distinct()[0],
                ] {
                    #expect(
                        value.object(DynamicObject.self)?["name"] as? String == "thing"
                            && value.object(Thing.self) == nil)
                }
                #expect((dynamic["other"] as? DynamicObject)?["name"] as? String == "thing")
            }
            let dynamic = try #require(
                realm.dynamicObject(ofType: "AnyValueModels_Holder", forPrimaryKey: 0))
            try check(dynamic)
            try check(dynamic.freeze())
            let nested = try #require(dynamic["value"] as? List<AnyRealmValue>)
            let reference = ThreadSafeReference(to: nested), configuration = realm.configuration
            try onNewThread {
                let list = try #require(Realm(configuration: configuration).resolve(reference))
                #expect(list[0].object(DynamicObject.self)?["name"] as? String == "thing")
            }
            #expect(
                holder.list[0].object(Thing.self)?.name == "thing",
                "the class's own objects stay what they are")
        }
    }

    /// A dynamic object can be assigned as any value, and is the object of its row.
    @Test func assigningDynamicObjects() throws {
        try withTemporaryRealm(AnyValueModels.all) { realm in
            let holder = try realm.makeHolder()
            try realm.write {
                let thing = realm.dynamicCreate("AnyValueModels_Thing", value: ["name": "thing"])
                holder.value = .object(thing)
                holder.list.append(.fromArray([.object(thing)]))
                holder.set.insert(.object(thing))
                let dynamic = realm.dynamicObjects("AnyValueModels_Holder")[0]
                dynamic["other"] = thing
                #expect(
                    holder.set.contains(.object(thing))
                        && holder.list.index(of: .fromArray([.object(thing)])) == 0)
                let copy = realm.create(
                    Holder.self, value: ["id": 1, "value": thing] as [String: Any])
                #expect(
                    copy.value.object(Thing.self)?.name == "thing"
                        && realm.objects(Thing.self).count == 1)
            }
            #expect(
                holder.value.object(Thing.self)?.name == "thing"
                    && holder.other.object(Thing.self)?.name == "thing")
            let source = realm.dynamicObjects("AnyValueModels_Holder")[0]
            try withTemporaryRealm(AnyValueModels.all) { other in
                let copy = try other.write { other.create(Holder.self, value: source) }
                #expect(
                    copy.value.object(Thing.self)?.name == "thing"
                        && copy.list[0].listValue?[0].object(Thing.self)?.realm == other)
                #expect(other.objects(Thing.self).count == 1)
            }
        }
    }
}
