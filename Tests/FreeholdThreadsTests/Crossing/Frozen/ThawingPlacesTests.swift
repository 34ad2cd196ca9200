import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `freeze()` and `thaw()` of realms, objects and results wherever realms can be confined: each
/// thaws into the realm of its own place.
@Suite struct ThawingPlacesTests {
    typealias Person = Fixture.Person

    /// What a frozen version carries from place to place.
    private struct Parcel: @unchecked Sendable {
        // Sendable: frozen.
        let realm: Realm
        let person: Person
        let people: Results<Person>

        init(_ live: Realm) throws {
            realm = live.freeze()
            person = try #require(live.object(ofType: Person.self, forPrimaryKey: 1)).freeze()
            people = live.objects(Person.self).freeze()
            #expect(
                realm.isFrozen && person.isFrozen && people.isFrozen && person.realm == realm
                    && people.realm == realm)
            #expect(
                live.freeze(live.objects(Person.self)).isFrozen && live.freeze(person) === person)
        }

        /// Everything thaws into `own`, the caller's realm.
        func expectThawing(into own: Realm) throws {
            #expect(realm.thaw() == own)
            let live = try #require(person.thaw())
            #expect(live.realm == own && !live.isFrozen && live.thaw() === live)
            let all = try #require(people.thaw())
            #expect(all.realm == own && !all.isFrozen && all.thaw() == all)
            #expect(own.thaw(people)?.realm == own && own.thaw(person)?.realm == own)
            #expect(Frozen(person).thaw()?.realm == own && Frozen(people).thaw()?.realm == own)
            try own.write { live.age += 1 }
            #expect(all.first?.age == live.age && person.age == 0)
        }
    }

    private actor Keeper {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func parcel() throws -> Parcel { try Parcel(try #require(realm)) }

        func expectThawing(_ parcel: Parcel) throws {
            try parcel.expectThawing(into: try #require(realm))
        }

        /// Each `await` may go on on another thread.
        func expectThawingAfterWaiting(_ parcel: Parcel) async throws {
            for _ in 0..<20 {
                await Task.yield()
                try expectThawing(parcel)
            }
        }

        func rename(_ person: Frozen<Person>) throws {
            let live = try #require(person.thaw())
            try #require(realm).write { live.name = "Eve" }
        }

        func check() throws -> [String] { try #require(realm).check() }
    }

    private func withConfiguration(_ body: (Realm.Configuration) throws -> Void) throws {
        try withTemporaryRealm { realm in
            try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
            try body(realm.configuration)
        }
    }

    @Test func queues() throws {
        try withConfiguration { configuration in
            let queue = DispatchQueue(label: "test.thaw"),
                other = DispatchQueue(label: "test.thaw.other")
            let parcel = try queue.sync {
                let own = try Realm(configuration: configuration, queue: queue)
                let parcel = try Parcel(own)
                try parcel.expectThawing(into: own)
                return parcel
            }
            try other.sync {
                try parcel.expectThawing(
                    into: try Realm(configuration: configuration, queue: other))
            }
            try onNewThread {
                try parcel.expectThawing(into: try Realm(configuration: configuration))
            }
        }
    }

    @Test func schedulers() throws {
        try withConfiguration { configuration in
            let parcel = try onNewThread {
                let own = try Realm(configuration: configuration, scheduler: ManualScheduler())
                let parcel = try Parcel(own)
                try parcel.expectThawing(into: own)
                return parcel
            }
            // Another scheduler's realm on another thread, and that of a thread beside the main
            // one.
            try onNewThread {
                try parcel.expectThawing(
                    into: try Realm(configuration: configuration, scheduler: ManualScheduler()))
            }
            try parcel.expectThawing(into: try Realm(configuration: configuration))
        }
    }

    @MainActor @Test func theMainThread() throws {
        try withConfiguration { configuration in
            let own = try Realm(configuration: configuration)
            let parcel = try Parcel(own)
            try parcel.expectThawing(into: own)
            try onNewThread {
                try parcel.expectThawing(into: try Realm(configuration: configuration))
            }
        }
    }

    @Test func actors() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
        }
        let (one, two) = (Keeper(), Keeper())
        try await one.open(configuration)
        try await two.open(configuration)
        let parcel = try await one.parcel()
        try await one.expectThawing(parcel)
        try await two.expectThawing(parcel)
        try await two.expectThawingAfterWaiting(parcel)
        try await one.expectThawingAfterWaiting(parcel)
        try onNewThread { try parcel.expectThawing(into: try Realm(configuration: configuration)) }
        try await one.rename(Frozen(parcel.person))
        #expect(parcel.person.name == "Ada")
        #expect(
            try onNewThread {
                try Realm(configuration: configuration).object(
                    ofType: Person.self, forPrimaryKey: 1)?.name
            } == "Eve")
        #expect(try await one.check().isEmpty, "The file is kept at \(directory.url.path).")
        directory.delete()
    }

    /// Both see the newest version when they write, so no update is lost between them.
    @Test func twoActorsChangeOneFrozenObject() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { _ = realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
        }
        let keepers = (Keeper(), Keeper())
        try await keepers.0.open(configuration)
        try await keepers.1.open(configuration)
        let parcel = try await keepers.0.parcel()
        async let first: Void = keepers.0.expectThawingAfterWaiting(parcel)
        async let second: Void = keepers.1.expectThawingAfterWaiting(parcel)
        _ = try await (first, second)
        #expect(
            try onNewThread {
                try Realm(configuration: configuration).object(
                    ofType: Person.self, forPrimaryKey: 1)?.age
            } == 40)
        #expect(try await keepers.0.check().isEmpty, "The file is kept at \(directory.url.path).")
        directory.delete()
    }
}
