package import Dispatch
internal import CLMDB
internal import Glibc
internal import Synchronization

/// System calls about this process.
package enum SystemProcess {
    package static var identifier: Int32 { getpid() }

    package static var effectiveUser: UInt32 { geteuid() }

    /// Whether a process exists.
    static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

    /// The number of processors that the process may use; 0 if unknown.
    static var processorCount: Int { Int(freehold_processor_count()) }

    /// The size of a memory page.
    package static var pageSize: Int { Int(getpagesize()) }

    /// The largest size of a file that the process may write; nil if there is no limit.
    static var fileSizeLimit: UInt? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0,
            limit.rlim_cur != rlim_t.max
        else { return nil }
        return limit.rlim_cur
    }

    /// The inode of one of the process's namespaces; 0 if unknown.
    static func namespace(_ name: String) -> UInt64 {
        Files.identity(followingLinksOf: "/proc/self/ns/\(name)")?.inode ?? 0
    }

    /// Names the calling thread for debuggers and `ps -L`. The limit is 15 bytes.
    static func nameThread(_ name: String) { pthread_setname_np(pthread_self(), name) }

    /// Calls a function when the process exits.
    static func atExit(_ body: @convention(c) () -> Void) { atexit(body) }

    /// Calls functions around each fork: before it, and after it in both processes. The only
    /// failure is a lack of memory for the registration.
    package static func atFork(
        before: (@convention(c) () -> Void)? = nil, inParent: (@convention(c) () -> Void)? = nil,
        inChild: @convention(c) () -> Void
    ) { _ = pthread_atfork(before, inParent, inChild) }

    /// Whether the standard error is a terminal.
    package static var hasTerminal: Bool { isatty(2) == 1 }
}

/// The time of day.
package enum WallClock {
    /// The time since 1970.
    static var now: (seconds: Int64, nanoseconds: Int64) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return (Int64(now.tv_sec), Int64(now.tv_nsec))
    }

    /// Whole seconds since 1970.
    package static var seconds: Int { time(nil) }
}

/// Nanoseconds since boot, exact to some milliseconds (`CLOCK_MONOTONIC_COARSE`). Costs a quarter
/// of the exact clock.
package enum CoarseClock {
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The time since an earlier ``now``.
    package static func age(of start: UInt64) -> Duration {
        let end = now
        return .nanoseconds(Int64(clamping: end > start ? end - start : 0))
    }
}

/// What tells a server to end.
package enum ProcessEnding {
    /// Calls back once: after SIGINT, SIGTERM or SIGHUP, which end the process no longer, or when
    /// its terminal is gone.
    ///
    /// - Parameter end: Called on the main queue.
    /// - Returns: What calls back while it is kept.
    package static func sources(_ end: @escaping @Sendable () -> Void)
        -> [any DispatchSourceProtocol]
    {
        let isOver = Locked(false)
        let once: @Sendable () -> Void = {
            let isFirst = isOver.withLock { over in
                defer { over = true }
                return !over
            }
            if isFirst { end() }
        }
        var sources: [any DispatchSourceProtocol] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler(handler: once)
            source.resume()
            sources.append(source)
        }
        // A terminal that is closed while signals do not reach the process, as in another session.
        if isatty(STDIN_FILENO) == 1 {
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.setEventHandler {
                var poller = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
                if poll(&poller, 1, 0) > 0,
                    poller.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
                {
                    once()
                }
            }
            timer.schedule(deadline: .now() + 1, repeating: 1)
            timer.resume()
            sources.append(timer)
        }
        return sources
    }
}

/// Notes SIGINT and SIGTERM, which do not end the process the first time: for work that stops at a
/// place of its own.
package final class Interruption {
    private final class Note: Sendable {
        let isThere = Atomic<Bool>(false)
    }

    private let note = Note()
    private let sources: [any DispatchSourceProtocol]

    package init() {
        let note = note
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                note.isThere.store(true, ordering: .releasing)
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    package var isThere: Bool { note.isThere.load(ordering: .acquiring) }
}
