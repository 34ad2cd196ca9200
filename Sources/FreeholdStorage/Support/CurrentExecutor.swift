internal import CLMDB

/// Whether the caller runs on a serial executor. Nanoseconds.
///
/// The runtime's own answer, the one behind `assumeIsolated`, asked so that it never ends the process: for an executor that cannot tell it is false.
package func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    // Two words, as the runtime passes them. The type has no public way to them.
    let (identity, implementation) = unsafeBitCast(executor, to: (UInt, UInt).self)
    return freehold_is_current_executor(identity, implementation)
}
