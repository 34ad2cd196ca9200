internal import CLMDB
internal import Glibc

/// Whether the caller runs on the given executor. Nanoseconds.
///
/// Compares two words and calls into no executor, so the given executor may be deallocated.
/// False for a caller outside of tasks. Also false for a different object that represents the
/// same executor, which ``isCurrentExecutor(_:)`` recognises.
package func isIdenticalToCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    let (identity, implementation) = executorWords(of: executor)
    let current = freehold_current_executor()
    return current.identity == identity && current.implementation == implementation
}

/// Whether the caller runs on a serial executor. Nanoseconds, unless the executor is the
/// program's own.
///
/// Returns the runtime's answer that `assumeIsolated` relies on, but never ends the process: it
/// is false for an executor that cannot tell. The runtime may call the executor's
/// `isIsolatingCurrentContext` and `isSameExclusiveExecutionContext`. So the caller must keep the
/// executor alive.
package func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    let (identity, implementation) = executorWords(of: executor)
    return freehold_is_current_executor(identity, implementation)
}

/// Whether the caller runs in a task. Two nanoseconds, where `withUnsafeCurrentTask` takes seventy.
package var runsInTask: Bool { freehold_runs_in_task() }

/// The address of the current task; 0 outside of tasks. Use it only for comparisons: a later
/// task may reuse the address.
package var currentTaskAddress: UInt { UInt(bitPattern: freehold_current_task()) }

/// The class and address of the actor that runs the caller, or of that actor's own executor.
/// Nil on no actor. Nanoseconds.
///
/// Do not use it on the main actor, whose executor's representation is private to the runtime.
package var currentActor: (objectClass: AnyClass, address: UInt, isExecutor: Bool)? {
    let current = freehold_current_executor()
    // The object lives at least as long as its current job, which the caller is part of.
    guard let object = UnsafeRawPointer(bitPattern: UInt(current.identity)) else { return nil }
    return (
        Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { type(of: $0) },
        UInt(current.identity), current.implementation != 0
    )
}

/// The actor that runs the caller, or that actor's own executor. Nil on no actor.
///
/// Do not use it on the main actor.
package var currentExecutorObject: AnyObject? {
    guard let object = UnsafeRawPointer(bitPattern: UInt(freehold_current_executor().identity))
    else { return nil }
    // It lives at least as long as its current job, which the caller is part of.
    return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
}

/// Whether both are the same executor. Nanoseconds; calls neither executor.
package func isSameExecutor(_ a: UnownedSerialExecutor, _ b: UnownedSerialExecutor) -> Bool {
    executorWords(of: a) == executorWords(of: b)
}

/// Whether the caller runs on any executor.
package var hasCurrentExecutor: Bool {
    let current = freehold_current_executor()
    return current.identity != 0 || current.implementation != 0
}

/// The executor's two words, as the runtime passes them. The type has no public access to them.
package func executorWords(of executor: UnownedSerialExecutor) -> (
    identity: UInt, implementation: UInt
) { unsafeBitCast(executor, to: (UInt, UInt).self) }

/// A new reference to an object that the caller does not own, unless its last reference is gone
/// and its `deinit` is about to run. O(1).
///
/// The memory must be valid: the caller holds a lock that the object's `deinit` takes, too.
/// This is what a weak reference does, but without moving the object's reference count into a
/// side table, which makes each later retain and release take several times as long.
package func unsafeTryRetain<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
    freehold_try_retain(object.toOpaque()).map {
        Unmanaged<Object>.fromOpaque($0).takeRetainedValue()
    }
}

/// The loaded images of the process: the program and its libraries.
package enum LoadedImages {
    /// The function with a name, for symbols that the headers hide from Swift. Nil if no image
    /// has it.
    package static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }

    /// Whether both addresses are in one image. Reads neither. True if the system cannot tell.
    package static func areInOne(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
        guard let known = base(of: b) else { return true }
        return base(of: a) == known
    }

    /// The start of the image that contains an address.
    private static func base(of address: UnsafeRawPointer) -> UnsafeRawPointer? {
        guard let find else { return nil }
        // `Dl_info`: the image's path and base, the symbol's name and address.
        var found: (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) = (
            nil, nil, nil, nil
        )
        return withUnsafeMutablePointer(to: &found) { find(address, $0) } == 0 ? nil : found.1
    }

    private typealias Find = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32

    /// glibc declares `dladdr` only with `_GNU_SOURCE`, which Swift's Glibc module does not define.
    private static let find = function("dladdr", as: Find.self)
}
