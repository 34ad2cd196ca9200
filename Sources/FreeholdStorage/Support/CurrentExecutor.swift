internal import CLMDB

/// Whether the caller runs on a serial executor. Nanoseconds.
///
/// The runtime's own answer, the one behind `assumeIsolated`, asked so that it never ends the process: for an executor that cannot tell it is false.
package func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    let (identity, implementation) = unsafeWords(of: executor)
    return freehold_is_current_executor(identity, implementation)
}

/// Whether the caller runs in a task. Two nanoseconds, where `withUnsafeCurrentTask` takes seventy.
package var runsInTask: Bool { freehold_runs_in_task() }

/// What runs the caller: the actor's class or, if the actor has an executor of its own, that one's. Nil on no actor. Nanoseconds.
///
/// Not to be asked on the main actor, whose executor's representation is the runtime's business.
package var currentActor: (objectClass: AnyClass, isExecutor: Bool)? {
    let current = freehold_current_executor()
    // The object lives at least as long as the job on it, which the caller is part of.
    guard let object = UnsafeRawPointer(bitPattern: UInt(current.identity)) else { return nil }
    return (Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { type(of: $0) }, current.implementation != 0)
}

/// Whether both are one executor. Nanoseconds, and asks neither of them.
package func isSameExecutor(_ a: UnownedSerialExecutor, _ b: UnownedSerialExecutor) -> Bool { unsafeWords(of: a) == unsafeWords(of: b) }

/// Two words, as the runtime passes them. The type has no public way to them.
private func unsafeWords(of executor: UnownedSerialExecutor) -> (identity: UInt, implementation: UInt) {
    unsafeBitCast(executor, to: (UInt, UInt).self)
}
