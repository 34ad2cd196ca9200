import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Functions that are kept behind a lock and called again and again. Where the compiler wraps them anew each time, a call takes more and more stack, and in the end more than
/// there is.
@Suite struct StoredFunctionTests {
    @Test func theReaderOfEventsIsCalledAnyNumberOfTimes() async {
        await #expect(processExitsWith: .success) {
            let count = Locked(0)
            EventLog.install(upTo: EventLog.Level.error.rawValue) { _, _ in count.withLock { $0 += 1 } }
            for _ in 0..<400_000 { EventLog.say(.error, "once more") }
            try #require(count.withLock { $0 } == 400_000)
        }
    }

    @Test func theListenerOfCommitsIsCalledAnyNumberOfTimes() async {
        await #expect(processExitsWith: .success) {
            let listener = CommitListener()
            let count = Locked(0)
            listener.set { count.withLock { $0 += 1 } }
            for _ in 0..<400_000 { listener.call() }
            try #require(count.withLock { $0 } == 400_000)
        }
    }
}
