import Freehold
import FreeholdRealmTestSupport
import Testing

/// A property always gives the same collection object, as in Realm.
@Suite struct CollectionIdentityTests {
    final class Holder: Object {
        @Persisted var id = 0
        @Persisted var list: List<Int>
        @Persisted var set: MutableSet<Int>
        @Persisted var map: Map<String, Int>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func expectSame(_ holder: Holder) {
        #expect(
            holder.list === holder.list && holder.set === holder.set && holder.map === holder.map)
        #expect(holder["list"] as? List<Int> === holder.list)
    }

    @Test func theSameEachTime() throws {
        try withTemporaryRealm([Holder.self]) { realm in
            let holder = Holder()
            let (list, set, map) = (holder.list, holder.set, holder.map)
            expectSame(holder)
            try realm.write { realm.add(holder) }
            #expect(
                holder.list === list && holder.set === set && holder.map === map,
                "What is kept from before is the realm's.")
            try realm.write {
                list.append(1)
                holder.map = Map()
                holder.list = holder.list
            }
            expectSame(holder)
            #expect(Array(holder.list) == [1] && holder.list === list)
            let found = realm.objects(Holder.self)[0]
            expectSame(found)
            #expect(found.list == list && found.list !== list, "Two objects have two.")
            try realm.write { found.list.append(2) }
            #expect(Array(list) == [1, 2])
            #expect(Array(holder.freeze().list) == [1, 2])
        }
    }

    /// The loop reuses one object for all rows unless the program keeps it; its
    /// collections must not stay.
    @Test func loopsOverObjects() throws {
        try withTemporaryRealm([Holder.self]) { realm in
            try realm.write {
                for id in 0..<600 {
                    realm.create(Holder.self, value: ["id": id, "list": [id]] as [String: Any])
                }
            }
            var lists: [List<Int>] = []
            for holder in realm.objects(Holder.self) {
                #expect(holder.list.count == 1 && holder.list[0] == holder.id)
                if holder.id % 3 == 0 { lists.append(holder.list) }
            }
            #expect(lists.map { $0[0] } == Array(stride(from: 0, to: 600, by: 3)))
            let kept = Array(realm.objects(Holder.self).map(\.list))
            #expect(kept.map { $0[0] } == Array(0..<600))
        }
    }

    @Test func afterTheObjectIsGone() throws {
        try withTemporaryRealm([Holder.self]) { realm in
            let holder = try realm.write {
                realm.create(Holder.self, value: ["list": [1]] as [String: Any])
            }
            let list = holder.list
            try realm.write { realm.delete(holder) }
            #expect(list.isInvalidated && holder.list === list)
            let added = Holder()
            realm.beginWrite()
            realm.add(added)
            let addedList = added.list
            realm.cancelWrite()
            #expect(added.isInvalidated && addedList.isInvalidated)
        }
    }

    @Test func aDeletedObjectsCollectionIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm([Holder.self]) { realm in
                try realm.write { realm.add(Holder()) }
                let holder = realm.objects(Holder.self)[0]
                try realm.write { realm.delete(holder) }
                _ = holder.list
            }
        }
        expectMessage(result, "Object has been deleted or invalidated.")
    }
}
