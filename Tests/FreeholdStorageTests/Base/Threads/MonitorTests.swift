import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

@Suite("Monitors", .timeLimit(.minutes(10)))
struct MonitorTests {
    /// What the kernel says of the system call that a thread of this process is in: its number
    /// and arguments.
    ///
    /// - Parameter thread: Its path in `/proc`.
    private static func systemCall(of thread: String) -> [UInt]? {
        let text = try? String(contentsOfFile: "/proc/\(thread)/syscall", encoding: .utf8)
        return text?.split(separator: " ").compactMap {
            $0.hasPrefix("0x") ? UInt($0.dropFirst(2), radix: 16) : UInt($0)
        }
    }

    /// A system call of x86-64, and of linux/futex.h an operation with a time at which it ends,
    /// and what makes that one of the wall clock.
    private static let futex: UInt = 202
    private static let waitByMask: UInt = 9
    private static let byWallClock: UInt = 256

    private static var currentThread: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "none"
    }

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
        let thread = Shared<String?>(nil)
        let isWoken = Shared(false)
    }

    /// A clock that is set back would prolong a wait by the wall clock, and no test may set the
    /// clock.
    @Test(.enabled(if: seesSystemCalls), arguments: [true, false])
    func waitsGoByTheMonotonicClock(isUntil: Bool) throws {
        let wait = Wait()
        let waiter: @Sendable () -> UInt = {
            wait.monitor.lock()
            let thread = Self.currentThread
            wait.thread.change { $0 = thread }
            while !wait.isWoken.value {
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
                // The waiter had the lock, so if it is free, the waiter waits.
                guard let thread = wait.thread.value, wait.monitor.tryLock() else { continue }
                let call = Self.systemCall(of: thread) ?? []
                wait.monitor.unlock()
                // It may still be giving the lock up.
                if call.count > 2, call[0] == Self.futex, call[2] & 127 == Self.waitByMask {
                    operation = call[2]
                }
            }
            wait.isWoken.change { $0 = true }
            wait.monitor.withLock { wait.monitor.wakeAll() }
            return operation ?? 0
        }
        let operation = try runThreads([waiter, onlooker])[1]
        #expect(operation & Self.byWallClock == 0)
    }
}
