internal import Dispatch
internal import Synchronization

/// Passes the storage layer's messages to a reader, which the layer above installs.
///
/// A message above the wanted level costs one load; its text is never built.
package enum EventLog {
    /// How important a message is, the most important first.
    package enum Level: Int, Sendable {
        case error = 2, warning, info, detail, debug, trace
    }

    /// What a message is about.
    package enum Topic: Sendable {
        case files
        case transactions
    }

    /// The raw values of the last levels wanted; 0 for none.
    private static let lastOfFiles = Atomic<Int>(0)
    private static let lastOfTransactions = Atomic<Int>(0)
    private static let reader = Locked<Reader?>(processWide: nil)

    private struct Reader: Sendable {
        let read: @Sendable (Level, Topic, String) -> Void
    }

    /// Passes messages up to a level for each topic to `read`, on the threads where they arise.
    package static func install(
        upTo last: (Topic) -> Int, _ read: @escaping @Sendable (Level, Topic, String) -> Void
    ) {
        _ = reader.exchange(Reader(read: read))
        lastOfFiles.store(last(.files), ordering: .releasing)
        lastOfTransactions.store(last(.transactions), ordering: .releasing)
    }

    package static func isWanted(_ level: Level, about topic: Topic = .files) -> Bool {
        switch topic {
        case .files: level.rawValue <= lastOfFiles.load(ordering: .relaxed)
        case .transactions: level.rawValue <= lastOfTransactions.load(ordering: .relaxed)
        }
    }

    /// Passes a message to the reader. Do not call it under a lock: the reader is the program's
    /// code.
    package static func say(
        _ level: Level, about topic: Topic = .files, _ message: @autoclosure () -> String
    ) {
        guard isWanted(level, about: topic), let reader = reader.withLock({ $0 }) else { return }
        reader.read(level, topic, message())
    }

    /// Passes a message that arises under a lock to the reader, on a queue, so that the reader
    /// may call anything.
    package static func sayLater(_ level: Level, _ message: @autoclosure () -> String) {
        guard isWanted(level) else { return }
        let message = message()
        queue.async { say(level, message) }
    }

    private static let queue = DispatchQueue(label: "io.freehold.log", qos: .utility)
}
