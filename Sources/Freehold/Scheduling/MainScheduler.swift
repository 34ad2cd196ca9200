import Dispatch
import Foundation

/// The main thread, which is the main queue and the main actor.
final class MainScheduler: RealmScheduler {
    static let shared = MainScheduler()

    private init() {}

    var isCurrent: Bool { Thread.isMainThread || isMainQueueCurrent }

    private var isMainQueueCurrent: Bool {
        // First, because it is what gives the main queue its number.
        let main = QueueIdentity.main
        return QueueIdentity.current == main
    }

    var name: String { "the main thread" }

    func run(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}
