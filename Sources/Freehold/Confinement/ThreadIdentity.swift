import Foundation
import FreeholdStorage
import Synchronization

/// Identifies one thread by a number that the process never reuses: the key of the thread's
/// realms, and its name in reports.
///
/// A `pthread_t` is reused as soon as its thread has ended. A realm that outlives its thread must
/// not be handed to the next thread with the same value.
final class ThreadIdentity: Sendable {
    /// Counts from 1; never reused.
    let number: UInt64
    /// The kernel's number, the one that `ps -L` and debuggers show.
    let systemID: Int
    let isMain: Bool
    /// Runs work on the thread from other threads.
    var scheduler: ThreadScheduler {
        lazyScheduler.withLock { known in
            if let known { return known }
            let made = ThreadScheduler(self)
            known = made
            return made
        }
    }
    private let lazyScheduler = Locked<ThreadScheduler?>(nil)

    /// The current nesting depth of literals being made into objects. Changed by the thread only.
    let literalDepth = Atomic<Int>(0)
    /// The address of the thread's active ``KeyPathRecording``; 0 if there is none. Changed by
    /// the thread only.
    let recording = Atomic<UInt>(0)

    /// The path of the value being encoded; nil until the thread encodes one. Used by the thread
    /// only.
    nonisolated(unsafe) var encodingPath: EncodingPath?

    private init() {
        number = ThreadIdentity.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        systemID = ThreadIdentity.readSystemID()
        isMain = Thread.isMainThread
    }

    private static let lastNumber = Atomic<UInt64>(0)

    /// The slot that holds a thread's identity, retained; released by the destructor when the
    /// thread ends.
    private static let slot: ThreadSlot = ThreadSlot { pointer in
        guard let pointer else { return }
        let identity = Unmanaged<ThreadIdentity>.fromOpaque(pointer)
        // The system cleared the slot before this call; work that finishes here asks for the
        // thread's identity.
        slot.set(pointer)
        RealmCoordinator.cancelTransactions(ofEndingThread: identity.takeUnretainedValue().number)
        identity.takeUnretainedValue().lazyScheduler.withLock { $0 }?.finish()
        slot.set(nil)
        identity.release()
    }

    /// The identity of the calling thread. O(1).
    static var current: ThreadIdentity {
        if let known = slot.value {
            return Unmanaged<ThreadIdentity>.fromOpaque(known).takeUnretainedValue()
        }
        let identity = ThreadIdentity()
        slot.set(Unmanaged.passRetained(identity).toOpaque())
        return identity
    }

    /// The thread's name, as the kernel knows it; empty if the thread has ended.
    var name: String {
        let text = try? String(contentsOfFile: "/proc/self/task/\(systemID)/comm", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    /// Reads the link `/proc/thread-self`, which leads to `<process>/task/<thread>`; 0 if /proc
    /// is not mounted.
    private static func readSystemID() -> Int {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return target.flatMap { $0.split(separator: "/").last }.flatMap { Int($0) } ?? 0
    }
}
