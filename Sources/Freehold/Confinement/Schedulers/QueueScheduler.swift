import Dispatch

/// Schedules work on a serial queue.
final class QueueScheduler: RealmScheduler {
    private let queue: DispatchQueue
    private let number: UInt64

    init(_ queue: DispatchQueue) {
        self.queue = queue
        number = QueueIdentity.number(of: queue)
    }

    var isCurrent: Bool { QueueIdentity.current == number }

    var name: String { "the queue '\(queue.label)'" }

    func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
