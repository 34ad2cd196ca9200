public import Foundation
import Synchronization

extension ObjectId {
    /// Makes a new identifier from the clock, this process's random number and its counter.
    ///
    /// Identifiers of one process differ as long as it makes fewer than 2²⁴ in one second. Those of different
    /// processes, a forked child included, differ by 40 random bits.
    ///
    /// Constant time: one clock reading and one atomic addition. Call it on any thread.
    public static func generate() -> ObjectId {
        ObjectIdGenerator.installForkHandler
        let seconds = UInt32(truncatingIfNeeded: time(nil))
        return ObjectId(words: ObjectIdGenerator.shared.words(seconds: seconds))
    }

    /// Makes an identifier of the older layout, in which three bytes name a machine and two a process.
    ///
    /// - Parameters:
    ///   - timestamp: Kept to the second, rounded down; a date outside 1970-01-01 to 2106-02-07 becomes the nearer end.
    ///   - machineId: Its low 24 bits are kept.
    ///   - processId: Its low 16 bits are kept.
    ///
    /// The last three bytes come from the counter that ``generate()`` uses, so equal arguments make different
    /// identifiers. Call it on any thread.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        ObjectIdGenerator.installForkHandler
        let interval = timestamp.timeIntervalSince1970.rounded(.down)
        let seconds: UInt32 = if interval >= 4_294_967_295 {
            .max
        } else if interval > 0 {
            UInt32(interval)
        } else {
            0
        }
        let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
        let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
        self.init(words: ObjectIdGenerator.shared.words(seconds: seconds, middle: machine << 16 | process))
    }
}

/// What distinguishes the identifiers of this process: a random number and a counter with a random start.
///
/// A fork copies both, so parent and child would go on to make the same identifiers. A handler that runs in the child
/// before `fork` returns there draws both anew. It is installed only after `shared` exists: were it installed by the
/// initialiser of `shared`, a fork by another thread in between would leave the child waiting for an initialiser whose
/// thread it does not have.
struct ObjectIdGenerator: ~Copyable, Sendable {
    static let shared = ObjectIdGenerator()

    /// Installs the fork handler the first time it is read.
    static let installForkHandler: Void = {
        _ = shared.counter.load(ordering: .relaxed)
        // The only failure is a lack of memory for the registration; identifiers then still differ by counter and clock.
        _ = pthread_atfork(nil, nil) { ObjectIdGenerator.shared.reseed() }
    }()

    /// Five random bytes in the low 40 bits.
    private let random: Atomic<UInt64>
    /// Its low 24 bits go into the next identifier. Overflow wraps.
    private let counter: Atomic<UInt32>

    private init() {
        random = Atomic(.random(in: 0..<1 << 40))
        counter = Atomic(.random(in: 0...(.max)))
    }

    /// Draws the random number and the counter's start again. Neither allocates nor locks, as a fork handler must not.
    func reseed() {
        random.store(.random(in: 0..<1 << 40), ordering: .relaxed)
        counter.store(.random(in: 0...(.max)), ordering: .relaxed)
    }

    /// The words of the next identifier, with this process's random number or the given low 40 bits in the middle.
    func words(seconds: UInt32, middle: UInt64? = nil) -> (UInt32, UInt32, UInt32) {
        let middle = middle ?? random.load(ordering: .relaxed)
        let count = counter.wrappingAdd(1, ordering: .relaxed).oldValue & 0xFF_FFFF
        return (seconds, UInt32(truncatingIfNeeded: middle >> 8), UInt32(truncatingIfNeeded: middle & 0xFF) << 24 | count)
    }
}
