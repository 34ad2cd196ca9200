import Dispatch
import Foundation

/// The main thread, which is the main queue and the main actor.
final class MainScheduler: RealmScheduler {
    static let shared = MainScheduler()

    private init() {}

    var isCurrent: Bool { Thread.isMainThread || QueueIdentity.current == QueueIdentity.main }

    var name: String { "the main thread" }

    func run(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}
