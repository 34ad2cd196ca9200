internal import CLMDB
internal import Glibc

/// This process, as the system knows it.
package enum SystemProcess {
    package static var identifier: Int32 { getpid() }

    package static var effectiveUser: UInt32 { geteuid() }

    /// Whether a process lives.
    static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

    /// On how many processors the process may run; 0 if the system does not say.
    static var processorCount: Int { Int(freehold_processor_count()) }

    /// The size of the system's pages of memory.
    package static var pageSize: Int { Int(getpagesize()) }

    /// The size that the process may give files; nil for any.
    static var fileSizeLimit: UInt? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0,
            limit.rlim_cur != rlim_t.max
        else { return nil }
        return limit.rlim_cur
    }

    /// The inode of one of the process's namespaces; 0 where the system does not tell.
    static func namespace(_ name: String) -> UInt64 {
        Files.identity(followingLinksOf: "/proc/self/ns/\(name)")?.inode ?? 0
    }

    /// Names the calling thread for debuggers and `ps -L`. The system keeps 15 bytes.
    static func nameThread(_ name: String) { pthread_setname_np(pthread_self(), name) }

    /// Calls a function when the process exits.
    static func atExit(_ body: @convention(c) () -> Void) { atexit(body) }

    /// Calls functions around each fork: before it, and after it in both processes. The only
    /// failure is a lack of memory for the registration.
    package static func atFork(
        before: (@convention(c) () -> Void)? = nil, inParent: (@convention(c) () -> Void)? = nil,
        inChild: @convention(c) () -> Void
    ) {
        _ = pthread_atfork(before, inParent, inChild)
    }

    /// Whether the standard error is a terminal.
    package static var hasTerminal: Bool { isatty(2) == 1 }
}

/// The time of day.
package enum WallClock {
    /// Since 1970.
    static var now: (seconds: Int64, nanoseconds: Int64) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return (Int64(now.tv_sec), Int64(now.tv_nsec))
    }

    /// Whole seconds since 1970.
    package static var seconds: Int { time(nil) }
}

/// Nanoseconds since the system was started, exact to some milliseconds: a quarter of what the
/// exact time costs.
package enum CoarseClock {
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// How long ago a time was.
    package static func age(of start: UInt64) -> Duration {
        let end = now
        return .nanoseconds(Int64(clamping: end > start ? end - start : 0))
    }
}
