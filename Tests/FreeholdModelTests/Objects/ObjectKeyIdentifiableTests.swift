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

    final class Names: Projection<Plain>, ObjectKeyIdentifiable {
        @Projected(\Plain.name) var name
    }

    @Test func projectionsAreTheirObjects() throws {
        try withTemporaryRealm([Plain.self]) { realm in
            try realm.write { realm.add([Plain(), Plain()]) }
            let (objects, names) = (realm.objects(Plain.self), realm.objects(Names.self))
            #expect(names.map(\.id) == objects.map(\.id))
            #expect(names[0].id == Names(projecting: objects[0]).id && names[0].id != names[1].id)
            #expect(names[0].freeze().id == names[0].id)
            let before = names[0].id
            try realm.write { names[0].name = "new" }
            #expect(names[0].id == before)
            func identity<T: Identifiable>(_ value: T) -> T.ID { value.id }
            #expect(identity(names[1]) == objects[1].id)
        }
    }

    @Test func aPropertyOfTheClassComesFirst() {
        let named = Named(value: ["id": "a"])
        func identity<T: Identifiable>(_ value: T) -> T.ID { value.id }
        #expect(identity(named) == "a")
    }
}
