import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct ObjectKeyIdentifiableTests {
    final class Plain: Object, ObjectKeyIdentifiable {
        @Persisted var name = ""
    }

    final class Named: Object, ObjectKeyIdentifiable {
        @Persisted(primaryKey: true) var id = ""
    }

    @Test func accessorsOfOneObjectAreTheSame() throws {
        try withTemporaryRealm([Plain.self, Named.self]) { realm in
            let (first, second) = (Plain(), Plain())
            #expect(first.id != second.id)
            try realm.write { realm.add([first, second]) }
            let found = Array(realm.objects(Plain.self))
            #expect(found.map(\.id) == [first.id, second.id])
            #expect(first.id != second.id)
            #expect(first.freeze().id == first.id)
            func identity<T: Identifiable>(_ value: T) -> T.ID { value.id }
            #expect(identity(first) == first.id)
        }
    }

    @Test func aPropertyOfTheClassComesFirst() {
        let named = Named(value: ["id": "a"])
        func identity<T: Identifiable>(_ value: T) -> T.ID { value.id }
        #expect(identity(named) == "a")
    }
}
