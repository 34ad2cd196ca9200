import FreeholdStorage
import Glibc
import FreeholdTestSupport
import Testing

/// What a fork waits for.
@Suite struct ForkGuardTests {
    /// What the parent sees before the guard gives the locks back.
    private enum Look {
        static let monitor = Monitor()
        static let wasFree = Shared<Bool?>(nil)
    }

    /// A thread inside of a lock while the memory is copied would leave the child what is half
    /// done.
    @Test(
        .disabled(
            if: isThreadSanitized || EncryptedSuite.isOn,
            "needs to be the first that registers handlers"))
    func locksOfTheProcessAreHeldDuringAFork() async {
        await #expect(processExitsWith: .success) {
            // The parent's handlers run in the order in which they were registered: this one before
            // the guard's.
            pthread_atfork(
                nil,
                {
                    let isFree = Look.monitor.tryLock()
                    if isFree { Look.monitor.unlock() }
                    Look.wasFree.change { $0 = isFree }
                }, nil)
            ForkGuard.protect(Look.monitor)
            let fork = unsafeBitCast(
                try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 {
                // It owns the locks itself.
                let isFree = Look.monitor.tryLock()
                _exit(isFree ? 0 : 1)
            }
            var status: Int32 = -1
            try #require(waitpid(child, &status, 0) == child && status == 0)
            try #require(Look.wasFree.value == false)
            let isFree = Look.monitor.tryLock()
            try #require(isFree)
        }
    }
}
