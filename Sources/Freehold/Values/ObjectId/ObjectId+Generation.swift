public import Foundation
import FreeholdStorage
import Synchronization

extension ObjectId {
    /// Makes a new identifier from the clock, this process's random number and its counter.
    ///
    /// The identifiers of one process strictly increase, on any number of threads. Those of
    /// different processes, including forked children, differ by 40 random bits.
    ///
    /// ``timestamp`` is the time of the call, or later. It runs ahead after the counter has
    /// overflowed or the clock was set back, until the clock has caught up.
    ///
    /// Constant time: one clock reading and one atomic exchange, repeated only if another thread
    /// interferes. Call it on any thread.
    public static func generate() -> ObjectId {
        ObjectIdGenerator.installForkHandler
        let seconds = UInt32(truncatingIfNeeded: WallClock.seconds)
        return ObjectId(words: ObjectIdGenerator.shared.next(seconds: seconds))
    }

    /// Makes an identifier of the older layout, in which three bytes name a machine and two a
    /// process.
    ///
    /// - Parameters:
    ///   - timestamp: The time, rounded down to a second. Dates outside 1970-01-01 to 2106-02-07
    ///     become the nearer end.
    ///   - machineId: Its low 24 bits are kept.
    ///   - processId: Its low 16 bits are kept.
    ///
    /// The last three bytes come from a counter. So equal arguments give different identifiers
    /// until the counter wraps around, after 2²⁴ of them. Call it on any thread.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        ObjectIdGenerator.installForkHandler
        let interval = timestamp.timeIntervalSince1970
        let seconds: UInt32 =
            if interval >= 4_294_967_295 {
                .max
            } else if interval > 0 {
                UInt32(interval)
            } else {
                0
            }
        let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
        let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
        self.init(
            words: ObjectIdGenerator.shared.next(seconds: seconds, middle: machine << 16 | process))
    }
}

/// Distinguishes the identifiers of this process: a random number, and counters with random
/// starts.
///
/// ## The clock
/// Two events would repeat an identifier. A counter of 24 bits beside a clock of seconds can wrap
/// around in a fraction of a second, if a program makes only identifiers. And a clock can be set
/// back. So the last time and the last count are one number, with the time above the count, which
/// only grows. If the present second with the next count is greater, the number becomes that.
/// Otherwise it grows by one, and the count carries into the time.
///
/// ## Forks
/// A fork copies all of this, so parent and child would make the same identifiers. A handler that
/// runs in the child before `fork` returns draws the random parts anew.
///
/// The handler is installed only after `shared` exists. If the initialiser of `shared` installed
/// it, a fork by another thread in between would leave the child waiting for an initialiser whose
/// thread does not exist in the child.
struct ObjectIdGenerator: ~Copyable, Sendable {
    static let shared = ObjectIdGenerator()

    /// Installs the fork handler the first time it is read.
    static let installForkHandler: Void = {
        _ = shared.random.load(ordering: .relaxed)
        // Fails only for lack of memory for the registration; everything else works without it.
        SystemProcess.atFork(inChild: { ObjectIdGenerator.shared.reseed() })
    }()

    static let countMask: UInt64 = 0xFF_FFFF

    /// Five random bytes in the low 40 bits.
    private let random: Atomic<UInt64>
    /// The seconds of the last identifier above its 24-bit count. Only grows, except in `reseed`.
    private let last: Atomic<UInt64>
    /// The count of identifiers made for a given time. Its low 24 bits are used.
    private let countAtGivenTimes: Atomic<UInt32>

    /// Makes a generator whose first identifier has the count after the given 24-bit one.
    init(lastCount: UInt64 = .random(in: 0...countMask)) {
        random = Atomic(.random(in: 0..<1 << 40))
        last = Atomic(lastCount)
        countAtGivenTimes = Atomic(.random(in: 0...(.max)))
    }

    /// Draws the random parts anew. Neither allocates nor locks, as a fork handler must not.
    func reseed() {
        random.store(.random(in: 0..<1 << 40), ordering: .relaxed)
        last.store(.random(in: 0...Self.countMask), ordering: .relaxed)
        countAtGivenTimes.store(.random(in: 0...(.max)), ordering: .relaxed)
    }

    /// Returns the words of the next identifier at the present time.
    func next(seconds: UInt32) -> (UInt32, UInt32, UInt32) {
        var old = last.load(ordering: .relaxed)
        while true {
            let atPresent = UInt64(seconds) << 24 | (old &+ 1) & Self.countMask
            let new = Swift.max(atPresent, old &+ 1)
            let (exchanged, original) = last.weakCompareExchange(
                expected: old, desired: new, ordering: .relaxed)
            if exchanged {
                return Self.words(
                    seconds: UInt32(truncatingIfNeeded: new >> 24),
                    middle: random.load(ordering: .relaxed), count: UInt32(truncatingIfNeeded: new))
            }
            old = original
        }
    }

    /// Returns the words of the next identifier with a given time and given low 40 bits in the
    /// middle.
    func next(seconds: UInt32, middle: UInt64) -> (UInt32, UInt32, UInt32) {
        let count = countAtGivenTimes.wrappingAdd(1, ordering: .relaxed).oldValue
        return Self.words(seconds: seconds, middle: middle, count: count)
    }

    private static func words(seconds: UInt32, middle: UInt64, count: UInt32) -> (
        UInt32, UInt32, UInt32
    ) {
        (
            seconds,
            UInt32(truncatingIfNeeded: middle >> 8),
            UInt32(truncatingIfNeeded: middle & 0xFF) << 24 | count & UInt32(countMask)
        )
    }
}
