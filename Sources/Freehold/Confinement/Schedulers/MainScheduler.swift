import Dispatch
import Foundation

/// Schedules work on the main thread, which is also the main queue and the main actor.
final class MainScheduler: RealmScheduler {
    static let shared = MainScheduler()

    private init() {}

    var isCurrent: Bool {
        // The main queue's number first: reading it assigns the number, by which the current
        // queue is then found.
        let main = QueueIdentity.main
        return Thread.isMainThread || QueueIdentity.current == main
    }

    var name: String { "the main thread" }

    func run(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}
