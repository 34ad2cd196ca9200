import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

final class SailorProjection: Projection<Dynamic.Sailor> {
    @Projected(\Dynamic.Sailor.name) var firstName
    @Projected(\Dynamic.Sailor.age) var age
    @Projected(\Dynamic.Sailor.nick) var nick
    @Projected(\Dynamic.Sailor.ship?.harbour?.code) var harbour
    @Projected(\Dynamic.Sailor.ship) var vessel
    @Projected(\Dynamic.Sailor.friends.projectTo.name) var friendNames: ProjectedCollection<String>
    @Projected(\Dynamic.Sailor.rivals.projectTo.nick) var rivalNicks: ProjectedCollection<String?>
    var title: String { "\(firstName) of \(harbour ?? "nowhere")" }
}

/// Of an embedded object.
final class AddressProjection: Projection<Relationships.Address> {
    @Projected(\Relationships.Address.city) var town
    @Projected(\Relationships.Address.room?.number) var roomNumber
}

private final class WrongProjection: Projection<Dynamic.Sailor> {
    @Projected(\Dynamic.Sailor.visits) var visits
}

@Suite struct ProjectionTests {
    @Test func readsAndWritesThrough() throws {
        try withSailors { realm, first in
            let projection = SailorProjection(projecting: first)
            #expect(
                projection.firstName == "Ada" && projection.age == 10 && projection.nick == nil
                    && projection.vessel?.name == "Argo")
            #expect(
                projection.title == "Ada of XA" && projection.rootObject === first
                    && projection.realm == realm)
            #expect(
                Array(projection.friendNames) == ["sailor 2", "sailor 3"]
                    && Array(projection.rivalNicks) == [nil])
            try realm.write {
                projection.firstName = "Bo"
                projection.nick = "B"
                projection.vessel = nil
                projection.friendNames[1] = "renamed"
                projection.rivalNicks[0] = "foe"
            }
            #expect(
                first.name == "Bo" && first.nick == "B" && first.ship == nil
                    && projection.title == "Bo of nowhere")
            #expect(first.friends[1].name == "renamed" && first.friends[1].nick == "foe")
            #expect(
                projection.friendNames.index(of: "renamed") == 1
                    && projection.friendNames.count == 2)
        }
    }

    @Test func ofUnmanagedObjects() {
        let sailor = Dynamic.Sailor(
            value: ["name": "Ada", "friends": [["name": "Bo"]]] as [String: Any])
        let projection = SailorProjection(projecting: sailor)
        projection.firstName = "Cy"
        projection.friendNames[0] = "Di"
        #expect(
            sailor.name == "Cy" && sailor.friends[0].name == "Di" && projection.realm == nil
                && projection.title == "Cy of nowhere")
    }

    @Test func results() throws {
        try withSailors { realm, first in
            let all = realm.objects(SailorProjection.self)
            #expect(
                all.count == 3 && all.map(\.firstName) == ["Ada", "sailor 2", "sailor 3"]
                    && all.last?.age == 30)
            #expect(
                all.where { $0.firstName == "Ada" && $0.age < 20 }.map(\.title) == ["Ada of XA"])
            #expect(all.where { $0.harbour == "XA" }.count == 1)
            #expect(all.sorted(byKeyPath: "age", ascending: false).map(\.age) == [30, 20, 10])
            #expect(
                all.sum(ofProperty: "age") == 60
                    && all.value(forKeyPath: "@unionOfObjects.ship.name") as? [String?] == [
                        "Argo", nil, nil,
                    ])
            #expect(all.index(of: SailorProjection(projecting: first.friends[0])) == 1)
            #expect(all.first == SailorProjection(projecting: first) && Set(all).count == 3)
            var kept: [SailorProjection] = []
            for sailor in all { kept.append(sailor) }
            #expect(kept.map(\.age) == [10, 20, 30])
        }
    }

    /// Projections are sorted by the names that they give their properties.
    @Test func sortedByProjectedProperties() throws {
        try withSailors { realm, first in
            try realm.write {
                first.friends[0].ship = realm.create(
                    Dynamic.Ship.self,
                    value: ["name": "Zeta", "harbour": ["code": "ZZ"]] as [String: Any])
            }
            let all = realm.objects(SailorProjection.self)
            #expect(
                all.sorted(by: \.firstName, ascending: false).map(\.firstName) == [
                    "sailor 3", "sailor 2", "Ada",
                ])
            #expect(
                all.sorted(by: \.harbour).map(\.harbour) == ["XA", "ZZ", nil],
                "Nil links come last.")
            #expect(
                all.sorted(by: [
                    SortDescriptor(keyPath: \SailorProjection.nick),
                    SortDescriptor(keyPath: \SailorProjection.age, ascending: false),
                ]).map(\.age) == [30, 20, 10])
            #expect(
                SortDescriptor(keyPath: \SailorProjection.harbour).keyPath == "ship.harbour.code")
            #expect(
                all.where { $0.age > 10 }.sorted(by: \.age, ascending: false).freeze().map(\.age)
                    == [30, 20])
        }
    }

    @Test func ofEmbeddedObjects() throws {
        try withTemporaryRealm(Relationships.embedded) { realm in
            let person = Relationships.Person(
                id: 1,
                home: Relationships.Address(city: "Rome", room: Relationships.Room(number: 3)))
            let unmanaged = try AddressProjection(projecting: #require(person.home))
            unmanaged.town = "Oslo"
            #expect(
                person.home?.city == "Oslo" && unmanaged.roomNumber == 3 && unmanaged.realm == nil)
            try realm.write { realm.add(person) }
            let projection = try AddressProjection(projecting: #require(person.home))
            let frozen = projection.freeze()
            try realm.write { projection.town = "Bonn" }
            #expect(
                person.home?.city == "Bonn" && frozen.town == "Oslo"
                    && frozen.thaw()?.town == "Bonn" && projection.realm == realm)
            let reference = ThreadSafeReference(to: projection), configuration = realm.configuration
            #expect(
                try onNewThread { try Realm(configuration: configuration).resolve(reference)?.town }
                    == "Bonn")
            try realm.write { person.home = nil }
            #expect(projection.isInvalidated && frozen.thaw() == nil)
        }
    }

    @Test func freezingAndCrossing() throws {
        try withSailors { realm, first in
            let projection = SailorProjection(projecting: first)
            let frozen = projection.freeze(),
                results = realm.objects(SailorProjection.self).freeze(),
                names = projection.friendNames.freeze()
            let reference = ThreadSafeReference(to: projection)
            try realm.write {
                first.name = "changed"
                first.friends[0].name = "also"
            }
            #expect(
                frozen.isFrozen && frozen.firstName == "Ada" && results[0].firstName == "Ada"
                    && names.isFrozen && names[0] == "sailor 2")
            #expect(frozen.freeze() === frozen && frozen.friendNames[0] == "sailor 2")
            #expect(frozen.thaw()?.firstName == "changed" && names.thaw()?[0] == "also")
            let configuration = realm.configuration
            let firstNames = try onNewThread { () -> [String?] in
                let own = try Realm(configuration: configuration)
                let found = own.resolve(reference)
                let before = found?.firstName
                own.refresh()
                return [before, found?.firstName]
            }
            #expect(firstNames == ["Ada", "changed"])
            try realm.write { realm.delete(first) }
            #expect(projection.isInvalidated && frozen.thaw() == nil && names.thaw() == nil)
        }
    }
}

@Suite struct ProjectionTrapTests {
    @Test func declarations() async {
        let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = WrongProjection(projecting: Dynamic.Sailor())
        }
        expectMessage(wrong, "@Projected property 'visits' must be a part of Realm object")
    }

    @Test func misuse() async {
        let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { _, first in SailorProjection(projecting: first).firstName = "Bo" }
        }
        expectMessage(
            outside, "Attempting to modify object outside of a write transaction",
            "Writing 'Dynamic_Sailor.name'")
        let readOnly = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withSailors { realm, first in
                try realm.write { SailorProjection(projecting: first).harbour = "XB" }
            }
        }
        expectMessage(readOnly, "KeyPath is not writable")
        let query = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { realm, _ in
                _ = realm.objects(SailorProjection.self).where { $0.title == "a" }
            }
        }
        expectMessage(
            query, "Key path '\\SailorProjection.", "' does not lead to a persisted property",
            "can be queried")
        let computed = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withSailors { realm, _ in
                _ = realm.objects(SailorProjection.self).sorted(by: \.title)
            }
        }
        expectMessage(
            computed, "Key path '\\SailorProjection.", "' does not lead to a persisted property",
            "can be sorted by")
        let sections = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withSailors { realm, _ in
                _ = realm.objects(SailorProjection.self).sectioned(by: \.title)
            }
        }
        expectMessage(
            sections, "Key path '\\SailorProjection.", "' does not lead to a persisted property",
            "pass a function for what is computed")
        let thread = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { _, first in
                let smuggled = Smuggled(value: SailorProjection(projecting: first))
                try onNewThread { _ = smuggled.value.firstName }
            }
        }
        expectMessage(
            thread, "Realm accessed from incorrect thread.", "Reading 'Dynamic_Sailor.name'")
    }
}
