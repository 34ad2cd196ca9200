internal import Dispatch
internal import Synchronization

/// Where this layer says what it does, for whoever wants to read it. The layer above installs the reader.
///
/// A message that nobody wants costs a load; its text is not made.
package enum EventLog {
    /// How little a message matters.
    package enum Level: Int, Sendable {
        case error = 2, warning, info, detail, debug, trace
    }

    /// The raw value of the last level that is wanted; 0 for none.
    private static let last = Atomic<Int>(0)
    private static let reader = Locked<Reader?>(processWide: nil)

    private struct Reader: Sendable {
        let read: @Sendable (Level, String) -> Void
    }

    /// Passes messages up to a level on from now on, on the threads where they arise.
    package static func install(upTo last: Int, _ read: @escaping @Sendable (Level, String) -> Void) {
        _ = reader.exchange(Reader(read: read))
        self.last.store(last, ordering: .releasing)
    }

    package static func isWanted(_ level: Level) -> Bool { level.rawValue <= last.load(ordering: .relaxed) }

    /// Says something. Not under a lock: the reader is a program's.
    package static func say(_ level: Level, _ message: @autoclosure () -> String) {
        guard isWanted(level), let reader = reader.withLock({ $0 }) else { return }
        reader.read(level, message())
    }

    /// Says something that comes up under a lock: on a queue, so that the reader may do what it wants.
    package static func sayLater(_ level: Level, _ message: @autoclosure () -> String) {
        guard isWanted(level) else { return }
        let message = message()
        queue.async { say(level, message) }
    }

    private static let queue = DispatchQueue(label: "io.freehold.log", qos: .utility)
}
