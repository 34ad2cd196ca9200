internal import CLMDB

/// Whether the caller runs on a serial executor. Nanoseconds.
///
/// The runtime's own answer, the one behind `assumeIsolated`, asked so that it never ends the process: for an executor that cannot tell it is false.
package func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    // Two words, as the runtime passes them. The type has no public way to them.
    let (identity, implementation) = unsafeBitCast(executor, to: (UInt, UInt).self)
    return freehold_is_current_executor(identity, implementation)
}

/// Whether the caller runs in a task. Two nanoseconds, where `withUnsafeCurrentTask` takes seventy.
package var runsInTask: Bool { freehold_runs_in_task() }

/// The class of the actor that the caller runs on, or of the executor if the actor has one of its own; nil on no actor. Nanoseconds.
///
/// Not to be asked on the main actor, whose executor's representation is the runtime's business.
package var currentActorClass: AnyClass? {
    let current = freehold_current_executor()
    // The object lives at least as long as the job on it, which the caller is part of.
    guard let object = UnsafeRawPointer(bitPattern: UInt(current.identity)) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { type(of: $0) }
}
