internal import CLMDB

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
