import Foundation
import Freehold
import Testing

@Suite struct QueryTrapTests {
    @Test func anObjectOfAnotherRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(1) { fixture in
                let stranger = ResultsOwner()
                _ = fixture.items.where { $0.owner == stranger }
            }
        }
        expectMessage(result, "Object must be from the Realm being queried")
    }

    @Test func aPropertyThatIsNotPersisted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withItems(0) { fixture in
                _ = fixture.realm.objects(ResultsStateful.self).where { $0.visits > 0 }
            }
        }
        expectMessage(result, "visits")
    }
}
