import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// No version is read without a holder that the report names.
@Suite struct PinHolderTests {
    private typealias Person = Fixture.Person
    private typealias Holder = Realm.PinnedVersion.Holder

    /// A realm that is moved by its own calls, with two objects; and the line where it was opened.
    private func withHeld(_ body: (ReaderPins, ManualScheduler, UInt) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let scheduler = ManualScheduler()
            let configuration = Realm.Configuration(
                fileURL: directory.file(), objectTypes: Fixture.all)
            let line = UInt(#line) + 1
            let realm = try Realm(configuration: configuration, scheduler: scheduler)
            try realm.write {
                let friend = Person(id: 2)
                realm.add(Person(value: ["id": 1, "friend": friend]))
            }
            try body(ReaderPins(realm: realm), scheduler, line)
        }
    }

    private func deliver(_ held: ReaderPins, _ scheduler: ManualScheduler) {
        repeat {
            held.realm.waitForNotifier()
            scheduler.runAll()
            held.realm.waitForNotifier()
        } while scheduler.workCount > 0
    }

    @Test func everyKindInAVersionOfItsOwn() throws {
        try withHeld { held, scheduler, line in
            let realm = held.realm
            let people = realm.objects(Person.self)
            var kept: [(holder: Holder, line: UInt, version: UInt64, value: Any)] = []
            /// Keeps something at a version at which nothing else is, and moves on.
            func keep(_ holder: Holder, _ line: UInt, _ value: Any) throws {
                kept.append((holder, line, try #require(realm.readVersions.last), value))
                try held.commit(1)
                realm.refresh()
                try held.expectAllNamed("\(holder)")
            }
            try keep(.frozen, #line, people.freeze())
            try keep(.reference, #line, ThreadSafeReference(to: people))
            func begun() -> RLMIterator<Person> {
                var iterator = people.makeIterator()
                _ = iterator.next()
                return iterator
            }
            try keep(.iterator, line, begun())
            try keep(.listController, #line, ListController(people))
            try keep(.listController, #line, SectionedListController(people.sectioned(by: \.age)))
            let token = people.observe { _ in }
            deliver(held, scheduler)
            token.setPaused(true)
            try keep(.observer, line, token)
            // Changes that wait for the scheduler, ahead of the realm.
            let other = people.observe { _ in }
            deliver(held, scheduler)
            try held.commit(1)
            let ahead = try #require(realm.readVersions.last)
            try held.commit(3)
            try held.expectAllNamed("changes that wait")
            kept.append((.delivery, line, ahead, other))
            let report = try realm.versionReport()
            for (holder, line, version, _) in kept {
                let pin = report.pins.first { $0.holder == holder && $0.version == version }
                #expect(pin?.place?.line == line, "\(holder) at \(version): \(report)")
                #expect(
                    pin?.place?.file == #fileID && pin?.age != nil,
                    "\(holder) at \(version): \(report)")
            }
            #expect(
                "\(report)".contains(
                    "is read by changes that wait for their realm's thread, queue or actor"))
            let expected = Set(kept.map(\.version)).union(
                report.pins.filter { $0.holder == .realm || $0.holder == .observer }.map(\.version))
            #expect(Set(realm.readVersions) == expected, "\(report)")
            realm.refresh()
            #expect(try !realm.versionReport().pins.contains { $0.holder == .delivery })
            kept = []
            token.invalidate()
            try held.expectOnlyNewest("everything released")
            withExtendedLifetime(other) {}
        }
    }

    /// An offered grant pins nothing; the block that runs with it does.
    @Test func aWriteInFlight() throws {
        try withHeld { held, scheduler, line in
            var report: Realm.VersionReport?
            held.realm.writeAsync {
                report = try? held.realm.versionReport()
                held.realm.add(Person(id: 10))
            }
            #expect(scheduler.waitForWork())
            #expect(try !held.realm.versionReport().pins.contains { $0.holder == .write })
            deliver(held, scheduler)
            let pin = report?.pins.first { $0.holder == .write }
            #expect(pin?.place?.line == line)
            #expect(pin != nil && pin?.version == report?.newestVersion)
            // One that never runs.
            held.realm.writeAsync { held.realm.add(Person(id: 11)) }
            #expect(scheduler.waitForWork())
            held.realm.invalidate()
            try held.expectAllNamed("invalidated")
            deliver(held, scheduler)
            held.realm.refresh()
            #expect(try !held.realm.versionReport().pins.contains { $0.holder == .write })
        }
    }

    /// What a callback was told is frozen, and may be kept.
    @Test func valuesOfChanges() throws {
        try withHeld { held, scheduler, line in
            let realm = held.realm
            let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
            var kept: [Any] = []
            let token = person.observe(keyPaths: ["friend"]) { change in
                if case .change(_, let properties) = change {
                    kept += properties.compactMap(\.oldValue)
                }
            }
            deliver(held, scheduler)
            let configuration = realm.configuration
            try onNewThread {
                let other = try Realm(configuration: configuration)
                try other.write {
                    other.object(ofType: Person.self, forPrimaryKey: 1)?.friend = nil
                }
            }
            deliver(held, scheduler)
            #expect(kept.count == 1)
            try held.commit()
            realm.refresh()
            try held.expectAllNamed("kept")
            #expect(
                try realm.versionReport().pins.contains {
                    $0.holder == .delivery && $0.place?.line == line
                } || realm.readVersions.count == 1)
            kept = []
            realm.refresh()
            deliver(held, scheduler)
            try held.expectOnlyNewest("released")
            withExtendedLifetime(token) {}
        }
    }

    /// A frozen value at a version that the library itself has frozen to compare it.
    @Test func aFrozenValueBesideChanges() throws {
        try withHeld { held, scheduler, _ in
            let realm = held.realm
            let token = realm.objects(Person.self).observe { _ in }
            deliver(held, scheduler)
            try held.commit()
            let frozen = realm.objects(Person.self).freeze(); let line = UInt(#line)
            realm.refresh()
            #expect(
                try realm.versionReport().pins.filter { $0.holder == .frozen }.map(\.place?.line)
                    == [line])
            withExtendedLifetime((token, frozen)) {}
        }
    }
}
