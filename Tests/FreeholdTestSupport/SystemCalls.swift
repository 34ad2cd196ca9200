import FreeholdTestStart

/// System calls and LMDB's calls of this process that concern the files of one directory. Other
/// tests that run at once notice nothing.
///
/// - Of the kernel: `open`, `unlink`, `lstat`, `fsync`, `fdatasync`, `pread`, `pwrite`,
///   `ftruncate`, `fchmod`, `lseek`, `fstat`, and `rename` and `renameat2`, which are done and
///   fail all the same as `rename done` and `renameat2 done`.
/// - Of `fcntl`: `setlk` (`F_SETLK`), `ofd setlk` (`F_OFD_SETLK` and `F_OFD_SETLKW`),
///   `ofd getlk` (`F_OFD_GETLK`).
/// - Of LMDB: `mdb_env_open`, `mdb_env_sync`, `mdb_txn_begin read`, `mdb_txn_begin write`,
///   `mdb_txn_renew`, `mdb_txn_commit`, `mdb_dbi_open`, `mdb_drop`, `mdb_cursor_open`,
///   `mdb_cursor_get`, `mdb_cursor_put`, `mdb_cursor_del`, `mdb_get`, `mdb_stat`, `mdb_put` and
///   `mdb_del`.
package enum SystemCalls {
    /// Makes a call fail while a body runs.
    ///
    /// - Parameters:
    ///   - directory: Where the files lie, without symbolic links.
    ///   - error: An `errno`, or a code of LMDB's. `EINTR` three times only.
    ///   - skipped: How many calls succeed before.
    /// - Returns: How many calls have failed.
    @discardableResult
    package static func failing(
        _ call: String, in directory: String, with error: Int32, after skipped: Int32 = 0,
        _ body: () throws -> Void
    ) rethrows -> Int {
        let number = freehold_fail_call(directory, call, error, skipped)
        precondition(number >= 0, "Too many calls are to fail at once.")
        do {
            try body()
        } catch {
            freehold_end_calls(number)
            throw error
        }
        return Int(freehold_end_calls(number))
    }

    /// A call that fails until ``end()``.
    package final class Failure {
        private let number: Int32

        fileprivate init(_ number: Int32) { self.number = number }

        package func end() { freehold_end_calls(number) }
    }

    /// Makes a call fail from now on. Parameters as in ``failing(_:in:with:after:_:)``.
    package static func fail(_ call: String, in directory: String, with error: Int32) -> Failure {
        let number = freehold_fail_call(directory, call, error, 0)
        precondition(number >= 0, "Too many calls are to fail at once.")
        return Failure(number)
    }

    /// Moves the wall clock, as this process reads it. For exit tests.
    package static func moveWallClock(by seconds: Int) { freehold_move_wall_clock(seconds) }

    /// Runs an action before the first such call that a body makes: what another program may do
    /// at that moment.
    package static func before(
        _ call: String, in directory: String, do action: @escaping () -> Void,
        _ body: () throws -> Void
    ) rethrows {
        final class Action {
            let run: () -> Void

            init(_ run: @escaping () -> Void) { self.run = run }
        }
        let kept = Action(action)
        let number = freehold_hook_call(
            directory, call,
            {
                if let context = $0 {
                    Unmanaged<Action>.fromOpaque(context).takeUnretainedValue().run()
                }
            }, Unmanaged.passUnretained(kept).toOpaque())
        precondition(number >= 0, "Too many calls are hooked at once.")
        defer {
            let calls = freehold_end_calls(number)
            precondition(calls > 0, "The call was not made.")
            withExtendedLifetime(kept) {}
        }
        try body()
    }

    /// The calls that a body makes, in their order: "fsync a.realm". Those of the directory
    /// itself have "." as their name.
    package static func made(in directory: String, _ body: () throws -> Void) rethrows -> [String] {
        let account = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 1 << 20)
        account.initialize(repeating: 0)
        defer { account.deallocate() }
        let number = freehold_account_for_calls(directory, account.baseAddress, account.count)
        precondition(number >= 0, "Too many accounts are kept at once.")
        do {
            defer { freehold_end_calls(number) }
            try body()
        }
        return String(
            decoding: account.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
        ).split(separator: "\n").map(String.init)
    }
}
