import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Which executor runs the caller.
@Suite struct CurrentExecutorTests {
    private actor Someone {
        var hasExecutor: Bool { hasCurrentExecutor }
    }

    @Test func actorsAreExecutorsAndThreadsAreNot() async {
        #expect(await Someone().hasExecutor)
        let isOnThread = await withCheckedContinuation { continuation in
            startThread { continuation.resume(returning: hasCurrentExecutor) }
        }
        #expect(!isOnThread)
    }
}
