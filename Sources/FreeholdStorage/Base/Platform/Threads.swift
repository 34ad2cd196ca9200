internal import CLMDB
public import CThread
internal import Glibc

/// Identifies the current thread. One load from the thread's control block.
///
/// The system may reuse the value after the thread has ended.
@inlinable @inline(__always)
package func currentThreadToken() -> UInt { UInt(freehold_thread_pointer()) }

/// A pthread. The system reuses the identifier once the thread has ended and was joined.
package struct ThreadHandle: Sendable {
    private let thread: pthread_t

    static var current: ThreadHandle { ThreadHandle(thread: pthread_self()) }

    /// The current thread's identifier as a number, as LMDB writes it into its lock file.
    static var currentIdentifier: UInt { UInt(pthread_self()) }

    var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Starts a thread with all signals blocked.
    ///
    /// - Parameter body: Receives `context`. Not a closure, because Swift 6.3's compiler crashes on
    ///   one.
    static func start(
        _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
        _ context: UnsafeMutableRawPointer
    ) -> Result<ThreadHandle, ErrorNumber> {
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        // A new thread inherits its creator's signal mask.
        pthread_sigmask(SIG_SETMASK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var thread = pthread_t()
        if let error = ErrorNumber(returned: pthread_create(&thread, nil, body, context)) {
            return .failure(error)
        }
        return .success(ThreadHandle(thread: thread))
    }

    func join() { pthread_join(thread, nil) }

    func detach() { pthread_detach(thread) }

    /// Gives the calling thread a tenth of a busy processor's time. A lower priority would be
    /// dangerous if others come to wait for the thread, because it cannot be raised again.
    static func lowerPriority() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }

    /// Sets whether the calling thread reads and writes the medium only while no other thread
    /// does. Some I/O schedulers ignore it.
    static func useMedium(onlyWhenIdle isIdle: Bool) { freehold_use_idle_medium(isIdle) }

    static func sleep(microseconds: UInt32) { usleep(microseconds) }

    /// Yields the processor to another thread.
    package static func yield() { sched_yield() }
}

/// A pthread mutex, for use with ``SystemCondition``. Its address never changes; the owner frees
/// it.
struct SystemMutex {
    fileprivate let unsafeStart = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { reinitialize() }

    /// Resets the mutex to unlocked, whatever its state.
    func reinitialize() {
        unsafeStart.initialize(to: pthread_mutex_t())
        pthread_mutex_init(unsafeStart, nil)
    }

    func deallocate() {
        pthread_mutex_destroy(unsafeStart)
        unsafeStart.deallocate()
    }

    func lock() { pthread_mutex_lock(unsafeStart) }

    func tryLock() -> Bool { pthread_mutex_trylock(unsafeStart) == 0 }

    func unlock() { pthread_mutex_unlock(unsafeStart) }
}

/// A pthread condition variable. Its address never changes; the owner frees it.
struct SystemCondition {
    private let unsafeStart = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() { reinitialize() }

    func reinitialize() {
        unsafeStart.initialize(to: pthread_cond_t())
        // Setting the wall clock must neither prolong nor shorten waits.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(unsafeStart, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    func deallocate() {
        pthread_cond_destroy(unsafeStart)
        unsafeStart.deallocate()
    }

    func wait(_ mutex: SystemMutex) { pthread_cond_wait(unsafeStart, mutex.unsafeStart) }

    /// Returns false if the time passed first.
    func wait(_ mutex: SystemMutex, for duration: Duration) -> Bool {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = min(duration, .seconds(1_000_000_000)).components
        time.tv_sec += Int(seconds)
        time.tv_nsec += Int(attoseconds / 1_000_000_000)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return pthread_cond_timedwait(unsafeStart, mutex.unsafeStart, &time) == 0
    }

    func wakeOne() { pthread_cond_signal(unsafeStart) }

    func wakeAll() { pthread_cond_broadcast(unsafeStart) }
}

/// A thread-local pointer, initially nil.
@usableFromInline
package struct ThreadSlot: Sendable {
    @usableFromInline let key: UInt32

    /// - Parameter destructor: Called with the thread's pointer when the thread ends, after the
    ///   slot was cleared. Called again if it sets the slot.
    package init(_ destructor: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil) {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, destructor)
        precondition(
            status == 0,
            "The process has no thread-specific slot left (pthread_key_create: \(status)).")
        self.key = key
    }

    /// The calling thread's pointer.
    @inlinable package var value: UnsafeMutableRawPointer? {
        @inline(__always) get { freehold_thread_slot(key) }
    }

    /// Sets the calling thread's pointer.
    package func set(_ value: UnsafeMutableRawPointer?) { pthread_setspecific(key, value) }
}

extension ThreadHandle {
    /// Runs a body on the calling thread, which no signal handler interrupts and no
    /// `pthread_cancel` ends meanwhile. Both happen afterwards. About a microsecond.
    ///
    /// A thread must not leave a body that holds a lock of LMDB's: a handler may jump out of
    /// it, and a cancelled thread ends in the next system call.
    static func uninterrupted<Value>(_ body: () throws -> Value) rethrows -> Value {
        var before = freehold_hold_interruptions()
        defer { freehold_allow_interruptions(&before) }
        return try body()
    }
}

/// The calling thread's stack.
package enum ThreadStack {
    /// The lowest address of the stack, which grows downwards. 0 if unknown.
    package static var end: UInt { known.lowerBound }

    /// The number of bytes left. 0 if unknown, and on a stack that is not the thread's own, as
    /// of a coroutine.
    static var room: Int {
        let (stack, here) = (known, UInt(freehold_stack_address()))
        return stack.contains(here) ? Int(here - stack.lowerBound) : 0
    }

    /// The addresses of the stack; empty if unknown. The system is asked once for each thread:
    /// for the first thread of a process it reads a file.
    private static var known: Range<UInt> {
        if let known = slot.value { return known.load(as: Range<UInt>.self) }
        let found = UnsafeMutablePointer<Range<UInt>>.allocate(capacity: 1)
        found.initialize(to: read())
        slot.set(found)
        return found.pointee
    }

    private static let slot = ThreadSlot { $0?.deallocate() }

    private static func read() -> Range<UInt> {
        // Larger than a pthread_attr_t on any system.
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { memory in
            guard let attributes = memory.baseAddress,
                readAttributes(pthread_self(), attributes) == 0
            else { return 0..<0 }
            defer { _ = destroyAttributes(attributes) }
            var (start, size): (UInt, Int) = (0, 0)
            guard readStack(attributes, &start, &size) == 0 else { return 0..<0 }
            return start..<start + UInt(size)
        }
    }
}

// Declared without `pthread_attr_t`: our C module defines it, too, and Swift imports only one of
// the definitions.

@_silgen_name("pthread_getattr_np")
private func readAttributes(_ thread: pthread_t, _ attributes: UnsafeMutableRawPointer) -> Int32

@_silgen_name("pthread_attr_getstack")
private func readStack(
    _ attributes: UnsafeMutableRawPointer, _ start: UnsafeMutablePointer<UInt>,
    _ size: UnsafeMutablePointer<Int>
) -> Int32

@_silgen_name("pthread_attr_destroy")
private func destroyAttributes(_ attributes: UnsafeMutableRawPointer) -> Int32
