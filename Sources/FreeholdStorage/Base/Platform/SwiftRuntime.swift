internal import CLMDB
internal import Glibc

/// Whether the executor that runs the caller is a given one. Nanoseconds.
///
/// Compares two words and calls into no executor, so the given one may be gone. False for a
/// caller that no task runs, and for an executor that is another object but the same place:
/// ``isCurrentExecutor(_:)`` knows those.
package func isIdenticalToCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    let (identity, implementation) = executorWords(of: executor)
    let current = freehold_current_executor()
    return current.identity == identity && current.implementation == implementation
}

/// Whether the caller runs on a serial executor. Nanoseconds, where the executor is not a
/// program's.
///
/// The runtime's own answer, the one behind `assumeIsolated`, asked so that it never ends the
/// process: for an executor that cannot tell it is false. The runtime may call into a program's
/// executor, `isIsolatingCurrentContext` and `isSameExclusiveExecutionContext`: the caller
/// keeps it alive.
package func isCurrentExecutor(_ executor: UnownedSerialExecutor) -> Bool {
    let (identity, implementation) = executorWords(of: executor)
    return freehold_is_current_executor(identity, implementation)
}

/// Whether the caller runs in a task. Two nanoseconds, where `withUnsafeCurrentTask` takes seventy.
package var runsInTask: Bool { freehold_runs_in_task() }

/// Which task runs the caller; 0 outside of tasks. Only to be compared: an ended task's address
/// may become another one's.
package var currentTaskAddress: UInt { UInt(bitPattern: freehold_current_task()) }

/// What runs the caller: the actor's class and address or, if the actor has an executor of its
/// own, that one's. Nil on no actor. Nanoseconds.
///
/// Not to be asked on the main actor, whose executor's representation is the runtime's business.
package var currentActor: (objectClass: AnyClass, address: UInt, isExecutor: Bool)? {
    let current = freehold_current_executor()
    // The object lives at least as long as the job on it, which the caller is part of.
    guard let object = UnsafeRawPointer(bitPattern: UInt(current.identity)) else { return nil }
    return (
        Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { type(of: $0) },
        UInt(current.identity), current.implementation != 0
    )
}

/// The actor that runs the caller or, if it has an executor of its own, that one. Nil on no actor.
///
/// Not to be asked on the main actor.
package var currentExecutorObject: AnyObject? {
    guard let object = UnsafeRawPointer(bitPattern: UInt(freehold_current_executor().identity))
    else { return nil }
    // Lives at least as long as the job on it, which the caller is part of.
    return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
}

/// Whether both are one executor. Nanoseconds, and asks neither of them.
package func isSameExecutor(_ a: UnownedSerialExecutor, _ b: UnownedSerialExecutor) -> Bool {
    executorWords(of: a) == executorWords(of: b)
}

/// Whether an executor runs the caller.
package var hasCurrentExecutor: Bool {
    let current = freehold_current_executor()
    return current.identity != 0 || current.implementation != 0
}

/// Two words, as the runtime passes them. The type has no public way to them.
package func executorWords(of executor: UnownedSerialExecutor) -> (
    identity: UInt, implementation: UInt
) {
    unsafeBitCast(executor, to: (UInt, UInt).self)
}

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

/// The program and its libraries, as they lie in memory.
package enum LoadedImages {
    /// The function of a name, for those that the headers keep from Swift; nil where no image
    /// has it.
    package static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }

    /// Whether both addresses lie in one image; neither is read. True where the system cannot
    /// tell.
    package static func areInOne(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
        guard let known = base(of: b) else { return true }
        return base(of: a) == known
    }

    /// Where the image of an address begins.
    private static func base(of address: UnsafeRawPointer) -> UnsafeRawPointer? {
        guard let find else { return nil }
        // `Dl_info`: the image's path and base, the symbol's name and address.
        var found: (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) = (
            nil, nil, nil, nil
        )
        return withUnsafeMutablePointer(to: &found) { find(address, $0) } == 0 ? nil : found.1
    }

    private typealias Find = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32

    /// glibc declares `dladdr` to _GNU_SOURCE only, which Swift's view of the headers is built
    /// without.
    private static let find = function("dladdr", as: Find.self)
}
