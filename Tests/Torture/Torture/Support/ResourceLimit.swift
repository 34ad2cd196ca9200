import Glibc

/// What a process may have of the system, lowered for a while. The soft limit is, which the
/// process may raise again.
enum ResourceLimit: UInt32 {
    case processes = 6
    case descriptors = 7
    case addressSpace = 9

    private var kind: __rlimit_resource_t { __rlimit_resource_t(rawValue) }

    var value: UInt64 {
        var limit = rlimit()
        precondition(getrlimit(kind, &limit) == 0, "getrlimit fails: \(errno)")
        return UInt64(limit.rlim_cur)
    }

    func set(_ value: UInt64) {
        var limit = rlimit()
        precondition(getrlimit(kind, &limit) == 0, "getrlimit fails: \(errno)")
        limit.rlim_cur = min(rlim_t(value), limit.rlim_max)
        precondition(setrlimit(kind, &limit) == 0, "setrlimit fails: \(errno)")
    }

    /// With a lower limit while the body runs.
    func with<Result>(_ value: UInt64, _ body: () throws -> Result) rethrows -> Result {
        let before = self.value
        set(value)
        defer { set(before) }
        return try body()
    }
}
