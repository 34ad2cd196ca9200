import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Observation
import Testing

/// Properties that must not be tracked.
@Suite struct ObservationTrackingTrapTests {
    @Test func wrongThreads() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory(TrackedModels.all).realm
            let smuggled = Smuggled(
                value: try realm.write { realm.create(TrackedModels.Dog.self, value: ["id": 1]) })
            try onNewThread { _ = smuggled.value.name }
        }
        expectMessage(
            result, "Realm accessed from incorrect thread.", "Reading 'TrackedModels_Dog.name'")
    }

    @Test func deletedObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory(TrackedModels.all).realm
            let dog = try realm.write { realm.create(TrackedModels.Dog.self, value: ["id": 1]) }
            try realm.write { realm.delete(dog) }
            withObservationTracking {
                _ = dog.name
            } onChange: {
            }
        }
        expectMessage(result, "Object has been deleted or invalidated.")
    }

    @Test func writesOutsideOfTransactions() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let realm = try Observatory(TrackedModels.all).realm
            let dog = try realm.write { realm.create(TrackedModels.Dog.self, value: ["id": 1]) }
            dog.name = "Rex"
        }
        expectMessage(
            result, "Attempting to modify object outside of a write transaction",
            "Writing 'TrackedModels_Dog.name'")
    }
}
