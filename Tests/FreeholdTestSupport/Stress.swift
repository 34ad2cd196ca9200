import Foundation

/// How long the long tests run.
package enum Stress {
    /// The value of `FREEHOLD_STRESS`, 1 if it is not set.
    package static let factor: Int = {
        guard let text = ProcessInfo.processInfo.environment["FREEHOLD_STRESS"] else { return 1 }
        guard let factor = Int(text), factor > 0 else {
            fatalError("FREEHOLD_STRESS is a number of 1 or more, not \"\(text)\".")
        }
        return factor
    }()

    /// How many rounds a test makes: so many in a developer's run, and ``factor`` times as many.
    package static func rounds(_ count: Int) -> Int { count * factor }
}
