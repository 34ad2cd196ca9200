import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Functions that are kept behind a lock and called again and again. Where the compiler wraps
/// them anew each time, a call takes more and more stack, and in the end more than there is:
/// here 256 KiB.
@Suite struct StoredFunctionTests {
    private static let calls = 20_000

    @Test func theReaderOfEventsIsCalledAnyNumberOfTimes() async {
        await #expect(processExitsWith: .success) {
            let count = Locked(0)
            EventLog.install(upTo: { _ in EventLog.Level.error.rawValue }) { _, _, _ in
                count.withLock { $0 += 1 }
            }
            try StoredFunctionTests.onSmallStack { EventLog.say(.error, "once more") }
            try #require(count.withLock { $0 } == StoredFunctionTests.calls)
        }
    }

    @Test func theListenerOfCommitsIsCalledAnyNumberOfTimes() async {
        await #expect(processExitsWith: .success) {
            let listener = CommitListener()
            let count = Locked(0)
            listener.set { count.withLock { $0 += 1 } }
            try StoredFunctionTests.onSmallStack { listener.call() }
            try #require(count.withLock { $0 } == StoredFunctionTests.calls)
        }
    }

    private static func onSmallStack(_ call: @escaping @Sendable () -> Void) throws {
        try startThread(stackSize: 256 << 10) { for _ in 0..<calls { call() } }.join()
    }
}
