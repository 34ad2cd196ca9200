import Dispatch
import Foundation

/// The main thread, which is the main queue and the main actor.
final class MainScheduler: RealmScheduler {
    static let shared = MainScheduler()

    private init() {}

    var isCurrent: Bool {
        // The main queue's number first: asking for it is what gives it one, which the current
        // queue is then found to have.
        let main = QueueIdentity.main
        return Thread.isMainThread || QueueIdentity.current == main
    }

    var name: String { "the main thread" }

    func run(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}
