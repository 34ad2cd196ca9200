import Foundation
import FreeholdRealmTestSupport
import Testing

@testable import Freehold

@Suite struct ActorSchedulerTests {
    private actor Place {
        private(set) var numbers: [Int] = []

        func add(_ number: Int) { numbers.append(number) }
    }

    @Test func workRunsInTheOrderInWhichItCame() async {
        let place = Place()
        let scheduler = ActorScheduler(place)
        let count = 20_000
        await withCheckedContinuation { continuation in
            for number in 0 ..< count {
                scheduler.run {
                    place.assumeIsolated { $0.add(number) }
                    if number == count - 1 { continuation.resume() }
                }
            }
        }
        // Behind what was late.
        await withCheckedContinuation { continuation in scheduler.run { continuation.resume() } }
        #expect(await place.numbers == Array(0 ..< count))
    }
}
