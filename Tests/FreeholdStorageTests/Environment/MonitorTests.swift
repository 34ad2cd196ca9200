import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Synchronization
import Testing

@Suite("Monitors", .timeLimit(.minutes(1)))
struct MonitorTests {
    /// What the kernel says of the system call that a thread of this process is in: its number and arguments.
    private static func systemCall(of thread: Int) -> [UInt]? {
        let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/syscall", encoding: .utf8)
        return text?.split(separator: " ").compactMap {
            $0.hasPrefix("0x") ? UInt($0.dropFirst(2), radix: 16) : UInt($0)
        }
    }

    /// Of linux/futex.h: an operation with a time at which it ends, and what makes that one of the wall clock.
    private static let waitByMask: UInt = 9
    private static let byWallClock: UInt = 256

    private static var currentThread: Int { Int(syscall(Int(SYS_gettid))) }

    /// The numbers of system calls are the processor's; an emulated program sees those of its host.
    private static var seesSystemCalls: Bool {
        #if arch(x86_64)
            systemCall(of: currentThread) != nil
        #else
            false
        #endif
    }

    private final class Wait: Sendable {
        let monitor = Monitor()
        let thread = Atomic(0)
        let isWoken = Atomic(false)
    }

    /// A clock that is set back would prolong a wait by the wall clock, and no test may set the clock.
    @Test(.enabled(if: seesSystemCalls), arguments: [true, false])
    func waitsGoByTheMonotonicClock(isUntil: Bool) throws {
        let wait = Wait()
        let waiter: @Sendable () -> UInt = {
            wait.monitor.lock()
            wait.thread.store(Self.currentThread, ordering: .releasing)
            while !wait.isWoken.load(ordering: .relaxed) {
                if isUntil {
                    _ = wait.monitor.wait(until: .now + .seconds(600))
                } else {
                    wait.monitor.wait(for: .seconds(600))
                }
            }
            wait.monitor.unlock()
            return 0
        }
        let onlooker: @Sendable () -> UInt = {
            var operation: UInt?
            while operation == nil {
                sched_yield()
                let thread = wait.thread.load(ordering: .acquiring)
                // Whoever has the lock now knows that the waiter, which had it, waits.
                if thread == 0 || !wait.monitor.tryLock() { continue }
                let call = Self.systemCall(of: thread) ?? []
                wait.monitor.unlock()
                // It may still be giving the lock up.
                if call.count > 2, call[0] == UInt(SYS_futex), call[2] & 127 == Self.waitByMask { operation = call[2] }
            }
            wait.isWoken.store(true, ordering: .relaxed)
            wait.monitor.withLock { wait.monitor.wakeAll() }
            return operation ?? 0
        }
        let operation = try runThreads([waiter, onlooker])[1]
        #expect(operation & Self.byWallClock == 0)
    }
}
