import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Freezing one version more than once, and using what was frozen on many threads at first.
@Suite struct FrozenAgainTests {
    private func frozenLines(_ realm: Realm) throws -> [UInt?] {
        try realm.versionReport().pins.filter { $0.holder == .frozen }.map { $0.place?.line }
    }

    @Test func aVersionIsFrozenOnce() throws {
        try withTemporaryRealm { realm in
            try realm.write { realm.add(Fixture.Person(id: 1, name: "a")) }
            let first = realm.freeze()
            #expect(realm.freeze() == first)
            try realm.write { realm.add(Fixture.Person(id: 2, name: "b")) }
            let second = realm.freeze()
            #expect(second != first && realm.freeze() == second)
            #expect(first.objects(Fixture.Person.self).count == 1)
            #expect(second.objects(Fixture.Person.self).count == 2)
        }
    }

    /// The live realm keeps the frozen one for the next freeze, which is no holder to report.
    @Test func reportsNameWhatTheProgramHolds() throws {
        try withTemporaryRealm { realm in
            try realm.write { realm.add(Fixture.Person(id: 1, name: "a")) }
            var frozen: Realm? = realm.freeze()
            let line = UInt(#line - 1)
            #expect(try frozenLines(realm) == [line])
            withExtendedLifetime(frozen) {}
            frozen = nil
            #expect(try frozenLines(realm).isEmpty)
            let object = realm.objects(Fixture.Person.self)[0].freeze()
            let other = UInt(#line - 1)
            #expect(try frozenLines(realm) == [other])
            #expect(object.name == "a")
        }
    }

    /// What the live realm keeps for the next freeze must not keep the version.
    @Test func anOldVersionIsLetGo() throws {
        try withTemporaryRealm { realm in
            try realm.write { realm.add(Fixture.Person(id: 1, name: "a")) }
            _ = realm.freeze()
            try realm.write { realm.add(Fixture.Person(id: 2, name: "b")) }
            let report = try realm.versionReport()
            #expect(Set(report.pins.map(\.version)).count == 1, "\(report)")
            _ = realm.freeze()
            realm.invalidate()
            #expect(try realm.versionReport().pins.isEmpty)
        }
    }

    /// Each class is bound when a thread first asks for it.
    @Test func manyThreadsAskForClassesFirst() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                for id in 1...20 { realm.add(Fixture.Person(id: id, name: "\(id)")) }
            }
            for round in 1...20 {
                try realm.write { realm.objects(Fixture.Person.self)[0].name = "\(round)" }
                // Any thread may use a frozen realm, which the compiler does not know.
                nonisolated(unsafe) let frozen = realm.freeze()
                let names = realm.schema.objectSchema.map(\.className)
                DispatchQueue.concurrentPerform(iterations: 8) { index in
                    for offset in names.indices {
                        let name = names[(offset + index) % names.count]
                        _ = frozen.dynamicObjects(name).count
                    }
                    let first = frozen.objects(Fixture.Person.self)[0]
                    let name = first.name
                    #expect(name == "\(round)")
                }
            }
        }
    }
}
