import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Accesses from a wrong thread or queue by functions that cannot throw.
@Suite struct ConfinementTrapTests {
    @Test func readingAProperty() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let dog = Smuggled(value: try realm.write { realm.create(Fixture.Dog.self) })
                _ = try onNewThread { dog.value.name }
            }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.\n",
            "Reading 'Fixture_Dog.name' of the realm at '",
            "Opened: at FreeholdRealmTestSupport/TemporaryRealm.swift:",
            "Accessed: on thread ", "Remedy: ")
    }

    @Test func writingAProperty() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                realm.beginWrite()
                let dog = Smuggled(value: realm.create(Fixture.Dog.self))
                try onNewThread { dog.value.age = 5 }
            }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.\n", "Writing 'Fixture_Dog.age'")
    }

    @Test func usingARealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let smuggled = Smuggled(value: realm)
                try onNewThread { smuggled.value.beginWrite() }
            }
        }
        expectMessage(result, "Realm accessed from incorrect thread.\n", "What: Realm.beginWrite()")
    }

    @Test func usingAQueuesObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryDirectory { directory in
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all)
                let queue = DispatchQueue(label: "test.confined")
                let dog = try queue.sync {
                    let realm = try Realm(configuration: configuration, queue: queue)
                    return Smuggled(value: try realm.write { realm.create(Fixture.Dog.self) })
                }
                print(dog.value.name)
            }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.\n", "Reading 'Fixture_Dog.name'",
            "Opened: at FreeholdThreadsTests/ConfinementTrapTests.swift:",
            "on the queue 'test.confined'", "Run this code on the queue 'test.confined'")
    }
}
