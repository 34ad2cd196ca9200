import Foundation
import Freehold

/// Repeats a query on the main actor while another thread imports, and measures how long the main
/// actor was blocked.
///
/// A program with a window would draw and handle events here. This one counts packages, and
/// measures how late each query starts.
@MainActor
final class MainActorWatch {
    /// The result of the measurement.
    struct Report: Encodable {
        /// The longest delay of a query on the main actor.
        var longestHoldSeconds: Double
        /// The number of queries during the import.
        var answerCount: Int
    }

    private static let pause = Duration.milliseconds(2)

    private let realm: Realm
    private var longest = Duration.zero
    private var answerCount = 0
    private var task: Task<Void, Never>?

    init(realm: Realm) { self.realm = realm }

    func start() {
        task = Task {
            var due = ContinuousClock.now
            while !Task.isCancelled {
                longest = max(longest, ContinuousClock.now - due)
                // A live result at the newest version: it does not show what the import has not
                // committed.
                realm.refresh()
                _ = realm.objects(Package.self).where { $0.name.starts(with: "lib") }.count
                answerCount += 1
                due = ContinuousClock.now + Self.pause
                try? await Task.sleep(until: due)
            }
        }
    }

    func stop() async -> Report {
        task?.cancel()
        await task?.value
        return Report(longestHoldSeconds: longest / .seconds(1), answerCount: answerCount)
    }
}
