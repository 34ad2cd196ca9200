internal import CLMDB

/// Whether the caller runs on a serial executor. Nanoseconds.
///
/// The runtime's own answer, the one behind `assumeIsolated`, asked so that it never ends the process: for an executor that cannot tell it is false.
package func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    let (identity, implementation) = unsafeWords(of: executor)
    return freehold_is_current_executor(identity, implementation)
}

/// Whether both are one executor. Nanoseconds, and asks neither of them.
package func isSameExecutor(_ a: UnownedSerialExecutor, _ b: UnownedSerialExecutor) -> Bool { unsafeWords(of: a) == unsafeWords(of: b) }

/// Two words, as the runtime passes them. The type has no public way to them.
private func unsafeWords(of executor: UnownedSerialExecutor) -> (identity: UInt, implementation: UInt) {
    unsafeBitCast(executor, to: (UInt, UInt).self)
}
