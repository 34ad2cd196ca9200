import Foundation
import Freehold

/// Keeps asking the realm a question on the main actor while another thread imports, and
/// measures how long the main actor was held.
///
/// A program with a window would draw and react here. This one counts the packages it sees and
/// notes when its turn came late.
@MainActor
final class MainActorWatch {
    /// What was seen.
    struct Report: Encodable {
        /// The longest that a turn of the main actor came late.
        var longestHoldSeconds: Double
        /// How often the question was answered meanwhile.
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
                // A live answer, at the newest version: what the import has not committed is
                // not in it.
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
