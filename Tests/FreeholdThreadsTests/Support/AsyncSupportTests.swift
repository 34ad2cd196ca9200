import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct AsyncSupportTests {
    /// As many as the machine has processors, twice: the pool of tasks and that of Dispatch
    /// have no more threads.
    @Test func whatSpinsOnAThreadOfItsOwnKeepsNoTaskWaiting() async throws {
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        let spinning = Locker(0)
        let hasRun = Locker(false)
        let allSawIt = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await awaitThread {
                        spinning.update { $0 += 1 }
                        let end = ContinuousClock.now + .seconds(600)
                        while !hasRun.value, .now < end { sched_yield() }
                        return hasRun.value
                    }
                }
            }
            group.addTask {
                while spinning.value < count { await Task.yield() }
                hasRun.value = true
                return true
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(allSawIt)
    }
}
